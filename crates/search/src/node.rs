//! A point of the exploration: a state, the condition under which it is reached, an input that reaches it.

use slowpath_machine::{Answer, State, Symbolic};
use slowpath_program::SiteId;
use slowpath_solver::{ForkList, PathCondition};
use slowpath_term::Model;

/// One decision of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub site: SiteId,
    /// Which activation of the enclosing function.
    pub activation: u32,
    pub answer: Answer,
    /// Whether no other answer was possible.
    pub forced: bool,
}

/// The decisions of a path; forks share their common part.
#[derive(Clone, Debug, Default)]
pub struct Trail(ForkList<Decision>);

impl Trail {
    /// One more decision.
    #[inline]
    pub fn push(&mut self, decision: Decision) {
        self.0.push(decision);
    }

    /// Number of decisions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was decided yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All decisions, first to last.
    pub fn decisions(&self) -> Vec<Decision> {
        self.0.to_vec()
    }
}

/// A point of the exploration.
#[derive(Clone)]
pub struct Node {
    pub state: State<Symbolic>,
    pub path: PathCondition,
    /// Satisfies `path`.
    pub model: Model,
    pub trail: Trail,
}
