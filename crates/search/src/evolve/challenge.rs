//! Local search around a path that somebody else found: does it hold?

use super::lab::Lab;
use super::local_search::{Memory, local_search};
use super::plan::Run;
use crate::budget::{Budget, Stop};
use crate::findings::{PathFinding, Provenance, SizeFinding};
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// What a challenge came to.
#[derive(Clone, Debug)]
pub enum Challenge {
    /// Nothing that costs more was found, in as many attempts as were asked for.
    Stands,
    /// This costs more.
    Beaten(Box<SizeFinding>),
    /// It ended too early to tell.
    Open,
}

/// Tries to beat a path by local search around it, until `attempts` in a row fail or the budget is used.
pub fn challenge(
    target: &Target,
    n: i64,
    path: &PathFinding,
    attempts: u64,
    budget: &Budget,
) -> Result<Challenge, SearchError> {
    let begun = budget.now();
    let mut lab = Lab::new(target, n, None, budget)?;
    let mut rng = Rng::new(target.seed, 0xC4A1);
    let Ok(Run::Path(start, _)) = lab.follow(&path.decisions, &mut rng) else { return Ok(Challenge::Open) };
    // What Z3 would have to be asked from now on takes longer than it is worth: the path is the search's best already.
    lab.driver.solver.ask_z3(false);
    let (found, stop, ended) = match local_search(&mut lab, &start, attempts, 0, &mut Memory::new(), &mut rng) {
        Ok(found) => (found, Stop::Generations, true),
        Err((stop, found)) => (found, stop, false),
    };
    if found.cost <= path.cost {
        // Where the solver did not get as far as the path goes, nothing was shown of it.
        return Ok(if ended && start.cost >= path.cost { Challenge::Stands } else { Challenge::Open });
    }
    let provenance = Provenance::Evolved { generations: 0, evaluations: lab.evaluations, duplicates: lab.duplicates };
    Ok(Challenge::Beaten(Box::new(lab.finding(provenance, stop, begun))))
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
        let stands = challenge(&target, 9, &worst, 50, &Budget::default()).unwrap();
        assert!(matches!(stands, Challenge::Stands));
        let mut lesser = worst.clone();
        lesser.cost -= 1;
        for decision in &mut lesser.decisions[3..6] {
            if let Answer::Bool(b) = &mut decision.answer {
                *b = !*b;
            }
        }
        let Challenge::Beaten(better) = challenge(&target, 9, &lesser, 50, &Budget::default()).unwrap() else {
            panic!("it can be beaten");
        };
        assert_eq!(better.worst.unwrap().cost, worst.cost);
    }
}
