//! Reading conditions as sums of inputs with whole coefficients.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;
use slowpath_term::ops::{mask, sign_bit};
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

use crate::sets::integer;

/// Sums of more inputs are not read.
const MOST_INPUTS: usize = 64;
/// Terms nested deeper are not read.
const MOST_LEVELS: u32 = 96;
/// From so many terms on what they come to is remembered: sums that share parts have more paths than terms.
const MANY_TERMS: u32 = 24;

/// An input as an integer. One that cannot be negative is always read unsigned, so that both readings are one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Variable {
    pub(crate) input: InputId,
    pub(crate) width: u8,
    pub(crate) signed: bool,
}

/// A sum: coefficients by variable, ascending, none of them 0; and a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form<V = Variable> {
    pub(crate) parts: Vec<(V, i64)>,
    pub(crate) constant: i128,
}

impl<V> Default for Form<V> {
    fn default() -> Form<V> {
        Form::constant(0)
    }
}

impl<V> Form<V> {
    pub(crate) fn constant(constant: i128) -> Form<V> {
        Form { parts: Vec::new(), constant }
    }
}

impl<V: Copy + Ord> Form<V> {
    /// `self + factor * other`.
    pub(crate) fn plus(&self, other: &Form<V>, factor: i64) -> Option<Form<V>> {
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut i, mut j) = (0, 0);
        loop {
            let part = match (self.parts.get(i), other.parts.get(j)) {
                (Some(&(a, x)), Some(&(b, y))) if a == b => {
                    (i, j) = (i + 1, j + 1);
                    (a, x.checked_add(y.checked_mul(factor)?)?)
                }
                (Some(&(a, x)), Some(&(b, _))) if a < b => {
                    i += 1;
                    (a, x)
                }
                (Some(&(a, x)), None) => {
                    i += 1;
                    (a, x)
                }
                (_, Some(&(b, y))) => {
                    j += 1;
                    (b, y.checked_mul(factor)?)
                }
                (None, None) => break,
            };
            if part.1 != 0 {
                parts.push(part);
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor.into())?)?;
        (parts.len() <= MOST_INPUTS).then_some(Form { parts, constant })
    }
}

/// A condition as sums that are at most 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rows<V = Variable> {
    /// It is not of that form.
    None,
    All(Vec<Form<V>>),
    /// One of the two.
    Either(Form<V>, Form<V>),
}

/// Reads a condition, given between which values an input lies.
pub(crate) struct Reader<'a, F> {
    terms: &'a Terms,
    bounds: F,
    /// Terms looked at, and what those with parts of their own came to, by how they are read.
    seen: Cell<u32>,
    known: RefCell<FxHashMap<(TermId, bool), Option<Form>>>,
}

