//! The condition of a path: a list of conjuncts that forks share.

use slowpath_term::TermId;

use crate::fork_list::ForkList;

/// The conjunction of all terms pushed. Cloning is O(1); a longer path shares its prefix.
#[derive(Clone, Debug, Default)]
pub struct PathCondition(ForkList<TermId>);

impl PathCondition {
    /// The empty conjunction: true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// One more condition.
    #[inline]
    pub fn add(&mut self, term: TermId) {
        self.0.push(term);
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
    pub fn last(&self) -> Option<TermId> {
        self.0.last()
    }

    /// The conditions, newest first.
    pub fn iter(&self) -> impl Iterator<Item = TermId> + '_ {
        self.suffixes().map(|(_, term)| term)
    }

    /// Every condition, newest first, with a name for it: equal names at equal depths mean the same conditions up to there.
    pub(crate) fn suffixes(&self) -> impl Iterator<Item = (u64, TermId)> + '_ {
        self.0.newest_first()
    }
}
