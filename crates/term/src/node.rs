//! The shape of one term: its operator and children.

use crate::ids::{InputId, TermId};

/// Two operands of width w to a result of width w (floats: w is 32 or 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    /// By zero: all ones, as in SMT-LIB.
    UDiv,
    /// By zero: 1 for negative dividends, else all ones. The least value by -1 wraps.
    SDiv,
    /// By zero: the dividend.
    URem,
    /// By zero: the dividend. Takes the sign of the dividend.
    SRem,
    And,
    Or,
    Xor,
    /// Shifts and rotations take their amount modulo the width.
    Shl,
    LShr,
    AShr,
    RotL,
    RotR,
    /// Float results that are NaN are always the canonical NaN.
    FAdd,
    FSub,
    FMul,
    FDiv,
    FMin,
    FMax,
}

/// Two operands of width w to a boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CmpOp {
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
    FEq,
    FLt,
    FLe,
}

/// One operand of width w to a result of width w.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    Not,
    Clz,
    Ctz,
    Popcnt,
    FSqrt,
    FCeil,
    FFloor,
    FTrunc,
    FNearest,
}

/// One operand of width w to a result of another width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvOp {
    ZExt,
    SExt,
    /// The low bits. In an arena this is always an [`Node::Extract`] from bit 0.
    Trunc,
    FPromote,
    FDemote,
    FFromS,
    FFromU,
    /// Saturates; NaN gives 0.
    FToS,
    FToU,
}

impl BinOp {
    /// Whether `a op b` equals `b op a` for all values.
    #[inline(always)]
    pub fn is_commutative(self) -> bool {
        use BinOp::{Add, And, FAdd, FMax, FMin, FMul, Mul, Or, Xor};
        matches!(self, Add | Mul | And | Or | Xor | FAdd | FMul | FMin | FMax)
    }
}

impl CmpOp {
    /// Whether the operands are read as floats.
    #[inline(always)]
    pub fn is_float(self) -> bool {
        matches!(self, CmpOp::FEq | CmpOp::FLt | CmpOp::FLe)
    }
}

/// `a op b`, or its opposite, before anybody needs it as a term ([`Terms::comparison`](crate::Terms::comparison)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub op: CmpOp,
    pub a: TermId,
    pub b: TermId,
    pub negated: bool,
}

impl Comparison {
    /// The one that holds where this one does not.
    #[inline]
    pub fn opposite(self) -> Comparison {
        Comparison { negated: !self.negated, ..self }
    }

    /// The opposite of an order of integers is an order: the same without a negation, where there is one.
    #[inline]
    pub fn straight(self) -> Comparison {
        let Comparison { op, a, b, negated } = self;
        let turned = match op {
            CmpOp::Slt => CmpOp::Sle,
            CmpOp::Sle => CmpOp::Slt,
            CmpOp::Ult => CmpOp::Ule,
            CmpOp::Ule => CmpOp::Ult,
            _ => return self,
        };
        if negated { Comparison { op: turned, a: b, b: a, negated: false } } else { self }
    }
}

/// A condition: a term, or a comparison that nobody needed as a term yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Term(TermId),
    Compares(Comparison),
}

impl From<TermId> for Condition {
    fn from(term: TermId) -> Condition {
        Condition::Term(term)
    }
}

/// One term. Children are ids of the same arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Const {
        width: u8,
        bits: u64,
    },
    Var {
        input: InputId,
        width: u8,
    },
    Un {
        op: UnOp,
        width: u8,
        a: TermId,
    },
    Bin {
        op: BinOp,
        width: u8,
        a: TermId,
        b: TermId,
    },
    Cmp {
        op: CmpOp,
        a: TermId,
        b: TermId,
    },
    /// `width` is that of the result.
    Conv {
        op: ConvOp,
        width: u8,
        a: TermId,
    },
    /// Bits `lo .. lo + width` of `a`.
    Extract {
        width: u8,
        lo: u8,
        a: TermId,
    },
    /// `a` holds the high bits, `b` the low ones.
    Concat {
        a: TermId,
        b: TermId,
    },
    /// `site` is the program site that computed the choice (0: none); it is part of the identity.
    Ite {
        cond: TermId,
        then: TermId,
        els: TermId,
        site: u32,
    },
}

impl Node {
    /// The children in order, left to right.
    #[inline]
    pub fn children(&self) -> impl Iterator<Item = TermId> + use<> {
        let list = match *self {
            Node::Const { .. } | Node::Var { .. } => [None; 3],
            Node::Un { a, .. } | Node::Conv { a, .. } | Node::Extract { a, .. } => [Some(a), None, None],
            Node::Bin { a, b, .. } | Node::Cmp { a, b, .. } | Node::Concat { a, b } => [Some(a), Some(b), None],
            Node::Ite { cond, then, els, .. } => [Some(cond), Some(then), Some(els)],
        };
        list.into_iter().flatten()
    }
}
