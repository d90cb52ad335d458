//! What is known of a term from its structure alone: an interval, low bits, whether it contains a choice.
//!
//! Computed once, from the children's facts, when the term is made.

use crate::arena::Terms;
use crate::facts::{Facts, Kind, OPEN, OPEN_BOOLEAN};
use crate::ids::TermId;
use crate::node::{BinOp, CmpOp, ConvOp, Node, UnOp};
use crate::ops::{mask, sext, sign_bit};

impl Facts {
    /// What is known of a node about to be made; its facts, if there are any, are to be added behind the others.
    pub(crate) fn of(terms: &Terms, node: &Node) -> (Kind, Option<Facts>) {
        let width = match *node {
            Node::Const { width, .. } | Node::Var { width, .. } => width,
            Node::Un { width, .. } | Node::Bin { width, .. } => width,
            Node::Conv { width, .. } | Node::Extract { width, .. } => width,
            Node::Cmp { .. } => 1,
            Node::Concat { a, b } => terms.width(a) + terms.width(b),
            Node::Ite { then, .. } => terms.width(then),
        };
        let (has_ite, has_ite_of_site) = match node {
            Node::Ite { site, .. } => (true, *site != 0),
            _ => (false, false),
        };
        let mut kind = Kind { width, has_ite, has_ite_of_site, has_float: is_float(node), facts: OPEN };
        for child in node.children() {
            let child = &terms.kinds[child.index()];
            kind.has_ite |= child.has_ite;
            kind.has_ite_of_site |= child.has_ite_of_site;
            kind.has_float |= child.has_float;
        }
        if width == 1 && !matches!(node, Node::Const { .. }) {
            return (kind, None);
        }
        kind.facts = terms.facts.len() as u32;
        let mut facts = Facts { lo: 0, hi: mask(width), low: 0, low_bits: 0 };
        if let Some((lo, hi)) = interval(terms, node, width) {
            (facts.lo, facts.hi) = (lo, hi);
        }
        if let Some((bits, low)) = low_bits(terms, node, width) {
            (facts.low_bits, facts.low) = (bits, low & low_mask(bits));
        }
        debug_assert!(facts.lo <= facts.hi && facts.hi <= mask(width));
        (kind, Some(facts))
    }
}

fn is_float(node: &Node) -> bool {
    match node {
        Node::Un { op, .. } => !matches!(op, UnOp::Not | UnOp::Clz | UnOp::Ctz | UnOp::Popcnt),
        Node::Bin { op, .. } => {
            matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FMin | BinOp::FMax)
        }
        Node::Cmp { op, .. } => matches!(op, CmpOp::FEq | CmpOp::FLt | CmpOp::FLe),
        Node::Conv { op, .. } => !matches!(op, ConvOp::ZExt | ConvOp::SExt | ConvOp::Trunc),
        _ => false,
    }
}

/// All ones below the highest one of `v`: every number up to `v` has its bits in there.
fn fill(v: u64) -> u64 {
    if v == 0 { 0 } else { mask(64 - v.leading_zeros() as u8) }
}

fn low_mask(bits: u8) -> u64 {
    if bits == 0 { 0 } else { mask(bits) }
}

/// The interval of a node, where better than all values of its width.
fn interval(terms: &Terms, node: &Node, width: u8) -> Option<(u64, u64)> {
    let of = |t: TermId| terms.bounds(t);
    let all = mask(width);
    match *node {
        Node::Const { bits, .. } => Some((bits, bits)),
        Node::Un { op: UnOp::Not, a, .. } => Some((all - of(a).1, all - of(a).0)),
        Node::Un { op: UnOp::Clz | UnOp::Ctz | UnOp::Popcnt, .. } => Some((0, all.min(u64::from(width)))),
        Node::Bin { op, a, b, .. } => binary(op, width, of(a), of(b), terms.as_const(b)),
        Node::Conv { op: ConvOp::ZExt, a, .. } => Some(of(a)),
        Node::Conv { op: ConvOp::SExt, a, .. } => {
            let ((lo, hi), from) = (of(a), terms.width(a));
            let same_sign = hi < sign_bit(from) || lo >= sign_bit(from);
            same_sign.then(|| (sext(from, lo) as u64 & all, sext(from, hi) as u64 & all))
        }
        Node::Extract { lo: skip, a, .. } => {
            let (lo, hi) = of(a);
            (hi >> skip <= all).then_some((lo >> skip, hi >> skip))
        }
        Node::Concat { a, b } => {
            let (high, low, by) = (of(a), of(b), terms.width(b));
            Some((high.0 << by | low.0, high.1 << by | low.1))
        }
        Node::Ite { then, els, .. } => Some((of(then).0.min(of(els).0), of(then).1.max(of(els).1))),
        _ => None,
    }
}

