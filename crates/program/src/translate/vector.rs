//! Vector operators. A vector is two entries of the operand stack, low half first; so calls, blocks and branches carry it
//! like any two values, and only what names vectors is here.

use wasmparser::Operator as O;

use super::Translator;
use super::stack::Place;
use crate::code::Instr;
use crate::error::LoadError;
use crate::ids::Slot;
use crate::sites::SiteKind;
use crate::val_type::ValType;
use crate::vector::{Bitwise, LaneBinary, LaneCompare, LaneConversion, LaneShift, LaneUnary, VectorOp};

/// A load of one value into a register.
type Load = fn(Slot, Slot, u32) -> Instr;
/// A store of one register.
type Store = fn(Slot, Slot, u32) -> Instr;

const LOAD_8: Load = |d, addr, offset| Instr::Load8U { width: 32, d, addr, offset };
const LOAD_16: Load = |d, addr, offset| Instr::Load16U { width: 32, d, addr, offset };
const LOAD_32: Load = |d, addr, offset| Instr::Load32U { width: 32, d, addr, offset };
const LOAD_64: Load = |d, addr, offset| Instr::Load64 { d, addr, offset };
const LOAD_32_WIDE: Load = |d, addr, offset| Instr::Load32U { width: 64, d, addr, offset };
const STORE_8: Store = |addr, value, offset| Instr::Store8 { addr, value, offset };
const STORE_16: Store = |addr, value, offset| Instr::Store16 { addr, value, offset };
const STORE_32: Store = |addr, value, offset| Instr::Store32 { addr, value, offset };
const STORE_64: Store = |addr, value, offset| Instr::Store64 { addr, value, offset };

/// Where the high half of a vector at `offset` lies. Where that is past all numbers, so is the vector past all memory.
fn high_half(offset: u64) -> u32 {
    (offset as u32).saturating_add(8)
}

