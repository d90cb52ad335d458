//! Local search around a path that somebody else found: does it hold?

use std::time::Instant;

use super::lab::Lab;
use super::local_search::{Memory, local_search};
use super::under_precondition::Run;
use crate::budget::Budget;
use crate::findings::{How, SizeFinding};
use crate::node::Decision;
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// Tries to beat a path by local search around it, until `attempts` in a row fail or the budget is used. Gives back what
/// costs more, if anything was found.
pub fn challenge(
    target: &Target,
    n: i64,
    decisions: &[Decision],
    attempts: u64,
    budget: &Budget,
) -> Result<Option<SizeFinding>, SearchError> {
    let begun = Instant::now();
    let mut lab = Lab::new(target, n, None, budget)?;
    let mut rng = Rng::new(target.seed, 0xC4A1);
    let Ok(Run::Path(start, _)) = lab.follow(decisions, &mut rng) else { return Ok(None) };
    let (found, stop) = match local_search(&mut lab, &start, attempts, 0, &mut Memory::new(), &mut rng) {
        Ok(found) => (found, crate::budget::Stop::Generations),
        Err((stop, found)) => (found, stop),
    };
    if found.cost <= start.cost {
        return Ok(None);
    }
    let how = How::Evolved { generations: 0, evaluations: lab.evaluations, duplicates: lab.duplicates };
    Ok(Some(lab.finding(how, stop, begun)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::{ZEROS, target};
    use crate::exhaustive::depth_first;
    use slowpath_machine::Answer;

    #[test]
    fn the_worst_path_stands_and_a_lesser_one_falls() {
        let target = target(ZEROS);
        let worst = depth_first(&target, 9, &Budget::default()).unwrap().worst.unwrap();
        assert!(challenge(&target, 9, &worst.decisions, 50, &Budget::default()).unwrap().is_none());
        let mut lesser = worst.decisions.clone();
        for decision in &mut lesser[3..6] {
            if let Answer::Bool(b) = &mut decision.answer {
                *b = !*b;
            }
        }
        let better = challenge(&target, 9, &lesser, 50, &Budget::default()).unwrap().expect("it can be beaten");
        assert_eq!(better.worst.unwrap().cost, worst.cost);
    }
}
