//! The condition of a path: a list of conjuncts that forks share.

use slowpath_term::{Condition, TermId};

use crate::fork_list::ForkList;

/// The conjunction of all conditions pushed. Cloning is O(1); a longer path shares its prefix.
///
/// A comparison stays one until somebody needs it as a term: where orders between inputs decide, none ever does.
#[derive(Clone, Debug, Default)]
pub struct PathCondition(ForkList<Condition>);

impl PathCondition {
    /// The empty conjunction: true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// One more condition.
    #[inline]
    pub fn add(&mut self, condition: impl Into<Condition>) {
        self.0.push(condition.into());
    }

    /// This path and one more condition.
    pub fn push(&self, term: TermId) -> PathCondition {
        let mut longer = self.clone();
        longer.add(term);
        longer
    }

    /// The path without its newest condition; `None` if it is empty.
    pub fn parent(&self) -> Option<PathCondition> {
        self.0.parent().map(PathCondition)
    }

    /// Number of conditions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The newest condition.
    pub fn last(&self) -> Option<Condition> {
        self.0.last()
    }

    /// The conditions, newest first.
    pub fn iter(&self) -> impl Iterator<Item = Condition> + '_ {
        self.0.newest_first()
    }

    /// The conditions in runs, newest run first: a name, how many conditions come before it, its own. Equal names at equal
    /// depths mean the same conditions up to there.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u64, usize, &[Condition])> + '_ {
        self.0.chunks()
    }
}