impl Translator<'_> {
    pub(super) fn push_vector(&mut self, bits: u128) {
        self.push(Place::Const(bits as u64), ValType::V128Low);
        self.push(Place::Const((bits >> 64) as u64), ValType::V128High);
    }

    /// Replaces the operands of a vector instruction, which are on the stack, by its results.
    fn vector(&mut self, op: VectorOp, operands: usize, results: &[ValType]) {
        self.settle_top(operands);
        let from = self.stack.len() - operands;
        self.stack.truncate(from);
        for ty in results {
            self.push_temp(*ty);
        }
        self.emit_vector(op, from);
    }

    /// Emits a vector instruction on the stack slots from `position` on.
    fn emit_vector(&mut self, op: VectorOp, position: usize) {
        let at = self.slot(position);
        match op {
            // Where its lanes come to be part of an address, they are decisions of this place.
            VectorOp::Compare(..) => self.emit_site(SiteKind::Compare, Instr::Vector { op, at }),
            _ => self.emit(Instr::Vector { op, at }),
        }
    }

    fn vector_load(&mut self, offset: u64) {
        let addr = self.pop();
        let addr = self.read(addr);
        let low = self.push_temp(ValType::V128Low);
        let high = self.push_temp(ValType::V128High);
        // The address may be in the register of the low half. And where the high half can be read, so can the low one.
        self.emit_site(SiteKind::Memory, Instr::Load64 { d: high, addr, offset: high_half(offset) });
        self.emit_site(SiteKind::Memory, Instr::Load64 { d: low, addr, offset: offset as u32 });
    }

    /// Loads one value, of which `op` makes a vector.
    fn load_then(&mut self, offset: u64, load: Load, op: VectorOp) {
        let addr = self.pop();
        let addr = self.read(addr);
        let low = self.push_temp(ValType::V128Low);
        self.push_temp(ValType::V128High);
        self.emit_site(SiteKind::Memory, load(low, addr, offset as u32));
        let position = self.stack.len() - 2;
        self.emit_vector(op, position);
    }

    fn load_zero(&mut self, offset: u64, load: Load) {
        let addr = self.pop();
        let addr = self.read(addr);
        let low = self.push_temp(ValType::V128Low);
        let high = self.push_temp(ValType::V128High);
        self.emit_site(SiteKind::Memory, load(low, addr, offset as u32));
        self.emit(Instr::Const { d: high, bits: 0 });
    }

    fn load_lane(&mut self, offset: u64, load: Load, width: u8, index: u8) {
        self.settle_top(2);
        self.pop();
        self.pop();
        let addr = self.pop();
        let position = addr.position;
        let addr = self.read(addr);
        // Address, vector, and the new lane behind them.
        self.need(position + 4);
        let lane = self.slot(position + 3);
        self.emit_site(SiteKind::Memory, load(lane, addr, offset as u32));
        self.emit_vector(VectorOp::Replace { width, index }, position + 1);
        let low = self.push_temp(ValType::V128Low);
        let high = self.push_temp(ValType::V128High);
        self.emit(Instr::Copy { d: low, a: low + 1 });
        self.emit(Instr::Copy { d: high, a: high + 1 });
    }

    fn vector_store(&mut self, offset: u64) {
        let (high, low, addr) = (self.pop(), self.pop(), self.pop());
        let (addr, low, high) = (self.read(addr), self.read(low), self.read(high));
        // The high half first: where it can be written, so can the low one, and else nothing is.
        self.emit_site(SiteKind::Memory, Instr::Store64 { addr, value: high, offset: high_half(offset) });
        self.emit_site(SiteKind::Memory, Instr::Store64 { addr, value: low, offset: offset as u32 });
    }

    fn store_lane(&mut self, offset: u64, store: Store, width: u8, index: u8) {
        self.settle_top(2);
        self.pop();
        let low = self.pop().position;
        let addr = self.pop();
        let addr = self.read(addr);
        self.emit_vector(VectorOp::Extract { width, index, signed: false }, low);
        let value = self.slot(low);
        self.emit_site(SiteKind::Memory, store(addr, value, offset as u32));
    }

    /// `select` of two vectors.
    pub(super) fn vector_select(&mut self) {
        self.settle_top(5);
        let from = self.stack.len() - 5;
        self.stack.truncate(from + 2);
        let at = self.slot(from);
        self.emit_site(SiteKind::Select, Instr::SelectVector { at });
    }

    /// A vector operator; other operators are refused.
    pub(super) fn vector_operator(&mut self, op: &O<'_>) -> Result<(), LoadError> {
        if self.vector_access(op) {
            return Ok(());
        }
        let Some((op, operands)) = arithmetic(op) else {
            let message = format!("unsupported instruction {op:?}");
            return Err(LoadError::Invalid { offset: u64::from(self.offset), message });
        };
        self.vector(op, operands, &[ValType::V128Low, ValType::V128High]);
        Ok(())
    }

    fn extract_lane(&mut self, width: u8, index: u8, signed: bool, ty: ValType) {
        self.vector(VectorOp::Extract { width, index, signed }, 2, &[ty]);
    }

    fn test(&mut self, op: VectorOp) {
        self.vector(op, 2, &[ValType::I32]);
    }

    /// Operators that go to memory, or to a plain value. False for all others.
    #[rustfmt::skip]
    fn vector_access(&mut self, op: &O<'_>) -> bool {
        use VectorOp as V;
        match *op {
            O::V128Const { value } => self.push_vector(value.i128() as u128),
            O::I8x16Shuffle { lanes } => {
                self.push_vector(u128::from_le_bytes(lanes));
                self.vector(V::Shuffle, 6, &[ValType::V128Low, ValType::V128High]);
            }
            O::V128Load { memarg } => self.vector_load(memarg.offset),
            O::V128Load8x8S { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 8, signed: true, high: false }),
            O::V128Load8x8U { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 8, signed: false, high: false }),
            O::V128Load16x4S { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 16, signed: true, high: false }),
            O::V128Load16x4U { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 16, signed: false, high: false }),
            O::V128Load32x2S { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 32, signed: true, high: false }),
            O::V128Load32x2U { memarg } => self.load_then(memarg.offset, LOAD_64, V::Extend { from: 32, signed: false, high: false }),
            O::V128Load8Splat { memarg } => self.load_then(memarg.offset, LOAD_8, V::Splat(8)),
            O::V128Load16Splat { memarg } => self.load_then(memarg.offset, LOAD_16, V::Splat(16)),
            O::V128Load32Splat { memarg } => self.load_then(memarg.offset, LOAD_32, V::Splat(32)),
            O::V128Load64Splat { memarg } => self.load_then(memarg.offset, LOAD_64, V::Splat(64)),
            O::V128Load32Zero { memarg } => self.load_zero(memarg.offset, LOAD_32_WIDE),
            O::V128Load64Zero { memarg } => self.load_zero(memarg.offset, LOAD_64),
            O::V128Load8Lane { memarg, lane } => self.load_lane(memarg.offset, LOAD_8, 8, lane),
            O::V128Load16Lane { memarg, lane } => self.load_lane(memarg.offset, LOAD_16, 16, lane),
            O::V128Load32Lane { memarg, lane } => self.load_lane(memarg.offset, LOAD_32, 32, lane),
            O::V128Load64Lane { memarg, lane } => self.load_lane(memarg.offset, LOAD_64, 64, lane),
            O::V128Store { memarg } => self.vector_store(memarg.offset),
            O::V128Store8Lane { memarg, lane } => self.store_lane(memarg.offset, STORE_8, 8, lane),
            O::V128Store16Lane { memarg, lane } => self.store_lane(memarg.offset, STORE_16, 16, lane),
            O::V128Store32Lane { memarg, lane } => self.store_lane(memarg.offset, STORE_32, 32, lane),
            O::V128Store64Lane { memarg, lane } => self.store_lane(memarg.offset, STORE_64, 64, lane),
            O::I8x16ExtractLaneS { lane } => self.extract_lane(8, lane, true, ValType::I32),
            O::I8x16ExtractLaneU { lane } => self.extract_lane(8, lane, false, ValType::I32),
            O::I16x8ExtractLaneS { lane } => self.extract_lane(16, lane, true, ValType::I32),
            O::I16x8ExtractLaneU { lane } => self.extract_lane(16, lane, false, ValType::I32),
            O::I32x4ExtractLane { lane } => self.extract_lane(32, lane, false, ValType::I32),
            O::I64x2ExtractLane { lane } => self.extract_lane(64, lane, false, ValType::I64),
            O::F32x4ExtractLane { lane } => self.extract_lane(32, lane, false, ValType::F32),
            O::F64x2ExtractLane { lane } => self.extract_lane(64, lane, false, ValType::F64),
            O::V128AnyTrue => self.test(V::AnyTrue),
            O::I8x16AllTrue => self.test(V::AllTrue(8)),
            O::I16x8AllTrue => self.test(V::AllTrue(16)),
            O::I32x4AllTrue => self.test(V::AllTrue(32)),
            O::I64x2AllTrue => self.test(V::AllTrue(64)),
            O::I8x16Bitmask => self.test(V::Bitmask(8)),
            O::I16x8Bitmask => self.test(V::Bitmask(16)),
            O::I32x4Bitmask => self.test(V::Bitmask(32)),
            O::I64x2Bitmask => self.test(V::Bitmask(64)),
            _ => return false,
        }
        true
    }
}

