//! Shifts and rotations. A constant amount is always between 1 and the width less one.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, ConvOp, Node};

impl Terms {
    /// The constant amount, reduced; `None` if it is not constant.
    fn constant_amount(&self, amount: TermId) -> Option<u8> {
        Some((self.as_const(amount)? % u64::from(self.width(amount))) as u8)
    }

    pub(super) fn rewrite_shift(&mut self, op: BinOp, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 || self.as_const(a) == Some(0) {
            return a;
        }
        match self.constant_amount(amount) {
            None => self.raw_bin(op, a, amount),
            Some(0) => a,
            Some(by) if op == BinOp::Shl => self.shift_left(a, by),
            Some(by) => {
                let rest = self.extract(a, by, width - by);
                self.conv(if op == BinOp::LShr { ConvOp::ZExt } else { ConvOp::SExt }, width, rest)
            }
        }
    }

    fn shift_left(&mut self, a: TermId, by: u8) -> TermId {
        let width = self.width(a);
        let amount = self.constant(width, u64::from(by));
        if let Some((x, by1)) = self.with_const(a, BinOp::Shl) {
            let total = by + by1 as u8;
            if total >= width {
                return self.constant(width, 0);
            }
            let total = self.constant(width, u64::from(total));
            return self.raw_bin(BinOp::Shl, x, total);
        }
        if let Some((x, c)) = self.with_const(a, BinOp::Add) {
            let shifted = self.bin(BinOp::Shl, x, amount);
            return self.add_const(shifted, c << by);
        }
        // Upper bits that are shifted out anyway need not be computed; of extensions to a wider type this peels them.
        if let Node::Conv { op: ConvOp::ZExt | ConvOp::SExt, a: inner, .. } = self.node(a)
            && self.width(inner) + by >= width
        {
            let high = self.extract(inner, 0, width - by);
            let low = self.constant(by, 0);
            return self.concat(high, low);
        }
        self.raw_bin(BinOp::Shl, a, amount)
    }

    pub(super) fn rewrite_rotate(&mut self, op: BinOp, a: TermId, amount: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 || self.as_const(a) == Some(0) {
            return a;
        }
        match self.constant_amount(amount) {
            None => self.raw_bin(op, a, amount),
            Some(0) => a,
            Some(by) => {
                let by = if op == BinOp::RotL { by } else { width - by };
                let amount = self.constant(width, u64::from(by));
                self.raw_bin(BinOp::RotL, a, amount)
            }
        }
    }
}
