//! Rewriting on construction: one file per operator family. `README.md` says how to add a rule.
//!
//! Each `rewrite_*` function is called by the constructor of that operator once constants are folded, and returns the
//! canonical term. Rules only ever call constructors on strictly simpler operands, so they end.

mod arith;
mod bitwise;
mod boolean;
mod compare;
mod conv;
mod equal;
mod extract;
mod ite;
mod shift;

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, Node, UnOp};
use crate::ops;

/// A choice between two constants.
#[derive(Clone, Copy)]
pub(crate) struct ConstIte {
    pub cond: TermId,
    pub then: u64,
    pub els: u64,
    pub site: u32,
}

impl Terms {
    /// Whether `t` chooses between two constants.
    pub(crate) fn as_const_ite(&self, t: TermId) -> Option<ConstIte> {
        match self.node(t) {
            Node::Ite { cond, then, els, site } => {
                Some(ConstIte { cond, then: self.as_const(then)?, els: self.as_const(els)?, site })
            }
            _ => None,
        }
    }

    /// `f` applied to both constants of a choice, as a choice of `width` bits.
    pub(crate) fn map_ite(&mut self, ite: ConstIte, width: u8, f: impl Fn(u64) -> u64) -> TermId {
        let (then, els) = (self.constant(width, f(ite.then)), self.constant(width, f(ite.els)));
        self.ite(ite.cond, then, els, ite.site)
    }

    /// If `f(a, b)` has choices between constants only, on one condition, the choice of the results.
    pub(crate) fn push_into_ite(
        &mut self,
        a: TermId,
        b: TermId,
        width: u8,
        f: impl Fn(u64, u64) -> u64,
    ) -> Option<TermId> {
        match (self.as_const_ite(a), self.as_const_ite(b)) {
            (Some(x), None) => {
                let y = self.as_const(b)?;
                Some(self.map_ite(x, width, |v| f(v, y)))
            }
            (None, Some(y)) => {
                let x = self.as_const(a)?;
                Some(self.map_ite(y, width, |v| f(x, v)))
            }
            (Some(x), Some(y)) if x.cond == y.cond => {
                let (then, els) = (self.constant(width, f(x.then, y.then)), self.constant(width, f(x.els, y.els)));
                Some(self.ite(x.cond, then, els, x.site))
            }
            _ => None,
        }
    }

    /// The condition under which a choice between 0 and 1 is 1, and its site.
    pub(crate) fn as_flag(&mut self, t: TermId) -> Option<(TermId, u32)> {
        let ConstIte { cond, then, els, site } = self.as_const_ite(t)?;
        match (then, els) {
            (1, 0) => Some((cond, site)),
            (0, 1) => Some((self.not(cond), site)),
            _ => None,
        }
    }

    /// `x` and `c` of `x + c`, and so on for any operator with a constant on the right.
    pub(crate) fn with_const(&self, t: TermId, wanted: BinOp) -> Option<(TermId, u64)> {
        match self.node(t) {
            Node::Bin { op, a, b, .. } if op == wanted => Some((a, self.as_const(b)?)),
            _ => None,
        }
    }

    /// Whether `a` is the negation of `b`, bit by bit.
    pub(crate) fn are_opposite(&self, a: TermId, b: TermId) -> bool {
        matches!(self.node(a), Node::Un { op: UnOp::Not, a: inner, .. } if inner == b)
            || matches!(self.node(b), Node::Un { op: UnOp::Not, a: inner, .. } if inner == a)
            || self.are_opposite_orders(a, b)
    }

    pub(crate) fn raw_bin(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        self.intern(Node::Bin { op, width, a, b })
    }

    pub(crate) fn rewrite_bin(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if (self.has_ite(a) || self.has_ite(b))
            && let Some(pushed) = self.push_into_ite(a, b, width, |x, y| ops::bin(op, width, x, y))
        {
            return pushed;
        }
        if matches!(op, BinOp::And | BinOp::Or | BinOp::Xor)
            && let Some(flag) = self.combine_flags(op, a, b)
        {
            return flag;
        }
        let (a, b) = if op.is_commutative() { self.oriented(a, b) } else { (a, b) };
        match op {
            BinOp::Add => self.rewrite_add(a, b),
            BinOp::Sub => self.rewrite_sub(a, b),
            BinOp::Mul => self.rewrite_mul(a, b),
            BinOp::UDiv | BinOp::SDiv => self.rewrite_div(op, a, b),
            BinOp::URem | BinOp::SRem => self.rewrite_rem(op, a, b),
            BinOp::And => self.rewrite_and(a, b),
            BinOp::Or => self.rewrite_or(a, b),
            BinOp::Xor => self.rewrite_xor(a, b),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.rewrite_shift(op, a, b),
            BinOp::RotL | BinOp::RotR => self.rewrite_rotate(op, a, b),
            // Hardly any algebra holds for floats; there the constants are folded and that is all.
            BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FMin | BinOp::FMax => self.raw_bin(op, a, b),
        }
    }

    /// Operands of a commutative operator in canonical order: by age, a constant last.
    pub(crate) fn oriented(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let swap = self.as_const(a).is_some() || (self.as_const(b).is_none() && a > b);
        if swap { (b, a) } else { (a, b) }
    }
}
