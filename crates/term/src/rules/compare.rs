//! Orders: signed and unsigned, strict or not.

use crate::arena::Terms;
use crate::ids::TermId;
use crate::node::{BinOp, CmpOp, ConvOp, Node, UnOp};
use crate::ops::{self, mask, sext, sign_bit};

impl Terms {
    pub(crate) fn rewrite_cmp(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if width > 1
            && a != b
            && let (Node::Var { .. }, Node::Var { .. }) = (self.node(a), self.node(b))
        {
            // Nothing is known of two inputs.
            let (a, b) = if matches!(op, CmpOp::Eq | CmpOp::FEq) { self.oriented(a, b) } else { (a, b) };
            return self.intern(Node::Cmp { op, a, b });
        }
        if (self.has_ite(a) || self.has_ite(b))
            && let Some(pushed) = self.push_into_ite(a, b, 1, |x, y| u64::from(ops::cmp(op, width, x, y)))
        {
            return pushed;
        }
        if op.is_float() {
            let (a, b) = if op == CmpOp::FEq { self.oriented(a, b) } else { (a, b) };
            return if a == b && op == CmpOp::FLt { self.ff() } else { self.intern(Node::Cmp { op, a, b }) };
        }
        if a == b {
            return self.boolean(matches!(op, CmpOp::Eq | CmpOp::Ule | CmpOp::Sle));
        }
        if width == 1 {
            return self.compare_booleans(op, a, b);
        }
        match op {
            CmpOp::Ult => self.rewrite_order(false, true, a, b),
            CmpOp::Ule => self.rewrite_order(false, false, a, b),
            CmpOp::Slt => self.rewrite_order(true, true, a, b),
            CmpOp::Sle => self.rewrite_order(true, false, a, b),
            _ => self.rewrite_equal(a, b),
        }
    }

    fn order(&mut self, signed: bool, strict: bool, a: TermId, b: TermId) -> TermId {
        self.cmp(order_op(signed, strict), a, b)
    }

    /// Bounds of `t` as the order reads it.
    fn bounds_as(&self, signed: bool, t: TermId) -> (i128, i128) {
        if signed {
            let (lo, hi) = self.signed_bounds(t);
            (lo.into(), hi.into())
        } else {
            let (lo, hi) = self.bounds(t);
            (lo.into(), hi.into())
        }
    }

    fn value_as(&self, signed: bool, t: TermId) -> Option<i128> {
        let (bits, width) = (self.as_const(t)?, self.width(t));
        Some(if signed { sext(width, bits).into() } else { bits.into() })
    }

    fn rewrite_order(&mut self, signed: bool, strict: bool, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let same_half = |terms: &Terms| {
            let ((alo, ahi), (blo, bhi)) = (terms.bounds(a), terms.bounds(b));
            let sign = sign_bit(width);
            (ahi < sign && bhi < sign) || (alo >= sign && blo >= sign)
        };
        if signed && same_half(self) {
            return self.order(false, strict, a, b);
        }
        let ((alo, ahi), (blo, bhi)) = (self.bounds_as(signed, a), self.bounds_as(signed, b));
        // a < b, or a < b + 1 if not strict.
        let slack = i128::from(!strict);
        if ahi < blo + slack {
            return self.tt();
        }
        if alo >= bhi + slack {
            return self.ff();
        }
        match (self.value_as(signed, a), self.value_as(signed, b)) {
            (_, Some(c)) => self.below(signed, a, c + slack),
            (Some(c), _) => self.above(signed, b, c - slack),
            _ => match (self.as_flag(a), self.as_flag(b)) {
                // Of two flags: the first is down and the second up, or both are the same.
                (Some((p, _)), Some((q, _))) => {
                    let exclude = self.turned_order(p, q).is_some();
                    let down = self.not(p);
                    match (exclude, strict) {
                        (true, true) => q,
                        (true, false) => down,
                        (false, true) => self.bin(BinOp::And, down, q),
                        (false, false) => self.bin(BinOp::Or, down, q),
                    }
                }
                _ => self.order_terms(signed, strict, a, b),
            },
        }
    }

    /// `x < c`, undecided by bounds.
    fn below(&mut self, signed: bool, x: TermId, c: i128) -> TermId {
        let width = self.width(x);
        let (lo, hi) = self.bounds_as(signed, x);
        let constant = self.constant(width, c as u64);
        if c == lo + 1 || c == hi {
            let end = self.constant(width, (if c == hi && c != lo + 1 { hi } else { lo }) as u64);
            let equal = self.cmp(CmpOp::Eq, x, end);
            return if c == lo + 1 { equal } else { self.not(equal) };
        }
        if let Some((inner, signed, c)) = self.lift(signed, x, c) {
            let (lo, hi) = self.bounds_as(signed, inner);
            if c <= lo || c > hi {
                return self.boolean(c > hi);
            }
            let c = self.constant(self.width(inner), c as u64);
            return self.order(signed, true, inner, c);
        }
        if let Some(bits) = self.end_bits(x, c) {
            let none = self.is_zero(bits);
            return self.not(none);
        }
        if signed && let Some((p, q)) = self.exact_difference(x) {
            if c == 0 {
                return self.order(true, true, p, q);
            }
            if c == 1 {
                return self.order(true, false, p, q);
            }
        }
        self.intern(Node::Cmp { op: order_op(signed, true), a: x, b: constant })
    }

