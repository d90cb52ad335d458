//! Values of one input that give a condition its wanted value, all other inputs staying as they are.
//!
//! The wanted values go down through the operators as intervals. Where an operator does not map intervals to intervals a few
//! of them are taken. What comes out are candidates: the caller evaluates each.

use slowpath_term::ops::{self, mask};
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, Node, TermId, Terms, UnOp};

use crate::sets::{Intervals, Set, before_extension, complement_wanted, wanted_operand};

/// Terms nested deeper than this are not followed.
const MOST_LEVELS: u32 = 40;
/// Terms looked at in all: where both operands depend on the input, every level doubles them.
const MOST_VISITS: u32 = 2_000;
/// Values taken of intervals where intervals do not map.
const SAMPLES: usize = 4;
/// Candidates returned.
const MOST_CANDIDATES: usize = 8;

pub(super) struct Inverter<'a> {
    terms: &'a Terms,
    evaluator: &'a mut Evaluator,
    model: &'a Model,
    input: InputId,
    domain: Option<&'a Set>,
    found: Vec<u64>,
    visits: u32,
}

impl<'a> Inverter<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        evaluator: &'a mut Evaluator,
        model: &'a Model,
        input: InputId,
        domain: Option<&'a Set>,
    ) -> Inverter<'a> {
        Inverter { terms, evaluator, model, input, domain, found: Vec::new(), visits: 0 }
    }

    /// Candidates for the input that may make the condition true.
    pub(super) fn candidates(mut self, condition: TermId) -> Vec<u64> {
        self.want(condition, Intervals::single(1, 1), MOST_LEVELS);
        self.found
    }

    /// Candidates for the input that may bring the term into the set.
    pub(super) fn candidates_for(mut self, t: TermId, set: Intervals) -> Vec<u64> {
        self.want(t, set, MOST_LEVELS);
        self.found
    }

    fn value(&mut self, t: TermId) -> u64 {
        self.evaluator.eval(self.terms, self.model, t)
    }

    fn depends(&self, t: TermId) -> bool {
        self.terms.inputs(t).binary_search(&self.input).is_ok()
    }

    /// Members of a set: nearest to what the term is now, and ends.
    fn samples(&mut self, t: TermId, set: &Intervals) -> Vec<u64> {
        let now = self.value(t);
        Set::Wide(set.clone()).samples(now, SAMPLES)
    }

    fn want_values(&mut self, t: TermId, values: impl IntoIterator<Item = u64>, levels: u32) {
        let width = self.terms.width(t);
        let list = values.into_iter().map(|v| (v & mask(width), v & mask(width))).collect();
        self.want(t, Intervals::of(width, list), levels);
    }

    /// Looks for values of the input under which `t` lies in `set`.
    fn want(&mut self, t: TermId, set: Intervals, levels: u32) {
        if levels == 0 || set.is_empty() || self.found.len() >= MOST_CANDIDATES || !self.depends(t) {
            return;
        }
        if self.visits >= MOST_VISITS {
            return;
        }
        self.visits += 1;
        let levels = levels - 1;
        match self.terms.node(t) {
            Node::Const { .. } => {}
            Node::Var { input, .. } => self.take(input, &set),
            Node::Un { op, width, a } => self.unary(op, width, a, &set, levels),
            Node::Bin { op: op @ (BinOp::And | BinOp::Or), width: 1, a, b } => self.connective(op, a, b, &set, levels),
            Node::Bin { op, width, a, b } => self.binary(op, width, a, b, &set, levels),
            Node::Cmp { op, a, b } => {
                for wanted in [true, false] {
                    if set.contains(u64::from(wanted)) {
                        self.comparison(op, a, b, wanted, levels);
                    }
                }
            }
            Node::Conv { op, width, a } => self.conversion(op, width, a, &set, levels),
            Node::Extract { width, lo, a } => {
                let rest = self.value(a) & !(mask(width) << lo);
                let values = self.samples(t, &set);
                self.want_values(a, values.into_iter().map(|v| rest | v << lo), levels);
            }
            Node::Concat { a, b } => self.concatenation(a, b, &set, levels),
            Node::Ite { cond, then, els, .. } => {
                let (holds, t, e) = (self.value(cond), self.value(then), self.value(els));
                self.want(if holds == 1 { then } else { els }, set.clone(), levels);
                if set.contains(t) {
                    self.want_values(cond, [1], levels);
                }
                if set.contains(e) {
                    self.want_values(cond, [0], levels);
                }
            }
        }
    }

    /// The input itself is reached.
    fn take(&mut self, input: InputId, set: &Intervals) {
        let now = self.model.get(input) & mask(set.width());
        let values = match self.domain {
            Some(Set::Wide(domain)) if domain.width() == set.width() => {
                Set::Wide(domain.intersect(set)).samples(now, SAMPLES)
            }
            Some(Set::Bytes(domain)) => {
                let mut members: Vec<u64> = domain.iter().filter(|&v| set.contains(v)).collect();
                members.sort_by_key(|v| v.abs_diff(now));
                members.truncate(SAMPLES);
                members
            }
            _ => Set::Wide(set.clone()).samples(now, SAMPLES),
        };
        for v in values {
            if !self.found.contains(&v) {
                self.found.push(v);
            }
        }
    }

    fn unary(&mut self, op: UnOp, width: u8, a: TermId, set: &Intervals, levels: u32) {
        let all = mask(width);
        let w = u64::from(width);
        let list: Vec<(u64, u64)> = match op {
            UnOp::Not => set.list().iter().map(|&(lo, hi)| (all - hi, all - lo)).collect(),
            UnOp::Clz => (0..=w)
                .filter(|&v| set.contains(v))
                .map(|v| if v == w { (0, 0) } else { (1 << (w - 1 - v), all >> v) })
                .collect(),
            UnOp::Ctz => {
                (0..=w).filter(|&v| set.contains(v)).map(|v| if v == w { (0, 0) } else { (1 << v, 1 << v) }).collect()
            }
            UnOp::Popcnt => (0..=w)
                .filter(|&v| set.contains(v))
                .map(|v| if v == 0 { (0, 0) } else { (mask(v as u8), mask(v as u8)) })
                .collect(),
            UnOp::FSqrt => {
                let roots = Set::Wide(set.clone()).samples(0, SAMPLES);
                roots.into_iter().map(|v| ops::bin(BinOp::FMul, width, v, v)).map(|v| (v, v)).collect()
            }
            // A rounded value rounds to itself.
            UnOp::FCeil | UnOp::FFloor | UnOp::FTrunc | UnOp::FNearest => set.list().to_vec(),
        };
        self.want(a, Intervals::of(width, list), levels);
    }

    /// And, or of booleans: each side may be the one to change.
    fn connective(&mut self, op: BinOp, a: TermId, b: TermId, set: &Intervals, levels: u32) {
        for wanted in [1, 0] {
            if !set.contains(wanted) {
                continue;
            }
            // One side decides, or the other side must be neutral already.
            let one_decides = (op == BinOp::Or) == (wanted == 1);
            for (x, other) in [(a, b), (b, a)] {
                if one_decides || self.value(other) == wanted || self.depends(other) {
                    self.want_values(x, [wanted], levels);
                }
            }
        }
    }

    fn comparison(&mut self, op: CmpOp, a: TermId, b: TermId, wanted: bool, levels: u32) {
        let width = self.terms.width(a);
        for (left, x, y) in [(true, a, b), (false, b, a)] {
            if !self.depends(x) {
                continue;
            }
            let other = self.value(y);
            match wanted_operand(op, width, left, other, wanted) {
                Some(set) => self.want(x, set, levels),
                None => {
                    // Floats next to the other side, on both sides of it, and far away.
                    let far = if width == 32 { [0x7f80_0000, 0xff80_0000] } else { [0x7ff0 << 48, 0xfff0 << 48] };
                    let near = [other, other.wrapping_add(1), other.wrapping_sub(1), 0, other ^ ops::sign_bit(width)];
                    self.want_values(x, near.into_iter().chain(far), levels);
                }
            }
        }
    }

    fn conversion(&mut self, op: ConvOp, width: u8, a: TermId, set: &Intervals, levels: u32) {
        let from = self.terms.width(a);
        let back = match op {
            ConvOp::ZExt | ConvOp::SExt => {
                let before = before_extension(op, set, from, width);
                return self.want(a, before, levels);
            }
            ConvOp::Trunc => ConvOp::ZExt,
            ConvOp::FPromote => ConvOp::FDemote,
            ConvOp::FDemote => ConvOp::FPromote,
            ConvOp::FFromS => ConvOp::FToS,
            ConvOp::FFromU => ConvOp::FToU,
            ConvOp::FToS => ConvOp::FFromS,
            ConvOp::FToU => ConvOp::FFromU,
        };
        let values = Set::Wide(set.clone()).samples(0, SAMPLES);
        self.want_values(a, values.into_iter().map(|v| ops::conv(back, width, from, v)), levels);
    }

    fn concatenation(&mut self, a: TermId, b: TermId, set: &Intervals, levels: u32) {
        let (high_width, low_width) = (self.terms.width(a), self.terms.width(b));
        let (high, low) = (self.value(a), self.value(b));
        if self.depends(a) {
            // high << k | low lies in [p, q] when high lies in [ceil((p - low) / 2^k), floor((q - low) / 2^k)].
            let list = set.list().iter().filter_map(|&(p, q)| {
                let from = p.saturating_sub(low).div_ceil(1 << low_width);
                let to = q.checked_sub(low)? >> low_width;
                (from <= to).then_some((from, to))
            });
            self.want(a, Intervals::of(high_width, list.collect()), levels);
        }
        if self.depends(b) {
            let base = high << low_width;
            let inside = set.intersect(&Intervals::wrapping(high_width + low_width, base, base | mask(low_width)));
            let list = inside.list().iter().map(|&(p, q)| (p - base, q - base)).collect();
            self.want(b, Intervals::of(low_width, list), levels);
        }
    }

    fn binary(&mut self, op: BinOp, width: u8, a: TermId, b: TermId, set: &Intervals, levels: u32) {
        if a == b && matches!(op, BinOp::Mul | BinOp::FMul) {
            let values = self.samples(a, set);
            return self.want_values(a, values.into_iter().flat_map(|v| roots(op, width, v)), levels);
        }
        for (x, y, first) in [(a, b, true), (b, a, false)] {
            if matches!(op, BinOp::Xor | BinOp::Add | BinOp::Sub)
                && let Some(shift) = shift_of(self.terms, x, y)
            {
                let values = self.samples(x, set);
                return self.want_values(x, values.into_iter().map(|v| unmixed(op, width, shift, first, v)), levels);
            }
        }
        for (left, x, y) in [(true, a, b), (false, b, a)] {
            if !self.depends(x) {
                continue;
            }
            let (now, other) = (self.value(x), self.value(y));
            let wanted = self.operand(op, width, left, now, other, set);
            self.want(x, wanted, levels);
        }
    }

    /// Values of one operand, now `now`, that bring the result into `set`.
    fn operand(&mut self, op: BinOp, width: u8, left: bool, now: u64, other: u64, set: &Intervals) -> Intervals {
        let all = mask(width);
        let by = (other % u64::from(width)) as u8;
        let sample = |f: &mut dyn FnMut(u64) -> Option<u64>| {
            let values = Set::Wide(set.clone()).samples(now, SAMPLES);
            Intervals::of(width, values.into_iter().filter_map(f).map(|v| (v & all, v & all)).collect())
        };
        match (op, left) {
            (BinOp::Add, _) => set.plus(other.wrapping_neg()),
            (BinOp::Sub, true) => set.plus(other),
            (BinOp::Sub, false) => {
                // other - x in [lo, hi]: x in [other - hi, other - lo].
                let flipped = set.list().iter().map(|&(lo, hi)| (all - hi, all - lo)).collect();
                Intervals::of(width, flipped).plus(other.wrapping_add(1))
            }
            (BinOp::Xor, _) => sample(&mut |v| Some(v ^ other)),
            (BinOp::And, _) => sample(&mut |v| (v & !other == 0).then_some((now & !other) | v)),
            (BinOp::Or, _) => sample(&mut |v| (other & !v == 0).then_some((now & other) | (v & !other))),
            (BinOp::Mul, _) => sample(&mut |v| divide(v, other, now, width)),
            (BinOp::Shl, true) => sample(&mut |v| (v.trailing_zeros() >= u32::from(by) || v == 0).then_some(v >> by)),
            (BinOp::LShr, true) => sample(&mut |v| (v <= all >> by).then_some(v << by | (now & !(all << by)))),
            (BinOp::AShr, true) => sample(&mut |v| Some(v << by | (now & !(all << by)))),
            (BinOp::RotL, true) => sample(&mut |v| Some(ops::bin(BinOp::RotR, width, v, other))),
            (BinOp::RotR, true) => sample(&mut |v| Some(ops::bin(BinOp::RotL, width, v, other))),
            (BinOp::UDiv, true) => {
                let list = set.list().iter().filter_map(|&(lo, hi)| {
                    let (from, to) = (u128::from(lo) * u128::from(other), (u128::from(hi) + 1) * u128::from(other));
                    let to = to.checked_sub(1)?.min(u128::from(all)) as u64;
                    (from <= u128::from(to)).then_some((from as u64, to))
                });
                Intervals::of(width, list.collect())
            }
            (BinOp::SDiv, true) => sample(&mut |v| Some(v.wrapping_mul(other))),
            (BinOp::URem, true) if other != 0 => {
                // In the same round, and in those beside it.
                let base = now - now % other;
                let rounds = [Some(base), base.checked_sub(other), base.checked_add(other)];
                let values = Set::Wide(set.clone()).samples(now % other, SAMPLES);
                let values = values.into_iter().filter(|v| *v < other);
                let near =
                    values.flat_map(|v| rounds.into_iter().flatten().filter_map(move |base| base.checked_add(v)));
                Intervals::of(width, near.filter(|v| *v <= all).map(|v| (v, v)).collect())
            }
            (BinOp::URem | BinOp::SRem, true) => sample(&mut Some),
            // An amount or a divisor: small ones are likely.
            (BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::RotL | BinOp::RotR, false) => {
                complement_wanted(Intervals::wrapping(width, 0, u64::from(width - 1) & all), true)
            }
            (BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem, false) => sample(&mut |v| other.checked_div(v)),
            (BinOp::FAdd, _) => sample(&mut |v| Some(ops::bin(BinOp::FSub, width, v, other))),
            (BinOp::FSub, true) => sample(&mut |v| Some(ops::bin(BinOp::FAdd, width, v, other))),
            (BinOp::FSub, false) => sample(&mut |v| Some(ops::bin(BinOp::FSub, width, other, v))),
            (BinOp::FMul, _) => sample(&mut |v| Some(ops::bin(BinOp::FDiv, width, v, other))),
            (BinOp::FDiv, true) => sample(&mut |v| Some(ops::bin(BinOp::FMul, width, v, other))),
            (BinOp::FDiv, false) => sample(&mut |v| Some(ops::bin(BinOp::FDiv, width, other, v))),
            (BinOp::FMin | BinOp::FMax, _) => set.clone(),
        }
    }
}

