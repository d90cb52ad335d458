//! Every path of a small size with the decisions that were free, for whoever wants to draw them as a tree.

use slowpath_machine::Outcome;
use slowpath_program::Trap;

use crate::budget::Budget;
use crate::driver::{Driver, Step};
use crate::exhaustive::follow;
use crate::node::{Decision, Node};
use crate::target::{SearchError, Target};

/// One path from the first decision to its end.
#[derive(Clone, Debug)]
pub struct WholePath {
    /// By the target's cost model.
    pub cost: u64,
    /// The trap it ends in.
    pub trap: Option<Trap>,
    /// Those that could have gone another way.
    pub decisions: Vec<Decision>,
}

/// All paths of size `n` in canonical order: none where there are more than `most`, or where not every one of them could be
/// followed to its end.
pub fn every_path(
    target: &Target,
    n: i64,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<WholePath>>, SearchError> {
    let mut driver = Driver::new(target, budget);
    let mut waiting = vec![driver.root(n)?];
    let mut paths = Vec::new();
    while let Some(mut node) = waiting.pop() {
        let outcome = loop {
            match driver.advance(&mut node) {
                Step::Decide(choice) => follow(&mut driver, &mut node, &choice, &mut waiting),
                Step::Done(outcome) => break outcome,
                Step::Cut(_) | Step::Stop(_) => return Ok(None),
            }
        };
        // An input outside what the harness allows is no path.
        if outcome == Outcome::Trapped(Trap::AssumeFailed) {
            continue;
        }
        if paths.len() == most {
            return Ok(None);
        }
        paths.push(ended(target, &node, outcome));
    }
    Ok(driver.limits.is_empty().then_some(paths))
}

fn ended(target: &Target, node: &Node, outcome: Outcome) -> WholePath {
    let trap = match outcome {
        Outcome::Trapped(trap) => Some(trap),
        _ => None,
    };
    let decisions = node.trail.decisions().into_iter().filter(|decision| !decision.forced).collect();
    WholePath { cost: target.cost.of(&node.state), trap, decisions }
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;

    use super::every_path;
    use crate::Budget;
    use crate::evolve::test_target::{ZEROS, target};

    #[test]
    fn every_way_to_answer_is_a_path_true_before_false() {
        let paths = every_path(&target(ZEROS), 3, 8, &Budget::default()).unwrap().expect("eight paths");
        let answers: Vec<Vec<bool>> =
            paths.iter().map(|path| path.decisions.iter().map(|d| d.answer == Answer::Bool(true)).collect()).collect();
        assert_eq!(answers.len(), 8);
        assert_eq!(
            (&answers[0], &answers[1], &answers[7]),
            (&vec![true, true, true], &vec![true, true, false], &vec![false, false, false])
        );
        assert!(paths.iter().all(|path| path.cost <= paths[0].cost && path.trap.is_none()));
    }

    #[test]
    fn more_paths_than_asked_for_are_none() {
        assert!(every_path(&target(ZEROS), 3, 7, &Budget::default()).unwrap().is_none());
    }
}
