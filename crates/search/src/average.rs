//! The mean cost of random inputs, to set beside the worst.

use slowpath_machine::{InputSource, Outcome};
use slowpath_program::Trap;

use crate::budget::Budget;
use crate::concrete::run_concrete;
use crate::findings::{PathFinding, Provenance, SizeFinding};
use crate::rng::Rng;
use crate::target::{SearchError, Target};

/// The cost of random inputs.
#[derive(Clone, Debug)]
pub struct Average {
    pub runs: u64,
    pub mean: f64,
    pub least: u64,
    pub most: u64,
    /// The costliest of them.
    pub worst: Option<PathFinding>,
    /// Draws that were outside what the harness assumes, or ran into a limit.
    pub discarded: u64,
}

impl Average {
    /// The costliest of the random inputs, as something found.
    pub fn as_finding(&self, n: i64) -> SizeFinding {
        SizeFinding {
            size: n,
            provenance: Provenance::Mutated { generations: 0 },
            paths: self.runs,
            worst_paths: 1,
            worst: self.worst.clone(),
            ..SizeFinding::default()
        }
    }
}

/// Runs `count` random inputs of size `n`, drawn uniformly over their types and ranges.
pub fn average(target: &Target, n: i64, count: u64, budget: &Budget) -> Result<Option<Average>, SearchError> {
    let mut out = Average { runs: 0, mean: 0.0, least: u64::MAX, most: 0, worst: None, discarded: 0 };
    let mut total: u128 = 0;
    for i in 0..count {
        if budget.expired().is_some() {
            break;
        }
        let seed = Rng::new(target.seed, i ^ 0x5EED_0000_0000_0000).next();
        let run = run_concrete(target, n, InputSource::Random(seed), budget)?;
        match run.outcome {
            None | Some(Outcome::Trapped(Trap::AssumeFailed)) => out.discarded += 1,
            Some(_) => {
                out.runs += 1;
                total += u128::from(run.cost);
                out.least = out.least.min(run.cost);
                if out.worst.is_none() || run.cost > out.most {
                    out.worst = PathFinding::of_run(&run);
                }
                out.most = out.most.max(run.cost);
            }
        }
    }
    if out.runs == 0 {
        return Ok(None);
    }
    out.mean = total as f64 / out.runs as f64;
    Ok(Some(out))
}
