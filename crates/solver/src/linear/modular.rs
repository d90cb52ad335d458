//! Reading conditions as sums of inputs that may wrap around, and of their quotients: each wrap and each quotient is an unknown of its own.
//!
//! A sum of `w` bits is an integer `s` less a whole number of turns of 2^w. Which number that is follows from `s`, so that adding it as an unknown,
//! with the two rows that keep the result within its width, changes nothing about the solutions. The same goes for quotients by constants, and
//! with them for remainders, shifts, masks and parts of terms. Reading a condition this way is exact.

use rustc_hash::{FxHashMap, FxHashSet};
use slowpath_term::ops::{mask, sext, sign_bit};
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

use super::form::{Form, Rows};

/// Terms nested deeper are not read.
const MOST_LEVELS: u32 = 96;
/// Wraps and quotients of one question.
const MOST_HELPERS: usize = 48;
/// A sum that may wrap more often is not read.
const MOST_TURNS: i128 = 1 << 12;
/// Turns of wider terms are no factors.
const MOST_WIDTH: u8 = 62;

/// An integer that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unknown {
    Input {
        input: InputId,
        width: u8,
        signed: bool,
    },
    /// A number of turns, or a quotient, by its place in the list.
    Helper(u32),
}

pub(crate) type Sum = Form<Unknown>;

/// The whole part of `of / by`, or its opposite, with the bounds that follow from those of the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    of: Sum,
    by: i128,
    opposite: bool,
    pub(crate) lo: i128,
    pub(crate) hi: i128,
}

impl Helper {
    /// Its value where unknowns have these.
    pub(crate) fn value(&self, value: impl Fn(Unknown) -> Option<i128>) -> Option<i128> {
        let mut total = self.of.constant;
        for &(unknown, factor) in &self.of.parts {
            total = total.checked_add(value(unknown)?.checked_mul(factor.into())?)?;
        }
        let quotient = total.div_euclid(self.by);
        Some(if self.opposite { -quotient } else { quotient })
    }
}

/// Reads conditions, given between which values an input lies.
pub(crate) struct ModularReader<'a, F> {
    terms: &'a Terms,
    bounds: F,
    pub(crate) helpers: Vec<Helper>,
    /// What holds of the helpers: sums that are at most 0.
    pub(crate) rows: Vec<Sum>,
    /// Terms read, by how many of their bits count, and how.
    known: FxHashMap<(TermId, u8, bool), Sum>,
    /// What sums and products come to but for whole turns: those that share parts have more paths than terms.
    modular: FxHashMap<TermId, Sum>,
    /// Terms that are no sums, as far as was read.
    refused: FxHashSet<TermId>,
}

