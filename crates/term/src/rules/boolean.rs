//! Negation, and comparisons of booleans.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, CmpOp, Node, UnOp};
use crate::ops;

impl Terms {
    pub(crate) fn rewrite_un(&mut self, op: UnOp, a: TermId) -> TermId {
        let width = self.width(a);
        if let Some(ite) = self.as_const_ite(a) {
            return self.map_ite(ite, width, |v| ops::un(op, width, v));
        }
        if op == UnOp::Not {
            return self.rewrite_not(a);
        }
        self.intern(Node::Un { op, width, a })
    }

    fn rewrite_not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Un { op: UnOp::Not, a: inner, .. } => inner,
            Node::Cmp { op: CmpOp::Ult, a: x, b: y } => self.cmp(CmpOp::Ule, y, x),
            Node::Cmp { op: CmpOp::Ule, a: x, b: y } => self.cmp(CmpOp::Ult, y, x),
            Node::Cmp { op: CmpOp::Slt, a: x, b: y } => self.cmp(CmpOp::Sle, y, x),
            Node::Cmp { op: CmpOp::Sle, a: x, b: y } => self.cmp(CmpOp::Slt, y, x),
            _ => self.intern(Node::Un { op: UnOp::Not, width, a }),
        }
    }

    /// Whether two conditions are orders that exclude each other and leave nothing over, such as `a < b` and `b <= a`.
    pub(super) fn are_opposite_orders(&self, a: TermId, b: TermId) -> bool {
        let (Node::Cmp { op: p, a: a1, b: a2 }, Node::Cmp { op: q, a: b1, b: b2 }) = (self.node(a), self.node(b))
        else {
            return false;
        };
        let strict_and_not = matches!(
            (p, q),
            (CmpOp::Ult, CmpOp::Ule) | (CmpOp::Ule, CmpOp::Ult) | (CmpOp::Slt, CmpOp::Sle) | (CmpOp::Sle, CmpOp::Slt)
        );
        if strict_and_not {
            return a1 == b2 && a2 == b1;
        }
        // With constants both are strict: x < c and c - 1 < x.
        let halves = |x: TermId, c: TermId, d: TermId, y: TermId| {
            x == y
                && matches!((self.as_const(c), self.as_const(d)), (Some(c), Some(d)) if c == ops::bin(BinOp::Add, self.width(x), d, 1))
        };
        p == q && matches!(p, CmpOp::Ult | CmpOp::Slt) && (halves(a1, a2, b1, b2) || halves(b1, b2, a1, a2))
    }

    /// Comparisons of booleans are boolean operators; as signed numbers true is -1.
    pub(super) fn compare_booleans(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        let (op, x, y) = match op {
            CmpOp::Ult => (BinOp::And, self.not(a), b),
            CmpOp::Ule => (BinOp::Or, self.not(a), b),
            CmpOp::Slt => (BinOp::And, a, self.not(b)),
            CmpOp::Sle => (BinOp::Or, a, self.not(b)),
            _ => return self.equal_booleans(a, b),
        };
        self.bin(op, x, y)
    }

    fn equal_booleans(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.oriented(a, b);
        match self.as_const(b) {
            Some(0) => self.not(a),
            Some(_) => a,
            None if self.are_opposite(a, b) => self.ff(),
            None => self.intern(Node::Cmp { op: CmpOp::Eq, a, b }),
        }
    }
}
