//! A point of the exploration: a state, the condition under which it is reached, an input that reaches it.

use std::rc::Rc;

use slowpath_machine::{Answer, State, Symbolic};
use slowpath_program::SiteId;
use slowpath_solver::PathCondition;
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

#[derive(Debug)]
struct Link {
    decision: Decision,
    parent: Trail,
}

/// The decisions of a path; forks share their common part.
#[derive(Clone, Debug, Default)]
pub struct Trail(Option<Rc<Link>>);

impl Trail {
    /// The trail with one more decision.
    pub fn push(self, decision: Decision) -> Trail {
        Trail(Some(Rc::new(Link { decision, parent: self })))
    }

    /// All decisions, first to last.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut out = Vec::new();
        let mut at = self;
        while let Some(link) = &at.0 {
            out.push(link.decision);
            at = &link.parent;
        }
        out.reverse();
        out
    }
}

impl Drop for Trail {
    /// Unlinks step by step: a long path must not recurse.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.parent.0.take(),
                Err(_) => break,
            }
        }
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
