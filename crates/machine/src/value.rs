//! A value of exploration: a number or a term.

use std::num::NonZeroU32;

use slowpath_term::{CmpOp, Comparison, TermId, Terms};

/// A number or a term, in two machine words: in any other shape it is put together in memory, and an interpreter that does
/// little else waits for that. [`Value::form`] says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The number; or the site that computed a flag, with the second operand of a comparison above it.
    pub(crate) bits: u64,
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
    pub(crate) const fn plain(bits: u64) -> Value {
        Value { bits, what: 0 }
    }

    #[inline(always)]
    pub(crate) const fn is_plain(self) -> bool {
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

    pub(crate) fn flag(cond: TermId, site: u32) -> Value {
        Value::of(FLAG, cond, site.into())
    }

    pub(crate) fn unmade(c: Comparison, site: u32) -> Value {
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
    pub(crate) fn is_flag(self) -> bool {
        self.what >> 32 != TERM
    }

    /// A term as a value: a plain number if it is constant.
    #[inline(always)]
    pub(crate) fn from_term(terms: &Terms, t: TermId) -> Value {
        match terms.as_const(t) {
            Some(bits) => Value::plain(bits),
            None if terms.width(t) == 1 => Value::flag(t, 0),
            None => Value::open(t),
        }
    }

    /// The term, if it is one. Of the result of a comparison it is the condition, of width 1.
    #[inline]
    pub(crate) fn term(self, terms: &mut Terms) -> Option<TermId> {
        match self.form() {
            Form::Plain(_) => None,
            Form::Term(t) | Form::Flag(t, _) => Some(t),
            Form::Unmade(comparison, _) => Some(terms.comparison(comparison)),
        }
    }

    /// The comparison that it is the result of, if nobody needed it as a term yet.
    #[inline(always)]
    pub(crate) fn comparison(self) -> Option<Comparison> {
        if self.what >> 32 < UNMADE {
            return None;
        }
        if let Form::Unmade(comparison, _) = self.form() { Some(comparison) } else { None }
    }

    /// The value as a term of the given width.
    #[inline(always)]
    pub(crate) fn to_term(self, terms: &mut Terms, width: u8) -> TermId {
        match self.form() {
            Form::Plain(bits) => terms.constant(width, bits),
            Form::Term(t) => t,
            Form::Flag(_, site) | Form::Unmade(_, site) => flag_term(terms, self, site),
        }
    }
}

/// The number 0 or 1 for a condition; it remembers the site that computed it.
#[inline(never)]
fn flag_term(terms: &mut Terms, flag: Value, site: u32) -> TermId {
    let cond = flag.term(terms).unwrap_or(terms.ff());
    let (one, zero) = (terms.constant(32, 1), terms.constant(32, 0));
    terms.ite(cond, one, zero, site)
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
            assert_eq!(value.comparison(), Some(comparison));
            assert_eq!(value.term(&mut terms), Some(terms.comparison(comparison)));
        }
    }
}
