//! What is searched: a function of a program, how it is called, how its cost is counted.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use slowpath_machine::{Limits, SharedWords, StartError, Words};
use slowpath_program::call::{CallError, Entry, InputSpec, harness_args};
use slowpath_program::{FuncIdx, Program};
use slowpath_solver::SolverConfig;

use crate::cost::CostModel;
use crate::explorations::Explorations;

/// Everything a search needs to know. Shared by all workers.
#[derive(Clone, Debug)]
pub struct Target {
    pub program: Arc<Program>,
    pub function: FuncIdx,
    pub entry: Entry,
    pub cost: CostModel,
    pub limits: Limits,
    pub solver: SolverConfig,
    pub seed: u64,
    /// Which bytes of the inputs are read as words, found when first asked for.
    pub words: WordsBySize,
    /// Where explorations are kept to be gone on with, and who carries them; by default nowhere and nobody.
    pub explorations: Explorations,
}

impl Target {
    /// Whether the function can be called at this size: lengths, ranges, and numbers that fit their parameters.
    pub fn check_size(&self, n: i64) -> Result<(), CallError> {
        let params = &self.program.func_type(self.function).params;
        let Entry::Call(spec) = &self.entry else {
            self.program.world.unknown(n)?;
            return harness_args(self.entry.function(), params, n).map(drop);
        };
        let layout = spec.layout(n, 0)?;
        params.iter().enumerate().try_for_each(|(position, ty)| layout.arg_bits(position, *ty, |_| 0).map(drop))
    }

    /// The inputs of a call at this size, in order; none for a harness, which makes its own.
    pub fn inputs(&self, n: i64) -> Option<Vec<InputSpec>> {
        match &self.entry {
            Entry::Call(spec) => spec.layout(n, 0).ok().map(|layout| layout.inputs),
            Entry::Harness { .. } => None,
        }
    }
}

/// The words that bytes of the inputs make up at each size (`crates/search/src/words.rs`), found when first asked for, and shared by all workers: a model means
/// the same to each of them.
#[derive(Clone, Debug, Default)]
pub struct WordsBySize(Arc<Mutex<BTreeMap<i64, SharedWords>>>);

impl WordsBySize {
    /// The words of a size; `find` is asked for them once.
    pub(crate) fn at(&self, n: i64, find: impl FnOnce() -> Words) -> SharedWords {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        SharedWords::clone(known.entry(n).or_insert_with(|| SharedWords::new(find())))
    }
}

/// Why a search could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("no input satisfies the ranges of the signature: {0}")]
    NoInput(String),
    #[error("the solver gave up on a path that it had found before; a longer --solver-timeout or --budget may help")]
    GaveUp,
    #[error("the time was over before every input had a value that it may have")]
    NoTime,
    #[error("no memory was left to follow a path again that was found before (--max-search-memory)")]
    NoRoom,
    #[error(
        "costs of the model '{0}' do not add up along a path, so futures cannot be remembered by them; use another strategy, or another model (instructions, branches, decisions, calls, output, heap, custom)"
    )]
    NotAdditive(String),
    #[error(
        "words of a dictionary are written before the first instruction, where nothing is recorded, so futures cannot be remembered; use another strategy"
    )]
    WordsUnrecorded,
    #[error("a recorded path cannot be followed again: {0} (this is a bug in slowpath, please report it)")]
    Diverged(String),
}

impl SearchError {
    /// Whether what was asked for cannot be done at all, however much time there is.
    pub fn is_refusal(&self) -> bool {
        match self {
            SearchError::Start(_)
            | SearchError::NoInput(_)
            | SearchError::NotAdditive(_)
            | SearchError::WordsUnrecorded => true,
            SearchError::GaveUp | SearchError::NoTime | SearchError::NoRoom | SearchError::Diverged(_) => false,
        }
    }
}
