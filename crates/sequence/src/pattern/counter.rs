//! Counters: where in a unit the number of the repetition is written, so that no two repetitions are alike. Names that have to differ
//! (attributes, keys, identifiers) are no pattern without one.
//!
//! Numbers are written as columns of a spreadsheet are named: all of one digit, then all of two, and so on. So however long the
//! sequence is, no name is longer than it has to be, and an element is the same at every length.

use serde::{Deserialize, Serialize};

/// Sequences longer than this nobody has.
const LONGEST: u64 = 1 << 40;

/// A number that counts repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Counter {
    /// Before which element of the unit it stands.
    pub at: usize,
    /// The first digit; the others follow it.
    pub first: i64,
    /// How many digits there are; at least two.
    pub digits: i64,
}

/// The repetitions whose numbers have the same number of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub width: usize,
    /// How many of them there are.
    pub count: u64,
    /// The index of their first element.
    pub start: u64,
}

impl Counter {
    /// Letters from `a` to `z`.
    pub const LETTERS: (i64, i64) = (b'a' as i64, 26);
    /// Digits from `0` to `9`.
    pub const DIGITS: (i64, i64) = (b'0' as i64, 10);

    fn base(&self) -> u64 {
        self.digits.max(2).unsigned_abs()
    }

    /// The value of a one in front of so many digits.
    pub(super) fn weight(&self, behind: usize) -> u64 {
        self.base().saturating_pow(u32::try_from(behind).unwrap_or(u32::MAX))
    }

    /// The blocks of a sequence whose unit has so many elements besides the number.
    pub(super) fn blocks(self, unit: usize) -> impl Iterator<Item = Block> {
        let mut start = 0u64;
        (1..)
            .map(move |width| {
                let block = Block { width, count: self.weight(width), start };
                start = start.saturating_add(block.count.saturating_mul((unit + width) as u64));
                block
            })
            .take_while(|block| block.start < LONGEST)
    }

    /// The digit at a place of a number of so many digits, the greatest first.
    pub(super) fn digit(&self, number: u64, place: usize, width: usize) -> i64 {
        self.first.saturating_add((number / self.weight(width - 1 - place) % self.base()).cast_signed())
    }

    /// Fills up to an index with a unit into which the number of each repetition is written. With a filler it ends before a repetition that
    /// would have to be cut.
    pub(super) fn fill(&self, values: &mut Vec<i64>, end: usize, unit: &[i64], step: i64, filler: Option<i64>) {
        let (before, after) = unit.split_at(self.at.min(unit.len()));
        let numbers =
            self.blocks(unit.len()).flat_map(|block| (0..block.count).map(move |number| (number, block.width)));
        for (turn, (number, width)) in (0i64..).zip(numbers) {
            if values.len() >= end || (filler.is_some() && values.len() + unit.len() + width > end) {
                break;
            }
            let more = step.saturating_mul(turn);
            let moved = |value: &i64| value.saturating_add(more);
            let digits = (0..width).map(|place| self.digit(number, place, width));
            let left = end - values.len();
            values.extend(before.iter().map(moved).chain(digits).chain(after.iter().map(moved)).take(left));
        }
    }
}
