//! Extensions, truncation, and conversions between integers and floats.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{ConvOp, Node};
use crate::ops::{self, sign_bit};

impl Terms {
    pub(crate) fn rewrite_conv(&mut self, op: ConvOp, width: u8, a: TermId) -> TermId {
        let from = self.width(a);
        if from == width && matches!(op, ConvOp::ZExt | ConvOp::SExt | ConvOp::Trunc) {
            return a;
        }
        if op == ConvOp::Trunc {
            return self.extract(a, 0, width);
        }
        if let Some(ite) = self.as_const_ite(a) {
            return self.map_ite(ite, width, |v| ops::conv(op, from, width, v));
        }
        match (op, self.node(a)) {
            (ConvOp::ZExt, Node::Conv { op: ConvOp::ZExt, a: inner, .. }) => self.conv(ConvOp::ZExt, width, inner),
            (ConvOp::SExt, Node::Conv { op: ConvOp::SExt, a: inner, .. }) => self.conv(ConvOp::SExt, width, inner),
            (ConvOp::SExt, _) if self.bounds(a).1 < sign_bit(from) => self.conv(ConvOp::ZExt, width, a),
            // Demoting what was promoted gives the same number back, but not the same NaN: no rule for floats.
            _ => self.intern(Node::Conv { op, width, a }),
        }
    }
}
