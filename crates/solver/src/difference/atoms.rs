//! Reading conditions as differences of inputs.

use std::cell::Cell;

use slowpath_term::ops::{mask, sign_bit};
use slowpath_term::{BinOp, CmpOp, Comparison, Condition, ConvOp, InputId, Node, TermId, Terms, UnOp};

use crate::sets::integer;

/// Terms of a condition that are looked at, one that is part of several once for each.
const MOST_VISITS: u32 = 1_000;

/// An input read as a signed or as an unsigned number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) input: InputId,
    pub(crate) width: u8,
    pub(crate) signed: bool,
}

impl Point {
    /// Place in the tables of the graph.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.input.index() * 2 + usize::from(self.signed)
    }
}

/// `plus - minus <= limit`; without a side, 0 stands for it. At least one side is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) plus: Option<Point>,
    pub(crate) minus: Option<Point>,
    pub(crate) limit: i128,
}

impl Atom {
    /// An order between two plain inputs, which most conditions of sorting and searching are: read without ado. Its two
    /// points and its limit.
    #[inline]
    pub(crate) fn between_inputs(terms: &Terms, condition: Condition) -> Option<(Point, Point, i64)> {
        let (op, a, b) = match condition {
            Condition::Compares(Comparison { op, a, b, negated: false }) => (op, a, b),
            Condition::Compares(_) => return None,
            Condition::Term(term) => match terms.node(term) {
                Node::Cmp { op, a, b } => (op, a, b),
                _ => return None,
            },
        };
        let (signed, limit) = order(op)?;
        let point = |t: TermId| match terms.node(t) {
            Node::Var { input, width } => Some(Point { input, width, signed }),
            _ => None,
        };
        Some((point(a)?, point(b)?, limit))
    }
}

/// How an order reads its operands, and by how much the first may exceed the second.
#[inline]
fn order(op: CmpOp) -> Option<(bool, i64)> {
    match op {
        CmpOp::Ult => Some((false, -1)),
        CmpOp::Ule => Some((false, 0)),
        CmpOp::Slt => Some((true, -1)),
        CmpOp::Sle => Some((true, 0)),
        _ => None,
    }
}

/// A condition read as differences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Atoms {
    /// It is not of that form.
    #[default]
    None,
    One(Atom),
    /// All of these (an equality, in either reading of its operands).
    All(Vec<Atom>),
    /// One of the two: a disequality.
    Either(Atom, Atom),
}

/// `plus - minus + offset`, as integers, with nothing wrapped.
#[derive(Clone, Copy, Default)]
struct Linear {
    plus: Option<Point>,
    minus: Option<Point>,
    offset: i128,
}

impl Linear {
    /// `self - other`, if at most one input remains on each side.
    fn minus(self, other: Linear) -> Option<Linear> {
        let cancel = |a: &mut Option<Point>, b: &mut Option<Point>| {
            if a == b {
                (*a, *b) = (None, None);
            }
        };
        let (mut p1, mut m1, mut p2, mut m2) = (self.plus, self.minus, other.plus, other.minus);
        cancel(&mut p1, &mut p2);
        cancel(&mut m1, &mut m2);
        let one = |a: Option<Point>, b: Option<Point>| match (a, b) {
            (Some(_), Some(_)) => None,
            (a, b) => Some(a.or(b)),
        };
        let (plus, minus) = (one(p1, m2)?, one(m1, p2)?);
        let (plus, minus) = if plus == minus { (None, None) } else { (plus, minus) };
        Some(Linear { plus, minus, offset: self.offset - other.offset })
    }

    fn at_most(self, limit: i128) -> Option<Atom> {
        (self.plus.is_some() || self.minus.is_some()).then(|| Atom {
            plus: self.plus,
            minus: self.minus,
            limit: limit - self.offset,
        })
    }

    fn negated(self) -> Linear {
        Linear { plus: self.minus, minus: self.plus, offset: -self.offset }
    }
}

