//! The condition of a path: a list of conjuncts that forks share.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use slowpath_term::TermId;

#[derive(Debug)]
struct Link {
    id: u64,
    depth: u32,
    term: TermId,
    parent: PathCondition,
}

/// The conjunction of all terms pushed. Cloning is O(1); a longer path shares its prefix.
#[derive(Clone, Debug, Default)]
pub struct PathCondition(Option<Rc<Link>>);

impl PathCondition {
    /// The empty conjunction: true.
    pub fn new() -> PathCondition {
        PathCondition(None)
    }

    /// This path and one more condition.
    pub fn push(&self, term: TermId) -> PathCondition {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let depth = self.len() as u32 + 1;
        PathCondition(Some(Rc::new(Link { id, depth, term, parent: self.clone() })))
    }

    /// The path without its newest condition; `None` if it is empty.
    pub fn parent(&self) -> Option<&PathCondition> {
        self.0.as_ref().map(|link| &link.parent)
    }

    /// Number of conditions.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.depth as usize)
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Identifies this very list: equal ids mean the same conditions all the way down. 0 is the empty path.
    pub fn id(&self) -> u64 {
        self.0.as_ref().map_or(0, |link| link.id)
    }

    /// The newest condition.
    pub fn last(&self) -> Option<TermId> {
        self.0.as_ref().map(|link| link.term)
    }

    /// The conditions, newest first.
    pub fn iter(&self) -> impl Iterator<Item = TermId> + '_ {
        self.suffixes().map(|(_, term)| term)
    }

    /// Id and condition of every link, newest first.
    pub(crate) fn suffixes(&self) -> impl Iterator<Item = (u64, TermId)> + '_ {
        std::iter::successors(self.0.as_deref(), |link| link.parent.0.as_deref()).map(|link| (link.id, link.term))
    }
}

impl Drop for PathCondition {
    /// Unlinks one by one: the default would recurse as deep as the path is long.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.parent.0.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slowpath_term::Terms;

    #[test]
    fn forks_share_their_prefix_and_long_paths_drop() {
        let terms = Terms::new();
        let (tt, ff) = (terms.tt(), terms.ff());
        let mut path = PathCondition::new();
        for _ in 0..1_000_000 {
            path = path.push(tt);
        }
        let fork = path.push(ff);
        assert_eq!(fork.len(), 1_000_001);
        assert_eq!(fork.parent().map(PathCondition::id), Some(path.id()));
        assert_eq!(fork.iter().take(2).collect::<Vec<_>>(), [ff, tt]);
    }
}
