//! Sets of values one input can have, and which set a condition on one input allows.

mod bytes;
mod intervals;
mod preimage;
mod solve;
mod table;

pub(crate) use bytes::ByteSet;
pub(crate) use intervals::Intervals;
pub(crate) use preimage::{before_extension, complement_wanted, wanted_operand};
pub(crate) use solve::Solutions;

use slowpath_term::ops::{sext, sign_bit};

/// A set of values of one width: exact bits up to a byte, intervals beyond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Bytes(ByteSet),
    Wide(Intervals),
}

impl Set {
    pub(crate) fn contains(&self, v: u64) -> bool {
        match self {
            Set::Bytes(s) => s.contains(v),
            Set::Wide(s) => s.contains(v),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Set::Bytes(s) => s.is_empty(),
            Set::Wide(s) => s.is_empty(),
        }
    }

    pub(crate) fn width(&self) -> u8 {
        match self {
            Set::Bytes(s) => s.width(),
            Set::Wide(s) => s.width(),
        }
    }

    /// Both sets are over one width, so of one kind.
    pub(crate) fn intersect(&self, other: &Set) -> Set {
        match (self, other) {
            (Set::Bytes(a), Set::Bytes(b)) => Set::Bytes(a.intersect(b)),
            (Set::Wide(a), Set::Wide(b)) => Set::Wide(a.intersect(b)),
            _ => unreachable!("sets of one input have one width"),
        }
    }

    /// Number of intervals it takes to write the set down.
    pub(crate) fn pieces(&self) -> usize {
        match self {
            Set::Bytes(_) => 1,
            Set::Wide(s) => s.list().len(),
        }
    }

    /// Some members: the one nearest to `v`, the ends, and more of them if there are few.
    pub(crate) fn samples(&self, v: u64, most: usize) -> Vec<u64> {
        let mut list = Vec::with_capacity(most);
        match self {
            Set::Bytes(s) => {
                list.extend(s.nearest(v));
                list.extend(s.iter().take(most));
            }
            Set::Wide(s) => {
                list.extend(s.nearest(v));
                list.extend(s.list().iter().take(most).flat_map(|&(lo, hi)| [lo, hi]));
            }
        }
        let mut seen = Vec::with_capacity(most);
        for v in list {
            if !seen.contains(&v) && seen.len() < most {
                seen.push(v);
            }
        }
        seen
    }

    /// The set as intervals of integers in the order chosen, ascending.
    pub(crate) fn ordered(&self, signed: bool) -> Vec<(i128, i128)> {
        let (list, width) = match self {
            Set::Bytes(s) => (s.runs(), s.width()),
            Set::Wide(s) => (s.list().to_vec(), s.width()),
        };
        let half = sign_bit(width);
        let read = |v: u64| integer(v, width, signed);
        let mut out = Vec::with_capacity(list.len() + 1);
        for (lo, hi) in list {
            if signed && lo < half && hi >= half {
                out.push((read(lo), read(half - 1)));
                out.push((read(half), read(hi)));
            } else {
                out.push((read(lo), read(hi)));
            }
        }
        out.sort_unstable();
        out
    }

    /// Least and greatest member in the order chosen; the set is not empty.
    pub(crate) fn hull(&self, signed: bool) -> (i128, i128) {
        let (first, last, width) = match self {
            Set::Bytes(s) => (s.first(), s.last(), s.width()),
            Set::Wide(s) => (s.list()[0].0, s.list()[s.list().len() - 1].1, s.width()),
        };
        let half = sign_bit(width);
        if signed && first < half && last >= half {
            let list = self.ordered(true);
            return (list[0].0, list[list.len() - 1].1);
        }
        (integer(first, width, signed), integer(last, width, signed))
    }
}

/// The bits of a number of `width` bits as an integer.
#[inline(always)]
pub(crate) fn integer(v: u64, width: u8, signed: bool) -> i128 {
    if signed { i128::from(sext(width, v)) } else { i128::from(v) }
}