/// By how much `y` is `x` shifted, and whether to the left: hashes mix a number with itself so.
pub(super) fn shift_of(terms: &Terms, x: TermId, y: TermId) -> Option<(u8, bool)> {
    match terms.node(y) {
        Node::Bin { op: BinOp::Shl, a, b, width } if a == x => {
            Some(((terms.as_const(b)? % u64::from(width)) as u8, true))
        }
        Node::Conv { op: ConvOp::ZExt, a: high, width } => match terms.node(high) {
            Node::Extract { lo, width: rest, a } if a == x && lo + rest == width => Some((lo, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The number that, mixed with itself shifted, is `v`. Every round settles as many bits as it is shifted by; of a sum with what is shifted to the
/// right it is a guess.
pub(super) fn unmixed(op: BinOp, width: u8, (by, left): (u8, bool), first: bool, v: u64) -> u64 {
    let mut x = v;
    for _ in 0..width {
        let shifted = if left { x << by } else { (x & mask(width)) >> by };
        x = match (op, first) {
            (BinOp::Add, _) => v.wrapping_sub(shifted),
            (BinOp::Sub, true) => v.wrapping_add(shifted),
            (BinOp::Sub, false) => shifted.wrapping_sub(v),
            _ => v ^ shifted,
        } & mask(width);
    }
    x
}

/// Numbers whose square is `v` or close to it.
fn roots(op: BinOp, width: u8, v: u64) -> [u64; 3] {
    let root = if op == BinOp::FMul { ops::un(UnOp::FSqrt, width, v) } else { v.isqrt() };
    [root, root.wrapping_add(1), root.wrapping_sub(1)]
}

/// A number that times `other` is `v`, keeping of `now` the bits that do not matter.
pub(super) fn divide(v: u64, other: u64, now: u64, width: u8) -> Option<u64> {
    if other == 0 {
        return None;
    }
    let zeros = other.trailing_zeros();
    if v != 0 && v.trailing_zeros() < zeros {
        return None;
    }
    let odd = other >> zeros;
    let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
    let quotient = (v >> zeros).wrapping_mul(inverse);
    let decided = mask(width) >> zeros;
    Some((quotient & decided) | (now & !decided & mask(width)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_mixes_a_number_with_itself_is_undone() {
        for v in [0, 1, 0x8000_0000, 0xdead_beef, u64::from(u32::MAX)] {
            for by in [1, 5, 13, 16, 17] {
                let right = unmixed(BinOp::Xor, 32, (by, false), true, v);
                assert_eq!(right ^ right >> by, v);
                let all = mask(32);
                let left = unmixed(BinOp::Xor, 32, (by, true), true, v);
                assert_eq!((left ^ left << by) & all, v);
                let sum = unmixed(BinOp::Add, 32, (by, true), true, v);
                assert_eq!(sum.wrapping_add(sum << by) & all, v);
                let less = unmixed(BinOp::Sub, 32, (by, true), true, v);
                assert_eq!(less.wrapping_sub(less << by) & all, v);
                let times = unmixed(BinOp::Sub, 32, (by, true), false, v);
                assert_eq!((times << by).wrapping_sub(times) & all, v);
            }
        }
    }

    #[test]
    fn a_chain_that_names_its_input_twice_at_every_level_is_not_followed_for_ever() {
        let mut terms = Terms::new();
        let mut x = terms.var(InputId(0), 64);
        // x & (x - 1) again and again: a loop that counts bits.
        for _ in 0..MOST_LEVELS {
            let all = terms.constant(64, u64::MAX);
            let less = terms.bin(BinOp::Add, x, all);
            x = terms.bin(BinOp::And, x, less);
        }
        let zero = terms.constant(64, 0);
        let condition = terms.cmp(CmpOp::Eq, x, zero);
        let (mut evaluator, model) = (Evaluator::default(), Model::from_values(vec![u64::MAX]));
        let mut inverter = Inverter::new(&terms, &mut evaluator, &model, InputId(0), None);
        inverter.want(condition, Intervals::single(1, 1), MOST_LEVELS);
        assert_eq!(inverter.visits, MOST_VISITS);
    }
}
