//! What stands in for Z3 in a build without it (cargo feature `z3`): every question that comes this far is unknown, and says why.

use std::sync::Arc;

use slowpath_term::{Model, TermId, Terms};

use crate::halt::Halt;
use crate::patience::Patience;
use crate::stats::SolverStats;

/// Nobody holds anything.
pub fn limit_z3_memory(_bytes: u64) {}

/// What Z3 would say.
#[allow(dead_code, reason = "nobody here ever knows")]
pub(crate) enum Outcome {
    Sat(Model),
    Unsat,
    Unknown(String),
}

/// Nobody.
pub(crate) struct Z3;

impl Z3 {
    pub(crate) fn new(_timeout_ms: u32, _halt: Arc<[Halt]>) -> Z3 {
        Z3
    }

    pub(crate) fn limit(&mut self, _patience: Patience) {}

    pub(crate) fn take_work(&mut self) -> u64 {
        0
    }

    pub(crate) fn wrong_model(&self, _stats: &mut SolverStats) -> String {
        WHY.to_owned()
    }

    pub(crate) fn check(&mut self, _: &Terms, _conditions: &[TermId], _base: &Model, _extra: TermId) -> Outcome {
        Outcome::Unknown(WHY.to_owned())
    }
}

const WHY: &str = "it takes Z3, and this slowpath was built without it";
