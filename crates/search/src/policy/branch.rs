//! Branch policies (WISE, Section 5): a lattice of what each side of each site may do.

use std::collections::BTreeMap;

use slowpath_program::SiteId;

use super::sides_of;
use crate::node::Decision;
use crate::sole_sides::SoleSides;

/// What a policy says of one side of one site. The order is that of the paper's 0, 1/2, 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Forbidden,
    /// Taken only where every other side is infeasible.
    IfForced,
    Permitted,
}

/// A branch policy; a side it does not name is forbidden.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BranchPolicy {
    /// Sorted by site and side.
    levels: Vec<((SiteId, u32), Level)>,
}

impl BranchPolicy {
    /// The least policy that generates a path: permitted where it chose freely, if-forced where it had to go there.
    pub fn least(decisions: &[Decision]) -> BranchPolicy {
        let mut levels: BTreeMap<(SiteId, u32), Level> = BTreeMap::new();
        for (site, side, decision) in sides_of(decisions) {
            let level = if decision.forced { Level::IfForced } else { Level::Permitted };
            let entry = levels.entry((site, side)).or_insert(level);
            *entry = level.max(*entry);
        }
        BranchPolicy { levels: levels.into_iter().collect() }
    }

    /// The level of one side.
    pub fn level(&self, site: SiteId, side: u32) -> Level {
        match self.levels.binary_search_by_key(&(site, side), |e| e.0) {
            Ok(i) => self.levels[i].1,
            Err(_) => Level::Forbidden,
        }
    }

    /// Whether several sides of one site are permitted.
    pub fn leaves_choices(&self) -> bool {
        let permitted: Vec<SiteId> =
            self.levels.iter().filter(|(_, level)| *level == Level::Permitted).map(|((site, _), _)| *site).collect();
        permitted.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The sites with one permitted side of a branch.
    pub(crate) fn sole_sides(&self) -> SoleSides {
        let permitted = self.levels.iter().filter(|((_, side), level)| *level == Level::Permitted && *side < 2);
        permitted.map(|((site, side), _)| (*site, *side == 1)).collect()
    }

    /// The least policy above both.
    pub fn join(&self, other: &BranchPolicy) -> BranchPolicy {
        let mut levels: BTreeMap<(SiteId, u32), Level> = self.levels.iter().copied().collect();
        for (key, level) in &other.levels {
            let entry = levels.entry(*key).or_insert(*level);
            *entry = (*level).max(*entry);
        }
        BranchPolicy { levels: levels.into_iter().collect() }
    }

    /// Whether `other` generates every path that this one generates.
    pub fn is_below(&self, other: &BranchPolicy) -> bool {
        self.levels.iter().all(|((site, side), level)| *level <= other.level(*site, *side))
    }

    /// What it says, side by side.
    pub fn entries(&self) -> impl Iterator<Item = (SiteId, u32, Level)> + '_ {
        self.levels.iter().map(|((site, side), level)| (*site, *side, *level))
    }

    /// A policy from its entries.
    pub fn from_entries(entries: impl IntoIterator<Item = (SiteId, u32, Level)>) -> BranchPolicy {
        let levels: BTreeMap<_, _> = entries.into_iter().map(|(site, side, level)| ((site, side), level)).collect();
        BranchPolicy { levels: levels.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;

    use super::*;

    fn decision(site: u32, side: bool, forced: bool) -> Decision {
        Decision { site: SiteId(site), activation: 1, answer: Answer::Bool(side), forced }
    }

    #[test]
    fn the_least_policy_permits_free_choices_and_marks_forced_ones() {
        let p = BranchPolicy::least(&[decision(1, true, false), decision(1, false, true), decision(2, true, true)]);
        assert_eq!(p.level(SiteId(1), 1), Level::Permitted);
        assert_eq!(p.level(SiteId(1), 0), Level::IfForced);
        assert_eq!(p.level(SiteId(2), 1), Level::IfForced);
        assert_eq!(p.level(SiteId(2), 0), Level::Forbidden);
    }

    #[test]
    fn join_is_the_least_upper_bound() {
        let a = BranchPolicy::least(&[decision(1, true, false)]);
        let b = BranchPolicy::least(&[decision(1, true, true), decision(2, false, false)]);
        let join = a.join(&b);
        assert!(a.is_below(&join) && b.is_below(&join) && !join.is_below(&a));
        assert_eq!(join, b.join(&a));
        assert_eq!(join.level(SiteId(1), 1), Level::Permitted);
    }
}
