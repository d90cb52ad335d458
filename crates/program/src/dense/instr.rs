//! A dense instruction, its operators, and the dense form of single instructions.

use crate::code::Instr;
use crate::ids::Slot;
use crate::{for_each_dense_pair, for_each_op};

/// One instruction in sixteen bytes. `op` says what the fields mean; the numbered ones belong to the second part of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dense {
    pub op: Op,
    pub d: u8,
    pub a: u8,
    pub b: u8,
    pub d2: u8,
    pub a2: u8,
    pub b2: u8,
    pub imm: u32,
    pub imm2: u32,
}

macro_rules! define_op {
    (
        [$($pair:ident $first:ident $second:ident;)*] [$($chain:ident $one:ident $two:ident;)*]
        bin { $($bin:ident $bini:ident $bo:ident $bw:literal;)* }
        fbin { $($fbin:ident $fbo:ident $fbw:literal;)* }
        cmp { $($cmp:ident $cmpi:ident $br:ident $bri:ident $co:ident $cw:literal $cn:literal;)* }
        fcmp { $($fcmp:ident $fco:ident $fcw:literal $fcn:literal;)* }
        div { $($div:ident $do:ident $dw:literal;)* }
        un { $($un:ident $uo:ident $uw:literal;)* }
        conv { $($conv:ident $vo:ident $vf:literal $vt:literal;)* }
        trunc { $($trunc:ident $to:ident $tf:literal $tt:literal;)* }
    ) => {
        /// What a dense instruction does: names of flat instructions mean the same, and pairs are in `pairs.rs`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[rustfmt::skip]
        pub enum Op {
            $($bin, $bini,)* $($fbin,)* $($cmp, $cmpi, $br, $bri,)* $($fcmp,)* $($div,)* $($un,)* $($conv,)*
            $($pair,)* $($chain,)*
            /// `d = a`, `d2 = a2` and `b2 = b`, one after the other.
            Copy3,
            /// `d = a << b`, `d += imm`, then 32 bits at `d + imm2` go to `d2`.
            LoadElement32,
            /// `b2 = a2`, then [`Op::LoadElement32`].
            CopyLoadElement32,
            /// `d = a << b`, `d += imm`, then `b2` goes to the 32 bits at `d + imm2`.
            StoreElement32,
            /// `d = a`, `d2 = a2`, then a branch to `imm2` where `b` is `imm`, which costs `b2`.
            CopyCopyEqI,
            /// `d = a >> b`, `d &= imm`, `d2 = d ^ a2`, `b2 = d2 * imm2`: a byte that goes into a hash.
            ShrUAndIXorMulI,
            /// `d = a + imm`, and a jump that costs `d2` back to `imm2`, where a `BrI32LtSImm` is: the end of a loop.
            AddIBrLtSI,
            Copy,
            /// The number is in `imm`, its upper half in `imm2`.
            Const,
            /// Sign-extends the low `b` bits within `b2`.
            SignExtend,
            /// `d = a != 0 ? d : b`.
            Select,
            /// To 32 or 64 bits, which for unsigned ones is the same.
            Load8U, Load16U, Load32U, Load64,
            /// Within `b` bits.
            Load8S, Load16S, Load32S,
            Store8, Store16, Store32, Store64,
            Charge,
            /// The cost is in `d`, as with all branches; the target in `imm`, or in `imm2` where that is a number to compare with.
            Br,
            /// Register `a` is the index of a target from `imm` on, of which there are `imm2`.
            BrTable,
            /// Has no dense form.
            Other,
        }

        impl Dense {
            /// The dense form of one instruction. Its registers are known to be few enough.
            pub(super) fn of(instr: Instr) -> Dense {
                match instr {
                    $(Instr::$bin { d, a, b } => three(Op::$bin, d, a, b),
                      Instr::$bini { d, a, imm } => with_imm(Op::$bini, d, a, imm as u32),)*
                    $(Instr::$fbin { d, a, b } => three(Op::$fbin, d, a, b),)*
                    $(Instr::$cmp { d, a, b } => three(Op::$cmp, d, a, b),
                      Instr::$cmpi { d, a, imm } => with_imm(Op::$cmpi, d, a, imm as u32),
                      Instr::$br { cost, a, b, target } => costing(cost, Dense { imm: target, ..three(Op::$br, 0, a, b) }),
                      Instr::$bri { cost, a, imm, target } => {
                          costing(cost, Dense { imm2: target, ..with_imm(Op::$bri, 0, a, imm as u32) })
                      })*
                    $(Instr::$fcmp { d, a, b } => three(Op::$fcmp, d, a, b),)*
                    $(Instr::$div { d, a, b } => three(Op::$div, d, a, b),)*
                    $(Instr::$un { d, a } => three(Op::$un, d, a, 0),)*
                    $(Instr::$conv { d, a } => three(Op::$conv, d, a, 0),)*
                    other => Dense::of_other(other),
                }
            }
        }
    };
}

