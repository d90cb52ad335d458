//! An individual: the path condition of one path, condition by condition, and its cost.

use std::rc::Rc;

use slowpath_machine::Answer;
use slowpath_program::SiteId;
use slowpath_term::{Model, TermId};

use super::snapshots::Snapshots;
use crate::node::Decision;

/// One decision of a path with its condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gene {
    pub site: SiteId,
    pub activation: u32,
    pub answer: Answer,
    /// In the arena of the workshop that made it.
    pub cond: TermId,
    /// Identifies the path up to and with this decision.
    pub key: u64,
}

/// A path and what it costs.
pub(crate) struct Individual {
    pub genes: Vec<Gene>,
    pub cost: u64,
    /// Satisfies the path condition.
    pub model: Model,
    /// Which bits each input has.
    pub masks: Rc<Vec<u64>>,
    pub snapshots: Snapshots,
}

impl Individual {
    /// Identifies the path.
    pub fn key(&self) -> u64 {
        self.genes.last().map_or(0, |gene| gene.key)
    }

    /// Identifies the path before the decision at `index`.
    pub fn key_before(&self, index: usize) -> u64 {
        index.checked_sub(1).map_or(0, |before| self.genes[before].key)
    }

    /// What it takes to follow the path again. Which decisions were forced is not known, so that none counts as such.
    pub fn decisions(&self) -> Vec<Decision> {
        let decision = |g: &Gene| Decision { site: g.site, activation: g.activation, answer: g.answer, forced: false };
        self.genes.iter().map(decision).collect()
    }
}

/// The key of a path that goes on with one more decision.
pub(crate) fn extend_key(key: u64, site: SiteId, answer: Answer) -> u64 {
    let side = match answer {
        Answer::Bool(b) => u64::from(b),
        Answer::Case(i) => 2 + u64::from(i),
        Answer::Value(_) | Answer::Range(..) => u64::MAX,
    };
    let mut z = (key ^ (site.index() as u64) << 32 ^ side).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tell_orders_sites_and_sides_apart() {
        let (a, b) = (SiteId(1), SiteId(2));
        let path = |steps: &[(SiteId, bool)]| {
            steps.iter().fold(0, |key, (site, side)| extend_key(key, *site, Answer::Bool(*side)))
        };
        let keys = [
            path(&[(a, true), (b, false)]),
            path(&[(b, false), (a, true)]),
            path(&[(a, true), (b, true)]),
            path(&[(a, true)]),
            path(&[(a, true), (a, false)]),
        ];
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[i + 1..].contains(key), "{i}");
        }
    }
}