impl<'a, F: Fn(InputId, u8, bool) -> (i128, i128)> Reader<'a, F> {
    pub(crate) fn new(terms: &'a Terms, bounds: F) -> Reader<'a, F> {
        Reader { terms, bounds, seen: Cell::default(), known: RefCell::default() }
    }

    pub(crate) fn read(&self, t: TermId) -> Rows {
        let rows = match self.terms.node(t) {
            Node::Cmp { op: CmpOp::Eq, a, b } => {
                self.difference(a, b).and_then(|d| Some(Rows::All(vec![self.negated(&d)?, d])))
            }
            Node::Cmp { op, a, b } => self.order(op, a, b),
            Node::Un { op: UnOp::Not, a, .. } => match self.terms.node(a) {
                Node::Cmp { op: CmpOp::Eq, a, b } => self.difference(a, b).and_then(|d| {
                    let one = Form::constant(1);
                    Some(Rows::Either(d.plus(&one, 1)?, self.negated(&d)?.plus(&one, 1)?))
                }),
                _ => None,
            },
            _ => None,
        };
        rows.unwrap_or(Rows::None)
    }

    fn negated(&self, form: &Form) -> Option<Form> {
        Form::default().plus(form, -1)
    }

    /// `a - b` in a reading in which both are sums.
    fn difference(&self, a: TermId, b: TermId) -> Option<Form> {
        [true, false].into_iter().find_map(|signed| {
            let (a, b) = (self.form(a, signed, MOST_LEVELS)?, self.form(b, signed, MOST_LEVELS)?);
            a.plus(&b, -1)
        })
    }

    fn order(&self, op: CmpOp, a: TermId, b: TermId) -> Option<Rows> {
        let (signed, slack) = match op {
            CmpOp::Ult => (false, 1),
            CmpOp::Ule => (false, 0),
            CmpOp::Slt => (true, 1),
            CmpOp::Sle => (true, 0),
            _ => return None,
        };
        let (a, b) = (self.form(a, signed, MOST_LEVELS)?, self.form(b, signed, MOST_LEVELS)?);
        Some(Rows::All(vec![a.plus(&b, -1)?.plus(&Form::constant(slack), 1)?]))
    }

    fn variable(&self, input: InputId, width: u8, signed: bool) -> Variable {
        let signed = signed && (self.bounds)(input, width, true).0 < 0;
        Variable { input, width, signed }
    }

    /// The term as a sum, read signed or unsigned, where nothing in it can wrap.
    fn form(&self, t: TermId, signed: bool, levels: u32) -> Option<Form> {
        let levels = levels.checked_sub(1)?;
        self.seen.set(self.seen.get() + 1);
        match self.terms.node(t) {
            Node::Var { input, width } => {
                Some(Form { parts: vec![(self.variable(input, width, signed), 1)], constant: 0 })
            }
            Node::Const { width, bits } => Some(Form::constant(integer(bits, width, signed))),
            Node::Conv { op: ConvOp::ZExt, a, .. } => self.form(a, false, levels),
            Node::Conv { op: ConvOp::SExt, a, .. } if signed => self.form(a, true, levels),
            Node::Bin { op, width, a, b } => {
                if self.seen.get() < MANY_TERMS {
                    return self.sum(op, width, (a, b), signed, levels);
                }
                if let Some(known) = self.known.borrow().get(&(t, signed)) {
                    return known.clone();
                }
                let sum = self.sum(op, width, (a, b), signed, levels);
                self.known.borrow_mut().insert((t, signed), sum.clone());
                sum
            }
            _ => None,
        }
    }

    fn sum(&self, op: BinOp, width: u8, (a, b): (TermId, TermId), signed: bool, levels: u32) -> Option<Form> {
        let x = self.form(a, signed, levels)?;
        let sum = match op {
            BinOp::Add => x.plus(&self.form(b, signed, levels)?, 1),
            BinOp::Sub => x.plus(&self.form(b, signed, levels)?, -1),
            BinOp::Mul => {
                Form::default().plus(&x, i64::try_from(integer(self.terms.as_const(b)?, width, signed)).ok()?)
            }
            BinOp::Shl => {
                let by = self.terms.as_const(b)? % u64::from(width);
                Form::default().plus(&x, 1i64.checked_shl(by as u32).filter(|&f| f > 0)?)
            }
            _ => None,
        }?;
        self.unwrapped(sum, width, signed)
    }

    /// The sum if it always fits its width, moved by a whole turn if it always wraps once (as where -1 is added unsigned).
    fn unwrapped(&self, sum: Form, width: u8, signed: bool) -> Option<Form> {
        let (mut lo, mut hi) = (sum.constant, sum.constant);
        for &(variable, factor) in &sum.parts {
            let (l, h) = (self.bounds)(variable.input, variable.width, variable.signed);
            let (l, h) = (l.checked_mul(factor.into())?, h.checked_mul(factor.into())?);
            (lo, hi) = (lo.checked_add(l.min(h))?, hi.checked_add(l.max(h))?);
        }
        let (least, greatest) = if signed {
            (-i128::from(sign_bit(width)), i128::from(sign_bit(width)) - 1)
        } else {
            (0, i128::from(mask(width)))
        };
        let turn = i128::from(mask(width)) + 1;
        let shift = [0, -turn, turn].into_iter().find(|shift| lo + shift >= least && hi + shift <= greatest)?;
        Some(Form { constant: sum.constant + shift, ..sum })
    }
}
