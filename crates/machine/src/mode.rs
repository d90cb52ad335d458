//! What the interpreter needs to know of a kind of value: plain numbers, or numbers and terms.

use std::fmt::Debug;

use slowpath_program::FuncBody;
use slowpath_term::{BinOp, CmpOp, Comparison, ConvOp, TermId, Terms, UnOp};

use crate::costs::Meter;
use crate::memory::Memory;
use crate::profile::Profile;

/// A condition: decided, or a term of width 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Known(bool),
    Open(TermId),
}

/// A kind of value and of memory. Everything is static dispatch: with `Concrete` no trace of terms is left in the
/// interpreter's code.
pub trait Mode: Sized + Clone + 'static {
    type Value: Copy + Debug + 'static;
    type Memory: Memory<Self::Value>;
    /// What is counted of single instructions.
    type Profile: Profile;
    /// Registers that lie beside each other from the start of a frame on, however few it needs; 0 if nobody sprints.
    const WINDOW: usize = 0;

    /// Runs from `pc` on as far as that is plain (`sprint.rs`), and tells where it stopped. What is there must then be done by the flat code.
    #[inline(always)]
    fn sprint(
        _body: &FuncBody,
        _registers: &mut [Self::Value],
        _memory: &mut Self::Memory,
        _meter: &mut Meter,
        _check_at: u64,
        pc: usize,
    ) -> usize {
        pc
    }

    /// The same value, from register to register.
    #[inline(always)]
    fn copy(v: Self::Value) -> Self::Value {
        v
    }

    /// A plain number; bits above its width are zero.
    fn value(bits: u64) -> Self::Value;
    /// The number, if it is one.
    fn bits(v: Self::Value) -> Option<u64>;
    /// The term, if it is one. Of the result of a comparison it is the condition, of width 1.
    fn term(terms: &mut Terms, v: Self::Value) -> Option<TermId>;
    /// The comparison that a value is the result of, if nobody needed it as a term yet.
    fn unmade(v: Self::Value) -> Option<Comparison>;
    /// A term as a value (a plain number if the term is constant). Never called in concrete mode.
    fn from_term(terms: &Terms, t: TermId) -> Self::Value;

    fn bin(terms: &mut Terms, op: BinOp, width: u8, a: Self::Value, b: Self::Value) -> Self::Value;
    fn un(terms: &mut Terms, op: UnOp, width: u8, a: Self::Value) -> Self::Value;
    fn conv(terms: &mut Terms, op: ConvOp, from: u8, to: u8, a: Self::Value) -> Self::Value;
    /// `a op b`, or its negation, if both are plain numbers.
    fn cmp_known(op: CmpOp, negated: bool, width: u8, a: Self::Value, b: Self::Value) -> Option<bool>;
    /// `a op b`, or its negation.
    fn cmp(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Self::Value, b: Self::Value) -> Truth;
    /// Whether a 32-bit value is not zero.
    fn truth(terms: &mut Terms, a: Self::Value) -> Truth;

    /// A value as a term of the given width.
    fn to_term(terms: &mut Terms, width: u8, v: Self::Value) -> TermId;

    /// 0 or 1 for a comparison; an open one remembers the site that computed it.
    fn flag(
        terms: &mut Terms,
        op: CmpOp,
        negated: bool,
        width: u8,
        a: Self::Value,
        b: Self::Value,
        site: u32,
    ) -> Self::Value;
}
