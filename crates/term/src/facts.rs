//! What is kept about every term; `bounds.rs` has how it is found.

/// What is known of every term, in a few bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub width: u8,
    pub has_ite: bool,
    /// Whether a site of the program computed one of them.
    pub has_ite_of_site: bool,
    pub has_float: bool,
    /// Where the term's [`Facts`] are.
    pub facts: u32,
}

/// Facts about the values of a term. There are many comparisons, and nothing worth storing about them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Least unsigned value.
    pub lo: u64,
    /// Greatest unsigned value.
    pub hi: u64,
    /// The value of the low bits that are known.
    pub low: u64,
    /// How many low bits are known.
    pub low_bits: u8,
}

/// Marks the terms about whose values nothing is known.
pub(crate) const OPEN: u32 = u32::MAX;
/// A boolean that may be either.
pub(crate) const OPEN_BOOLEAN: Facts = Facts { lo: 0, hi: 1, low: 0, low_bits: 0 };
