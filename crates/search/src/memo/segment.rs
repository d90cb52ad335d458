//! What happened between two decisions, and the decisions on the way that could go one way only.

use slowpath_machine::{Answer, Entry};
use slowpath_program::SiteId;
use slowpath_term::TermId;

use super::future::{Continuations, Future};

/// What happened between two decisions.
#[derive(Default)]
pub struct Segment {
    pub entries: Vec<Entry>,
    /// More happened than was noted.
    pub is_cut: bool,
    /// Terms that the path condition was asked about, or restricted by.
    pub asked: Vec<TermId>,
    /// What was answered on the way, where nothing else was possible.
    pub passed: Vec<Answer>,
    /// The site of the last of these.
    pub last: Option<SiteId>,
}

impl Segment {
    /// A future that begins at its end, from before the decisions on the way.
    pub fn before(&self, ways: &mut Continuations, future: Future) -> Future {
        self.passed.iter().rev().fold(future, |future, answer| {
            let mut longer = Future::default();
            longer.add_side(ways, *answer, true, &future);
            longer
        })
    }
}
