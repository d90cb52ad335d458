//! Numbers or terms: the mode of exploration.

use slowpath_term::{BinOp, CmpOp, Comparison, ConvOp, TermId, Terms, UnOp, ops};

use crate::memory::PagedMemory;
use crate::mode::{Mode, Truth};

/// Values are numbers or terms, memory is copy-on-write pages with terms laid over the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic;

/// A plain number, unless `term` is there.
///
/// The result of a comparison is kept as its condition, a term of width 1, with the site that computed it (plus one) in
/// `bits`: most are branched on at once, and never need to become a number. `to_term` makes the number where one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub bits: u64,
    pub term: Option<TermId>,
}

impl Mode for Symbolic {
    type Value = Value;
    type Memory = PagedMemory;
    type Profile = ();

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
            Some(_) => {
                let t = Self::to_term(terms, width, a);
                let t = terms.un(op, t);
                Self::from_term(terms, t)
            }
        }
    }

    #[inline(always)]
    fn conv(terms: &mut Terms, op: ConvOp, from: u8, to: u8, a: Value) -> Value {
        match a.term {
            None => Value { bits: ops::conv(op, from, to, a.bits), term: None },
            Some(_) => {
                let t = Self::to_term(terms, from, a);
                let t = terms.conv(op, to, t);
                Self::from_term(terms, t)
            }
        }
    }

    #[inline(always)]
    fn cmp_known(op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Option<bool> {
        let plain = a.term.is_none() && b.term.is_none();
        plain.then(|| ops::cmp(op, width, a.bits, b.bits) != negated)
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
            Some(t) if terms.width(t) == 1 => Truth::Open(t),
            Some(t) => {
                let zero = terms.constant(terms.width(t), 0);
                let is_zero = terms.cmp(CmpOp::Eq, t, zero);
                let cond = terms.not(is_zero);
                truth_of(terms, cond)
            }
        }
    }

    #[inline(always)]
    fn to_term(terms: &mut Terms, width: u8, v: Value) -> TermId {
        match v.term {
            None => terms.constant(width, v.bits),
            Some(t) if terms.width(t) == 1 => flag_term(terms, t, v.bits as u32),
            Some(t) => t,
        }
    }

    #[inline(always)]
    fn flag(_: &mut Terms, truth: Truth, site: u32) -> Value {
        match truth {
            Truth::Known(b) => Value { bits: u64::from(b), term: None },
            Truth::Open(cond) => Value { bits: u64::from(site) + 1, term: Some(cond) },
        }
    }
}

/// The number 0 or 1 for a condition; it remembers the site that computed it.
#[inline(never)]
fn flag_term(terms: &mut Terms, cond: TermId, site: u32) -> TermId {
    let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
    terms.ite(cond, one, zero, site)
}

#[inline(never)]
fn bin_terms(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
    // Compilers mask a flag with 1 before they branch on it, which leaves it a flag.
    if let (BinOp::And, Some(cond), None) = (op, a.term, b.term)
        && b.bits & 1 == 1
        && terms.width(cond) == 1
    {
        return a;
    }
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
    let t = terms.bin(op, a, b);
    Symbolic::from_term(terms, t)
}

#[inline(never)]
fn cmp_terms(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
    // A flag compared with zero is its condition, or the opposite.
    if let (CmpOp::Eq, Some(cond), None, 0) = (op, a.term, b.term, b.bits)
        && terms.width(cond) == 1
    {
        let cond = if negated { cond } else { terms.not(cond) };
        return truth_of(terms, cond);
    }
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
    let cond = terms.comparison(Comparison { op, a, b, negated });
    truth_of(terms, cond)
}

fn truth_of(terms: &Terms, cond: TermId) -> Truth {
    match terms.as_const(cond) {
        Some(bits) => Truth::Known(bits != 0),
        None => Truth::Open(cond),
    }
}