for_each_dense_pair!(for_each_op define_op);

fn three(op: Op, d: Slot, a: Slot, b: Slot) -> Dense {
    Dense { op, d: d as u8, a: a as u8, b: b as u8, ..Dense::OTHER }
}

fn with_imm(op: Op, d: Slot, a: Slot, imm: u32) -> Dense {
    Dense { imm, ..three(op, d, a, 0) }
}

/// With a cost that fits into a byte.
fn costing(cost: u16, instr: Dense) -> Dense {
    match u8::try_from(cost) {
        Ok(d) => Dense { d, ..instr },
        Err(_) => Dense::OTHER,
    }
}

impl Dense {
    pub(super) const OTHER: Dense = Dense { op: Op::Other, d: 0, a: 0, b: 0, d2: 0, a2: 0, b2: 0, imm: 0, imm2: 0 };

    fn of_other(instr: Instr) -> Dense {
        match instr {
            Instr::Copy { d, a } => three(Op::Copy, d, a, 0),
            Instr::Const { d, bits } => Dense { imm2: (bits >> 32) as u32, ..with_imm(Op::Const, d, 0, bits as u32) },
            Instr::SignExtend { from, width, d, a } => Dense { b: from, b2: width, ..three(Op::SignExtend, d, a, 0) },
            Instr::Select { d, b, cond, .. } => three(Op::Select, d, cond, b),
            Instr::Load8U { d, addr, offset, .. } => with_imm(Op::Load8U, d, addr, offset),
            Instr::Load16U { d, addr, offset, .. } => with_imm(Op::Load16U, d, addr, offset),
            Instr::Load32U { d, addr, offset, .. } => with_imm(Op::Load32U, d, addr, offset),
            Instr::Load64 { d, addr, offset } => with_imm(Op::Load64, d, addr, offset),
            Instr::Load8S { width, d, addr, offset } => Dense { b: width, ..with_imm(Op::Load8S, d, addr, offset) },
            Instr::Load16S { width, d, addr, offset } => Dense { b: width, ..with_imm(Op::Load16S, d, addr, offset) },
            Instr::Load32S { width, d, addr, offset } => Dense { b: width, ..with_imm(Op::Load32S, d, addr, offset) },
            Instr::Store8 { addr, value, offset } => Dense { imm: offset, ..three(Op::Store8, 0, addr, value) },
            Instr::Store16 { addr, value, offset } => Dense { imm: offset, ..three(Op::Store16, 0, addr, value) },
            Instr::Store32 { addr, value, offset } => Dense { imm: offset, ..three(Op::Store32, 0, addr, value) },
            Instr::Store64 { addr, value, offset } => Dense { imm: offset, ..three(Op::Store64, 0, addr, value) },
            Instr::Charge { cost } => with_imm(Op::Charge, 0, 0, cost),
            Instr::Br { cost, target } => costing(cost, with_imm(Op::Br, 0, 0, target)),
            // A flag that is not zero.
            Instr::BrIf { cost, cond, target } => {
                costing(cost, Dense { imm2: target, ..with_imm(Op::BrI32NeImm, 0, cond, 0) })
            }
            Instr::BrIfZ { cost, cond, target } => {
                costing(cost, Dense { imm2: target, ..with_imm(Op::BrI32EqImm, 0, cond, 0) })
            }
            Instr::BrTable { cost, index, first, len } => {
                costing(cost, Dense { imm2: len, ..with_imm(Op::BrTable, 0, index, first) })
            }
            _ => Dense::OTHER,
        }
    }
}
