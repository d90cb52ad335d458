//! Runs a body on many inputs: those of the corpus as they are, then changed. An input that got past the front door where few do joins
//! the corpus, which is what there is instead of coverage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::fuzzing::Target;
use crate::fuzzing::mutate::{mutated, words};
use crate::rng::Rng;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Until {
    pub runs: u64,
    pub time: Duration,
}

/// What a campaign came to.
#[derive(Debug, Default)]
pub struct Outcome {
    pub runs: u64,
    /// Inputs that got past the front door.
    pub accepted: u64,
    pub slowest: Duration,
    /// An input that a body panicked on.
    pub crash: Option<Vec<u8>>,
}

/// Inputs that the corpus holds at most.
const MOST_INPUTS: usize = 2000;

/// Fuzzes a target, with more inputs to begin with. `watch` is told every input before it runs.
pub fn fuzz(target: &Target, more: Vec<Vec<u8>>, seed: u64, until: Until, watch: &mut dyn FnMut(&[u8])) -> Outcome {
    let mut corpus: Vec<Vec<u8>> = (target.seeds)().into_iter().chain(more).collect();
    let words = words(target.dictionary);
    let mut rng = Rng::new(seed);
    let mut outcome = Outcome::default();
    let started = Instant::now();
    while outcome.runs < until.runs && started.elapsed() < until.time {
        let whole = usize::try_from(outcome.runs).ok().and_then(|run| corpus.get(run)).cloned();
        let input = whole.unwrap_or_else(|| mutated(&corpus, &words, &mut rng));
        watch(&input);
        outcome.runs += 1;
        let began = Instant::now();
        let Ok(accepted) = catch_unwind(AssertUnwindSafe(|| (target.body)(&input))) else {
            outcome.crash = Some(input);
            return outcome;
        };
        outcome.slowest = outcome.slowest.max(began.elapsed());
        outcome.accepted += u64::from(accepted);
        if accepted && rng.below(8) == 0 {
            let place = rng.below(MOST_INPUTS as u64) as usize;
            if corpus.len() < MOST_INPUTS {
                corpus.push(input);
            } else if let Some(old) = corpus.get_mut(place) {
                *old = input;
            }
        }
    }
    outcome
}
