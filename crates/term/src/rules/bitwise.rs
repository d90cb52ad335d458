//! And, or, xor at any width.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, ConvOp, Node};
use crate::ops::mask;

impl Terms {
    /// Every bit a value of `t` can have, judging by its upper bound.
    fn possible_bits(&self, t: TermId) -> u64 {
        match self.bounds(t).1 {
            0 => 0,
            hi => mask(64 - hi.leading_zeros() as u8),
        }
    }

    /// Operands are oriented.
    pub(super) fn rewrite_and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.constant(width, 0);
        }
        let Some(c) = self.as_const(b) else { return self.absorb(BinOp::And, BinOp::Or, a, b) };
        let possible = self.possible_bits(a);
        let c = c & possible;
        if c == possible {
            return a;
        }
        if c == 0 {
            return self.constant(width, 0);
        }
        if let Some((x, c1)) = self.with_const(a, BinOp::And) {
            let both = self.constant(width, c & c1);
            return self.bin(BinOp::And, x, both);
        }
        if (c + 1).is_power_of_two() {
            let low = self.extract(a, 0, c.count_ones() as u8);
            return self.conv(ConvOp::ZExt, width, low);
        }
        let c = self.constant(width, c);
        self.raw_bin(BinOp::And, a, c)
    }

    /// Operands are oriented.
    pub(super) fn rewrite_or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.constant(width, mask(width));
        }
        if let Some(c) = self.as_const(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return b;
            }
            if let Some((x, c1)) = self.with_const(a, BinOp::Or) {
                let both = self.constant(width, c | c1);
                return self.bin(BinOp::Or, x, both);
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.absorb(BinOp::Or, BinOp::And, a, b)
    }

    /// Operands are oriented.
    pub(super) fn rewrite_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.constant(width, 0);
        }
        if self.are_opposite(a, b) {
            return self.constant(width, mask(width));
        }
        if let Some(c) = self.as_const(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return self.not(a);
            }
            if let Some((x, c1)) = self.with_const(a, BinOp::Xor) {
                let both = self.constant(width, c ^ c1);
                return self.bin(BinOp::Xor, x, both);
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Bin { op: BinOp::Xor, a: p, b: q, .. } = self.node(x) {
                if p == y {
                    return q;
                }
                if q == y {
                    return p;
                }
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.raw_bin(BinOp::Xor, a, b)
    }

    /// `x & (x | y)` is `x`, `x & (x & y)` is `x & y`; the same with the operators exchanged.
    fn absorb(&mut self, op: BinOp, dual: BinOp, a: TermId, b: TermId) -> TermId {
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Bin { op: inner, a: p, b: q, .. } = self.node(y)
                && (p == x || q == x)
            {
                if inner == dual {
                    return x;
                }
                if inner == op {
                    return y;
                }
            }
        }
        self.raw_bin(op, a, b)
    }

    /// `(x << k) | y` with `y` below 2^k: bytes put together again. Sum and xor are the same there.
    pub(super) fn join_disjoint(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        for (x, y) in [(a, b), (b, a)] {
            let (known, low) = self.known_low_bits(x);
            if known > 0 && known < width && low == 0 && self.bounds(y).1 >> known == 0 {
                let high = self.extract(x, known, width - known);
                let low = self.extract(y, 0, known);
                return Some(self.concat(high, low));
            }
        }
        None
    }
}
