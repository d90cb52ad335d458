//! The arena: every term once, with what is known about it computed when it is made.

use std::cell::RefCell;

use hashbrown::HashTable;

use crate::facts::{Facts, Kind};
use crate::ids::{InputId, TermId};
use crate::input_sets::{InputSets, Scratch};
use crate::node::{BinOp, CmpOp, Comparison, Condition, ConvOp, Node, UnOp};
use crate::ops;

/// All terms of one exploration. Constructors simplify; see `rules/README.md` for the canonical forms.
pub struct Terms {
    pub(crate) nodes: Vec<Node>,
    pub(crate) kinds: Vec<Kind>,
    /// Of terms wider than one bit, where [`Kind`] says.
    pub(crate) facts: Vec<Facts>,
    pub(crate) inputs: InputSets,
    pub(crate) scratch: RefCell<Scratch>,
    /// Every term with part of its hash, so that growing the table does not look at the terms.
    pub(crate) table: HashTable<(u32, TermId)>,
    pub(crate) tt: TermId,
    pub(crate) ff: TermId,
    pub(crate) id: u64,
}

impl Terms {
    /// Differs between any two arenas of this process: caches keyed by [`TermId`] belong to one arena.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the booleans are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The shape of a term.
    #[inline(always)]
    pub fn node(&self, t: TermId) -> Node {
        self.nodes[t.index()]
    }

    /// Number of bits of a term.
    #[inline(always)]
    pub fn width(&self, t: TermId) -> u8 {
        self.kinds[t.index()].width
    }

    /// The value of a constant term.
    #[inline(always)]
    pub fn as_const(&self, t: TermId) -> Option<u64> {
        match self.nodes[t.index()] {
            Node::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The constant of that many bits; bits beyond the width are dropped.
    pub fn constant(&mut self, width: u8, bits: u64) -> TermId {
        self.intern(Node::Const { width, bits: bits & ops::mask(width) })
    }

    /// True.
    #[inline(always)]
    pub fn tt(&self) -> TermId {
        self.tt
    }

    /// False.
    #[inline(always)]
    pub fn ff(&self) -> TermId {
        self.ff
    }

    /// One of the two booleans.
    #[inline(always)]
    pub fn boolean(&self, value: bool) -> TermId {
        if value { self.tt } else { self.ff }
    }

    /// The term standing for an input.
    pub fn var(&mut self, input: InputId, width: u8) -> TermId {
        self.intern(Node::Var { input, width })
    }

    /// `op a`.
    pub fn un(&mut self, op: UnOp, a: TermId) -> TermId {
        if let Some(bits) = self.as_const(a) {
            let width = self.width(a);
            return self.constant(width, ops::un(op, width, bits));
        }
        self.rewrite_un(op, a)
    }

    /// `a op b`, of equal widths.
    pub fn bin(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands of {op:?} have one width");
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.constant(width, ops::bin(op, width, x, y));
        }
        self.rewrite_bin(op, a, b)
    }

    /// The comparison `a op b`, of equal widths, as a boolean.
    pub fn cmp(&mut self, op: CmpOp, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b), "operands of {op:?} have one width");
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return self.boolean(ops::cmp(op, width, x, y));
        }
        self.rewrite_cmp(op, a, b)
    }

    /// A comparison as a term.
    pub fn comparison(&mut self, c: Comparison) -> TermId {
        // The opposite of an order is an order, which saves making both.
        let Comparison { op, a, b, negated } = c.straight();
        let holds = self.cmp(op, a, b);
        if negated { self.not(holds) } else { holds }
    }

    /// A condition as a term.
    pub fn condition(&mut self, condition: Condition) -> TermId {
        match condition {
            Condition::Term(term) => term,
            Condition::Compares(comparison) => self.comparison(comparison),
        }
    }

    /// Bitwise not; on booleans the negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.un(UnOp::Not, a)
    }

    /// Converts `a` to `width` bits.
    pub fn conv(&mut self, op: ConvOp, width: u8, a: TermId) -> TermId {
        if let Some(bits) = self.as_const(a) {
            return self.constant(width, ops::conv(op, self.width(a), width, bits));
        }
        self.rewrite_conv(op, width, a)
    }

    /// Bits `lo .. lo + width` of `a`.
    pub fn extract(&mut self, a: TermId, lo: u8, width: u8) -> TermId {
        debug_assert!(lo + width <= self.width(a), "an extract stays within its operand");
        if let Some(bits) = self.as_const(a) {
            return self.constant(width, bits >> lo);
        }
        self.rewrite_extract(a, lo, width)
    }

    /// `hi` above `lo`.
    pub fn concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        let (high, low) = (self.width(hi), self.width(lo));
        debug_assert!(high + low <= 64, "a term has at most 64 bits");
        if let (Some(x), Some(y)) = (self.as_const(hi), self.as_const(lo)) {
            return self.constant(high + low, x << low | y);
        }
        self.rewrite_concat(hi, lo)
    }

    /// `then` where `cond` holds, else `els`.
    pub fn ite(&mut self, cond: TermId, then: TermId, els: TermId, site: u32) -> TermId {
        debug_assert_eq!(self.width(then), self.width(els), "both sides have one width");
        match self.as_const(cond) {
            Some(1) => then,
            Some(_) => els,
            None => self.rewrite_ite(cond, then, els, site),
        }
    }

    /// Conjunction; true if empty.
    pub fn and_all(&mut self, list: &[TermId]) -> TermId {
        list.iter().fold(self.tt, |all, &t| self.bin(BinOp::And, all, t))
    }

    /// Disjunction; false if empty.
    pub fn or_all(&mut self, list: &[TermId]) -> TermId {
        list.iter().fold(self.ff, |any, &t| self.bin(BinOp::Or, any, t))
    }
}
