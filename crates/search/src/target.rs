//! What is searched: a function of a program, how it is called, how its cost is counted.

use std::sync::Arc;

use slowpath_machine::{Limits, StartError};
use slowpath_program::call::Entry;
use slowpath_program::{FuncIdx, Program};
use slowpath_solver::SolverConfig;

use crate::cost::CostModel;

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
    #[error("a recorded path cannot be followed again: {0} (this is a bug in slowpath, please report it)")]
    Diverged(String),
}
