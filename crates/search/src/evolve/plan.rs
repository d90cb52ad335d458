//! What the lab is to run, and what comes of it.

use std::rc::Rc;

use slowpath_term::{Model, TermId};

use super::individual::Individual;
use super::tail::Tail;

/// What to run.
pub(crate) struct Plan<'a> {
    /// Whose decisions to share, and how many of them.
    pub parent: Option<(&'a Individual, usize)>,
    /// Without a parent: an input to begin with.
    pub model: Option<Model>,
    /// Whether the decision after those is to be another than the parent's.
    pub invert: bool,
    /// What to assume next; conditions that contradict what holds by then are dropped.
    pub conditions: Vec<TermId>,
    pub tail: Tail,
}

impl Plan<'_> {
    /// From the start, with nothing prescribed.
    pub fn free(tail: Tail) -> Plan<'static> {
        Plan { parent: None, model: None, invert: false, conditions: Vec::new(), tail }
    }
}

/// What a run came to.
pub(crate) enum Run {
    /// A path, and whether it is new.
    Path(Rc<Individual>, bool),
    /// The decision cannot be inverted.
    Infeasible,
    /// No path: outside what the harness assumes, or cut short by a limit.
    Nothing,
}