impl Atoms {
    /// Reads a condition. `bounds` says between which values an input of a width lies, read signed or unsigned.
    pub(crate) fn of(terms: &Terms, t: TermId, bounds: impl Fn(InputId, u8, bool) -> (i128, i128)) -> Atoms {
        let reader = Reader { terms, bounds, visits: Cell::new(MOST_VISITS) };
        match terms.node(t) {
            Node::Cmp { op: CmpOp::Eq, a, b } => reader.equality(a, b),
            Node::Cmp { op, a, b } => reader.order(op, a, b).map_or(Atoms::None, Atoms::One),
            Node::Un { op: UnOp::Not, a, .. } => match terms.node(a) {
                Node::Cmp { op: CmpOp::Eq, a, b } => reader.disequality(a, b).unwrap_or_default(),
                _ => Atoms::None,
            },
            _ => Atoms::None,
        }
    }
}

struct Reader<'a, F> {
    terms: &'a Terms,
    bounds: F,
    /// Terms that may still be looked at.
    visits: Cell<u32>,
}

impl<F: Fn(InputId, u8, bool) -> (i128, i128)> Reader<'_, F> {
    fn order(&self, op: CmpOp, a: TermId, b: TermId) -> Option<Atom> {
        let (signed, limit) = order(op)?;
        self.difference(a, b, signed)?.at_most(limit.into())
    }

    fn equality(&self, a: TermId, b: TermId) -> Atoms {
        // It holds in both readings, and either may be the one that other conditions speak of.
        let readings = [true, false].into_iter().filter_map(|signed| self.difference(a, b, signed));
        let atoms: Vec<Atom> = readings.flat_map(|d| [d.at_most(0), d.negated().at_most(0)]).flatten().collect();
        if atoms.is_empty() { Atoms::None } else { Atoms::All(atoms) }
    }

    fn disequality(&self, a: TermId, b: TermId) -> Option<Atoms> {
        let difference = self.difference(a, b, true).or_else(|| self.difference(a, b, false))?;
        Some(Atoms::Either(difference.at_most(-1)?, difference.negated().at_most(-1)?))
    }

    fn difference(&self, a: TermId, b: TermId, signed: bool) -> Option<Linear> {
        self.linear(a, signed)?.minus(self.linear(b, signed)?)
    }

    /// The term as an integer, where nothing in it can wrap.
    fn linear(&self, t: TermId, signed: bool) -> Option<Linear> {
        self.visits.set(self.visits.get().checked_sub(1)?);
        let point =
            |input, width, signed| Some(Linear { plus: Some(Point { input, width, signed }), ..Linear::default() });
        match self.terms.node(t) {
            Node::Var { input, width } => point(input, width, signed),
            Node::Const { width, bits } => Some(Linear { offset: integer(bits, width, signed), ..Linear::default() }),
            Node::Conv { op: ConvOp::ZExt, a, .. } => match self.terms.node(a) {
                Node::Var { input, width } => point(input, width, false),
                _ => None,
            },
            Node::Conv { op: ConvOp::SExt, a, .. } if signed => match self.terms.node(a) {
                Node::Var { input, width } => point(input, width, true),
                _ => None,
            },
            Node::Bin { op: BinOp::Add, width, a, b } => {
                let addend = integer(self.terms.as_const(b)?, width, signed);
                let whole = self.linear(a, signed)?;
                // An unsigned addend may also stand for a subtraction.
                [addend, addend - i128::from(mask(width)) - 1]
                    .into_iter()
                    .map(|addend| Linear { offset: whole.offset + addend, ..whole })
                    .find(|sum| self.fits(sum, width, signed))
            }
            Node::Bin { op: BinOp::Sub, width, a, b } => {
                let difference = self.linear(a, signed)?.minus(self.linear(b, signed)?)?;
                self.fits(&difference, width, signed).then_some(difference)
            }
            _ => None,
        }
    }

    fn fits(&self, linear: &Linear, width: u8, signed: bool) -> bool {
        let of = |point: Option<Point>| point.map_or((0, 0), |p| (self.bounds)(p.input, p.width, p.signed));
        let ((plo, phi), (mlo, mhi)) = (of(linear.plus), of(linear.minus));
        let (least, greatest) = if signed {
            (-i128::from(sign_bit(width)), i128::from(sign_bit(width)) - 1)
        } else {
            (0, i128::from(mask(width)))
        };
        plo - mhi + linear.offset >= least && phi - mlo + linear.offset <= greatest
    }
}
