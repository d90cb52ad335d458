//! Addition, subtraction, multiplication, division, remainder.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, Node};
use crate::ops::{mask, sign_bit};

impl Terms {
    /// Operands are oriented: a constant can only be on the right.
    pub(super) fn rewrite_add(&mut self, a: TermId, b: TermId) -> TermId {
        if self.width(a) == 1 {
            return self.bin(BinOp::Xor, a, b);
        }
        if let Some(c) = self.as_const(b) {
            return self.add_const(a, c);
        }
        // Constants move outward.
        if let Some((x, c)) = self.with_const(a, BinOp::Add) {
            let sum = self.bin(BinOp::Add, x, b);
            return self.add_const(sum, c);
        }
        if let Some((y, c)) = self.with_const(b, BinOp::Add) {
            let sum = self.bin(BinOp::Add, a, y);
            return self.add_const(sum, c);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Bin { op: BinOp::Sub, a: p, b: q, .. } = self.node(x) {
                if q == y {
                    return p;
                }
                if let Some(c) = self.as_const(p) {
                    let difference = self.bin(BinOp::Sub, y, q);
                    return self.add_const(difference, c);
                }
            }
        }
        if self.are_opposite(a, b) {
            let width = self.width(a);
            return self.constant(width, mask(width));
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.raw_bin(BinOp::Add, a, b)
    }

    pub(super) fn add_const(&mut self, a: TermId, c: u64) -> TermId {
        let width = self.width(a);
        let c = c & mask(width);
        if c == 0 {
            return a;
        }
        if let Some((x, c1)) = self.with_const(a, BinOp::Add) {
            return self.add_const(x, c.wrapping_add(c1));
        }
        let addend = self.constant(width, c);
        match self.node(a) {
            Node::Const { .. } => self.bin(BinOp::Add, a, addend),
            Node::Ite { .. } if self.as_const_ite(a).is_some() => self.bin(BinOp::Add, a, addend),
            Node::Bin { op: BinOp::Sub, a: p, b: q, .. } if self.as_const(p).is_some() => {
                let sum = self.bin(BinOp::Add, p, addend);
                self.bin(BinOp::Sub, sum, q)
            }
            _ => self.raw_bin(BinOp::Add, a, addend),
        }
    }

    pub(super) fn rewrite_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.constant(width, 0);
        }
        if width == 1 {
            return self.bin(BinOp::Xor, a, b);
        }
        if let Some(c) = self.as_const(b) {
            return self.add_const(a, c.wrapping_neg());
        }
        if let Some((x, c)) = self.with_const(a, BinOp::Add) {
            let difference = self.bin(BinOp::Sub, x, b);
            return self.add_const(difference, c);
        }
        if let Some((y, c)) = self.with_const(b, BinOp::Add) {
            let difference = self.bin(BinOp::Sub, a, y);
            return self.add_const(difference, c.wrapping_neg());
        }
        if let Node::Bin { op: BinOp::Add, a: p, b: q, .. } = self.node(a) {
            if p == b {
                return q;
            }
            if q == b {
                return p;
            }
        }
        if let Node::Bin { op: BinOp::Sub, a: p, b: q, .. } = self.node(b) {
            // a - (a - q) = q, and c1 - (c2 - q) = q + (c1 - c2).
            if p == a {
                return q;
            }
            if let (Some(c1), Some(c2)) = (self.as_const(a), self.as_const(p)) {
                return self.add_const(q, c1.wrapping_sub(c2));
            }
        }
        self.raw_bin(BinOp::Sub, a, b)
    }

    /// Operands are oriented.
    pub(super) fn rewrite_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return self.bin(BinOp::And, a, b);
        }
        let Some(c) = self.as_const(b) else { return self.raw_bin(BinOp::Mul, a, b) };
        if c == 0 {
            return b;
        }
        if c == 1 {
            return a;
        }
        if c == mask(width) {
            let zero = self.constant(width, 0);
            return self.bin(BinOp::Sub, zero, a);
        }
        if c.is_power_of_two() {
            let by = self.constant(width, u64::from(c.trailing_zeros()));
            return self.bin(BinOp::Shl, a, by);
        }
        if let Some((x, c1)) = self.with_const(a, BinOp::Mul) {
            let product = self.constant(width, c.wrapping_mul(c1));
            return self.bin(BinOp::Mul, x, product);
        }
        if let Some((x, c1)) = self.with_const(a, BinOp::Add) {
            let product = self.bin(BinOp::Mul, x, b);
            return self.add_const(product, c.wrapping_mul(c1));
        }
        self.raw_bin(BinOp::Mul, a, b)
    }

    pub(super) fn rewrite_div(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let ((alo, ahi), (blo, bhi)) = (self.bounds(a), self.bounds(b));
        if op == BinOp::SDiv && ahi < sign_bit(width) && bhi < sign_bit(width) {
            return self.bin(BinOp::UDiv, a, b);
        }
        if self.as_const(b) == Some(1) && width > 1 {
            return a;
        }
        if op == BinOp::UDiv {
            if ahi < blo {
                return self.constant(width, 0);
            }
            if blo > 0 && alo / bhi == ahi / blo {
                return self.constant(width, alo / bhi);
            }
            match self.as_const(b) {
                Some(0) => return self.constant(width, mask(width)),
                Some(c) if c.is_power_of_two() => {
                    let by = self.constant(width, u64::from(c.trailing_zeros()));
                    return self.bin(BinOp::LShr, a, by);
                }
                _ => {}
            }
        }
        self.raw_bin(op, a, b)
    }

    pub(super) fn rewrite_rem(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let ((_, ahi), (blo, bhi)) = (self.bounds(a), self.bounds(b));
        if self.as_const(b) == Some(0) {
            return a;
        }
        if op == BinOp::SRem && ahi < sign_bit(width) && bhi < sign_bit(width) {
            return self.bin(BinOp::URem, a, b);
        }
        if op == BinOp::URem {
            if ahi < blo {
                return a;
            }
            if let Some(c) = self.as_const(b).filter(|c| c.is_power_of_two()) {
                let low = self.constant(width, c - 1);
                return self.bin(BinOp::And, a, low);
            }
        }
        self.raw_bin(op, a, b)
    }
}
