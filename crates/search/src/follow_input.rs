//! An input becomes a path: its decisions, by following it under its own values, which asks the solver nothing.

use slowpath_program::input::InputValues;

use crate::budget::Budget;
use crate::driver::{Driver, Step};
use crate::findings::PathFinding;
use crate::target::{SearchError, Target};

/// The path that an input takes, with the input itself. None where the budget ended it, or where the input is none of this size.
pub fn follow_input(
    target: &Target,
    n: i64,
    input: &InputValues,
    budget: &Budget,
) -> Result<Option<PathFinding>, SearchError> {
    let mut driver = Driver::new(target, budget);
    driver.keeps_model = true;
    let mut node = driver.root(n)?;
    node.model = driver.words(n).model(input);
    let root = node.path.clone();
    if !root.iter().all(|condition| driver.satisfies(&node, condition)) {
        return Ok(None);
    }
    loop {
        match driver.advance(&mut node) {
            Step::Decide(choice) => driver.take(&mut node, &choice, choice.current, None, false),
            Step::Done(outcome) => {
                let path = PathFinding::of_node(target, &node, outcome);
                // A harness that refuses the input has changed it on the way.
                return Ok((path.input == *input).then_some(path));
            }
            Step::Cut(_) | Step::Stop(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::{ZEROS, target};
    use crate::exhaustive::depth_first;

    #[test]
    fn the_input_of_a_path_leads_along_its_decisions() {
        let target = target(ZEROS);
        let worst = depth_first(&target, 6, &Budget::default()).unwrap().worst.unwrap();
        let path = follow_input(&target, 6, &worst.input, &Budget::default()).unwrap().expect("it ends");
        let answers = |path: &PathFinding| path.decisions.iter().map(|d| (d.site, d.answer)).collect::<Vec<_>>();
        assert_eq!((path.cost, answers(&path)), (worst.cost, answers(&worst)));
    }
}
