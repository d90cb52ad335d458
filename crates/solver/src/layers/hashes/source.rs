//! Which values an input can have, to go through them or to draw from them.

use slowpath_term::InputId;

use crate::numbers::Numbers;
use crate::track::Track;

/// So many values are listed.
const FEW: u64 = 256;

/// One input and what its own conditions leave of its values.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) input: InputId,
    /// Where it is among the operations.
    pub(super) leaf: u32,
    /// All values where they are few, else none.
    pub(super) few: Vec<u64>,
    parts: Vec<(u64, u64)>,
    count: u64,
}

impl Source {
    pub(super) fn of(track: &Track, input: InputId, width: u8, leaf: u32) -> Source {
        let parts: Vec<(u64, u64)> = match track.domain(input) {
            Some(domain) => domain.ordered(false).into_iter().map(|(lo, hi)| (lo as u64, hi as u64)).collect(),
            None => vec![(0, slowpath_term::ops::mask(width))],
        };
        let count = parts.iter().fold(0u64, |sum, (lo, hi)| sum.saturating_add((hi - lo).saturating_add(1)));
        let few = if count <= FEW { parts.iter().flat_map(|&(lo, hi)| lo..=hi).collect() } else { Vec::new() };
        Source { input, leaf, few, parts, count }
    }

    /// How many values there are, as far as that can be counted.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Any of the values.
    pub(super) fn draw(&self, numbers: &mut Numbers) -> u64 {
        let mut at = numbers.below(self.count);
        for &(lo, hi) in &self.parts {
            if at <= hi - lo {
                return lo + at;
            }
            at -= hi - lo + 1;
        }
        self.parts.first().map_or(0, |part| part.0)
    }
}
