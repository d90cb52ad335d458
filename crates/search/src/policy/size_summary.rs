//! What exhaustive exploration of one size teaches: summaries computed while exploring, no list of all paths.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use slowpath_program::SiteId;

use super::branch::BranchPolicy;
use super::sides_of;
use crate::node::{Decision, canonical};

/// Worst paths kept in full for history policies.
const WORST_PATHS: usize = 64;

/// Regular worst paths kept besides.
const REGULAR_PATHS: usize = 8;

/// The summary of one size.
#[derive(Clone, Debug, Default)]
pub struct SizeSummary {
    pub size: i64,
    /// The worst cost.
    pub worst: Option<u64>,
    /// For each least policy, how many paths have it (the paper's `count`).
    pub counts: FxHashMap<BranchPolicy, u64>,
    /// The least policies of worst paths (the paper's `max`).
    pub worst_policies: Vec<BranchPolicy>,
    /// Some of the worst paths, canonically first ones first.
    pub worst_paths: Vec<Vec<Decision>>,
    /// Of all worst paths those that follow a short rule best, and how often they break it.
    pub(crate) regular_paths: Vec<(usize, Vec<Decision>)>,
}

impl SizeSummary {
    /// Takes note of a path.
    pub(crate) fn path(&mut self, cost: u64, decisions: Vec<Decision>) {
        let policy = BranchPolicy::least(&decisions);
        if self.worst.is_none_or(|w| cost > w) {
            self.worst = Some(cost);
            self.worst_policies.clear();
            self.worst_paths.clear();
            self.regular_paths.clear();
        }
        if self.worst == Some(cost) {
            if !self.worst_policies.contains(&policy) {
                self.worst_policies.push(policy.clone());
            }
            self.keep_regular(irregularity(&decisions), &decisions);
            self.worst_paths.push(decisions);
            // Who explores what first depends on the number of workers, so it is not the first to come that are kept.
            if self.worst_paths.len() >= 2 * WORST_PATHS {
                self.sort();
            }
        }
        *self.counts.entry(policy).or_insert(0) += 1;
    }

    /// Worst paths to learn from: the most regular ones, then the canonically first ones.
    pub(crate) fn examples(&self) -> impl Iterator<Item = &Vec<Decision>> {
        self.regular_paths.iter().map(|(_, path)| path).chain(&self.worst_paths)
    }

    fn keep_regular(&mut self, irregular: usize, decisions: &[Decision]) {
        let before = |kept: &(usize, Vec<Decision>)| match kept.0.cmp(&irregular) {
            Ordering::Equal => canonical(&kept.1) <= canonical(decisions),
            order => order == Ordering::Less,
        };
        // Most paths are no better than the last that is kept.
        if self.regular_paths.len() < REGULAR_PATHS || !self.regular_paths.last().is_some_and(before) {
            let at = self.regular_paths.partition_point(before);
            self.regular_paths.insert(at, (irregular, decisions.to_vec()));
            self.regular_paths.truncate(REGULAR_PATHS);
        }
    }

    /// Puts everything into an order that does not depend on who explored what, and keeps the first of the worst paths.
    pub(crate) fn sort(&mut self) {
        self.worst_policies.sort();
        self.worst_paths.sort_by_key(|p| canonical(p));
        self.worst_paths.truncate(WORST_PATHS);
    }

    /// Adds what another worker learned of the same size.
    pub(crate) fn merge(&mut self, other: SizeSummary) {
        for (policy, count) in other.counts {
            *self.counts.entry(policy).or_insert(0) += count;
        }
        if other.worst > self.worst {
            self.worst = other.worst;
            self.worst_policies = other.worst_policies;
            self.worst_paths = other.worst_paths;
            self.regular_paths = other.regular_paths;
        } else if other.worst == self.worst {
            for policy in other.worst_policies {
                if !self.worst_policies.contains(&policy) {
                    self.worst_policies.push(policy);
                }
            }
            self.worst_paths.extend(other.worst_paths);
            for (irregular, path) in other.regular_paths {
                self.keep_regular(irregular, &path);
            }
        }
        self.sort();
    }
}

/// After how many decisions of the same activation a path did now one thing, now another, where it had a choice.
fn irregularity(decisions: &[Decision]) -> usize {
    type Step = (SiteId, u32);
    let mut last: FxHashMap<u32, Step> = FxHashMap::default();
    // The first side, and whether there was another.
    let mut chosen: FxHashMap<(SiteId, Option<Step>), (u32, bool)> = FxHashMap::default();
    for (site, side, decision) in sides_of(decisions) {
        if !decision.forced {
            let before = last.get(&decision.activation).copied();
            let (first, both) = chosen.entry((site, before)).or_insert((side, false));
            *both |= *first != side;
        }
        last.insert(decision.activation, (site, side));
    }
    chosen.values().filter(|(_, both)| *both).count()
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;

    use super::*;

    fn path(sides: &[u8]) -> Vec<Decision> {
        let decision =
            |s: &u8| Decision { site: SiteId(1), activation: 1, answer: Answer::Bool(*s == 1), forced: false };
        sides.iter().map(decision).collect()
    }

    #[test]
    fn the_most_regular_worst_path_is_kept_whoever_found_it() {
        // All paths of ten decisions with five of each side are equally bad; two of them alternate.
        let all: Vec<Vec<Decision>> = (0..1024_u32)
            .filter(|bits| bits.count_ones() == 5)
            .map(|bits| path(&(0..10).map(|i| (bits >> i & 1) as u8).collect::<Vec<_>>()))
            .collect();
        let summary = |paths: &[Vec<Decision>]| {
            let mut summary = SizeSummary::default();
            paths.iter().for_each(|path| summary.path(7, path.clone()));
            summary.sort();
            summary
        };
        let whole = summary(&all);
        let (mut left, right) = (summary(&all[100..]), summary(&all[..100]));
        left.merge(right);
        assert_eq!(left.regular_paths, whole.regular_paths);
        assert_eq!(whole.regular_paths[0], (0, path(&[1, 0, 1, 0, 1, 0, 1, 0, 1, 0])));
        assert_eq!(whole.examples().count(), REGULAR_PATHS + WORST_PATHS);
    }
}
