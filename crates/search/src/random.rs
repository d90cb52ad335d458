//! Random path sampling (Algorithms 2 and 3 of the ESE paper): at every decision one of the feasible sides, drawn at
//! random.

use crate::budget::{Budget, Stop};
use crate::driver::{Choice, Driver, Step};
use crate::findings::SizeFinding;
use crate::node::Node;
use crate::reproduce::finish;
use crate::rng::Rng;
use crate::tally::Tally;
use crate::target::{SearchError, Target};

/// Follows `count` random paths. Each has its own random stream, so that the result depends on the seed alone.
pub fn random_paths(target: &Target, n: i64, count: u64, budget: &Budget) -> Result<SizeFinding, SearchError> {
    let begun = budget.now();
    let mut driver = Driver::new(target, budget);
    let mut tally = Tally::default();
    let root = driver.root(n)?;
    let mut forks = 0;
    for i in 0..count.min(budget.paths) {
        // A path without decisions never asks how late it is.
        if let Some(stop) = budget.expired().filter(|_| i > 0) {
            tally.stop = Some(stop);
            break;
        }
        let mut node = root.clone();
        match random_path(&mut driver, &mut node, &mut Rng::new(target.seed, i), &mut forks) {
            Step::Done(outcome) => tally.ended(target, &node, outcome),
            Step::Cut(limit) => tally.cut(&mut driver, &node, limit),
            Step::Stop(stop) => {
                tally.stop = Some(stop);
                break;
            }
            Step::Decide(_) => {}
        }
        if forks == 0 {
            break;
        }
    }
    // A sample is never the whole, however many paths it has; unless there is nothing to draw.
    tally.stop = tally.stop.or((forks > 0).then_some(Stop::Paths));
    let stats = driver.solver_stats();
    let limits = std::mem::take(&mut driver.limits);
    finish(target, n, budget, tally, limits, stats, begun)
}

fn random_path(driver: &mut Driver<'_>, node: &mut Node, rng: &mut Rng, forks: &mut u64) -> Step {
    loop {
        match driver.advance(node) {
            Step::Decide(choice) => {
                *forks += 1;
                random_selection(driver, node, &choice, rng);
            }
            end => return end,
        }
    }
}

/// Takes a random feasible side. The draw is made before the solver is asked, and again only if that side is
/// infeasible: every feasible side stays equally likely.
fn random_selection(driver: &mut Driver<'_>, node: &mut Node, choice: &Choice, rng: &mut Rng) {
    let unknown = driver.unknown;
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
    driver.take(node, choice, choice.current, None, driver.unknown == unknown);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::evolve::test_target::{ZEROS, target};

    const STRAIGHT: &str = r#"(module (memory 1) (func (export "f") (param i32 i32)))"#;

    #[test]
    fn one_path_without_decisions_is_all_there_is() {
        let found = random_paths(&target(STRAIGHT), 3, u64::MAX, &Budget::default()).unwrap();
        assert_eq!((found.paths, found.complete, found.stop), (1, true, None));
    }

    #[test]
    fn a_sample_ends_with_the_budget_and_is_never_the_whole() {
        let budget = Budget::of_time(Duration::from_millis(50));
        let found = random_paths(&target(ZEROS), 3, u64::MAX, &budget).unwrap();
        assert_eq!((found.complete, found.stop), (false, Some(Stop::Time)));
    }
}