    /// `c < x`, undecided by bounds.
    fn above(&mut self, signed: bool, x: TermId, c: i128) -> TermId {
        let width = self.width(x);
        let (lo, hi) = self.bounds_as(signed, x);
        let constant = self.constant(width, c as u64);
        if c == hi - 1 || c == lo {
            let end = self.constant(width, (if c == hi - 1 { hi } else { lo }) as u64);
            let equal = self.cmp(CmpOp::Eq, x, end);
            return if c == hi - 1 { equal } else { self.not(equal) };
        }
        if let Some((inner, signed, next)) = self.lift(signed, x, c + 1) {
            // not (x < c + 1), written over the narrower term.
            let (lo, hi) = self.bounds_as(signed, inner);
            if next <= lo || next > hi {
                return self.boolean(next <= lo);
            }
            let next = self.constant(self.width(inner), next as u64);
            return self.order(signed, false, next, inner);
        }
        if let Some(bits) = self.end_bits(x, c + 1) {
            return self.is_zero(bits);
        }
        if signed && let Some((p, q)) = self.exact_difference(x) {
            if c == 0 {
                return self.order(true, true, q, p);
            }
            if c == -1 {
                return self.order(true, false, q, p);
            }
        }
        self.intern(Node::Cmp { op: order_op(signed, true), a: constant, b: x })
    }

    /// Where `x` counts zeros at one end of a term: the `c` bits at that end, of which one is set exactly if `x < c`.
    fn end_bits(&mut self, x: TermId, c: i128) -> Option<TermId> {
        let Node::Un { op: op @ (UnOp::Ctz | UnOp::Clz), a, .. } = self.node(x) else { return None };
        let width = self.width(a);
        let count = u8::try_from(c).ok().filter(|c| (1..=width).contains(c))?;
        Some(self.extract(a, if op == UnOp::Ctz { 0 } else { width - count }, count))
    }

    /// A simpler term and constant with `x < c` exactly when `inner < c'`, in the order returned.
    /// `c'` may lie outside what `inner` can be.
    fn lift(&mut self, signed: bool, x: TermId, c: i128) -> Option<(TermId, bool, i128)> {
        let width = self.width(x);
        match self.node(x) {
            // A zero-extended term is never negative, so what remains here reads the same either way.
            Node::Conv { op: ConvOp::ZExt, a, .. } => Some((a, false, c)),
            Node::Conv { op: ConvOp::SExt, a, .. } if signed => Some((a, true, c)),
            Node::Conv { op: ConvOp::SExt, a, .. } => {
                // Unsigned, the values are a low half, a gap, and a high half.
                let half = i128::from(sign_bit(self.width(a)));
                let top = i128::from(mask(width)) + 1;
                let c = if c <= half {
                    c
                } else if c <= top - half {
                    half
                } else {
                    c & i128::from(mask(self.width(a)))
                };
                Some((a, false, c))
            }
            Node::Bin { op: BinOp::Add, a, b, .. } => {
                let addend = self.value_as(signed, b)?;
                let (lo, hi) = self.bounds_as(signed, a);
                // An unsigned addend may also stand for a subtraction that never goes below zero.
                let addend = [addend, addend - i128::from(mask(width)) - 1]
                    .into_iter()
                    .find(|addend| self.fits(signed, width, lo + addend) && self.fits(signed, width, hi + addend))?;
                Some((a, signed, c - addend))
            }
            _ => None,
        }
    }

    fn fits(&self, signed: bool, width: u8, v: i128) -> bool {
        let (lo, hi) = full_range(signed, width);
        lo <= v && v <= hi
    }

    /// `p` and `q` if `x` is `p - q` and that never wraps as a signed number.
    fn exact_difference(&self, x: TermId) -> Option<(TermId, TermId)> {
        let Node::Bin { op: BinOp::Sub, width, a, b } = self.node(x) else { return None };
        let ((alo, ahi), (blo, bhi)) = (self.bounds_as(true, a), self.bounds_as(true, b));
        (self.fits(true, width, alo - bhi) && self.fits(true, width, ahi - blo)).then_some((a, b))
    }

    fn order_terms(&mut self, signed: bool, strict: bool, a: TermId, b: TermId) -> TermId {
        if let Some((x, y)) = self.same_extension(a, b) {
            // Sign extension keeps both orders; zero extension keeps the unsigned one and makes the signed one unsigned,
            // which is how we got here.
            return self.order(signed, strict, x, y);
        }
        self.intern(Node::Cmp { op: order_op(signed, strict), a, b })
    }

    /// The operands before they were both extended in the same way, brought to the wider of their widths.
    pub(super) fn same_extension(&mut self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let (Node::Conv { op: p, a: x, .. }, Node::Conv { op: q, a: y, .. }) = (self.node(a), self.node(b)) else {
            return None;
        };
        let (wx, wy) = (self.width(x), self.width(y));
        match (p, q) {
            (ConvOp::ZExt, ConvOp::ZExt) | (ConvOp::SExt, ConvOp::SExt) => {
                let wide = wx.max(wy);
                Some((self.conv(p, wide, x), self.conv(q, wide, y)))
            }
            // A zero extension to more bits than needed is a sign extension as well.
            (ConvOp::SExt, ConvOp::ZExt) if wy < wx => Some((x, self.conv(ConvOp::ZExt, wx, y))),
            (ConvOp::ZExt, ConvOp::SExt) if wx < wy => Some((self.conv(ConvOp::ZExt, wy, x), y)),
            _ => None,
        }
    }
}

fn order_op(signed: bool, strict: bool) -> CmpOp {
    match (signed, strict) {
        (false, true) => CmpOp::Ult,
        (false, false) => CmpOp::Ule,
        (true, true) => CmpOp::Slt,
        (true, false) => CmpOp::Sle,
    }
}

fn full_range(signed: bool, width: u8) -> (i128, i128) {
    if signed { (-i128::from(sign_bit(width)), i128::from(sign_bit(width)) - 1) } else { (0, i128::from(mask(width))) }
}
