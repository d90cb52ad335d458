//! Random path sampling (Algorithms 2 and 3 of the ESE paper): at every decision one of the feasible sides, drawn at
//! random.

use std::time::Instant;

use crate::budget::{Budget, Stop};
use crate::driver::{Choice, Driver, Step};
use crate::exhaustive::Tally;
use crate::findings::SizeFinding;
use crate::node::Node;
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// Follows `count` random paths. Each has its own random stream, so that the result depends on the seed alone.
pub fn random_paths(target: &Target, n: i64, count: u64, budget: &Budget) -> Result<SizeFinding, SearchError> {
    let begun = Instant::now();
    let mut driver = Driver::new(target, budget);
    let mut tally = Tally::default();
    let root = driver.root(n)?;
    for i in 0..count.min(budget.paths) {
        let mut node = root.clone();
        match random_path(&mut driver, &mut node, &mut Rng::new(target.seed, i)) {
            Step::Done(outcome) => tally.ended(target, &node, outcome),
            Step::Cut(limit) => tally.cut(&mut driver, &node, limit),
            Step::Stop(stop) => {
                tally.stop = Some(stop);
                break;
            }
            Step::Decide(_) => {}
        }
    }
    // A sample is never the whole, however many paths it has.
    tally.stop = tally.stop.or(Some(Stop::Paths));
    let stats = driver.solver_stats();
    let limits = std::mem::take(&mut driver.limits);
    crate::reproduce::finish(target, n, budget, tally, limits, stats, begun)
}

fn random_path(driver: &mut Driver<'_>, node: &mut Node, rng: &mut Rng) -> Step {
    loop {
        match driver.advance(node) {
            Step::Decide(choice) => random_selection(driver, node, &choice, rng),
            end => return end,
        }
    }
}

/// Takes a random feasible side. The draw is made before the solver is asked, and again only if that side is
/// infeasible: every feasible side stays equally likely.
fn random_selection(driver: &mut Driver<'_>, node: &mut Node, choice: &Choice, rng: &mut Rng) {
    let mut left: Vec<usize> = (0..choice.sides.len()).collect();
    while left.len() > 1 {
        let side = left.swap_remove(rng.below(left.len() as u64) as usize);
        if side == choice.current {
            return driver.take(node, choice, side, None, false);
        }
        if let Some(model) = driver.feasible_side(node, choice.sides[side]) {
            return driver.take(node, choice, side, Some(model), false);
        }
    }
    driver.take(node, choice, choice.current, None, true);
}
