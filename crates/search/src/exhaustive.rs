//! Depth-first exploration of every path, in canonical order: true before false, lower cases first.

use crate::budget::{Budget, Stop};
use crate::driver::{Driver, Step};
use crate::node::Node;
use crate::reproduce::finish;
use crate::tally::Tally;
use crate::target::{SearchError, Target};

/// Somebody to give work to while exploring.
pub(crate) trait Share {
    /// Called now and then with the nodes still to be explored, shallowest first: may take some of the first.
    fn offer(&mut self, waiting: &mut Vec<Node>);

    /// Called between two paths with all that is known by then, and the node that is next.
    fn look(&mut self, _driver: &Driver<'_>, _tally: &Tally, _next: &Node, _waiting: &[Node]) {}

    /// Called after every decision: whether to leave the rest for another time.
    fn pauses(&mut self, _driver: &mut Driver<'_>) -> bool {
        false
    }
}

/// Nobody.
pub(crate) struct Alone;

impl Share for Alone {
    fn offer(&mut self, _: &mut Vec<Node>) {}
}

/// Explores everything below a node. What is left over where that ended early, shallowest first.
pub(crate) fn explore(
    driver: &mut Driver<'_>,
    root: Node,
    tally: &mut Tally,
    most: u64,
    share: &mut impl Share,
) -> Vec<Node> {
    let mut waiting = vec![root];
    while let Some(mut node) = waiting.pop() {
        if tally.paths + tally.cut >= most {
            tally.stop = Some(Stop::Paths);
            waiting.push(node);
            return waiting;
        }
        share.look(driver, tally, &node, &waiting);
        share.offer(&mut waiting);
        loop {
            match driver.advance(&mut node) {
                Step::Decide(choice) => {
                    follow(driver, &mut node, &choice, &mut waiting);
                    if share.pauses(driver) {
                        waiting.push(node);
                        return waiting;
                    }
                }
                Step::Done(outcome) => {
                    tally.ended(driver.target, &node, outcome);
                    break;
                }
                Step::Cut(limit) => {
                    tally.cut(driver, &node, limit);
                    break;
                }
                Step::Stop(stop) => {
                    tally.stop = Some(stop);
                    waiting.push(node);
                    return waiting;
                }
            }
        }
    }
    waiting
}

/// Goes on with the first feasible side; the others wait, so that they come next in order.
pub(crate) fn follow(
    driver: &mut Driver<'_>,
    node: &mut Node,
    choice: &crate::driver::Choice,
    waiting: &mut Vec<Node>,
) {
    if !driver.recorded.is_empty() {
        // What comes after a prefix is not in it.
        driver.recorded.clear();
        driver.diverged = true;
    }
    let unknown = driver.unknown;
    let mut feasible: smallvec::SmallVec<[(usize, Option<slowpath_term::Model>); 4]> = smallvec::SmallVec::new();
    for (i, side) in choice.sides.iter().enumerate() {
        if i == choice.current {
            feasible.push((i, None));
        } else if let Some(model) = driver.feasible_side(node, *side) {
            feasible.push((i, Some(model)));
        }
    }
    // A side that the solver gave up on may well be possible: then the other is not implied, and its condition is needed.
    let forced = feasible.len() == 1 && driver.unknown == unknown;
    for (side, model) in feasible.drain(1..).rev() {
        let mut fork = node.clone();
        driver.take(&mut fork, choice, side, model, false);
        waiting.push(fork);
    }
    if let Some((side, model)) = feasible.pop() {
        driver.take(node, choice, side, model, forced);
    }
}

/// Explores depth first until every path is done or the budget is used (the paper's DFS).
pub fn depth_first(target: &Target, n: i64, budget: &Budget) -> Result<crate::SizeFinding, SearchError> {
    let begun = budget.now();
    let mut driver = Driver::new(target, budget);
    let root = driver.root(n)?;
    let mut tally = Tally::default();
    explore(&mut driver, root, &mut tally, budget.paths, &mut Alone);
    let stats = driver.solver_stats();
    let limits = std::mem::take(&mut driver.limits);
    finish(target, n, budget, tally, limits, stats, begun)
}
