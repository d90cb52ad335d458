//! The flat register code functions are translated to, and the table of its arithmetic.
//!
//! Each instruction is 16 bytes. Registers are slots of the frame: locals first, then the operand stack, so
//! that `local.get` and `const` usually cost nothing. Cost is counted in original WebAssembly instructions:
//! control instructions carry the cost of the straight-line code that leads up to them.

use crate::cost_table::CostTable;
use crate::ids::Slot;
use crate::vector::VectorOp;

/// Calls `$callback! { $($extra)* … }` with the table of all arithmetic instructions, by family:
/// `bin` (with an immediate form; operator, width), `fbin`, `cmp` (value, immediate, branch and immediate
/// branch forms; operator, width, negated), `fcmp`, `div` (can trap), `un`, `conv` (from, to), `trunc` (can trap).
/// The operator names are those of the `term` crate, which holds their meaning.
#[macro_export]
macro_rules! for_each_op {
    ($callback:ident $($extra:tt)*) => {
        $callback! { $($extra)*
            bin {
                I32Add I32AddImm Add 32;
                I32Sub I32SubImm Sub 32;
                I32Mul I32MulImm Mul 32;
                I32And I32AndImm And 32;
                I32Or I32OrImm Or 32;
                I32Xor I32XorImm Xor 32;
                I32Shl I32ShlImm Shl 32;
                I32ShrS I32ShrSImm AShr 32;
                I32ShrU I32ShrUImm LShr 32;
                I32Rotl I32RotlImm RotL 32;
                I32Rotr I32RotrImm RotR 32;
                I64Add I64AddImm Add 64;
                I64Sub I64SubImm Sub 64;
                I64Mul I64MulImm Mul 64;
                I64And I64AndImm And 64;
                I64Or I64OrImm Or 64;
                I64Xor I64XorImm Xor 64;
                I64Shl I64ShlImm Shl 64;
                I64ShrS I64ShrSImm AShr 64;
                I64ShrU I64ShrUImm LShr 64;
                I64Rotl I64RotlImm RotL 64;
                I64Rotr I64RotrImm RotR 64;
            }
            fbin {
                F32Add FAdd 32;
                F32Sub FSub 32;
                F32Mul FMul 32;
                F32Div FDiv 32;
                F32Min FMin 32;
                F32Max FMax 32;
                F64Add FAdd 64;
                F64Sub FSub 64;
                F64Mul FMul 64;
                F64Div FDiv 64;
                F64Min FMin 64;
                F64Max FMax 64;
            }
            cmp {
                I32Eq I32EqImm BrI32Eq BrI32EqImm Eq 32 false;
                I32Ne I32NeImm BrI32Ne BrI32NeImm Eq 32 true;
                I32LtS I32LtSImm BrI32LtS BrI32LtSImm Slt 32 false;
                I32GeS I32GeSImm BrI32GeS BrI32GeSImm Slt 32 true;
                I32LtU I32LtUImm BrI32LtU BrI32LtUImm Ult 32 false;
                I32GeU I32GeUImm BrI32GeU BrI32GeUImm Ult 32 true;
                I32LeS I32LeSImm BrI32LeS BrI32LeSImm Sle 32 false;
                I32GtS I32GtSImm BrI32GtS BrI32GtSImm Sle 32 true;
                I32LeU I32LeUImm BrI32LeU BrI32LeUImm Ule 32 false;
                I32GtU I32GtUImm BrI32GtU BrI32GtUImm Ule 32 true;
                I64Eq I64EqImm BrI64Eq BrI64EqImm Eq 64 false;
                I64Ne I64NeImm BrI64Ne BrI64NeImm Eq 64 true;
                I64LtS I64LtSImm BrI64LtS BrI64LtSImm Slt 64 false;
                I64GeS I64GeSImm BrI64GeS BrI64GeSImm Slt 64 true;
                I64LtU I64LtUImm BrI64LtU BrI64LtUImm Ult 64 false;
                I64GeU I64GeUImm BrI64GeU BrI64GeUImm Ult 64 true;
                I64LeS I64LeSImm BrI64LeS BrI64LeSImm Sle 64 false;
                I64GtS I64GtSImm BrI64GtS BrI64GtSImm Sle 64 true;
                I64LeU I64LeUImm BrI64LeU BrI64LeUImm Ule 64 false;
                I64GtU I64GtUImm BrI64GtU BrI64GtUImm Ule 64 true;
            }
            fcmp {
                F32Eq FEq 32 false;
                F32Ne FEq 32 true;
                F32Lt FLt 32 false;
                F32Le FLe 32 false;
                F64Eq FEq 64 false;
                F64Ne FEq 64 true;
                F64Lt FLt 64 false;
                F64Le FLe 64 false;
            }
            div {
                I32DivS SDiv 32;
                I32DivU UDiv 32;
                I32RemS SRem 32;
                I32RemU URem 32;
                I64DivS SDiv 64;
                I64DivU UDiv 64;
                I64RemS SRem 64;
                I64RemU URem 64;
            }
            un {
                I32Clz Clz 32;
                I32Ctz Ctz 32;
                I32Popcnt Popcnt 32;
                I64Clz Clz 64;
                I64Ctz Ctz 64;
                I64Popcnt Popcnt 64;
                F32Sqrt FSqrt 32;
                F32Ceil FCeil 32;
                F32Floor FFloor 32;
                F32Trunc FTrunc 32;
                F32Nearest FNearest 32;
                F64Sqrt FSqrt 64;
                F64Ceil FCeil 64;
                F64Floor FFloor 64;
                F64Trunc FTrunc 64;
                F64Nearest FNearest 64;
            }
            conv {
                I32WrapI64 Trunc 64 32;
                I64ExtendI32S SExt 32 64;
                I64ExtendI32U ZExt 32 64;
                F32DemoteF64 FDemote 64 32;
                F64PromoteF32 FPromote 32 64;
                F32ConvertI32S FFromS 32 32;
                F32ConvertI32U FFromU 32 32;
                F32ConvertI64S FFromS 64 32;
                F32ConvertI64U FFromU 64 32;
                F64ConvertI32S FFromS 32 64;
                F64ConvertI32U FFromU 32 64;
                F64ConvertI64S FFromS 64 64;
                F64ConvertI64U FFromU 64 64;
                I32TruncSatF32S FToS 32 32;
                I32TruncSatF32U FToU 32 32;
                I32TruncSatF64S FToS 64 32;
                I32TruncSatF64U FToU 64 32;
                I64TruncSatF32S FToS 32 64;
                I64TruncSatF32U FToU 32 64;
                I64TruncSatF64S FToS 64 64;
                I64TruncSatF64U FToU 64 64;
            }
            trunc {
                I32TruncF32S FToS 32 32;
                I32TruncF32U FToU 32 32;
                I32TruncF64S FToS 64 32;
                I32TruncF64U FToU 64 32;
                I64TruncF32S FToS 32 64;
                I64TruncF32U FToU 32 64;
                I64TruncF64S FToS 64 64;
                I64TruncF64U FToU 64 64;
            }
        }
    };
}