/// Operators that make a vector of what is on the stack, and how many entries of it that is.
#[rustfmt::skip]
fn arithmetic(op: &O<'_>) -> Option<(VectorOp, usize)> {
    use {LaneBinary as B, LaneCompare as C, LaneShift as S, LaneUnary as U, VectorOp as V};
    let binary = |op, width| (V::Binary(op, width), 4);
    let unary = |op, width| (V::Unary(op, width), 2);
    let compare = |op, width| (V::Compare(op, width), 4);
    let shift = |op, width| (V::Shift(op, width), 3);
    let extend = |from, signed, high| (V::Extend { from, signed, high }, 2);
    let ext_mul = |from, signed, high| (V::ExtMul { from, signed, high }, 4);
    let convert = |conversion| (V::Convert(conversion), 2);
    Some(match *op {
        O::I8x16Swizzle => (V::Swizzle, 4),
        O::I8x16Splat => (V::Splat(8), 1),
        O::I16x8Splat => (V::Splat(16), 1),
        O::I32x4Splat | O::F32x4Splat => (V::Splat(32), 1),
        O::I64x2Splat | O::F64x2Splat => (V::Splat(64), 1),
        O::I8x16ReplaceLane { lane } => (V::Replace { width: 8, index: lane }, 3),
        O::I16x8ReplaceLane { lane } => (V::Replace { width: 16, index: lane }, 3),
        O::I32x4ReplaceLane { lane } | O::F32x4ReplaceLane { lane } => (V::Replace { width: 32, index: lane }, 3),
        O::I64x2ReplaceLane { lane } | O::F64x2ReplaceLane { lane } => (V::Replace { width: 64, index: lane }, 3),
        O::I8x16Eq => compare(C::Eq, 8),
        O::I8x16Ne => compare(C::Ne, 8),
        O::I8x16LtS => compare(C::LtS, 8),
        O::I8x16LtU => compare(C::LtU, 8),
        O::I8x16GtS => compare(C::GtS, 8),
        O::I8x16GtU => compare(C::GtU, 8),
        O::I8x16LeS => compare(C::LeS, 8),
        O::I8x16LeU => compare(C::LeU, 8),
        O::I8x16GeS => compare(C::GeS, 8),
        O::I8x16GeU => compare(C::GeU, 8),
        O::I16x8Eq => compare(C::Eq, 16),
        O::I16x8Ne => compare(C::Ne, 16),
        O::I16x8LtS => compare(C::LtS, 16),
        O::I16x8LtU => compare(C::LtU, 16),
        O::I16x8GtS => compare(C::GtS, 16),
        O::I16x8GtU => compare(C::GtU, 16),
        O::I16x8LeS => compare(C::LeS, 16),
        O::I16x8LeU => compare(C::LeU, 16),
        O::I16x8GeS => compare(C::GeS, 16),
        O::I16x8GeU => compare(C::GeU, 16),
        O::I32x4Eq => compare(C::Eq, 32),
        O::I32x4Ne => compare(C::Ne, 32),
        O::I32x4LtS => compare(C::LtS, 32),
        O::I32x4LtU => compare(C::LtU, 32),
        O::I32x4GtS => compare(C::GtS, 32),
        O::I32x4GtU => compare(C::GtU, 32),
        O::I32x4LeS => compare(C::LeS, 32),
        O::I32x4LeU => compare(C::LeU, 32),
        O::I32x4GeS => compare(C::GeS, 32),
        O::I32x4GeU => compare(C::GeU, 32),
        O::I64x2Eq => compare(C::Eq, 64),
        O::I64x2Ne => compare(C::Ne, 64),
        O::I64x2LtS => compare(C::LtS, 64),
        O::I64x2GtS => compare(C::GtS, 64),
        O::I64x2LeS => compare(C::LeS, 64),
        O::I64x2GeS => compare(C::GeS, 64),
        O::F32x4Eq => compare(C::FEq, 32),
        O::F32x4Ne => compare(C::FNe, 32),
        O::F32x4Lt => compare(C::FLt, 32),
        O::F32x4Gt => compare(C::FGt, 32),
        O::F32x4Le => compare(C::FLe, 32),
        O::F32x4Ge => compare(C::FGe, 32),
        O::F64x2Eq => compare(C::FEq, 64),
        O::F64x2Ne => compare(C::FNe, 64),
        O::F64x2Lt => compare(C::FLt, 64),
        O::F64x2Gt => compare(C::FGt, 64),
        O::F64x2Le => compare(C::FLe, 64),
        O::F64x2Ge => compare(C::FGe, 64),
        O::V128Not => (V::Not, 2),
        O::V128And => (V::Bits(Bitwise::And), 4),
        O::V128AndNot => (V::Bits(Bitwise::AndNot), 4),
        O::V128Or => (V::Bits(Bitwise::Or), 4),
        O::V128Xor => (V::Bits(Bitwise::Xor), 4),
        O::V128Bitselect => (V::Bitselect, 6),
        O::I8x16Abs => unary(U::Abs, 8),
        O::I8x16Neg => unary(U::Neg, 8),
        O::I8x16Popcnt => unary(U::Popcnt, 8),
        O::I8x16NarrowI16x8S => (V::Narrow { from: 16, signed: true }, 4),
        O::I8x16NarrowI16x8U => (V::Narrow { from: 16, signed: false }, 4),
        O::I8x16Shl => shift(S::Left, 8),
        O::I8x16ShrS => shift(S::RightS, 8),
        O::I8x16ShrU => shift(S::RightU, 8),
        O::I8x16Add => binary(B::Add, 8),
        O::I8x16AddSatS => binary(B::AddSatS, 8),
        O::I8x16AddSatU => binary(B::AddSatU, 8),
        O::I8x16Sub => binary(B::Sub, 8),
        O::I8x16SubSatS => binary(B::SubSatS, 8),
        O::I8x16SubSatU => binary(B::SubSatU, 8),
        O::I8x16MinS => binary(B::MinS, 8),
        O::I8x16MinU => binary(B::MinU, 8),
        O::I8x16MaxS => binary(B::MaxS, 8),
        O::I8x16MaxU => binary(B::MaxU, 8),
        O::I8x16AvgrU => binary(B::AvgrU, 8),
        O::I16x8ExtAddPairwiseI8x16S => (V::ExtAddPairwise { from: 8, signed: true }, 2),
        O::I16x8ExtAddPairwiseI8x16U => (V::ExtAddPairwise { from: 8, signed: false }, 2),
        O::I16x8Abs => unary(U::Abs, 16),
        O::I16x8Neg => unary(U::Neg, 16),
        O::I16x8Q15MulrSatS => binary(B::Q15MulrSatS, 16),
        O::I16x8NarrowI32x4S => (V::Narrow { from: 32, signed: true }, 4),
        O::I16x8NarrowI32x4U => (V::Narrow { from: 32, signed: false }, 4),
        O::I16x8ExtendLowI8x16S => extend(8, true, false),
        O::I16x8ExtendHighI8x16S => extend(8, true, true),
        O::I16x8ExtendLowI8x16U => extend(8, false, false),
        O::I16x8ExtendHighI8x16U => extend(8, false, true),
        O::I16x8Shl => shift(S::Left, 16),
        O::I16x8ShrS => shift(S::RightS, 16),
        O::I16x8ShrU => shift(S::RightU, 16),
        O::I16x8Add => binary(B::Add, 16),
        O::I16x8AddSatS => binary(B::AddSatS, 16),
        O::I16x8AddSatU => binary(B::AddSatU, 16),
        O::I16x8Sub => binary(B::Sub, 16),
        O::I16x8SubSatS => binary(B::SubSatS, 16),
        O::I16x8SubSatU => binary(B::SubSatU, 16),
        O::I16x8Mul => binary(B::Mul, 16),
        O::I16x8MinS => binary(B::MinS, 16),
        O::I16x8MinU => binary(B::MinU, 16),
        O::I16x8MaxS => binary(B::MaxS, 16),
        O::I16x8MaxU => binary(B::MaxU, 16),
        O::I16x8AvgrU => binary(B::AvgrU, 16),
        O::I16x8ExtMulLowI8x16S => ext_mul(8, true, false),
        O::I16x8ExtMulHighI8x16S => ext_mul(8, true, true),
        O::I16x8ExtMulLowI8x16U => ext_mul(8, false, false),
        O::I16x8ExtMulHighI8x16U => ext_mul(8, false, true),
        O::I32x4ExtAddPairwiseI16x8S => (V::ExtAddPairwise { from: 16, signed: true }, 2),
        O::I32x4ExtAddPairwiseI16x8U => (V::ExtAddPairwise { from: 16, signed: false }, 2),
        O::I32x4Abs => unary(U::Abs, 32),
        O::I32x4Neg => unary(U::Neg, 32),
        O::I32x4ExtendLowI16x8S => extend(16, true, false),
        O::I32x4ExtendHighI16x8S => extend(16, true, true),
        O::I32x4ExtendLowI16x8U => extend(16, false, false),
        O::I32x4ExtendHighI16x8U => extend(16, false, true),
        O::I32x4Shl => shift(S::Left, 32),
        O::I32x4ShrS => shift(S::RightS, 32),
        O::I32x4ShrU => shift(S::RightU, 32),
        O::I32x4Add => binary(B::Add, 32),
        O::I32x4Sub => binary(B::Sub, 32),
        O::I32x4Mul => binary(B::Mul, 32),
        O::I32x4MinS => binary(B::MinS, 32),
        O::I32x4MinU => binary(B::MinU, 32),
        O::I32x4MaxS => binary(B::MaxS, 32),
        O::I32x4MaxU => binary(B::MaxU, 32),
        O::I32x4DotI16x8S => (V::Dot, 4),
        O::I32x4ExtMulLowI16x8S => ext_mul(16, true, false),
        O::I32x4ExtMulHighI16x8S => ext_mul(16, true, true),
        O::I32x4ExtMulLowI16x8U => ext_mul(16, false, false),
        O::I32x4ExtMulHighI16x8U => ext_mul(16, false, true),
        O::I64x2Abs => unary(U::Abs, 64),
        O::I64x2Neg => unary(U::Neg, 64),
        O::I64x2ExtendLowI32x4S => extend(32, true, false),
        O::I64x2ExtendHighI32x4S => extend(32, true, true),
        O::I64x2ExtendLowI32x4U => extend(32, false, false),
        O::I64x2ExtendHighI32x4U => extend(32, false, true),
        O::I64x2Shl => shift(S::Left, 64),
        O::I64x2ShrS => shift(S::RightS, 64),
        O::I64x2ShrU => shift(S::RightU, 64),
        O::I64x2Add => binary(B::Add, 64),
        O::I64x2Sub => binary(B::Sub, 64),
        O::I64x2Mul => binary(B::Mul, 64),
        O::I64x2ExtMulLowI32x4S => ext_mul(32, true, false),
        O::I64x2ExtMulHighI32x4S => ext_mul(32, true, true),
        O::I64x2ExtMulLowI32x4U => ext_mul(32, false, false),
        O::I64x2ExtMulHighI32x4U => ext_mul(32, false, true),
        O::F32x4Ceil => unary(U::FCeil, 32),
        O::F32x4Floor => unary(U::FFloor, 32),
        O::F32x4Trunc => unary(U::FTrunc, 32),
        O::F32x4Nearest => unary(U::FNearest, 32),
        O::F32x4Abs => unary(U::FAbs, 32),
        O::F32x4Neg => unary(U::FNeg, 32),
        O::F32x4Sqrt => unary(U::FSqrt, 32),
        O::F32x4Add => binary(B::FAdd, 32),
        O::F32x4Sub => binary(B::FSub, 32),
        O::F32x4Mul => binary(B::FMul, 32),
        O::F32x4Div => binary(B::FDiv, 32),
        O::F32x4Min => binary(B::FMin, 32),
        O::F32x4Max => binary(B::FMax, 32),
        O::F32x4PMin => binary(B::PMin, 32),
        O::F32x4PMax => binary(B::PMax, 32),
        O::F64x2Ceil => unary(U::FCeil, 64),
        O::F64x2Floor => unary(U::FFloor, 64),
        O::F64x2Trunc => unary(U::FTrunc, 64),
        O::F64x2Nearest => unary(U::FNearest, 64),
        O::F64x2Abs => unary(U::FAbs, 64),
        O::F64x2Neg => unary(U::FNeg, 64),
        O::F64x2Sqrt => unary(U::FSqrt, 64),
        O::F64x2Add => binary(B::FAdd, 64),
        O::F64x2Sub => binary(B::FSub, 64),
        O::F64x2Mul => binary(B::FMul, 64),
        O::F64x2Div => binary(B::FDiv, 64),
        O::F64x2Min => binary(B::FMin, 64),
        O::F64x2Max => binary(B::FMax, 64),
        O::F64x2PMin => binary(B::PMin, 64),
        O::F64x2PMax => binary(B::PMax, 64),
        O::I32x4TruncSatF32x4S => convert(LaneConversion::TruncSatF32 { signed: true }),
        O::I32x4TruncSatF32x4U => convert(LaneConversion::TruncSatF32 { signed: false }),
        O::F32x4ConvertI32x4S => convert(LaneConversion::F32FromI32 { signed: true }),
        O::F32x4ConvertI32x4U => convert(LaneConversion::F32FromI32 { signed: false }),
        O::I32x4TruncSatF64x2SZero => convert(LaneConversion::TruncSatF64 { signed: true }),
        O::I32x4TruncSatF64x2UZero => convert(LaneConversion::TruncSatF64 { signed: false }),
        O::F64x2ConvertLowI32x4S => convert(LaneConversion::F64FromLowI32 { signed: true }),
        O::F64x2ConvertLowI32x4U => convert(LaneConversion::F64FromLowI32 { signed: false }),
        O::F32x4DemoteF64x2Zero => convert(LaneConversion::Demote),
        O::F64x2PromoteLowF32x4 => convert(LaneConversion::Promote),
        _ => return None,
    })
}
