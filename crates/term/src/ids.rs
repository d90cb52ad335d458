//! The two kinds of number this crate hands out: terms of an arena and inputs of a path.

use std::fmt;
use std::num::NonZeroU32;

/// A term of one [`Terms`](crate::Terms) arena. Equal terms have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU32);

impl TermId {
    /// The id of the `index`-th term of an arena.
    ///
    /// # Panics
    /// If an arena would hold more than 2³²-2 terms; memory runs out long before.
    #[inline(always)]
    pub(crate) fn from_index(index: usize) -> TermId {
        let raw = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        TermId(raw.expect("an arena holds fewer than 2^32 terms"))
    }

    /// The id as a number that is never zero, for callers that keep it among others.
    #[inline(always)]
    pub fn raw(self) -> NonZeroU32 {
        self.0
    }

    /// The id that [`TermId::raw`] gave.
    #[inline(always)]
    pub fn from_raw(raw: NonZeroU32) -> TermId {
        TermId(raw)
    }

    /// Position of the term in its arena, for side tables kept by callers.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.index())
    }
}

/// A symbolic input of a path; dense, in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(pub u32);

impl InputId {
    /// The input as an index into tables.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for InputId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}
