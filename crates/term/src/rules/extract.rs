//! Taking terms apart and putting them together: extract and concat.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, ConvOp, Node, UnOp};
use crate::ops::mask;

impl Terms {
    pub(crate) fn rewrite_extract(&mut self, a: TermId, lo: u8, width: u8) -> TermId {
        if width == self.width(a) {
            return a;
        }
        if let Some(ite) = self.as_const_ite(a) {
            return self.map_ite(ite, width, |v| v >> lo & mask(width));
        }
        let (hi, (known, low)) = (self.bounds(a).1, self.known_low_bits(a));
        if hi >> lo == 0 {
            return self.constant(width, 0);
        }
        if known >= lo + width {
            return self.constant(width, low >> lo);
        }
        match self.node(a) {
            Node::Extract { lo: lo1, a: inner, .. } => self.extract(inner, lo + lo1, width),
            Node::Concat { a: high, b: tail } => {
                let split = self.width(tail);
                if lo >= split {
                    self.extract(high, lo - split, width)
                } else if lo + width <= split {
                    self.extract(tail, lo, width)
                } else {
                    let high = self.extract(high, 0, lo + width - split);
                    let tail = self.extract(tail, lo, split - lo);
                    self.concat(high, tail)
                }
            }
            Node::Conv { op: op @ (ConvOp::ZExt | ConvOp::SExt), a: inner, .. } => {
                let from = self.width(inner);
                if lo + width <= from {
                    self.extract(inner, lo, width)
                } else if lo < from {
                    let rest = self.extract(inner, lo, from - lo);
                    self.conv(op, width, rest)
                } else if op == ConvOp::SExt {
                    let sign = self.extract(inner, from - 1, 1);
                    self.conv(ConvOp::SExt, width, sign)
                } else {
                    self.constant(width, 0)
                }
            }
            Node::Bin { op: BinOp::Shl, a: inner, b, .. } => match self.as_const(b) {
                Some(by) if u64::from(lo) >= by => self.extract(inner, lo - by as u8, width),
                Some(_) if lo == 0 && self.splits_well(inner) => {
                    let (inner, by) = (self.extract(inner, 0, width), self.extract(b, 0, width));
                    self.bin(BinOp::Shl, inner, by)
                }
                _ => self.raw_extract(a, lo, width),
            },
            Node::Bin { op: op @ (BinOp::And | BinOp::Or | BinOp::Xor), a: x, b: y, .. }
                if self.splits_well(x) && self.splits_well(y) =>
            {
                let (x, y) = (self.extract(x, lo, width), self.extract(y, lo, width));
                self.bin(op, x, y)
            }
            // The low bits of these depend on low bits only.
            Node::Bin { op: op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a: x, b: y, .. }
                if lo == 0 && self.splits_well(x) && self.splits_well(y) =>
            {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                self.bin(op, x, y)
            }
            Node::Un { op: UnOp::Not, a: x, .. } if self.splits_well(x) => {
                let x = self.extract(x, lo, width);
                self.not(x)
            }
            _ => self.raw_extract(a, lo, width),
        }
    }

    fn raw_extract(&mut self, a: TermId, lo: u8, width: u8) -> TermId {
        self.intern(Node::Extract { width, lo, a })
    }

    /// Whether an extract of `t` becomes something smaller rather than one more term.
    fn splits_well(&self, t: TermId) -> bool {
        matches!(
            self.node(t),
            Node::Const { .. } | Node::Concat { .. } | Node::Conv { op: ConvOp::ZExt | ConvOp::SExt, .. }
        )
    }

    pub(crate) fn rewrite_concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        let width = self.width(hi) + self.width(lo);
        if self.as_const(hi) == Some(0) {
            return self.conv(ConvOp::ZExt, width, lo);
        }
        match self.node(hi) {
            Node::Concat { a, b } => {
                let low = self.concat(b, lo);
                return self.concat(a, low);
            }
            Node::Conv { op: op @ (ConvOp::ZExt | ConvOp::SExt), a, .. } => {
                let low = self.concat(a, lo);
                return self.conv(op, width, low);
            }
            _ => {}
        }
        if let Some(joined) = self.join(hi, lo) {
            return joined;
        }
        if let Node::Concat { a, b } = self.node(lo)
            && let Some(joined) = self.join(hi, a)
        {
            return self.concat(joined, b);
        }
        self.intern(Node::Concat { a: hi, b: lo })
    }

    /// Neighbouring extracts of one term as one, neighbouring constants as one.
    fn join(&mut self, hi: TermId, lo: TermId) -> Option<TermId> {
        let (high, low) = (self.width(hi), self.width(lo));
        if let (Some(x), Some(y)) = (self.as_const(hi), self.as_const(lo)) {
            return Some(self.constant(high + low, x << low | y));
        }
        let Node::Extract { lo: from, a, .. } = self.node(hi) else { return None };
        match self.node(lo) {
            Node::Extract { lo: from1, a: same, .. } if same == a && from == from1 + low => {
                Some(self.extract(a, from1, high + low))
            }
            _ if from == low && self.is_low_part(a, lo, low) => Some(self.extract(a, 0, high + low)),
            _ => None,
        }
    }

    /// Whether `part` is what the low bits of `whole` were rewritten to; an extract of an extension is the inner term.
    fn is_low_part(&mut self, whole: TermId, part: TermId, width: u8) -> bool {
        !matches!(self.node(whole), Node::Var { .. }) && self.extract(whole, 0, width) == part
    }
}
