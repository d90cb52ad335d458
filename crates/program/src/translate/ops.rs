//! One original operator to its instructions: the cost it adds, its operands, its result.

use wasmparser::Operator as O;

use super::Translator;
use super::stack::Place;
use crate::code::Instr;
use crate::error::LoadError;
use crate::ids::{GlobalIdx, Slot};
use crate::sites::SiteKind;
use crate::val_type::ValType;
use crate::val_type::{second_half, val_type};

/// What straight-line code costs at most before it is charged: where something is charged, a run can be told to stop.
const MOST_PENDING: u64 = u16::MAX as u64;

type Binary = fn(Slot, Slot, Slot) -> Instr;
type Unary = fn(Slot, Slot) -> Instr;

impl Translator<'_> {
    pub(super) fn operator(&mut self, op: &O<'_>) -> Result<(), LoadError> {
        if self.skip_dead(op) {
            self.skip_probes();
            return Ok(());
        }
        if self.dead.is_none() {
            self.probe();
            self.pending += self.probes.costs.cost(op);
            if self.pending > MOST_PENDING {
                self.flush_cost();
                self.barrier = self.body.code.len();
            }
        }
        self.translate(op)?;
        self.check_size()
    }

    /// Whether the operator lies in unreachable code and is to be dropped.
    fn skip_dead(&mut self, op: &O<'_>) -> bool {
        let Some(depth) = self.dead else { return false };
        match op {
            O::Block { .. } | O::Loop { .. } | O::If { .. } => self.dead = Some(depth + 1),
            O::End if depth > 0 => self.dead = Some(depth - 1),
            O::End => return false,
            O::Else if depth == 0 => return false,
            _ => {}
        }
        true
    }

    /// Puts the probes that lie at or before this operator. A row of the line table may begin at the
    /// function's first byte, before its first operator.
    fn probe(&mut self) {
        while self.probes.offsets.get(self.next_probe).is_some_and(|&o| o <= self.offset) {
            self.emit(Instr::Probe { id: self.next_probe as u32 });
            self.barrier = self.body.code.len();
            self.next_probe += 1;
        }
    }

    /// Probes in code that is never reached count nothing.
    fn skip_probes(&mut self) {
        while self.probes.offsets.get(self.next_probe).is_some_and(|&o| o <= self.offset) {
            self.next_probe += 1;
        }
    }

    #[rustfmt::skip]
    fn translate(&mut self, op: &O<'_>) -> Result<(), LoadError> {
        match *op {
            O::Nop => {}
            O::Unreachable => self.unreachable(),
            O::Block { blockty } => self.block(blockty)?,
            O::Loop { blockty } => self.loop_(blockty)?,
            O::If { blockty } => self.if_(blockty)?,
            O::Else => self.else_(),
            O::End => self.end(),
            O::Br { relative_depth } => self.br(relative_depth),
            O::BrIf { relative_depth } => self.br_if(relative_depth),
            O::BrTable { ref targets } => self.br_table(targets)?,
            O::Return => self.return_(),
            O::Call { function_index } => self.call(function_index),
            O::CallIndirect { type_index, table_index } => self.call_indirect(type_index, table_index),
            O::ReturnCall { function_index } => self.return_call(function_index),
            O::ReturnCallIndirect { type_index, table_index } => self.return_call_indirect(type_index, table_index),
            O::Drop => {
                let dropped = self.pop();
                if dropped.operand.ty == ValType::V128High {
                    self.pop();
                }
            }
            O::Select => self.select(),
            O::TypedSelect { ty } => { val_type(ty)?; self.select(); }
            O::LocalGet { local_index } => self.push_local(local_index),
            O::LocalSet { local_index } => self.local_set(local_index),
            O::LocalTee { local_index } => {
                self.local_set(local_index);
                self.push_local(local_index);
            }
            O::GlobalGet { global_index } => {
                let global = self.program.global_at[global_index as usize];
                let ty = self.program.globals[GlobalIdx(global).index()].ty;
                let d = self.push_temp(ty);
                self.emit(Instr::GlobalGet { d, global });
                if let Some(high) = second_half(ty) {
                    let d = self.push_temp(high);
                    self.emit(Instr::GlobalGet { d, global: global + 1 });
                }
            }
            O::GlobalSet { global_index } => {
                let global = self.program.global_at[global_index as usize];
                let mut a = self.pop();
                if a.operand.ty == ValType::V128High {
                    let high = self.read(a);
                    self.emit(Instr::GlobalSet { a: high, global: global + 1 });
                    a = self.pop();
                }
                let a = self.read(a);
                self.emit(Instr::GlobalSet { a, global });
            }
            O::I32Const { value } => {
                self.body.constants.push(i64::from(value));
                self.push(Place::Const(u64::from(value as u32)), ValType::I32);
            }
            O::I64Const { value } => {
                self.body.constants.push(value);
                self.push(Place::Const(value as u64), ValType::I64);
            }
            O::F32Const { value } => self.push(Place::Const(u64::from(value.bits())), ValType::F32),
            O::F64Const { value } => self.push(Place::Const(value.bits()), ValType::F64),
            O::RefNull { hty } => {
                let ty = if hty == wasmparser::HeapType::EXTERN { ValType::ExternRef } else { ValType::FuncRef };
                self.push(Place::Const(0), ty);
            }
            O::RefFunc { function_index } => {
                let d = self.push_temp(ValType::FuncRef);
                self.emit(Instr::RefFunc { d, func: function_index });
            }
            O::RefIsNull => self.unary(ValType::I32, |d, a| Instr::RefIsNull { d, a }),
            O::MemorySize { .. } => {
                let d = self.push_temp(ValType::I32);
                self.emit(Instr::MemorySize { d });
            }
            O::MemoryGrow { .. } => self.site_unary(SiteKind::Memory, ValType::I32, |d, a| Instr::MemoryGrow { d, a }),
            O::MemoryCopy { .. } => self.bulk(SiteKind::Memory, |at| Instr::MemoryCopy { at }),
            O::MemoryFill { .. } => self.bulk(SiteKind::Memory, |at| Instr::MemoryFill { at }),
            O::MemoryInit { data_index, .. } => self.bulk(SiteKind::Memory, |at| Instr::MemoryInit { at, segment: data_index }),
            O::DataDrop { data_index } => self.emit(Instr::DataDrop { segment: data_index }),
            O::TableGet { table } => {
                let ty = self.program.tables[table as usize].ty;
                let a = self.pop();
                let a = self.read(a);
                let d = self.push_temp(ty);
                self.emit_site(SiteKind::Table, Instr::TableGet { d, a, table });
            }
            O::TableSet { table } => {
                let value = self.pop();
                let index = self.pop();
                let (index, value) = (self.read(index), self.read(value));
                self.emit_site(SiteKind::Table, Instr::TableSet { table, index, value });
            }
            O::TableSize { table } => {
                let d = self.push_temp(ValType::I32);
                self.emit(Instr::TableSize { d, table });
            }
            O::TableGrow { table } => {
                self.settle_top(2);
                self.pop();
                self.pop();
                let at = self.push_temp(ValType::I32);
                self.emit_site(SiteKind::Table, Instr::TableGrow { at, table });
            }
            O::TableFill { table } => self.bulk(SiteKind::Table, |at| Instr::TableFill { at, table }),
            O::TableCopy { dst_table, src_table } => {
                self.bulk(SiteKind::Table, |at| Instr::TableCopy { at, to: dst_table, from: src_table });
            }
            O::TableInit { elem_index, table } => {
                self.bulk(SiteKind::Table, |at| Instr::TableInit { at, table, segment: elem_index });
            }
            O::ElemDrop { elem_index } => self.emit(Instr::ElemDrop { segment: elem_index }),
            O::I32Add => self.binary(ValType::I32, |d, a, b| Instr::I32Add { d, a, b }, Some(|d, a, b| Instr::I32Add { d, a, b })),
            O::I32Mul => self.binary(ValType::I32, |d, a, b| Instr::I32Mul { d, a, b }, Some(|d, a, b| Instr::I32Mul { d, a, b })),
            O::I32And => self.binary(ValType::I32, |d, a, b| Instr::I32And { d, a, b }, Some(|d, a, b| Instr::I32And { d, a, b })),
            O::I32Or => self.binary(ValType::I32, |d, a, b| Instr::I32Or { d, a, b }, Some(|d, a, b| Instr::I32Or { d, a, b })),
            O::I32Xor => self.binary(ValType::I32, |d, a, b| Instr::I32Xor { d, a, b }, Some(|d, a, b| Instr::I32Xor { d, a, b })),
            O::I32Sub => self.binary(ValType::I32, |d, a, b| Instr::I32Sub { d, a, b }, None),
            O::I32Shl => self.binary(ValType::I32, |d, a, b| Instr::I32Shl { d, a, b }, None),
            O::I32ShrS => self.binary(ValType::I32, |d, a, b| Instr::I32ShrS { d, a, b }, None),
            O::I32ShrU => self.binary(ValType::I32, |d, a, b| Instr::I32ShrU { d, a, b }, None),
            O::I32Rotl => self.binary(ValType::I32, |d, a, b| Instr::I32Rotl { d, a, b }, None),
            O::I32Rotr => self.binary(ValType::I32, |d, a, b| Instr::I32Rotr { d, a, b }, None),
            O::I32Eq => self.compare(|d, a, b| Instr::I32Eq { d, a, b }, Some(|d, a, b| Instr::I32Eq { d, a, b })),
            O::I32Ne => self.compare(|d, a, b| Instr::I32Ne { d, a, b }, Some(|d, a, b| Instr::I32Ne { d, a, b })),
            O::I32LtS => self.compare(|d, a, b| Instr::I32LtS { d, a, b }, Some(|d, a, b| Instr::I32GtS { d, a, b })),
            O::I32LtU => self.compare(|d, a, b| Instr::I32LtU { d, a, b }, Some(|d, a, b| Instr::I32GtU { d, a, b })),
            O::I32GtS => self.compare(|d, a, b| Instr::I32GtS { d, a, b }, Some(|d, a, b| Instr::I32LtS { d, a, b })),
            O::I32GtU => self.compare(|d, a, b| Instr::I32GtU { d, a, b }, Some(|d, a, b| Instr::I32LtU { d, a, b })),
            O::I32LeS => self.compare(|d, a, b| Instr::I32LeS { d, a, b }, Some(|d, a, b| Instr::I32GeS { d, a, b })),
            O::I32LeU => self.compare(|d, a, b| Instr::I32LeU { d, a, b }, Some(|d, a, b| Instr::I32GeU { d, a, b })),
            O::I32GeS => self.compare(|d, a, b| Instr::I32GeS { d, a, b }, Some(|d, a, b| Instr::I32LeS { d, a, b })),
            O::I32GeU => self.compare(|d, a, b| Instr::I32GeU { d, a, b }, Some(|d, a, b| Instr::I32LeU { d, a, b })),
            O::I32Eqz => self.eqz32(),
            O::I32DivS => self.trapping_binary(ValType::I32, |d, a, b| Instr::I32DivS { d, a, b }),
            O::I32DivU => self.trapping_binary(ValType::I32, |d, a, b| Instr::I32DivU { d, a, b }),
            O::I32RemS => self.trapping_binary(ValType::I32, |d, a, b| Instr::I32RemS { d, a, b }),
            O::I32RemU => self.trapping_binary(ValType::I32, |d, a, b| Instr::I32RemU { d, a, b }),
            O::I32Clz => self.unary(ValType::I32, |d, a| Instr::I32Clz { d, a }),
            O::I32Ctz => self.unary(ValType::I32, |d, a| Instr::I32Ctz { d, a }),
            O::I32Popcnt => self.unary(ValType::I32, |d, a| Instr::I32Popcnt { d, a }),
            O::I64Add => self.binary(ValType::I64, |d, a, b| Instr::I64Add { d, a, b }, Some(|d, a, b| Instr::I64Add { d, a, b })),
            O::I64Mul => self.binary(ValType::I64, |d, a, b| Instr::I64Mul { d, a, b }, Some(|d, a, b| Instr::I64Mul { d, a, b })),
            O::I64And => self.binary(ValType::I64, |d, a, b| Instr::I64And { d, a, b }, Some(|d, a, b| Instr::I64And { d, a, b })),
            O::I64Or => self.binary(ValType::I64, |d, a, b| Instr::I64Or { d, a, b }, Some(|d, a, b| Instr::I64Or { d, a, b })),
            O::I64Xor => self.binary(ValType::I64, |d, a, b| Instr::I64Xor { d, a, b }, Some(|d, a, b| Instr::I64Xor { d, a, b })),
            O::I64Sub => self.binary(ValType::I64, |d, a, b| Instr::I64Sub { d, a, b }, None),
            O::I64Shl => self.binary(ValType::I64, |d, a, b| Instr::I64Shl { d, a, b }, None),
            O::I64ShrS => self.binary(ValType::I64, |d, a, b| Instr::I64ShrS { d, a, b }, None),
            O::I64ShrU => self.binary(ValType::I64, |d, a, b| Instr::I64ShrU { d, a, b }, None),
            O::I64Rotl => self.binary(ValType::I64, |d, a, b| Instr::I64Rotl { d, a, b }, None),
            O::I64Rotr => self.binary(ValType::I64, |d, a, b| Instr::I64Rotr { d, a, b }, None),
            O::I64Eq => self.compare(|d, a, b| Instr::I64Eq { d, a, b }, Some(|d, a, b| Instr::I64Eq { d, a, b })),
            O::I64Ne => self.compare(|d, a, b| Instr::I64Ne { d, a, b }, Some(|d, a, b| Instr::I64Ne { d, a, b })),
            O::I64LtS => self.compare(|d, a, b| Instr::I64LtS { d, a, b }, Some(|d, a, b| Instr::I64GtS { d, a, b })),
            O::I64LtU => self.compare(|d, a, b| Instr::I64LtU { d, a, b }, Some(|d, a, b| Instr::I64GtU { d, a, b })),
            O::I64GtS => self.compare(|d, a, b| Instr::I64GtS { d, a, b }, Some(|d, a, b| Instr::I64LtS { d, a, b })),
            O::I64GtU => self.compare(|d, a, b| Instr::I64GtU { d, a, b }, Some(|d, a, b| Instr::I64LtU { d, a, b })),
            O::I64LeS => self.compare(|d, a, b| Instr::I64LeS { d, a, b }, Some(|d, a, b| Instr::I64GeS { d, a, b })),
            O::I64LeU => self.compare(|d, a, b| Instr::I64LeU { d, a, b }, Some(|d, a, b| Instr::I64GeU { d, a, b })),
            O::I64GeS => self.compare(|d, a, b| Instr::I64GeS { d, a, b }, Some(|d, a, b| Instr::I64LeS { d, a, b })),
            O::I64GeU => self.compare(|d, a, b| Instr::I64GeU { d, a, b }, Some(|d, a, b| Instr::I64LeU { d, a, b })),
            O::I64Eqz => self.eqz64(),
            O::I64DivS => self.trapping_binary(ValType::I64, |d, a, b| Instr::I64DivS { d, a, b }),
            O::I64DivU => self.trapping_binary(ValType::I64, |d, a, b| Instr::I64DivU { d, a, b }),
            O::I64RemS => self.trapping_binary(ValType::I64, |d, a, b| Instr::I64RemS { d, a, b }),
            O::I64RemU => self.trapping_binary(ValType::I64, |d, a, b| Instr::I64RemU { d, a, b }),
            O::I64Clz => self.unary(ValType::I64, |d, a| Instr::I64Clz { d, a }),
            O::I64Ctz => self.unary(ValType::I64, |d, a| Instr::I64Ctz { d, a }),
            O::I64Popcnt => self.unary(ValType::I64, |d, a| Instr::I64Popcnt { d, a }),
            O::F32Add => self.binary(ValType::F32, |d, a, b| Instr::F32Add { d, a, b }, None),
            O::F32Sub => self.binary(ValType::F32, |d, a, b| Instr::F32Sub { d, a, b }, None),
            O::F32Mul => self.binary(ValType::F32, |d, a, b| Instr::F32Mul { d, a, b }, None),
            O::F32Div => self.binary(ValType::F32, |d, a, b| Instr::F32Div { d, a, b }, None),
            O::F32Min => self.binary(ValType::F32, |d, a, b| Instr::F32Min { d, a, b }, None),
            O::F32Max => self.binary(ValType::F32, |d, a, b| Instr::F32Max { d, a, b }, None),
            O::F32Copysign => self.binary(ValType::F32, |d, a, b| Instr::F32Copysign { d, a, b }, None),
            O::F32Eq => self.compare(|d, a, b| Instr::F32Eq { d, a, b }, None),
            O::F32Ne => self.compare(|d, a, b| Instr::F32Ne { d, a, b }, None),
            O::F32Lt => self.compare(|d, a, b| Instr::F32Lt { d, a, b }, None),
            O::F32Le => self.compare(|d, a, b| Instr::F32Le { d, a, b }, None),
            O::F32Gt => self.compare(|d, a, b| Instr::F32Lt { d, a: b, b: a }, None),
            O::F32Ge => self.compare(|d, a, b| Instr::F32Le { d, a: b, b: a }, None),
            O::F32Neg => self.unary(ValType::F32, |d, a| Instr::F32Neg { d, a }),
            O::F32Abs => self.unary(ValType::F32, |d, a| Instr::F32Abs { d, a }),
            O::F32Sqrt => self.unary(ValType::F32, |d, a| Instr::F32Sqrt { d, a }),
            O::F32Ceil => self.unary(ValType::F32, |d, a| Instr::F32Ceil { d, a }),
            O::F32Floor => self.unary(ValType::F32, |d, a| Instr::F32Floor { d, a }),
            O::F32Trunc => self.unary(ValType::F32, |d, a| Instr::F32Trunc { d, a }),
            O::F32Nearest => self.unary(ValType::F32, |d, a| Instr::F32Nearest { d, a }),
            O::F64Add => self.binary(ValType::F64, |d, a, b| Instr::F64Add { d, a, b }, None),
            O::F64Sub => self.binary(ValType::F64, |d, a, b| Instr::F64Sub { d, a, b }, None),
            O::F64Mul => self.binary(ValType::F64, |d, a, b| Instr::F64Mul { d, a, b }, None),
            O::F64Div => self.binary(ValType::F64, |d, a, b| Instr::F64Div { d, a, b }, None),
            O::F64Min => self.binary(ValType::F64, |d, a, b| Instr::F64Min { d, a, b }, None),
            O::F64Max => self.binary(ValType::F64, |d, a, b| Instr::F64Max { d, a, b }, None),
            O::F64Copysign => self.binary(ValType::F64, |d, a, b| Instr::F64Copysign { d, a, b }, None),
            O::F64Eq => self.compare(|d, a, b| Instr::F64Eq { d, a, b }, None),
            O::F64Ne => self.compare(|d, a, b| Instr::F64Ne { d, a, b }, None),
            O::F64Lt => self.compare(|d, a, b| Instr::F64Lt { d, a, b }, None),
            O::F64Le => self.compare(|d, a, b| Instr::F64Le { d, a, b }, None),
            O::F64Gt => self.compare(|d, a, b| Instr::F64Lt { d, a: b, b: a }, None),
            O::F64Ge => self.compare(|d, a, b| Instr::F64Le { d, a: b, b: a }, None),
            O::F64Neg => self.unary(ValType::F64, |d, a| Instr::F64Neg { d, a }),
            O::F64Abs => self.unary(ValType::F64, |d, a| Instr::F64Abs { d, a }),
            O::F64Sqrt => self.unary(ValType::F64, |d, a| Instr::F64Sqrt { d, a }),
            O::F64Ceil => self.unary(ValType::F64, |d, a| Instr::F64Ceil { d, a }),
            O::F64Floor => self.unary(ValType::F64, |d, a| Instr::F64Floor { d, a }),
            O::F64Trunc => self.unary(ValType::F64, |d, a| Instr::F64Trunc { d, a }),
            O::F64Nearest => self.unary(ValType::F64, |d, a| Instr::F64Nearest { d, a }),
            O::I32WrapI64 => self.unary(ValType::I32, |d, a| Instr::I32WrapI64 { d, a }),
            O::I64ExtendI32S => self.unary(ValType::I64, |d, a| Instr::I64ExtendI32S { d, a }),
            O::I64ExtendI32U => self.unary(ValType::I64, |d, a| Instr::I64ExtendI32U { d, a }),
            O::F32DemoteF64 => self.unary(ValType::F32, |d, a| Instr::F32DemoteF64 { d, a }),
            O::F64PromoteF32 => self.unary(ValType::F64, |d, a| Instr::F64PromoteF32 { d, a }),
            O::F32ConvertI32S => self.unary(ValType::F32, |d, a| Instr::F32ConvertI32S { d, a }),
            O::F32ConvertI32U => self.unary(ValType::F32, |d, a| Instr::F32ConvertI32U { d, a }),
            O::F32ConvertI64S => self.unary(ValType::F32, |d, a| Instr::F32ConvertI64S { d, a }),
            O::F32ConvertI64U => self.unary(ValType::F32, |d, a| Instr::F32ConvertI64U { d, a }),
            O::F64ConvertI32S => self.unary(ValType::F64, |d, a| Instr::F64ConvertI32S { d, a }),
            O::F64ConvertI32U => self.unary(ValType::F64, |d, a| Instr::F64ConvertI32U { d, a }),
            O::F64ConvertI64S => self.unary(ValType::F64, |d, a| Instr::F64ConvertI64S { d, a }),
            O::F64ConvertI64U => self.unary(ValType::F64, |d, a| Instr::F64ConvertI64U { d, a }),
            O::I32TruncSatF32S => self.unary(ValType::I32, |d, a| Instr::I32TruncSatF32S { d, a }),
            O::I32TruncF32S => self.trapping_unary(ValType::I32, |d, a| Instr::I32TruncF32S { d, a }),
            O::I32TruncSatF32U => self.unary(ValType::I32, |d, a| Instr::I32TruncSatF32U { d, a }),
            O::I32TruncF32U => self.trapping_unary(ValType::I32, |d, a| Instr::I32TruncF32U { d, a }),
            O::I32TruncSatF64S => self.unary(ValType::I32, |d, a| Instr::I32TruncSatF64S { d, a }),
            O::I32TruncF64S => self.trapping_unary(ValType::I32, |d, a| Instr::I32TruncF64S { d, a }),
            O::I32TruncSatF64U => self.unary(ValType::I32, |d, a| Instr::I32TruncSatF64U { d, a }),
            O::I32TruncF64U => self.trapping_unary(ValType::I32, |d, a| Instr::I32TruncF64U { d, a }),
            O::I64TruncSatF32S => self.unary(ValType::I64, |d, a| Instr::I64TruncSatF32S { d, a }),
            O::I64TruncF32S => self.trapping_unary(ValType::I64, |d, a| Instr::I64TruncF32S { d, a }),
            O::I64TruncSatF32U => self.unary(ValType::I64, |d, a| Instr::I64TruncSatF32U { d, a }),
            O::I64TruncF32U => self.trapping_unary(ValType::I64, |d, a| Instr::I64TruncF32U { d, a }),
            O::I64TruncSatF64S => self.unary(ValType::I64, |d, a| Instr::I64TruncSatF64S { d, a }),
            O::I64TruncF64S => self.trapping_unary(ValType::I64, |d, a| Instr::I64TruncF64S { d, a }),
            O::I64TruncSatF64U => self.unary(ValType::I64, |d, a| Instr::I64TruncSatF64U { d, a }),
            O::I64TruncF64U => self.trapping_unary(ValType::I64, |d, a| Instr::I64TruncF64U { d, a }),
            O::I32ReinterpretF32 => self.reinterpret(ValType::I32),
            O::I64ReinterpretF64 => self.reinterpret(ValType::I64),
            O::F32ReinterpretI32 => self.reinterpret(ValType::F32),
            O::F64ReinterpretI64 => self.reinterpret(ValType::F64),
            O::I32Extend8S => self.unary(ValType::I32, |d, a| Instr::SignExtend { from: 8, width: 32, d, a }),
            O::I32Extend16S => self.unary(ValType::I32, |d, a| Instr::SignExtend { from: 16, width: 32, d, a }),
            O::I64Extend8S => self.unary(ValType::I64, |d, a| Instr::SignExtend { from: 8, width: 64, d, a }),
            O::I64Extend16S => self.unary(ValType::I64, |d, a| Instr::SignExtend { from: 16, width: 64, d, a }),
            O::I64Extend32S => self.unary(ValType::I64, |d, a| Instr::SignExtend { from: 32, width: 64, d, a }),
            O::I32Load { memarg } => self.load(memarg.offset, ValType::I32, |d, addr, offset| Instr::Load32U { width: 32, d, addr, offset }),
            O::I64Load { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load64 { d, addr, offset }),
            O::F32Load { memarg } => self.load(memarg.offset, ValType::F32, |d, addr, offset| Instr::Load32U { width: 32, d, addr, offset }),
            O::F64Load { memarg } => self.load(memarg.offset, ValType::F64, |d, addr, offset| Instr::Load64 { d, addr, offset }),
            O::I32Load8S { memarg } => self.load(memarg.offset, ValType::I32, |d, addr, offset| Instr::Load8S { width: 32, d, addr, offset }),
            O::I32Load8U { memarg } => self.load(memarg.offset, ValType::I32, |d, addr, offset| Instr::Load8U { width: 32, d, addr, offset }),
            O::I32Load16S { memarg } => self.load(memarg.offset, ValType::I32, |d, addr, offset| Instr::Load16S { width: 32, d, addr, offset }),
            O::I32Load16U { memarg } => self.load(memarg.offset, ValType::I32, |d, addr, offset| Instr::Load16U { width: 32, d, addr, offset }),
            O::I64Load8S { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load8S { width: 64, d, addr, offset }),
            O::I64Load8U { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load8U { width: 64, d, addr, offset }),
            O::I64Load16S { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load16S { width: 64, d, addr, offset }),
            O::I64Load16U { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load16U { width: 64, d, addr, offset }),
            O::I64Load32S { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load32S { width: 64, d, addr, offset }),
            O::I64Load32U { memarg } => self.load(memarg.offset, ValType::I64, |d, addr, offset| Instr::Load32U { width: 64, d, addr, offset }),
            O::I32Store { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store32 { addr, value, offset }),
            O::I64Store { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store64 { addr, value, offset }),
            O::F32Store { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store32 { addr, value, offset }),
            O::F64Store { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store64 { addr, value, offset }),
            O::I32Store8 { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store8 { addr, value, offset }),
            O::I32Store16 { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store16 { addr, value, offset }),
            O::I64Store8 { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store8 { addr, value, offset }),
            O::I64Store16 { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store16 { addr, value, offset }),
            O::I64Store32 { memarg } => self.store(memarg.offset, |addr, value, offset| Instr::Store32 { addr, value, offset }),
            ref other => return self.vector_operator(other),
        }
        Ok(())
    }

    // --- the shapes instructions come in ---

    /// `mirror` builds the same instruction with its operands exchanged, where that is possible.
    fn binary_with(&mut self, kind: Option<SiteKind>, ty: ValType, make: Binary, mirror: Option<Binary>) {
        let (mut b, mut a) = (self.pop(), self.pop());
        let mut make = make;
        if let (Place::Const(_), Some(mirror)) = (a.operand.place, mirror)
            && !matches!(b.operand.place, Place::Const(_))
        {
            std::mem::swap(&mut a, &mut b);
            make = mirror;
        }
        let immediate = match b.operand.place {
            Place::Const(bits) if b.operand.ty == ValType::I32 => Some(bits as u32 as i32),
            Place::Const(bits) if b.operand.ty == ValType::I64 => i32::try_from(bits as i64).ok(),
            _ => None,
        };
        let position_a = self.read(a);
        let instr = match immediate.and_then(|imm| make(0, position_a, 0).with_immediate(imm)) {
            Some(instr) => instr,
            None => {
                let b = self.read(b);
                make(0, position_a, b)
            }
        };
        let d = self.push_temp(ty);
        let mut instr = instr;
        if let Some(slot) = instr.destination() {
            *slot = d;
        }
        match kind {
            Some(kind) => self.emit_site(kind, instr),
            None => self.emit(instr),
        }
    }

    fn binary(&mut self, ty: ValType, make: Binary, mirror: Option<Binary>) {
        self.binary_with(None, ty, make, mirror);
    }

    fn compare(&mut self, make: Binary, mirror: Option<Binary>) {
        self.binary_with(Some(SiteKind::Compare), ValType::I32, make, mirror);
    }

    fn trapping_binary(&mut self, ty: ValType, make: Binary) {
        self.binary_with(Some(SiteKind::Arithmetic), ty, make, None);
    }

    fn eqz32(&mut self) {
        if self.stack.last().is_some_and(|o| o.place == Place::Temp) {
            let temp = self.slot(self.stack.len() - 1);
            if let Some(negated) = self.last().and_then(|i| i.negate_comparison(temp)) {
                let at = self.body.code.len() - 1;
                self.body.code[at] = negated;
                return;
            }
        }
        self.push(Place::Const(0), ValType::I32);
        self.compare(|d, a, b| Instr::I32Eq { d, a, b }, None);
    }

    fn eqz64(&mut self) {
        self.push(Place::Const(0), ValType::I64);
        self.compare(|d, a, b| Instr::I64Eq { d, a, b }, None);
    }

    fn unary(&mut self, ty: ValType, make: Unary) {
        let a = self.pop();
        let a = self.read(a);
        let d = self.push_temp(ty);
        self.emit(make(d, a));
    }

    fn site_unary(&mut self, kind: SiteKind, ty: ValType, make: Unary) {
        let a = self.pop();
        let a = self.read(a);
        let d = self.push_temp(ty);
        self.emit_site(kind, make(d, a));
    }

    fn trapping_unary(&mut self, ty: ValType, make: Unary) {
        self.site_unary(SiteKind::Arithmetic, ty, make);
    }

    /// The bits stay as they are.
    fn reinterpret(&mut self, ty: ValType) {
        if let Some(top) = self.stack.last_mut() {
            top.ty = ty;
        }
    }

    fn select(&mut self) {
        let cond = self.pop();
        if self.stack.last().is_some_and(|operand| operand.ty == ValType::V128High) {
            self.stack.push(cond.operand);
            self.vector_select();
            return;
        }
        let b = self.pop();
        let first = self.stack.len() - 1;
        self.settle(first);
        let (b, cond) = (self.read(b), self.read(cond));
        let d = self.slot(first);
        let ty = self.stack[first].ty;
        let width = if ty.is_ref() { 0 } else { ty.width() };
        self.emit_site(SiteKind::Select, Instr::Select { width, d, b, cond });
    }

    fn local_set(&mut self, local: u32) {
        let slot = self.local_slot(local);
        if second_half(self.local_types[slot as usize]).is_some() {
            self.set_local_slot(slot + 1);
        }
        self.set_local_slot(slot);
    }

    fn set_local_slot(&mut self, local: u32) {
        let value = self.pop();
        if value.operand.place == Place::Local(local) {
            return;
        }
        self.settle_local(local);
        if value.operand.place == Place::Temp {
            let temp = self.slot(value.position);
            if let Some(mut instr) = self.last()
                && let Some(d) = instr.destination()
                && *d == temp
            {
                *d = local;
                let at = self.body.code.len() - 1;
                self.body.code[at] = instr;
                // The comparison now writes the local: a later branch must not take it for a temporary.
                self.barrier = self.body.code.len();
                return;
            }
        }
        self.move_to(value, local);
    }

    fn load(&mut self, offset: u64, ty: ValType, make: fn(Slot, Slot, u32) -> Instr) {
        let addr = self.pop();
        let addr = self.read(addr);
        let d = self.push_temp(ty);
        self.emit_site(SiteKind::Memory, make(d, addr, offset as u32));
    }

    fn store(&mut self, offset: u64, make: fn(Slot, Slot, u32) -> Instr) {
        let value = self.pop();
        let addr = self.pop();
        let (addr, value) = (self.read(addr), self.read(value));
        self.emit_site(SiteKind::Memory, make(addr, value, offset as u32));
    }

    /// Three operands in consecutive slots.
    fn bulk(&mut self, kind: SiteKind, make: impl Fn(Slot) -> Instr) {
        self.settle_top(3);
        let at = self.slot(self.stack.len() - 3);
        self.stack.truncate(self.stack.len() - 3);
        self.emit_site(kind, make(at));
    }
}