macro_rules! define_instr {
    (
        bin { $($bin:ident $bini:ident $bo:ident $bw:literal;)* }
        fbin { $($fbin:ident $fbo:ident $fbw:literal;)* }
        cmp { $($cmp:ident $cmpi:ident $br:ident $bri:ident $co:ident $cw:literal $cn:literal;)* }
        fcmp { $($fcmp:ident $fco:ident $fcw:literal $fcn:literal;)* }
        div { $($div:ident $do:ident $dw:literal;)* }
        un { $($un:ident $uo:ident $uw:literal;)* }
        conv { $($conv:ident $vo:ident $vf:literal $vt:literal;)* }
        trunc { $($trunc:ident $to:ident $tf:literal $tt:literal;)* }
    ) => {
        /// One instruction. `d` is the destination, `a` and `b` operands, `cost` what is charged on executing it.
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[rustfmt::skip]
        pub enum Instr {
            $($bin { d: Slot, a: Slot, b: Slot }, $bini { d: Slot, a: Slot, imm: i32 },)*
            $($fbin { d: Slot, a: Slot, b: Slot },)*
            $($cmp { d: Slot, a: Slot, b: Slot }, $cmpi { d: Slot, a: Slot, imm: i32 },
              $br { cost: u16, a: Slot, b: Slot, target: u32 }, $bri { cost: u16, a: Slot, imm: i32, target: u32 },)*
            $($fcmp { d: Slot, a: Slot, b: Slot },)*
            $($div { d: Slot, a: Slot, b: Slot },)*
            $($un { d: Slot, a: Slot },)*
            $($conv { d: Slot, a: Slot },)*
            $($trunc { d: Slot, a: Slot },)*
            F32Neg { d: Slot, a: Slot }, F64Neg { d: Slot, a: Slot },
            F32Abs { d: Slot, a: Slot }, F64Abs { d: Slot, a: Slot },
            F32Copysign { d: Slot, a: Slot, b: Slot }, F64Copysign { d: Slot, a: Slot, b: Slot },
            /// Sign-extends the low `from` bits within `width`.
            SignExtend { from: u8, width: u8, d: Slot, a: Slot },
            Copy { d: Slot, a: Slot },
            Const { d: Slot, bits: u64 },
            /// `d = cond != 0 ? d : b`; width 0 stands for references, which are never symbolic.
            Select { width: u8, d: Slot, b: Slot, cond: Slot },
            /// `select` of two vectors. Operands from `at`: both vectors and the condition; the result goes to `at`.
            SelectVector { at: Slot },
            /// Operands in consecutive slots from `at`, as many as `op` reads; results go to the first of them.
            Vector { op: VectorOp, at: Slot },
            /// Loads `bytes` bytes and zero-extends them to `width`.
            Load8U { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load8S { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load16U { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load16S { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load32U { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load32S { width: u8, d: Slot, addr: Slot, offset: u32 },
            Load64 { d: Slot, addr: Slot, offset: u32 },
            Store8 { addr: Slot, value: Slot, offset: u32 },
            Store16 { addr: Slot, value: Slot, offset: u32 },
            Store32 { addr: Slot, value: Slot, offset: u32 },
            Store64 { addr: Slot, value: Slot, offset: u32 },
            GlobalGet { d: Slot, global: u32 },
            GlobalSet { a: Slot, global: u32 },
            MemorySize { d: Slot },
            MemoryGrow { d: Slot, a: Slot },
            /// Operands in three consecutive slots from `at`: destination, source, length.
            MemoryCopy { at: Slot },
            /// Operands from `at`: destination, byte, length.
            MemoryFill { at: Slot },
            MemoryInit { at: Slot, segment: u32 },
            DataDrop { segment: u32 },
            TableGet { d: Slot, a: Slot, table: u32 },
            TableSet { table: u32, index: Slot, value: Slot },
            TableSize { d: Slot, table: u32 },
            /// Operands from `at`: initial value, delta; the result goes to `at`.
            TableGrow { at: Slot, table: u32 },
            TableFill { at: Slot, table: u32 },
            TableCopy { at: Slot, to: u32, from: u32 },
            TableInit { at: Slot, table: u32, segment: u32 },
            ElemDrop { segment: u32 },
            RefFunc { d: Slot, func: u32 },
            RefIsNull { d: Slot, a: Slot },
            /// Adds to the cost, where straight-line code runs into a join.
            Charge { cost: u32 },
            /// Counts an execution of a source line (only where one was asked for).
            Probe { id: u32 },
            Br { cost: u16, target: u32 },
            BrIf { cost: u16, cond: Slot, target: u32 },
            BrIfZ { cost: u16, cond: Slot, target: u32 },
            /// Jumps to `targets[first + min(index, len - 1)]`.
            BrTable { cost: u16, index: Slot, first: u32, len: u32 },
            /// Arguments are in consecutive slots from `at`, which become the callee's first locals; results come back there.
            Call { cost: u16, func: u32, at: Slot },
            CallImport { cost: u16, func: u32, at: Slot },
            /// `signature` packs the type (low 20 bits) and the table (high 12).
            CallIndirect { cost: u16, signature: u32, index: Slot, at: Slot },
            /// The arguments were moved to the first slots of the frame.
            ReturnCall { cost: u16, func: u32 },
            ReturnCallImport { cost: u16, func: u32, at: Slot },
            ReturnCallIndirect { cost: u16, signature: u32, index: Slot, at: Slot },
            /// Results are in the first slots of the frame.
            Return { cost: u16 },
            Return1 { cost: u16, a: Slot },
            Unreachable { cost: u16 },
        }

        impl Instr {
            /// The register written by a plain instruction, so that a following `local.set` can be folded into it.
            pub(crate) fn destination(&mut self) -> Option<&mut Slot> {
                match self {
                    $(Instr::$bin { d, .. } | Instr::$bini { d, .. } => Some(d),)*
                    $(Instr::$fbin { d, .. } => Some(d),)*
                    $(Instr::$cmp { d, .. } | Instr::$cmpi { d, .. } => Some(d),)*
                    $(Instr::$fcmp { d, .. } => Some(d),)*
                    $(Instr::$div { d, .. } => Some(d),)*
                    $(Instr::$un { d, .. } => Some(d),)*
                    $(Instr::$conv { d, .. } => Some(d),)*
                    $(Instr::$trunc { d, .. } => Some(d),)*
                    Instr::F32Neg { d, .. } | Instr::F64Neg { d, .. } | Instr::F32Abs { d, .. } | Instr::F64Abs { d, .. }
                    | Instr::F32Copysign { d, .. } | Instr::F64Copysign { d, .. } | Instr::SignExtend { d, .. }
                    | Instr::Copy { d, .. } | Instr::Const { d, .. }
                    | Instr::Load8U { d, .. } | Instr::Load8S { d, .. } | Instr::Load16U { d, .. } | Instr::Load16S { d, .. }
                    | Instr::Load32U { d, .. } | Instr::Load32S { d, .. } | Instr::Load64 { d, .. }
                    | Instr::GlobalGet { d, .. } | Instr::MemorySize { d } => Some(d),
                    _ => None,
                }
            }

            /// A comparison into `temp` followed by a branch on it, as one branch; `when` is the outcome that jumps.
            pub(crate) fn fuse_branch(self, temp: Slot, cost: u16, target: u32, when: bool) -> Option<Instr> {
                let positive = match self {
                    $(Instr::$cmp { d, a, b } if d == temp => Instr::$br { cost, a, b, target },
                      Instr::$cmpi { d, a, imm } if d == temp => Instr::$bri { cost, a, imm, target },)*
                    _ => return None,
                };
                Some(if when { positive } else { positive.negate_branch() })
            }

            /// The immediate form of a two-operand integer instruction.
            pub(crate) fn with_immediate(self, imm: i32) -> Option<Instr> {
                match self {
                    $(Instr::$bin { d, a, .. } => Some(Instr::$bini { d, a, imm }),)*
                    $(Instr::$cmp { d, a, .. } => Some(Instr::$cmpi { d, a, imm }),)*
                    _ => None,
                }
            }

            /// This fused branch with another cost.
            pub(crate) fn with_cost(mut self, new: u16) -> Instr {
                match &mut self {
                    $(Instr::$br { cost, .. } | Instr::$bri { cost, .. } => *cost = new,)*
                    _ => {}
                }
                self
            }

            /// The constant that a branch compares with, if it is one that compares.
            pub fn compared_with(&self) -> Option<i32> {
                match self {
                    $(Instr::$bri { imm, .. } => Some(*imm),)*
                    _ => None,
                }
            }

            /// Where a branch jumps to, for patching.
            pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $(Instr::$br { target, .. } | Instr::$bri { target, .. } => Some(target),)*
                    Instr::Br { target, .. } | Instr::BrIf { target, .. } | Instr::BrIfZ { target, .. } => Some(target),
                    _ => None,
                }
            }
        }
    };
}

for_each_op!(define_instr);

macro_rules! complements {
    ($($x:ident $xi:ident $y:ident $yi:ident, $vx:ident $vxi:ident $vy:ident $vyi:ident;)*) => {
        impl Instr {
            /// The opposite of a comparison into `temp`.
            pub(crate) fn negate_comparison(self, temp: Slot) -> Option<Instr> {
                match self {
                    $(Instr::$vx { d, a, b } if d == temp => Some(Instr::$vy { d, a, b }),
                      Instr::$vy { d, a, b } if d == temp => Some(Instr::$vx { d, a, b }),
                      Instr::$vxi { d, a, imm } if d == temp => Some(Instr::$vyi { d, a, imm }),
                      Instr::$vyi { d, a, imm } if d == temp => Some(Instr::$vxi { d, a, imm }),)*
                    _ => None,
                }
            }

            /// This branch on the opposite outcome.
            fn negate_branch(self) -> Instr {
                match self {
                    $(Instr::$x { cost, a, b, target } => Instr::$y { cost, a, b, target },
                      Instr::$y { cost, a, b, target } => Instr::$x { cost, a, b, target },
                      Instr::$xi { cost, a, imm, target } => Instr::$yi { cost, a, imm, target },
                      Instr::$yi { cost, a, imm, target } => Instr::$xi { cost, a, imm, target },)*
                    other => other,
                }
            }
        }
    };
}

complements! {
    BrI32Eq BrI32EqImm BrI32Ne BrI32NeImm, I32Eq I32EqImm I32Ne I32NeImm;
    BrI32LtS BrI32LtSImm BrI32GeS BrI32GeSImm, I32LtS I32LtSImm I32GeS I32GeSImm;
    BrI32LtU BrI32LtUImm BrI32GeU BrI32GeUImm, I32LtU I32LtUImm I32GeU I32GeUImm;
    BrI32LeS BrI32LeSImm BrI32GtS BrI32GtSImm, I32LeS I32LeSImm I32GtS I32GtSImm;
    BrI32LeU BrI32LeUImm BrI32GtU BrI32GtUImm, I32LeU I32LeUImm I32GtU I32GtUImm;
    BrI64Eq BrI64EqImm BrI64Ne BrI64NeImm, I64Eq I64EqImm I64Ne I64NeImm;
    BrI64LtS BrI64LtSImm BrI64GeS BrI64GeSImm, I64LtS I64LtSImm I64GeS I64GeSImm;
    BrI64LtU BrI64LtUImm BrI64GeU BrI64GeUImm, I64LtU I64LtUImm I64GeU I64GeUImm;
    BrI64LeS BrI64LeSImm BrI64GtS BrI64GtSImm, I64LeS I64LeSImm I64GtS I64GtSImm;
    BrI64LeU BrI64LeUImm BrI64GtU BrI64GtUImm, I64LeU I64LeUImm I64GtU I64GtUImm;
}

#[cfg(test)]
mod tests {
    use super::Instr;

    #[test]
    fn an_instruction_is_sixteen_bytes() {
        assert_eq!(std::mem::size_of::<Instr>(), 16);
    }
}

/// What is counted in a program: what its operators cost, and source lines, as code offsets at which `Instr::Probe` is put.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// Sorted code offsets; the position in the list is the probe's number.
    pub offsets: Vec<u32>,
    pub costs: CostTable,
}