impl<'a, F: Fn(InputId, u8, bool) -> (i128, i128)> ModularReader<'a, F> {
    pub(crate) fn new(terms: &'a Terms, bounds: F) -> ModularReader<'a, F> {
        ModularReader {
            terms,
            bounds,
            helpers: Vec::new(),
            rows: Vec::new(),
            known: FxHashMap::default(),
            modular: FxHashMap::default(),
            refused: FxHashSet::default(),
        }
    }

    /// A condition as sums that are at most 0.
    pub(crate) fn read(&mut self, t: TermId) -> Rows<Unknown> {
        let (helpers, rows) = (self.helpers.len(), self.rows.len());
        // What needed too many helpers beside others may do with fewer.
        self.refused.clear();
        let read = self.try_read(t);
        // What was read before it came to something else holds, but is of no use.
        if read.is_none() {
            let stays = |sum: &Sum| sum.parts.iter().all(|part| !is_from(part.0, helpers));
            self.known.retain(|_, sum| stays(sum));
            self.modular.retain(|_, sum| stays(sum));
            self.helpers.truncate(helpers);
            self.rows.truncate(rows);
        }
        read.unwrap_or(Rows::None)
    }

    fn try_read(&mut self, t: TermId) -> Option<Rows<Unknown>> {
        let one = Sum::constant(1);
        match self.terms.node(t) {
            Node::Cmp { op: CmpOp::Eq, a, b } => {
                let d = self.difference(t, a, b)?;
                Some(Rows::All(vec![Sum::default().plus(&d, -1)?, d]))
            }
            Node::Cmp { op, a, b } => {
                let (signed, slack) = match op {
                    CmpOp::Ult => (false, 1),
                    CmpOp::Ule => (false, 0),
                    CmpOp::Slt => (true, 1),
                    CmpOp::Sle => (true, 0),
                    _ => return None,
                };
                let (a, b) = (self.integer(a, signed, MOST_LEVELS)?, self.integer(b, signed, MOST_LEVELS)?);
                Some(Rows::All(vec![a.plus(&b, -1)?.plus(&one, slack)?]))
            }
            Node::Un { op: UnOp::Not, a, .. } => match self.terms.node(a) {
                Node::Cmp { op: CmpOp::Eq, a: x, b: y } => {
                    let d = self.difference(a, x, y)?;
                    Some(Rows::Either(d.plus(&one, 1)?, Sum::default().plus(&d, -1)?.plus(&one, 1)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `a - b`, brought next to zero: it is zero exactly where they are equal.
    fn difference(&mut self, key: TermId, a: TermId, b: TermId) -> Option<Sum> {
        let width = self.terms.width(a);
        let d = self.modular(a, MOST_LEVELS)?.plus(&self.modular(b, MOST_LEVELS)?, -1)?;
        self.within((key, width, true), d)
    }

    /// The value of a term, read signed or unsigned.
    fn integer(&mut self, t: TermId, signed: bool, levels: u32) -> Option<Sum> {
        self.low_bits(t, self.terms.width(t), signed, levels)
    }

    /// The value of the low bits of a term.
    fn low_bits(&mut self, t: TermId, width: u8, signed: bool, levels: u32) -> Option<Sum> {
        if let Some(known) = self.known.get(&(t, width, signed)) {
            return Some(known.clone());
        }
        let sum = self.modular(t, levels)?;
        let sum = self.within((t, width, signed), sum)?;
        self.known.insert((t, width, signed), sum.clone());
        Some(sum)
    }

    /// A sum that equals the term but for whole turns of its width.
    fn modular(&mut self, t: TermId, levels: u32) -> Option<Sum> {
        let levels = levels.checked_sub(1)?;
        let width = self.terms.width(t);
        match self.terms.node(t) {
            Node::Const { bits, .. } => Some(Sum::constant(sext(width, bits).into())),
            Node::Var { input, .. } => Some(self.input(input, width)),
            Node::Conv { op: ConvOp::ZExt, a, .. } => self.integer(a, false, levels),
            Node::Conv { op: ConvOp::SExt, a, .. } => self.integer(a, true, levels),
            Node::Un { op: UnOp::Not, a, .. } if width > 1 => Sum::constant(-1).plus(&self.modular(a, levels)?, -1),
            Node::Concat { a, b } => {
                let factor = power(self.terms.width(b))?;
                let low = self.integer(b, false, levels)?;
                low.plus(&self.modular(a, levels)?, factor)
            }
            Node::Extract { lo: 0, a, .. } => self.modular(a, levels),
            Node::Extract { lo, a, .. } => {
                let low = self.low_bits(a, lo + width, false, levels)?;
                self.quotient(low, power(lo)?.into())
            }
            Node::Bin { op, a, b, .. } => {
                if let Some(known) = self.modular.get(&t) {
                    return Some(known.clone());
                }
                if self.refused.contains(&t) {
                    return None;
                }
                let sum = self.operation(op, width, (a, b), levels);
                match &sum {
                    Some(sum) => drop(self.modular.insert(t, sum.clone())),
                    None => drop(self.refused.insert(t)),
                }
                sum
            }
            _ => None,
        }
    }

    fn operation(&mut self, op: BinOp, width: u8, (a, b): (TermId, TermId), levels: u32) -> Option<Sum> {
        match op {
            BinOp::Add => self.modular(a, levels)?.plus(&self.modular(b, levels)?, 1),
            BinOp::Sub => self.modular(a, levels)?.plus(&self.modular(b, levels)?, -1),
            BinOp::Mul => {
                let factor = sext(width, self.terms.as_const(b)?);
                self.times(a, factor, width, levels)
            }
            BinOp::Shl => {
                let by = (self.terms.as_const(b)? % u64::from(width)) as u8;
                self.times(a, power(by)?, width, levels)
            }
            BinOp::And => {
                // The low bits are cut off.
                let kept = self.terms.as_const(b)?;
                let cut = kept.trailing_zeros() as u8;
                if cut == 0 || kept != mask(width) & !mask(cut) {
                    return None;
                }
                let low = self.low_bits(a, cut, false, levels)?;
                self.modular(a, levels)?.plus(&low, -1)
            }
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                let by = self.terms.as_const(b).filter(|&by| by > 0 && (!signed || by < sign_bit(width)))?;
                let of = self.integer(a, signed, levels)?;
                // Towards zero is downwards only of what is not negative.
                if self.bounds_of(&of)?.0 < 0 {
                    return None;
                }
                let quotient = self.quotient(of.clone(), by.into())?;
                match op {
                    BinOp::UDiv | BinOp::SDiv => Some(quotient),
                    _ => of.plus(&quotient, i64::try_from(by).ok()?.checked_neg()?),
                }
            }
            _ => None,
        }
    }

    /// `factor * a`, with factors brought next to zero: a hash multiplies over and over.
    fn times(&mut self, a: TermId, factor: i64, width: u8, levels: u32) -> Option<Sum> {
        let of = self.modular(a, levels)?;
        let reduced = |v: i128| if width < 64 { sext(width, v as u64 & mask(width)).into() } else { v };
        let mut parts = Vec::with_capacity(of.parts.len());
        for (unknown, part) in of.parts {
            let part = i64::try_from(reduced(i128::from(part).checked_mul(factor.into())?)).ok()?;
            if part != 0 {
                parts.push((unknown, part));
            }
        }
        Some(Sum { parts, constant: reduced(of.constant.checked_mul(factor.into())?) })
    }

    /// An input in the reading in which it can have fewer values. It is always the same: one input is one unknown.
    fn input(&self, input: InputId, width: u8) -> Sum {
        let span = |signed| {
            let (lo, hi) = (self.bounds)(input, width, signed);
            hi - lo
        };
        let signed = if span(true) == span(false) { width >= 32 } else { span(true) < span(false) };
        Sum { parts: vec![(Unknown::Input { input, width, signed }, 1)], constant: 0 }
    }

    pub(crate) fn bounds_of_unknown(&self, unknown: Unknown) -> Option<(i128, i128)> {
        match unknown {
            Unknown::Input { input, width, signed } => Some((self.bounds)(input, width, signed)),
            Unknown::Helper(place) => self.helpers.get(place as usize).map(|helper| (helper.lo, helper.hi)),
        }
    }

    fn bounds_of(&self, sum: &Sum) -> Option<(i128, i128)> {
        let (mut lo, mut hi) = (sum.constant, sum.constant);
        for &(unknown, factor) in &sum.parts {
            let (l, h) = self.bounds_of_unknown(unknown)?;
            let (l, h) = (l.checked_mul(factor.into())?, h.checked_mul(factor.into())?);
            (lo, hi) = (lo.checked_add(l.min(h))?, hi.checked_add(l.max(h))?);
        }
        Some((lo, hi))
    }

    /// The sum less as many turns as it takes to fit its width.
    fn within(&mut self, key: (TermId, u8, bool), sum: Sum) -> Option<Sum> {
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let (_, width, signed) = key;
        let turn = i128::from(mask(width)) + 1;
        let least = if signed { -(turn / 2) } else { 0 };
        let (lo, hi) = self.bounds_of(&sum)?;
        let turns = |v: i128| (v - least).div_euclid(turn);
        let (fewest, most) = (turns(lo), turns(hi));
        let sum = if fewest == most {
            Sum { constant: sum.constant - fewest * turn, ..sum }
        } else {
            if width > MOST_WIDTH || most - fewest > MOST_TURNS {
                return None;
            }
            let of = Sum { constant: sum.constant - least, parts: sum.parts.clone() };
            let helper = self.help(Helper { of, by: turn, opposite: true, lo: -most, hi: -fewest })?;
            let sum = sum.plus(&helper, i64::try_from(turn).ok()?)?;
            self.rows.push(sum.plus(&Sum::constant(-(least + turn - 1)), 1)?);
            self.rows.push(Sum::constant(least).plus(&sum, -1)?);
            sum
        };
        self.known.insert(key, sum.clone());
        Some(sum)
    }

    /// The whole part of `of / by`, rounded down.
    fn quotient(&mut self, of: Sum, by: i128) -> Option<Sum> {
        let (lo, hi) = self.bounds_of(&of)?;
        let (lo, hi) = (lo.div_euclid(by), hi.div_euclid(by));
        if lo == hi {
            return Some(Sum::constant(lo));
        }
        let quotient = self.help(Helper { of: of.clone(), by, opposite: false, lo, hi })?;
        let rest = of.plus(&quotient, i64::try_from(by).ok()?.checked_neg()?)?;
        self.rows.push(rest.plus(&Sum::constant(1 - by), 1)?);
        self.rows.push(Sum::default().plus(&rest, -1)?);
        Some(quotient)
    }

    /// A helper as an unknown; the same one for the same quotient.
    fn help(&mut self, helper: Helper) -> Option<Sum> {
        let same = |known: &Helper| (known.by, known.opposite) == (helper.by, helper.opposite) && known.of == helper.of;
        let place = match self.helpers.iter().position(same) {
            Some(place) => place,
            None if self.helpers.len() >= MOST_HELPERS => return None,
            None => {
                self.helpers.push(helper);
                self.helpers.len() - 1
            }
        };
        Some(Sum { parts: vec![(Unknown::Helper(place as u32), 1)], constant: 0 })
    }
}

/// Whether an unknown is one of the helpers from a place on.
fn is_from(unknown: Unknown, place: usize) -> bool {
    matches!(unknown, Unknown::Helper(helper) if helper as usize >= place)
}

fn power(exponent: u8) -> Option<i64> {
    (exponent <= MOST_WIDTH).then(|| 1 << exponent)
}
