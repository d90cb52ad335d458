//! Decision-frequency invariants (SPF-WCA, Section VI): how often one side of a site is ahead of the other along a worst path.
//!
//! Where a policy leaves both sides open, one that would break the relation is not followed. A merge that must alternate, say,
//! never gets two ahead.

use std::collections::BTreeMap;

use slowpath_machine::Answer;
use slowpath_program::SiteId;

use super::SizeSummary;
use crate::node::Decision;

/// A relation that allows more than this says nothing.
const WIDEST: i64 = 3;

/// For some sites: how far `true` may be ahead of `false` at any point of a worst path, from and to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frequencies {
    ahead: BTreeMap<SiteId, (i64, i64)>,
}

/// How far `true` is ahead of `false` at each site, on one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance(BTreeMap<SiteId, i64>);

impl Balance {
    /// Takes note of a decision.
    pub fn decided(&mut self, site: SiteId, answer: Answer) {
        if let Some(step) = step(answer) {
            *self.0.entry(site).or_insert(0) += step;
        }
    }
}

fn step(answer: Answer) -> Option<i64> {
    match answer {
        Answer::Bool(side) => Some(if side { 1 } else { -1 }),
        _ => None,
    }
}

impl Frequencies {
    /// What the worst paths of the last two sizes agree on. A relation that widens with the size is none.
    pub fn learn(summaries: &[SizeSummary]) -> Frequencies {
        let [.., before, last] = summaries else { return Frequencies::default() };
        let (before, last) = (ranges(before), ranges(last));
        let stable = |(site, range): (SiteId, (i64, i64))| {
            let narrow = range.1 - range.0 <= WIDEST && before.get(&site) == Some(&range);
            narrow.then_some((site, range))
        };
        Frequencies { ahead: last.into_iter().filter_map(stable).collect() }
    }

    /// Every relation: the site, and how far `true` may be ahead of `false`, from and to.
    pub fn entries(&self) -> impl Iterator<Item = (SiteId, i64, i64)> + '_ {
        self.ahead.iter().map(|(site, (low, high))| (*site, *low, *high))
    }

    /// The relations given.
    pub fn from_entries(entries: impl IntoIterator<Item = (SiteId, i64, i64)>) -> Frequencies {
        Frequencies { ahead: entries.into_iter().map(|(site, low, high)| (site, (low, high))).collect() }
    }

    /// Whether it says anything.
    pub fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    /// Whether a decision keeps the relation.
    pub fn allow(&self, balance: &Balance, site: SiteId, answer: Answer) -> bool {
        let (Some((low, high)), Some(step)) = (self.ahead.get(&site), step(answer)) else { return true };
        let next = balance.0.get(&site).copied().unwrap_or(0) + step;
        (*low..=*high).contains(&next)
    }
}

/// The least and greatest lead at each site, over all points of all worst paths of a size.
fn ranges(summary: &SizeSummary) -> BTreeMap<SiteId, (i64, i64)> {
    let mut ranges: BTreeMap<SiteId, (i64, i64)> = BTreeMap::new();
    for path in &summary.worst_paths {
        let mut balance = Balance::default();
        for Decision { site, answer, .. } in path {
            balance.decided(*site, *answer);
            let now = balance.0.get(site).copied().unwrap_or(0);
            let range = ranges.entry(*site).or_insert((0, 0));
            *range = (range.0.min(now), range.1.max(now));
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(size: i64, paths: &[&[(u32, bool)]]) -> SizeSummary {
        let decision = |&(site, side): &(u32, bool)| Decision {
            site: SiteId(site),
            activation: 1,
            answer: Answer::Bool(side),
            forced: false,
        };
        let mut summary = SizeSummary { size, ..SizeSummary::default() };
        for path in paths {
            summary.path(1, path.iter().map(decision).collect());
        }
        summary
    }

    #[test]
    fn an_alternation_is_learned_and_a_run_is_not() {
        let alternating = |n: usize| (0..n).flat_map(|i| [(1, i % 2 == 0), (2, true)]).collect::<Vec<_>>();
        let (six, seven) = (alternating(6), alternating(7));
        let learned = Frequencies::learn(&[summary(6, &[&six]), summary(7, &[&seven])]);
        let mut balance = Balance::default();
        assert!(learned.allow(&balance, SiteId(1), Answer::Bool(true)));
        assert!(!learned.allow(&balance, SiteId(1), Answer::Bool(false)));
        balance.decided(SiteId(1), Answer::Bool(true));
        assert!(!learned.allow(&balance, SiteId(1), Answer::Bool(true)));
        assert!(learned.allow(&balance, SiteId(2), Answer::Bool(true)), "site 2 gets further ahead at every size");
        assert!(learned.allow(&balance, SiteId(1), Answer::Case(3)));
    }

    #[test]
    fn one_size_teaches_nothing() {
        assert!(Frequencies::learn(&[summary(3, &[&[(1, true), (1, false)]])]).is_empty());
    }
}
