//! Vector instructions (SIMD). A vector is two registers, its low and its high 64 bits, one after the other.
//!
//! All operands of an instruction lie in consecutive registers, and its results replace the first of them.

/// What is done with two lanes of a width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneBinary {
    Add,
    Sub,
    Mul,
    MinS,
    MinU,
    MaxS,
    MaxU,
    /// The mean, rounded up.
    AvgrU,
    AddSatS,
    AddSatU,
    SubSatS,
    SubSatU,
    /// The product of two numbers in Q15 format, rounded.
    Q15MulrSatS,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FMin,
    FMax,
    /// `b < a ? b : a`
    PMin,
    /// `a < b ? b : a`
    PMax,
}

/// What is done with one lane of a width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneUnary {
    Abs,
    Neg,
    Popcnt,
    FAbs,
    FNeg,
    FSqrt,
    FCeil,
    FFloor,
    FTrunc,
    FNearest,
}

/// How two lanes are compared. The others are these with operands exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneCompare {
    Eq,
    Ne,
    LtS,
    LtU,
    GtS,
    GtU,
    LeS,
    LeU,
    GeS,
    GeU,
    FEq,
    FNe,
    FLt,
    FGt,
    FLe,
    FGe,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneShift {
    Left,
    RightS,
    RightU,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bitwise {
    And,
    AndNot,
    Or,
    Xor,
}

/// Between integers and floats, and between floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneConversion {
    /// Four floats to integers, saturating.
    TruncSatF32 {
        signed: bool,
    },
    /// Two doubles to integers; the upper lanes become zero.
    TruncSatF64 {
        signed: bool,
    },
    F32FromI32 {
        signed: bool,
    },
    /// The lower two integers.
    F64FromLowI32 {
        signed: bool,
    },
    /// Two doubles to floats; the upper lanes become zero.
    Demote,
    /// The lower two floats.
    Promote,
}

/// A vector instruction. Widths are those of lanes, in bits; `from` is the width of the lanes that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VectorOp {
    Bits(Bitwise),
    Not,
    /// Operands: two vectors, and the one whose bits choose among theirs.
    Bitselect,
    AnyTrue,
    AllTrue(u8),
    Bitmask(u8),
    Splat(u8),
    Extract {
        width: u8,
        index: u8,
        signed: bool,
    },
    Replace {
        width: u8,
        index: u8,
    },
    Binary(LaneBinary, u8),
    Unary(LaneUnary, u8),
    Compare(LaneCompare, u8),
    /// Operands: a vector, and by how much all of its lanes are shifted.
    Shift(LaneShift, u8),
    Narrow {
        from: u8,
        signed: bool,
    },
    Extend {
        from: u8,
        signed: bool,
        high: bool,
    },
    /// Products of extended lanes.
    ExtMul {
        from: u8,
        signed: bool,
        high: bool,
    },
    /// Sums of extended neighbours.
    ExtAddPairwise {
        from: u8,
        signed: bool,
    },
    /// Sums of the products of neighbours.
    Dot,
    Convert(LaneConversion),
    /// Operands: two vectors, and the one that says which of their bytes to take; it is always known.
    Shuffle,
    /// Operands: a vector, and the one that says which of its bytes to take.
    Swizzle,
}

impl VectorOp {
    /// How many registers are read.
    pub fn reads(self) -> u32 {
        match self {
            VectorOp::Splat(_)
            | VectorOp::Extend { high: false, .. }
            | VectorOp::Convert(LaneConversion::F64FromLowI32 { .. } | LaneConversion::Promote) => 1,
            VectorOp::Not
            | VectorOp::AnyTrue
            | VectorOp::AllTrue(_)
            | VectorOp::Bitmask(_)
            | VectorOp::Extract { .. }
            | VectorOp::Unary(..)
            | VectorOp::Extend { .. }
            | VectorOp::ExtAddPairwise { .. }
            | VectorOp::Convert(_) => 2,
            VectorOp::Replace { .. } | VectorOp::Shift(..) => 3,
            VectorOp::Bits(_)
            | VectorOp::Binary(..)
            | VectorOp::Compare(..)
            | VectorOp::Narrow { .. }
            | VectorOp::ExtMul { .. }
            | VectorOp::Dot
            | VectorOp::Swizzle => 4,
            VectorOp::Bitselect | VectorOp::Shuffle => 6,
        }
    }

    /// How many registers are written.
    pub fn writes(self) -> u32 {
        match self {
            VectorOp::AnyTrue | VectorOp::AllTrue(_) | VectorOp::Bitmask(_) | VectorOp::Extract { .. } => 1,
            _ => 2,
        }
    }
}
