//! What exhaustive exploration of one size teaches: summaries computed while exploring, no list of all paths.

use rustc_hash::FxHashMap;

use super::branch::BranchPolicy;
use crate::node::Decision;

/// Worst paths kept in full for history policies.
const WORST_PATHS: usize = 64;

/// The summary of one size.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    pub size: i64,
    /// The worst cost.
    pub worst: Option<u64>,
    /// For each least policy, how many paths have it (the paper's `count`).
    pub counts: FxHashMap<BranchPolicy, u64>,
    /// The least policies of worst paths (the paper's `max`).
    pub worst_policies: Vec<BranchPolicy>,
    /// Some of the worst paths, canonically first ones first.
    pub worst_paths: Vec<Vec<Decision>>,
}

impl Lesson {
    /// Takes note of a path.
    pub(crate) fn path(&mut self, cost: u64, decisions: Vec<Decision>) {
        let policy = BranchPolicy::least(&decisions);
        if self.worst.is_none_or(|w| cost > w) {
            self.worst = Some(cost);
            self.worst_policies.clear();
            self.worst_paths.clear();
        }
        if self.worst == Some(cost) {
            if !self.worst_policies.contains(&policy) {
                self.worst_policies.push(policy.clone());
            }
            if self.worst_paths.len() < WORST_PATHS {
                self.worst_paths.push(decisions);
            }
        }
        *self.counts.entry(policy).or_insert(0) += 1;
    }

    /// Puts everything into an order that does not depend on who explored what.
    pub(crate) fn sort(&mut self) {
        self.worst_policies.sort();
        self.worst_paths.sort_by_key(|p| crate::exhaustive::canonical(p));
    }

    /// Adds what another worker learned of the same size.
    pub(crate) fn merge(&mut self, other: Lesson) {
        for (policy, count) in other.counts {
            *self.counts.entry(policy).or_insert(0) += count;
        }
        if other.worst > self.worst {
            self.worst = other.worst;
            self.worst_policies = other.worst_policies;
            self.worst_paths = other.worst_paths;
        } else if other.worst == self.worst {
            for policy in other.worst_policies {
                if !self.worst_policies.contains(&policy) {
                    self.worst_policies.push(policy);
                }
            }
            self.worst_paths.extend(other.worst_paths);
        }
        self.sort();
        self.worst_paths.truncate(WORST_PATHS);
    }
}
