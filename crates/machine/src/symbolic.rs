//! Numbers or terms: the mode of exploration.

use std::marker::PhantomData;

use slowpath_term::{BinOp, CmpOp, Comparison, ConvOp, Node, TermId, Terms, UnOp, ops};

use crate::memory::PagedMemory;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::record::Record;
use crate::value::{Form, Value};

/// Values are numbers or terms, memory is copy-on-write pages with terms laid over the bytes. `P` is what is noted beside the costs.
#[derive(Clone, Copy, Debug)]
pub struct Open<P>(PhantomData<P>);

/// Notes nothing beside the costs.
pub type Symbolic = Open<()>;
/// Notes what every instruction reads and writes; slower.
pub type Recorded = Open<Record>;

impl<P: Profile> Mode for Open<P> {
    type Value = Value;
    type Memory = PagedMemory;
    type Profile = P;

    /// A number is copied as a number: both words at once would be read before the two stores that made them are done, for which the processor waits.
    #[inline(always)]
    fn copy(v: Value) -> Value {
        if v.is_plain() { Value::plain(v.bits) } else { copy_term(v) }
    }

    #[inline(always)]
    fn value(bits: u64) -> Value {
        Value::plain(bits)
    }

    #[inline(always)]
    fn bits(v: Value) -> Option<u64> {
        if v.is_plain() { Some(v.bits) } else { None }
    }

    #[inline]
    fn term(terms: &mut Terms, v: Value) -> Option<TermId> {
        v.term(terms)
    }

    #[inline(always)]
    fn unmade(v: Value) -> Option<Comparison> {
        v.comparison()
    }

    #[inline(always)]
    fn from_term(terms: &Terms, t: TermId) -> Value {
        Value::from_term(terms, t)
    }

    #[inline(always)]
    fn bin(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
        if a.is_plain() && b.is_plain() {
            return Value::plain(ops::bin(op, width, a.bits, b.bits));
        }
        bin_terms(terms, op, width, a, b)
    }

    #[inline(always)]
    fn un(terms: &mut Terms, op: UnOp, width: u8, a: Value) -> Value {
        if a.is_plain() {
            return Value::plain(ops::un(op, width, a.bits));
        }
        let t = Self::to_term(terms, width, a);
        let t = terms.un(op, t);
        Self::from_term(terms, t)
    }

    #[inline(always)]
    fn conv(terms: &mut Terms, op: ConvOp, from: u8, to: u8, a: Value) -> Value {
        if a.is_plain() {
            return Value::plain(ops::conv(op, from, to, a.bits));
        }
        let t = Self::to_term(terms, from, a);
        let t = terms.conv(op, to, t);
        Self::from_term(terms, t)
    }

    #[inline(always)]
    fn cmp_known(op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Option<bool> {
        (a.is_plain() && b.is_plain()).then(|| ops::cmp(op, width, a.bits, b.bits) != negated)
    }

    #[inline(always)]
    fn cmp(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
        match Self::cmp_known(op, negated, width, a, b) {
            Some(known) => Truth::Known(known),
            None => cmp_terms(terms, op, negated, width, a, b),
        }
    }

    #[inline(always)]
    fn truth(terms: &mut Terms, a: Value) -> Truth {
        if a.is_plain() { Truth::Known(a.bits as u32 != 0) } else { truth_of_term(terms, a) }
    }

    #[inline(always)]
    fn to_term(terms: &mut Terms, width: u8, v: Value) -> TermId {
        v.to_term(terms, width)
    }

    #[inline(always)]
    fn flag(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value, site: u32) -> Value {
        match Self::cmp_known(op, negated, width, a, b) {
            Some(known) => Value::plain(u64::from(known)),
            None => open_flag(terms, op, negated, width, a, b, site),
        }
    }
}

/// Whether a comparison of two terms is certainly open, and need not be made to know that: it is between two inputs.
#[inline]
pub(crate) fn between_inputs(terms: &Terms, width: u8, a: TermId, b: TermId) -> bool {
    let inputs = matches!((terms.node(a), terms.node(b)), (Node::Var { .. }, Node::Var { .. }));
    inputs && a != b && width > 1 && terms.width(a) == width
}

/// Not part of `copy`, where the compiler would see that both sides of it are the same.
#[inline(never)]
fn copy_term(v: Value) -> Value {
    v
}

#[inline(never)]
fn open_flag(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value, site: u32) -> Value {
    let site = site + 1;
    if let (Form::Term(a), Form::Term(b)) = (a.form(), b.form())
        && between_inputs(terms, width, a, b)
    {
        return Value::unmade(Comparison { op, a, b, negated }, site);
    }
    match cmp_terms(terms, op, negated, width, a, b) {
        Truth::Known(known) => Value::plain(u64::from(known)),
        Truth::Open(cond) => Value::flag(cond, site),
    }
}

#[inline(never)]
fn bin_terms(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
    // Compilers mask a flag with 1 before they branch on it, which leaves it a flag.
    if op == BinOp::And && a.is_flag() && b.is_plain() && b.bits & 1 == 1 {
        return a;
    }
    let (a, b) = (a.to_term(terms, width), b.to_term(terms, width));
    let t = terms.bin(op, a, b);
    Value::from_term(terms, t)
}

#[inline(never)]
fn cmp_terms(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
    // A flag compared with zero is its condition, or the opposite.
    if op == CmpOp::Eq
        && b == Value::plain(0)
        && a.is_flag()
        && let Some(cond) = a.term(terms)
    {
        let cond = if negated { cond } else { terms.not(cond) };
        return truth_of(terms, cond);
    }
    let (a, b) = (a.to_term(terms, width), b.to_term(terms, width));
    let cond = terms.comparison(Comparison { op, a, b, negated });
    truth_of(terms, cond)
}

#[inline(never)]
fn truth_of_term(terms: &mut Terms, v: Value) -> Truth {
    let cond = match v.form() {
        Form::Plain(bits) => terms.boolean(bits as u32 != 0),
        Form::Flag(cond, _) => cond,
        Form::Unmade(comparison, _) => terms.comparison(comparison),
        Form::Term(t) => {
            let zero = terms.constant(terms.width(t), 0);
            let is_zero = terms.cmp(CmpOp::Eq, t, zero);
            terms.not(is_zero)
        }
    };
    truth_of(terms, cond)
}

fn truth_of(terms: &Terms, cond: TermId) -> Truth {
    match terms.as_const(cond) {
        Some(bits) => Truth::Known(bits != 0),
        None => Truth::Open(cond),
    }
}
