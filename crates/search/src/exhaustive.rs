//! Depth-first exploration of every path, in canonical order: true before false, lower cases first.

use std::collections::BTreeMap;

use slowpath_machine::{Answer, Limit, Outcome};
use slowpath_program::{SiteId, Trap};

use crate::budget::{Budget, Stop};
use crate::driver::{Driver, Step};
use crate::node::{Decision, Node};
use crate::policy::SizeSummary;
use crate::target::{SearchError, Target};

/// Example paths kept for each kind of trap at each place.
pub(crate) const TRAP_EXAMPLES: usize = 8;

/// A path as the exploration remembers it: its input is made afterwards, by following the decisions again, so that
/// it does not depend on the order of exploration.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub cost: u64,
    pub decisions: Vec<Decision>,
}

/// Paths that end in one kind of trap after one site: the trap, how many, and some of them.
pub(crate) type TrapTally = (Trap, u64, Vec<Found>);

/// What one exploration came to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub paths: u64,
    pub worst: Option<Found>,
    pub worst_paths: u64,
    pub traps: BTreeMap<(String, Option<SiteId>), TrapTally>,
    pub cut: u64,
    pub cut_example: Option<Vec<Decision>>,
    pub stop: Option<Stop>,
    /// What the paths teach, where that was asked for.
    pub summary: Option<SizeSummary>,
}

/// The answers of a path, comparable: the canonical order of paths.
pub(crate) fn canonical(decisions: &[Decision]) -> Vec<u64> {
    let key = |d: &Decision| match d.answer {
        Answer::Bool(b) => u64::from(!b),
        Answer::Case(i) => u64::from(i),
        Answer::Value(v) => v,
        Answer::Range(..) => 0,
    };
    decisions.iter().map(key).collect::<Vec<u64>>()
}

impl Tally {
    /// Books a path that came to its end.
    pub fn ended(&mut self, target: &Target, node: &Node, outcome: Outcome) {
        // An input outside what the harness allows is no path.
        if outcome == Outcome::Trapped(Trap::AssumeFailed) {
            return;
        }
        self.paths += 1;
        let cost = target.cost.of(&node.state);
        if let Some(summary) = &mut self.summary {
            summary.path(cost, node.trail.decisions());
        }
        let best = self.worst.as_ref().map(|w| w.cost);
        if best == Some(cost) {
            self.worst_paths += 1;
        } else if best.is_none_or(|b| cost > b) {
            self.worst = Some(found(node, cost));
            self.worst_paths = 1;
        }
        if let Outcome::Trapped(trap) = outcome
            && trap.is_fault()
        {
            self.trapped(node, cost, trap);
        }
    }

    fn trapped(&mut self, node: &Node, cost: u64, trap: Trap) {
        let decisions = node.trail.decisions();
        let site = decisions.last().map(|d| d.site);
        let entry = self.traps.entry((trap.to_string(), site)).or_insert_with(|| (trap, 0, Vec::new()));
        entry.1 += 1;
        if entry.2.len() < TRAP_EXAMPLES {
            entry.2.push(found(node, cost));
        }
    }

    /// Books a path that a limit cut short.
    pub fn cut(&mut self, driver: &mut Driver<'_>, node: &Node, limit: Limit) {
        self.cut += 1;
        if self.cut_example.is_none() {
            self.cut_example = Some(node.trail.decisions());
        }
        driver.limit(match limit {
            Limit::Instructions => {
                format!(
                    "a path of more than {} instructions was cut short (--max-instructions)",
                    driver.target.limits.instructions
                )
            }
            Limit::CallDepth => format!("calls deeper than {} (--max-depth)", driver.target.limits.call_depth),
        });
    }

    /// Adds what another worker found. The canonically first of equally bad paths wins, whoever found it.
    pub fn merge(&mut self, other: Tally) {
        self.paths += other.paths;
        self.cut += other.cut;
        self.stop = self.stop.or(other.stop);
        match (&mut self.summary, other.summary) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (None, theirs) => self.summary = theirs,
            (_, None) => {}
        }
        self.cut_example = match (self.cut_example.take(), other.cut_example) {
            (Some(a), Some(b)) => Some(if canonical(&b) < canonical(&a) { b } else { a }),
            (a, b) => a.or(b),
        };
        match (&self.worst, other.worst) {
            (Some(mine), Some(theirs)) if theirs.cost == mine.cost => {
                self.worst_paths += other.worst_paths;
                if canonical(&theirs.decisions) < canonical(&mine.decisions) {
                    self.worst = Some(theirs);
                }
            }
            (Some(mine), Some(theirs)) if theirs.cost < mine.cost => {}
            (_, Some(theirs)) => {
                self.worst = Some(theirs);
                self.worst_paths = other.worst_paths;
            }
            (_, None) => {}
        }
        for (key, (trap, count, examples)) in other.traps {
            let entry = self.traps.entry(key).or_insert_with(|| (trap, 0, Vec::new()));
            entry.1 += count;
            entry.2.extend(examples);
            entry.2.sort_by_key(|f| canonical(&f.decisions));
            entry.2.truncate(TRAP_EXAMPLES);
        }
    }
}

fn found(node: &Node, cost: u64) -> Found {
    Found { cost, decisions: node.trail.decisions() }
}

/// Somebody to give work to while exploring.
pub(crate) trait Share {
    /// Called now and then with the nodes still to be explored, shallowest first: may take some of the first.
    fn offer(&mut self, waiting: &mut Vec<Node>);
}

/// Nobody.
pub(crate) struct Alone;

impl Share for Alone {
    fn offer(&mut self, _: &mut Vec<Node>) {}
}

/// Explores everything below a node.
pub(crate) fn explore(driver: &mut Driver<'_>, root: Node, tally: &mut Tally, most: u64, share: &mut impl Share) {
    let mut waiting = vec![root];
    while let Some(mut node) = waiting.pop() {
        if tally.paths + tally.cut >= most {
            tally.stop = Some(Stop::Paths);
            return;
        }
        share.offer(&mut waiting);
        loop {
            match driver.advance(&mut node) {
                Step::Decide(choice) => follow(driver, &mut node, &choice, &mut waiting),
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
                    return;
                }
            }
        }
    }
}

/// Goes on with the first feasible side; the others wait, so that they come next in order.
pub(crate) fn follow(
    driver: &mut Driver<'_>,
    node: &mut Node,
    choice: &crate::driver::Choice,
    waiting: &mut Vec<Node>,
) {
    let mut feasible: smallvec::SmallVec<[(usize, Option<slowpath_term::Model>); 4]> = smallvec::SmallVec::new();
    for (i, side) in choice.sides.iter().enumerate() {
        if i == choice.current {
            feasible.push((i, None));
        } else if let Some(model) = driver.feasible_side(node, *side) {
            feasible.push((i, Some(model)));
        }
    }
    let forced = feasible.len() == 1;
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
    let begun = std::time::Instant::now();
    let mut driver = Driver::new(target, budget);
    let root = driver.root(n)?;
    let mut tally = Tally::default();
    explore(&mut driver, root, &mut tally, budget.paths, &mut Alone);
    let stats = driver.solver_stats();
    let limits = std::mem::take(&mut driver.limits);
    crate::reproduce::finish(target, n, budget, tally, limits, stats, begun)
}