fn binary(op: BinOp, width: u8, a: (u64, u64), b: (u64, u64), b_const: Option<u64>) -> Option<(u64, u64)> {
    let all = mask(width);
    match op {
        BinOp::Add => {
            // Sound when both ends wrap the same number of times.
            let (lo, hi) = (u128::from(a.0) + u128::from(b.0), u128::from(a.1) + u128::from(b.1));
            (lo >> width == hi >> width).then_some((lo as u64 & all, hi as u64 & all))
        }
        BinOp::Sub => {
            if a.0 >= b.1 {
                Some((a.0 - b.1, a.1 - b.0))
            } else if a.1 < b.0 {
                Some((a.0.wrapping_sub(b.1) & all, a.1.wrapping_sub(b.0) & all))
            } else {
                None
            }
        }
        BinOp::Mul => {
            let hi = u128::from(a.1) * u128::from(b.1);
            (hi <= u128::from(all)).then(|| (a.0 * b.0, hi as u64))
        }
        BinOp::UDiv => (b.0 > 0).then(|| (a.0 / b.1, a.1 / b.0)),
        BinOp::URem if b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        BinOp::URem => Some((0, a.1)),
        BinOp::And => Some((0, a.1.min(b.1))),
        BinOp::Or => Some((a.0.max(b.0), fill(a.1 | b.1))),
        BinOp::Xor => Some((0, fill(a.1 | b.1))),
        BinOp::Shl => {
            let by = b_const? % u64::from(width);
            (a.1 <= all >> by).then_some((a.0 << by, a.1 << by))
        }
        BinOp::LShr => Some((0, a.1)),
        _ => None,
    }
}

/// How many low bits of a node are known, and their value (upper bits to be masked off).
fn low_bits(terms: &Terms, node: &Node, width: u8) -> Option<(u8, u64)> {
    let of = |t: TermId| {
        let facts = terms.facts(t);
        (facts.low_bits, facts.low)
    };
    match *node {
        Node::Const { bits, .. } => Some((width, bits)),
        Node::Un { op: UnOp::Not, a, .. } => Some((of(a).0, !of(a).1)),
        Node::Bin { op, a, b, .. } => {
            let ((ka, va), (kb, vb)) = (of(a), of(b));
            let both = ka.min(kb);
            match op {
                BinOp::Add => Some((both, va.wrapping_add(vb))),
                BinOp::Sub => Some((both, va.wrapping_sub(vb))),
                BinOp::Xor => Some((both, va ^ vb)),
                // A known zero bit below decides its position alone.
                BinOp::And if va == 0 && vb == 0 => Some((ka.max(kb), 0)),
                BinOp::And => Some((both, va & vb)),
                BinOp::Or => Some((both, va | vb)),
                BinOp::Mul if va == 0 && vb == 0 => Some(((ka + kb).min(width), 0)),
                BinOp::Mul => match terms.as_const(b) {
                    Some(c) if c != 0 => {
                        Some((ka.saturating_add(c.trailing_zeros() as u8).min(width), va.wrapping_mul(c)))
                    }
                    _ => Some((both, va.wrapping_mul(vb))),
                },
                BinOp::Shl => {
                    let by = terms.as_const(b)? % u64::from(width);
                    Some(((ka + by as u8).min(width), va << by))
                }
                _ => None,
            }
        }
        Node::Conv { op: ConvOp::ZExt | ConvOp::SExt, a, .. } => Some(of(a)),
        Node::Extract { lo, a, .. } => {
            let (k, v) = of(a);
            (k > lo).then(|| ((k - lo).min(width), v >> lo))
        }
        Node::Concat { a, b } => {
            let ((ka, va), (kb, vb), by) = (of(a), of(b), terms.width(b));
            if kb == by { Some((ka + by, va << by | vb)) } else { Some((kb, vb)) }
        }
        Node::Ite { then, els, .. } => {
            let ((kt, vt), (ke, ve)) = (of(then), of(els));
            let agree = (vt ^ ve).trailing_zeros() as u8;
            Some((kt.min(ke).min(agree), vt))
        }
        _ => None,
    }
}

impl Terms {
    #[inline(always)]
    fn facts(&self, t: TermId) -> &Facts {
        match self.kinds[t.index()].facts {
            OPEN => &OPEN_BOOLEAN,
            at => &self.facts[at as usize],
        }
    }

    /// Sound unsigned bounds from structure alone, both inclusive.
    #[inline(always)]
    pub fn bounds(&self, t: TermId) -> (u64, u64) {
        let facts = self.facts(t);
        (facts.lo, facts.hi)
    }

    /// Sound signed bounds from structure alone, both inclusive.
    pub fn signed_bounds(&self, t: TermId) -> (i64, i64) {
        if let Node::Conv { op: ConvOp::SExt, a, .. } = self.node(t) {
            return self.signed_bounds(a);
        }
        let (Facts { lo, hi, .. }, width) = (*self.facts(t), self.width(t));
        if hi < sign_bit(width) || lo >= sign_bit(width) {
            (sext(width, lo), sext(width, hi))
        } else {
            (sext(width, sign_bit(width)), sext(width, sign_bit(width) - 1))
        }
    }

    /// A power of two to which all values of `t` are congruent among themselves: known low bits make it larger.
    /// A constant of 64 known bits gives 2⁶³, the largest that fits.
    pub fn stride(&self, t: TermId) -> u64 {
        1 << self.facts(t).low_bits.min(63)
    }

    /// How many low bits of `t` are known from structure, and their value.
    pub fn known_low_bits(&self, t: TermId) -> (u8, u64) {
        let facts = self.facts(t);
        (facts.low_bits, facts.low)
    }

    /// Whether a choice occurs anywhere in `t`.
    #[inline(always)]
    pub fn has_ite(&self, t: TermId) -> bool {
        self.kinds[t.index()].has_ite
    }

    /// Whether a choice occurs in `t` that a site of the program computed.
    #[inline(always)]
    pub fn has_ite_of_site(&self, t: TermId) -> bool {
        self.kinds[t.index()].has_ite_of_site
    }

    /// Whether a float operator occurs anywhere in `t`.
    #[inline(always)]
    pub fn has_float(&self, t: TermId) -> bool {
        self.kinds[t.index()].has_float
    }
}
