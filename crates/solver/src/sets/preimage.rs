//! Which operands give an operator a wanted value.

use std::cell::Cell;

use slowpath_term::ops::{mask, sext, sign_bit};
use slowpath_term::{BinOp, CmpOp, ConvOp, Node, TermId, Terms, UnOp};

use super::Intervals;

/// Terms nested deeper than this are left to other layers.
const MOST_LEVELS: u32 = 64;
/// Terms looked at, one that is part of several once for each: more are left to other layers.
const MOST_VISITS: u32 = 10_000;

/// What a comparison must give.
pub(crate) fn complement_wanted(set: Intervals, wanted: bool) -> Intervals {
    if wanted { set } else { set.complement() }
}

/// The values of `operand` (one of the two sides of a comparison) that make it `wanted`, the other side being `other`.
/// Integers only.
pub(crate) fn wanted_operand(op: CmpOp, width: u8, left: bool, other: u64, wanted: bool) -> Option<Intervals> {
    let all = mask(width);
    let sign = sign_bit(width);
    // The orders as intervals from the least value of their order: 0 or the sign bit.
    let below = |least: u64, strict: bool| {
        if strict && other == least {
            Intervals::empty(width)
        } else {
            Intervals::wrapping(width, least, other.wrapping_sub(u64::from(strict)) & all)
        }
    };
    let above = |greatest: u64, strict: bool| {
        if strict && other == greatest {
            Intervals::empty(width)
        } else {
            Intervals::wrapping(width, other.wrapping_add(u64::from(strict)) & all, greatest)
        }
    };
    let set = match (op, left) {
        (CmpOp::Eq, _) => Intervals::single(width, other),
        (CmpOp::Ult, true) => below(0, true),
        (CmpOp::Ule, true) => below(0, false),
        (CmpOp::Ult, false) => above(all, true),
        (CmpOp::Ule, false) => above(all, false),
        (CmpOp::Slt, true) => below(sign, true),
        (CmpOp::Sle, true) => below(sign, false),
        (CmpOp::Slt, false) => above(sign - 1, true),
        (CmpOp::Sle, false) => above(sign - 1, false),
        _ => return None,
    };
    Some(complement_wanted(set, wanted))
}

/// The values of the only input of `t`, of width `width`, for which `t` lies in `set`. Exact, or `None`.
pub(super) fn preimage(terms: &Terms, t: TermId, set: &Intervals, width: u8) -> Option<Intervals> {
    descend(terms, t, set, width, MOST_LEVELS, &Cell::new(MOST_VISITS))
}

fn descend(terms: &Terms, t: TermId, set: &Intervals, width: u8, levels: u32, visits: &Cell<u32>) -> Option<Intervals> {
    let levels = levels.checked_sub(1)?;
    visits.set(visits.get().checked_sub(1)?);
    let preimage = |t: TermId, set: &Intervals| descend(terms, t, set, width, levels, visits);
    match terms.node(t) {
        Node::Const { bits, .. } => {
            Some(if set.contains(bits) { Intervals::full(width) } else { Intervals::empty(width) })
        }
        Node::Var { .. } => Some(set.clone()),
        Node::Un { op: UnOp::Not, width: w, a } => {
            let all = mask(w);
            let flipped = set.list().iter().map(|&(lo, hi)| (all - hi, all - lo)).collect();
            preimage(a, &Intervals::of(w, flipped))
        }
        Node::Bin { op: BinOp::Add, a, b, .. } => {
            let c = terms.as_const(b)?;
            preimage(a, &set.plus(c.wrapping_neg()))
        }
        Node::Bin { op: BinOp::Sub, width: w, a, b } => {
            // c - x lies in [lo, hi] when x lies in [c - hi, c - lo].
            let (c, all) = (terms.as_const(a)?, mask(w));
            let mut flipped = Intervals::empty(w);
            for &(lo, hi) in set.list() {
                let part = if (lo, hi) == (0, all) {
                    Intervals::full(w)
                } else {
                    Intervals::wrapping(w, c.wrapping_sub(hi) & all, c.wrapping_sub(lo) & all)
                };
                flipped = flipped.union(&part);
            }
            preimage(b, &flipped)
        }
        Node::Conv { op: op @ (ConvOp::ZExt | ConvOp::SExt), width: w, a } => {
            let from = terms.width(a);
            preimage(a, &before_extension(op, set, from, w))
        }
        Node::Extract { width: w, lo, a } if lo + w == terms.width(a) => {
            // The top bits: every value below them is allowed.
            let scaled = set.list().iter().map(|&(p, q)| (p << lo, q << lo | mask(lo)));
            preimage(a, &Intervals::of(lo + w, scaled.collect()))
        }
        Node::Bin { op: op @ (BinOp::And | BinOp::Or), width: 1, a, b } => {
            let holds = Intervals::single(1, 1);
            let (x, y) = (preimage(a, &holds)?, preimage(b, &holds)?);
            let holds = if op == BinOp::And { x.intersect(&y) } else { x.union(&y) };
            of_boolean(holds, set)
        }
        Node::Cmp { op, a, b } => {
            let (left, x, other) = match (terms.as_const(a), terms.as_const(b)) {
                (_, Some(c)) => (true, a, c),
                (Some(c), _) => (false, b, c),
                _ => return None,
            };
            let wanted = wanted_operand(op, terms.width(x), left, other, true)?;
            of_boolean(preimage(x, &wanted)?, set)
        }
        _ => None,
    }
}

/// Where a boolean lies in `set`, given where it holds.
fn of_boolean(holds: Intervals, set: &Intervals) -> Option<Intervals> {
    Some(match (set.contains(1), set.contains(0)) {
        (true, true) => holds.union(&holds.complement()),
        (true, false) => holds,
        (false, true) => holds.complement(),
        (false, false) => Intervals::empty(holds.width()),
    })
}

/// The values of `from` bits whose extension to `to` bits lies in `set`.
pub(crate) fn before_extension(op: ConvOp, set: &Intervals, from: u8, to: u8) -> Intervals {
    let half = sign_bit(from);
    let reachable = if op == ConvOp::ZExt {
        Intervals::wrapping(to, 0, mask(from))
    } else {
        Intervals::wrapping(to, sext(from, half) as u64 & mask(to), half - 1)
    };
    let inside = set.intersect(&reachable);
    Intervals::of(from, inside.list().iter().map(|&(lo, hi)| (lo & mask(from), hi & mask(from))).collect())
}
