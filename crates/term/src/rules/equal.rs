//! Equality of bit-vectors.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, CmpOp, ConvOp, Node, UnOp};
use crate::ops::{self, mask};

impl Terms {
    pub(super) fn rewrite_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.oriented(a, b);
        let ((alo, ahi), (blo, bhi)) = (self.bounds(a), self.bounds(b));
        if ahi < blo || bhi < alo || self.low_bits_differ(a, b) || self.are_opposite(a, b) {
            return self.ff();
        }
        match self.as_const(b) {
            Some(c) => self.equal_const(a, b, c),
            None => self.equal_terms(a, b),
        }
    }

    fn low_bits_differ(&self, a: TermId, b: TermId) -> bool {
        let ((ka, va), (kb, vb)) = (self.known_low_bits(a), self.known_low_bits(b));
        let both = ka.min(kb);
        both > 0 && (va ^ vb) & mask(both) != 0
    }

    /// `c` is the value of `b`, and within the bounds of `a`.
    fn equal_const(&mut self, a: TermId, b: TermId, c: u64) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Bin { op, a: x, b: y, .. } => match (op, self.as_const(x), self.as_const(y)) {
                (BinOp::Add, _, Some(c1)) => self.equal_to(x, c.wrapping_sub(c1)),
                (BinOp::Sub, Some(c1), _) => self.equal_to(y, c1.wrapping_sub(c)),
                (BinOp::Xor, _, Some(c1)) => self.equal_to(x, c ^ c1),
                (BinOp::Sub | BinOp::Xor, ..) if c == 0 => self.cmp(CmpOp::Eq, x, y),
                (BinOp::Mul, _, Some(c1)) if c1 & 1 == 1 => self.equal_to(x, c.wrapping_mul(inverse(c1))),
                (BinOp::Shl, _, Some(by)) => {
                    // The low bits of `c` are zero, or the known low bits had differed.
                    let rest = self.extract(x, 0, width - by as u8);
                    self.equal_to(rest, c >> by)
                }
                (BinOp::RotL, _, Some(by)) => self.equal_to(x, ops::bin(BinOp::RotR, width, c, by)),
                _ => self.raw_equal(a, b),
            },
            Node::Un { op: UnOp::Not, a: x, .. } => self.equal_to(x, !c),
            // So many zeros at one end, and then a one. `c` is at most the width.
            Node::Un { op: UnOp::Ctz | UnOp::Clz, a: x, .. } if c == u64::from(width) => self.is_zero(x),
            Node::Un { op: op @ (UnOp::Ctz | UnOp::Clz), a: x, .. } => {
                let zeros = c as u8;
                let (first, next) = if op == UnOp::Ctz { (0, zeros) } else { (width - zeros, width - 1 - zeros) };
                let one = self.extract(x, next, 1);
                if zeros == 0 {
                    return one;
                }
                let zeros = self.extract(x, first, zeros);
                let zeros = self.is_zero(zeros);
                self.bin(BinOp::And, zeros, one)
            }
            Node::Conv { op: ConvOp::ZExt, a: x, .. } => self.equal_to(x, c),
            Node::Conv { op: ConvOp::SExt, a: x, .. } => {
                let from = self.width(x);
                if ops::conv(ConvOp::SExt, from, width, c & mask(from)) == c { self.equal_to(x, c) } else { self.ff() }
            }
            Node::Concat { a: high, b: low } => {
                let split = self.width(low);
                let (high, low) = (self.equal_to(high, c >> split), self.equal_to(low, c));
                self.bin(BinOp::And, high, low)
            }
            Node::Ite { cond, then, els, .. } => {
                // A side that cannot be this constant leaves the condition and the other side.
                let (t, e) = (self.as_const(then), self.as_const(els));
                match (t, e) {
                    (Some(t), None) if t != c => {
                        let (otherwise, rest) = (self.not(cond), self.cmp(CmpOp::Eq, els, b));
                        self.bin(BinOp::And, otherwise, rest)
                    }
                    (None, Some(e)) if e != c => {
                        let rest = self.cmp(CmpOp::Eq, then, b);
                        self.bin(BinOp::And, cond, rest)
                    }
                    _ => self.raw_equal(a, b),
                }
            }
            _ => self.raw_equal(a, b),
        }
    }

    pub(super) fn is_zero(&mut self, a: TermId) -> TermId {
        self.equal_to(a, 0)
    }

    fn equal_to(&mut self, a: TermId, c: u64) -> TermId {
        let c = self.constant(self.width(a), c);
        self.cmp(CmpOp::Eq, a, c)
    }

    fn equal_terms(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some((x, y)) = self.same_extension(a, b) {
            return self.cmp(CmpOp::Eq, x, y);
        }
        if let (Some((p, _)), Some((q, _))) = (self.as_flag(a), self.as_flag(b)) {
            return self.cmp(CmpOp::Eq, p, q);
        }
        match (self.node(a), self.node(b)) {
            (Node::Concat { a: h1, b: l1 }, Node::Concat { a: h2, b: l2 }) if self.width(l1) == self.width(l2) => {
                let (high, low) = (self.cmp(CmpOp::Eq, h1, h2), self.cmp(CmpOp::Eq, l1, l2));
                return self.bin(BinOp::And, high, low);
            }
            (Node::Bin { op: op1, a: x1, b: y1, .. }, Node::Bin { op: op2, a: x2, b: y2, .. })
                if op1 == op2 && matches!(op1, BinOp::Add | BinOp::Sub | BinOp::Xor) =>
            {
                // What is on both sides cancels, wrapping or not.
                if y1 == y2 {
                    return self.cmp(CmpOp::Eq, x1, x2);
                }
                if x1 == x2 {
                    return self.cmp(CmpOp::Eq, y1, y2);
                }
            }
            (Node::Un { op: UnOp::Not, a: x, .. }, Node::Un { op: UnOp::Not, a: y, .. }) => {
                return self.cmp(CmpOp::Eq, x, y);
            }
            _ => {}
        }
        self.raw_equal(a, b)
    }

    fn raw_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.oriented(a, b);
        self.intern(Node::Cmp { op: CmpOp::Eq, a, b })
    }
}

/// The inverse of an odd number modulo 2^64: each step doubles the number of right bits, and 3 are right at first.
fn inverse(c: u64) -> u64 {
    (0..5).fold(c, |x, _| x.wrapping_mul(2u64.wrapping_sub(c.wrapping_mul(x))))
}
