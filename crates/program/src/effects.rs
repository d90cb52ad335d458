//! Which registers an instruction reads and writes, and whether what it reads only serves what it writes.

use crate::code::Instr;
use crate::for_each_op;
use crate::ids::Slot;

/// What an instruction does with registers, as far as data flow is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Computes one register from others, and nothing else can come of it.
    Computes {
        d: Slot,
        from: [Option<Slot>; 2],
    },
    /// Computes the first `writes` registers from here of the first `reads`, and nothing else can come of it.
    ComputesRange {
        at: Slot,
        reads: u32,
        writes: u32,
    },
    /// Reads memory at an address into a register.
    Loads {
        d: Slot,
        addr: Slot,
    },
    Stores {
        addr: Slot,
        value: Slot,
    },
    ReadsGlobal {
        d: Slot,
        global: u32,
    },
    WritesGlobal {
        a: Slot,
        global: u32,
    },
    /// These registers decide what happens next: which way it goes, whether it traps, what it costs. `d` is then written.
    Decides {
        on: [Option<Slot>; 3],
        d: Option<Slot>,
    },
    /// Copies memory; the operands are in three registers from here.
    CopiesMemory {
        at: Slot,
    },
    /// Fills memory with a byte; the operands are in three registers from here: where, the byte, how many.
    FillsMemory {
        at: Slot,
    },
    /// So many registers from here decide what happens next.
    DecidesOnRange {
        at: Slot,
        count: u32,
    },
    /// Moves registers in a way that is not described here.
    Opaque,
}

/// What keeps the result of an instruction from being greater than some number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// It never is.
    Always,
    /// It is not if this register is not greater than that.
    If(Slot, u64),
    /// That takes all that it is computed from.
    Unclear,
}

const fn computes(d: Slot, a: Slot) -> Effect {
    Effect::Computes { d, from: [Some(a), None] }
}

const fn computes2(d: Slot, a: Slot, b: Slot) -> Effect {
    Effect::Computes { d, from: [Some(a), Some(b)] }
}

const fn decides(on: [Option<Slot>; 3], d: Option<Slot>) -> Effect {
    Effect::Decides { on, d }
}

/// Nothing is read, and nothing but perhaps a register is written.
const fn sets(d: Slot) -> Effect {
    Effect::Computes { d, from: [None, None] }
}

const NOTHING: Effect = decides([None; 3], None);

macro_rules! define_effect {
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
        impl Instr {
            /// What the instruction reads and writes.
            pub fn effect(&self) -> Effect {
                match *self {
                    $(Instr::$bin { d, a, b } => computes2(d, a, b),
                      Instr::$bini { d, a, .. } => computes(d, a),)*
                    $(Instr::$fbin { d, a, b } => computes2(d, a, b),)*
                    $(Instr::$cmp { d, a, b } => computes2(d, a, b),
                      Instr::$cmpi { d, a, .. } => computes(d, a),
                      Instr::$br { a, b, .. } => decides([Some(a), Some(b), None], None),
                      Instr::$bri { a, .. } => decides([Some(a), None, None], None),)*
                    $(Instr::$fcmp { d, a, b } => computes2(d, a, b),)*
                    $(Instr::$div { d, a, b } => decides([Some(a), Some(b), None], Some(d)),)*
                    $(Instr::$un { d, a } => computes(d, a),)*
                    $(Instr::$conv { d, a } => computes(d, a),)*
                    $(Instr::$trunc { d, a } => decides([Some(a), None, None], Some(d)),)*
                    _ => self.other_effect(),
                }
            }

            /// Whether the result may be a choice that an address is split by: a comparison used as a number, or a select.
            pub fn makes_choice(&self) -> bool {
                match *self {
                    $(Instr::$cmp { .. } | Instr::$cmpi { .. } => true,)*
                    $(Instr::$fcmp { .. } => true,)*
                    Instr::Select { .. } | Instr::SelectVector { .. } | Instr::Vector { .. } => true,
                    _ => false,
                }
            }
        }
    };
}

for_each_op!(define_effect);

impl Instr {
    /// What keeps the 32-bit result from being greater than `most`.
    pub fn bounded(&self, most: u64) -> Bounded {
        let all = u64::from(u32::MAX);
        match *self {
            Instr::I32AndImm { imm, .. } if u64::from(imm as u32) <= most => Bounded::Always,
            Instr::I32AndImm { a, .. } | Instr::Copy { a, .. } => Bounded::If(a, most),
            Instr::I32AddImm { a, imm, .. } if imm >= 0 && imm as u64 <= most => Bounded::If(a, most - imm as u64),
            Instr::I32ShlImm { a, imm, .. } => Bounded::If(a, most >> (imm as u32 % 32)),
            Instr::I32ShrUImm { imm, .. } if all >> (imm as u32 % 32) <= most => Bounded::Always,
            Instr::Const { bits, .. } if bits <= most => Bounded::Always,
            Instr::Load8U { .. } if 0xff <= most => Bounded::Always,
            _ => Bounded::Unclear,
        }
    }

