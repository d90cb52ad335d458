//! Choices.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, Node, UnOp};

impl Terms {
    pub(crate) fn rewrite_ite(&mut self, cond: TermId, then: TermId, els: TermId, site: u32) -> TermId {
        if then == els {
            return then;
        }
        if let Node::Un { op: UnOp::Not, a, .. } = self.node(cond) {
            return self.ite(a, els, then, site);
        }
        // The sides may assume what the condition says.
        if let Node::Ite { cond: c, then: t, .. } = self.node(then)
            && c == cond
        {
            return self.ite(cond, t, els, site);
        }
        if let Node::Ite { cond: c, els: e, .. } = self.node(els)
            && c == cond
        {
            return self.ite(cond, then, e, site);
        }
        if self.width(then) == 1
            && let Some(boolean) = self.boolean_ite(cond, then, els)
        {
            return boolean;
        }
        self.intern(Node::Ite { cond, then, els, site })
    }

    /// An operator on two flags (choices between 0 and 1) is the flag of the operator on their conditions, as in
    /// `(x >= 0) & (x <= 9)`. Of the two sites the first stays.
    pub(super) fn combine_flags(&mut self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if width == 1 {
            return None;
        }
        let ((p, site), (q, _)) = (self.as_flag(a)?, self.as_flag(b)?);
        let both = self.bin(op, p, q);
        let (one, zero) = (self.constant(width, 1), self.constant(width, 0));
        Some(self.ite(both, one, zero, site))
    }

    /// A choice between booleans where one side is constant, or the condition itself.
    fn boolean_ite(&mut self, cond: TermId, then: TermId, els: TermId) -> Option<TermId> {
        let then_value = if then == cond { Some(1) } else { self.as_const(then) };
        let els_value = if els == cond { Some(0) } else { self.as_const(els) };
        match (then_value, els_value) {
            (Some(1), Some(0)) => Some(cond),
            (Some(0), Some(1)) => Some(self.not(cond)),
            (Some(1), _) => Some(self.bin(BinOp::Or, cond, els)),
            (_, Some(0)) => Some(self.bin(BinOp::And, cond, then)),
            (Some(0), _) => {
                let otherwise = self.not(cond);
                Some(self.bin(BinOp::And, otherwise, els))
            }
            (_, Some(1)) => {
                let otherwise = self.not(cond);
                Some(self.bin(BinOp::Or, otherwise, then))
            }
            _ => None,
        }
    }
}
