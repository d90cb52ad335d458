//! Numbers or terms: the mode of exploration.

use std::marker::PhantomData;
use std::num::NonZeroU32;

use slowpath_term::{BinOp, CmpOp, Comparison, ConvOp, Node, TermId, Terms, UnOp, ops};

use crate::memory::PagedMemory;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::record::Record;

/// Values are numbers or terms, memory is copy-on-write pages with terms laid over the bytes. `P` is what is noted beside the costs.
#[derive(Clone, Copy, Debug)]
pub struct Open<P>(PhantomData<P>);

/// Notes nothing beside the costs.
pub type Symbolic = Open<()>;
/// Notes what every instruction reads and writes; slower.
pub type Recorded = Open<Record>;

/// A number or a term, in two machine words: in any other shape it is put together in memory, and an interpreter that does
/// little else waits for that. [`Value::form`] says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number; or the site that computed a flag, with the second operand of a comparison above it.
    bits: u64,
    /// 0 for a number. Else a term, and above it what it is the term of: see `TERM`, `FLAG`, `UNMADE`.
    what: u64,
}

/// What a value is.
///
/// The result of a comparison is kept as its condition, with the site that computed it (plus one): most are branched on at
/// once, and never need to become a number. `to_term` makes the number where one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain(u64),
    /// Wider than one bit, and no constant.
    Term(TermId),
    /// 0 or 1 for a condition, a term of width 1.
    Flag(TermId, u32),
    /// 0 or 1 for a comparison of two inputs, which is certainly open; nobody needed it as a term yet.
    Unmade(Comparison, u32),
}

const TERM: u64 = 0;
const FLAG: u64 = 1;
/// This and what follows: a comparison, by its operator, and whether it is negated.
const UNMADE: u64 = 2;

const OPERATORS: [CmpOp; 8] =
    [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle, CmpOp::FEq, CmpOp::FLt, CmpOp::FLe];

impl Value {
    #[inline(always)]
    const fn plain(bits: u64) -> Value {
        Value { bits, what: 0 }
    }

    #[inline(always)]
    const fn is_plain(self) -> bool {
        self.what == 0
    }

    #[inline(always)]
    fn of(kind: u64, term: TermId, bits: u64) -> Value {
        Value { bits, what: kind << 32 | u64::from(term.raw().get()) }
    }

    /// A term that is wider than one bit, and no constant.
    #[inline(always)]
    pub(crate) fn open(term: TermId) -> Value {
        Value::of(TERM, term, 0)
    }

    fn flag(cond: TermId, site: u32) -> Value {
        Value::of(FLAG, cond, site.into())
    }

    fn unmade(c: Comparison, site: u32) -> Value {
        let kind = UNMADE + 2 * c.op as u64 + u64::from(c.negated);
        Value::of(kind, c.a, u64::from(c.b.raw().get()) << 32 | u64::from(site))
    }

    /// The value as two numbers, equal exactly where values are.
    pub fn words(self) -> [u64; 2] {
        [self.bits, self.what]
    }

    /// What it is.
    #[inline]
    pub fn form(self) -> Form {
        let Some(term) = NonZeroU32::new(self.what as u32) else { return Form::Plain(self.bits) };
        let (term, kind, site) = (TermId::from_raw(term), self.what >> 32, self.bits as u32);
        match (kind, NonZeroU32::new((self.bits >> 32) as u32)) {
            (UNMADE.., Some(b)) => {
                let op = OPERATORS[(kind - UNMADE) as usize / 2 % OPERATORS.len()];
                Form::Unmade(Comparison { op, a: term, b: TermId::from_raw(b), negated: kind % 2 == 1 }, site)
            }
            (FLAG, _) => Form::Flag(term, site),
            _ => Form::Term(term),
        }
    }

    /// Whether it is the result of a comparison, and open.
    #[inline]
    fn is_flag(self) -> bool {
        self.what >> 32 != TERM
    }
}

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
        match v.form() {
            Form::Plain(_) => None,
            Form::Term(t) | Form::Flag(t, _) => Some(t),
            Form::Unmade(comparison, _) => Some(terms.comparison(comparison)),
        }
    }

    #[inline(always)]
    fn unmade(v: Value) -> Option<Comparison> {
        if v.what >> 32 < UNMADE {
            return None;
        }
        if let Form::Unmade(comparison, _) = v.form() { Some(comparison) } else { None }
    }

    #[inline(always)]
    fn from_term(terms: &Terms, t: TermId) -> Value {
        match terms.as_const(t) {
            Some(bits) => Value::plain(bits),
            None if terms.width(t) == 1 => Value::flag(t, 0),
            None => Value::open(t),
        }
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
        match v.form() {
            Form::Plain(bits) => terms.constant(width, bits),
            Form::Term(t) => t,
            Form::Flag(_, site) | Form::Unmade(_, site) => flag_term(terms, v, site),
        }
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

/// The number 0 or 1 for a condition; it remembers the site that computed it.
#[inline(never)]
fn flag_term(terms: &mut Terms, flag: Value, site: u32) -> TermId {
    let cond = Symbolic::term(terms, flag).unwrap_or(terms.ff());
    let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
    terms.ite(cond, one, zero, site)
}

#[inline(never)]
fn bin_terms(terms: &mut Terms, op: BinOp, width: u8, a: Value, b: Value) -> Value {
    // Compilers mask a flag with 1 before they branch on it, which leaves it a flag.
    if op == BinOp::And && a.is_flag() && b.is_plain() && b.bits & 1 == 1 {
        return a;
    }
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
    let t = terms.bin(op, a, b);
    Symbolic::from_term(terms, t)
}

#[inline(never)]
fn cmp_terms(terms: &mut Terms, op: CmpOp, negated: bool, width: u8, a: Value, b: Value) -> Truth {
    // A flag compared with zero is its condition, or the opposite.
    if op == CmpOp::Eq
        && b == Value::plain(0)
        && a.is_flag()
        && let Some(cond) = Symbolic::term(terms, a)
    {
        let cond = if negated { cond } else { terms.not(cond) };
        return truth_of(terms, cond);
    }
    let (a, b) = (Symbolic::to_term(terms, width, a), Symbolic::to_term(terms, width, b));
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

#[cfg(test)]
mod tests {
    use slowpath_term::InputId;

    use super::*;

    #[test]
    fn a_value_gives_back_what_was_put_in() {
        let mut terms = Terms::new();
        let (a, b) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
        assert_eq!(Value::plain(u64::MAX).form(), Form::Plain(u64::MAX));
        assert_eq!(Value::open(b).form(), Form::Term(b));
        assert_eq!(Value::flag(a, 7).form(), Form::Flag(a, 7));
        for (op, negated) in OPERATORS.iter().flat_map(|op| [(*op, false), (*op, true)]) {
            let comparison = Comparison { op, a, b, negated };
            let value = Value::unmade(comparison, u32::MAX);
            assert_eq!(value.form(), Form::Unmade(comparison, u32::MAX));
            assert_eq!(Symbolic::unmade(value), Some(comparison));
            assert_eq!(Symbolic::term(&mut terms, value), Some(terms.comparison(comparison)));
        }
    }
}
