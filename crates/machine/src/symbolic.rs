//! Numbers or terms: the mode of exploration.

use slowpath_term::{BinOp, CmpOp, ConvOp, TermId, Terms, UnOp, ops};

use crate::memory::PagedMemory;
use crate::mode::{Mode, Truth};

/// Values are numbers or terms, memory is copy-on-write pages with terms laid over the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic;

/// A plain number, unless `term` is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub bits: u64,
    pub term: Option<TermId>,
}

impl Mode for Symbolic {
    type Value = Value;
    type Memory = PagedMemory;

    #[inline(always)]
    fn value(bits: u64) -> Value {
        Value { bits, term: None }
    }

    #[inline(always)]
    fn bits(v: Value) -> Option<u64> {
        if v.term.is_none() { Some(v.bits) } else { None }
    }

    #[inline(always)]
    fn term(v: Value) -> Option<TermId> {
        v.term
    }

    #[inline(always)]
    fn from_term(terms: &Terms, t: TermId) -> Value {
        match terms.as_const(t) {
            Some(bits) => Value { bits, term: None },
            None => Value { bits: 0, term: Some(t) },
        }
    }

    #[inline(always)]
    fn bin(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
        if a.term.is_none() && b.term.is_none() {
            return Value { bits: ops::bin(op, width, a.bits, b.bits), term: None };
        }
        bin_terms(terms, op, width, a, b)
    }

    #[inline(always)]
    fn un(terms: &mut Terms, op: UnOp, width: u8, a: Value) -> Value {
        match a.term {
            None => Value { bits: ops::un(op, width, a.bits), term: None },
            Some(t) => {
                let t = terms.un(op, t);
                Self::from_term(terms, t)
            }
        }
    }

    #[inline(always)]
    fn conv(terms: &mut Terms, op: ConvOp, from: u8, to: u8, a: Value) -> Value {
        match a.term {
            None => Value { bits: ops::conv(op, from, to, a.bits), term: None },
            Some(t) => {
                let t = terms.conv(op, to, t);
                Self::from_term(terms, t)
            }
        }
    }

    #[inline(always)]
    fn cmp(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
        if a.term.is_none() && b.term.is_none() {
            return Truth::Known(ops::cmp(op, width, a.bits, b.bits) != negated);
        }
        cmp_terms(terms, op, negated, width, a, b)
    }

    #[inline(always)]
    fn truth(terms: &mut Terms, a: Value) -> Truth {
        match a.term {
            None => Truth::Known(a.bits as u32 != 0),
            Some(t) => {
                let zero = terms.constant(terms.width(t), 0);
                let is_zero = terms.cmp(CmpOp::Eq, t, zero);
                let cond = terms.not(is_zero);
                truth_of(terms, cond)
            }
        }
    }
}

#[inline(never)]
fn bin_terms(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
    let t = terms.bin(op, a, b);
    Symbolic::from_term(terms, t)
}

#[inline(never)]
fn cmp_terms(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
    let cond = terms.cmp(op, a, b);
    let cond = if negated { terms.not(cond) } else { cond };
    truth_of(terms, cond)
}

fn truth_of(terms: &Terms, cond: TermId) -> Truth {
    match terms.as_const(cond) {
        Some(bits) => Truth::Known(bits != 0),
        None => Truth::Open(cond),
    }
}