    /// The last byte of memory that a load reads at address 0, counted from 0.
    pub fn load_end(&self) -> Option<u64> {
        let (offset, bytes) = match *self {
            Instr::Load8U { offset, .. } | Instr::Load8S { offset, .. } => (offset, 1),
            Instr::Load16U { offset, .. } | Instr::Load16S { offset, .. } => (offset, 2),
            Instr::Load32U { offset, .. } | Instr::Load32S { offset, .. } => (offset, 4),
            Instr::Load64 { offset, .. } => (offset, 8),
            _ => return None,
        };
        Some(u64::from(offset) + bytes - 1)
    }

    fn other_effect(&self) -> Effect {
        match *self {
            Instr::F32Neg { d, a }
            | Instr::F64Neg { d, a }
            | Instr::F32Abs { d, a }
            | Instr::F64Abs { d, a }
            | Instr::SignExtend { d, a, .. }
            | Instr::Copy { d, a }
            | Instr::RefIsNull { d, a } => computes(d, a),
            Instr::F32Copysign { d, a, b } | Instr::F64Copysign { d, a, b } => computes2(d, a, b),
            Instr::Const { d, .. } | Instr::RefFunc { d, .. } => sets(d),
            // Whether it stays a value or becomes a decision depends on all three.
            Instr::Select { d, b, cond, .. } => decides([Some(cond), Some(d), Some(b)], None),
            Instr::SelectVector { at } => Effect::DecidesOnRange { at, count: 5 },
            Instr::Vector { op, at } => Effect::ComputesRange { at, reads: op.reads(), writes: op.writes() },
            Instr::Load8U { d, addr, .. }
            | Instr::Load8S { d, addr, .. }
            | Instr::Load16U { d, addr, .. }
            | Instr::Load16S { d, addr, .. }
            | Instr::Load32U { d, addr, .. }
            | Instr::Load32S { d, addr, .. }
            | Instr::Load64 { d, addr, .. } => Effect::Loads { d, addr },
            Instr::Store8 { addr, value, .. }
            | Instr::Store16 { addr, value, .. }
            | Instr::Store32 { addr, value, .. }
            | Instr::Store64 { addr, value, .. } => Effect::Stores { addr, value },
            Instr::GlobalGet { d, global } => Effect::ReadsGlobal { d, global },
            Instr::GlobalSet { a, global } => Effect::WritesGlobal { a, global },
            // The sizes of memories and tables are known wherever states are compared.
            Instr::MemorySize { d } | Instr::TableSize { d, .. } => sets(d),
            Instr::MemoryGrow { d, a } | Instr::TableGet { d, a, .. } => decides([Some(a), None, None], Some(d)),
            Instr::MemoryCopy { at } => Effect::CopiesMemory { at },
            Instr::MemoryFill { at } => Effect::FillsMemory { at },
            Instr::MemoryInit { at, .. }
            | Instr::TableFill { at, .. }
            | Instr::TableCopy { at, .. }
            | Instr::TableInit { at, .. } => Effect::DecidesOnRange { at, count: 3 },
            Instr::TableGrow { at, .. } => Effect::DecidesOnRange { at, count: 2 },
            Instr::TableSet { index, value, .. } => decides([Some(index), Some(value), None], None),
            Instr::BrIf { cond, .. } | Instr::BrIfZ { cond, .. } => decides([Some(cond), None, None], None),
            Instr::BrTable { index, .. } | Instr::CallIndirect { index, .. } => {
                decides([Some(index), None, None], None)
            }
            Instr::Return1 { a, .. } => computes(0, a),
            Instr::ReturnCallImport { .. } | Instr::ReturnCallIndirect { .. } => Effect::Opaque,
            // Arguments and results are where the other side looks for them; what a callee clears and what the host is
            // handed is noted when it happens.
            Instr::DataDrop { .. }
            | Instr::ElemDrop { .. }
            | Instr::Charge { .. }
            | Instr::Probe { .. }
            | Instr::Br { .. }
            | Instr::Call { .. }
            | Instr::CallImport { .. }
            | Instr::ReturnCall { .. }
            | Instr::Return { .. }
            | Instr::Unreachable { .. } => NOTHING,
            _ => Effect::Opaque,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounded, Effect, Instr};

    #[test]
    fn a_mask_bounds_what_it_is_applied_to() {
        let mask = Instr::I32AndImm { d: 1, a: 0, imm: 255 };
        assert_eq!((mask.bounded(255), mask.bounded(100)), (Bounded::Always, Bounded::If(0, 100)));
        let shift = Instr::I32ShlImm { d: 1, a: 0, imm: 2 };
        assert_eq!(shift.bounded(1023), Bounded::If(0, 255));
        let less = Instr::I32AddImm { d: 1, a: 0, imm: -1 };
        assert_eq!(less.bounded(10), Bounded::Unclear, "it may wrap");
    }

    #[test]
    fn division_decides_since_it_may_trap() {
        let add = Instr::I32Add { d: 2, a: 0, b: 1 };
        let divide = Instr::I32DivU { d: 2, a: 0, b: 1 };
        assert_eq!(add.effect(), Effect::Computes { d: 2, from: [Some(0), Some(1)] });
        assert_eq!(divide.effect(), Effect::Decides { on: [Some(0), Some(1), None], d: Some(2) });
    }
}
