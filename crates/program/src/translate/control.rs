//! Blocks, branches, calls and returns.

use std::collections::HashMap;

use wasmparser::{BlockType, BrTable};

use super::Translator;
use super::stack::{Fixup, Label, LabelKind, Operand, Place, Popped};
use crate::code::Instr;
use crate::error::LoadError;
use crate::ids::TypeIdx;
use crate::module::{FuncType, INVERTED};
use crate::sites::{LoopInfo, SiteKind};
use crate::val_type::ValType;
use crate::val_type::val_types;

/// Blocks within blocks: keeps a hostile function from filling memory with their types.
const MAX_NESTING: usize = 50_000;

impl Translator<'_> {
    fn block_type(&self, ty: BlockType) -> Result<FuncType, LoadError> {
        Ok(match ty {
            BlockType::Empty => FuncType::default(),
            BlockType::Type(t) => FuncType { params: Vec::new(), results: val_types(&[t])? },
            BlockType::FuncType(i) => self.program.types[i as usize].clone(),
        })
    }

    fn open(&mut self, kind: LabelKind, ty: FuncType) -> Result<(), LoadError> {
        if self.labels.len() > MAX_NESTING {
            return Err(self.too_large(format_args!("nests blocks more than {MAX_NESTING} deep")));
        }
        let height = self.stack.len() - ty.params.len();
        let loop_number = self.labels.last().and_then(|l| l.loop_number);
        self.labels.push(Label {
            kind,
            height,
            params: ty.params,
            results: ty.results,
            fixups: Vec::new(),
            else_branch: None,
            start: self.here(),
            loop_number,
        });
        Ok(())
    }

    pub(super) fn block(&mut self, ty: BlockType) -> Result<(), LoadError> {
        let ty = self.block_type(ty)?;
        self.settle_locals();
        self.settle_top(ty.params.len());
        self.open(LabelKind::Block, ty)
    }

    pub(super) fn loop_(&mut self, ty: BlockType) -> Result<(), LoadError> {
        let ty = self.block_type(ty)?;
        self.settle_locals();
        self.settle_top(ty.params.len());
        self.flush_cost();
        let parent = self.labels.last().and_then(|l| l.loop_number);
        let number = self.out.loops.len() as u32;
        let depth = parent.map_or(1, |p| self.out.loops[p as usize].depth + 1);
        self.out.loops.push(LoopInfo { func: self.func, start: self.offset, end: self.offset, parent, depth });
        self.open(LabelKind::Loop, ty)?;
        self.labels.last_mut().expect("just opened").loop_number = Some(number);
        self.barrier = self.body.code.len();
        Ok(())
    }

    pub(super) fn if_(&mut self, ty: BlockType) -> Result<(), LoadError> {
        let ty = self.block_type(ty)?;
        let cond = self.pop();
        self.settle_locals();
        self.settle_top(ty.params.len());
        let branch = self.conditional(cond, SiteKind::If, false);
        self.open(LabelKind::If, ty)?;
        self.labels.last_mut().expect("just opened").else_branch = Some(branch);
        Ok(())
    }

    /// Emits a branch on `cond` that jumps when it is `when`; its target is still to be patched.
    fn conditional(&mut self, cond: Popped, kind: SiteKind, when: bool) -> usize {
        if cond.operand.place == Place::Temp {
            let temp = self.slot(cond.position);
            if let Some(fused) = self.last().and_then(|i| i.fuse_branch(temp, 0, 0, when)) {
                self.unemit();
                let cost = self.take_cost();
                // Taking the cost may have put a charge of its own before the branch.
                self.emit_site(kind, fused.with_cost(cost));
                if !when {
                    *self.body.site_at.last_mut().expect("just pushed") |= INVERTED;
                }
                return self.body.code.len() - 1;
            }
        }
        let cond = self.read(cond);
        let cost = self.take_cost();
        if when {
            self.emit_site(kind, Instr::BrIf { cost, cond, target: 0 });
        } else {
            self.emit_site(kind, Instr::BrIfZ { cost, cond, target: 0 });
        }
        self.body.code.len() - 1
    }

    pub(super) fn else_(&mut self) {
        if self.dead.is_none() {
            let results = self.labels.last().expect("validated").results.len();
            self.settle_top(results);
            let cost = self.take_cost();
            let at = self.body.code.len();
            self.emit(Instr::Br { cost, target: 0 });
            self.labels.last_mut().expect("validated").fixups.push(Fixup::Code(at));
        }
        self.dead = None;
        self.pending = 0;
        let here = self.here();
        let label = self.labels.last_mut().expect("validated");
        label.kind = LabelKind::Else;
        let branch = label.else_branch.take();
        let (height, params) = (label.height, label.params.clone());
        self.reset_stack(height, &params);
        if let Some(at) = branch {
            self.patch(Fixup::Code(at), here);
        }
        self.barrier = self.body.code.len();
    }

    /// Makes the stack what it is at a join: everything above `height` in its own slot.
    fn reset_stack(&mut self, height: usize, types: &[ValType]) {
        self.stack.truncate(height);
        for &ty in types {
            self.push(Place::Temp, ty);
        }
    }

    pub(super) fn end(&mut self) {
        let mut label = self.labels.pop().expect("validated");
        let reachable = self.dead.is_none();
        self.dead = None;
        if label.kind == LabelKind::Function {
            if reachable {
                self.return_();
            }
            return;
        }
        if let (LabelKind::Loop, Some(number)) = (label.kind, label.loop_number) {
            self.out.loops[number as usize].end = self.offset;
        }
        if let Some(at) = label.else_branch.take() {
            label.fixups.push(Fixup::Code(at));
        }
        let joined = !label.fixups.is_empty();
        if reachable {
            self.settle_top(label.results.len());
            if joined {
                self.flush_cost();
            }
        } else {
            self.pending = 0;
        }
        let here = self.here();
        for fixup in std::mem::take(&mut label.fixups) {
            self.patch(fixup, here);
        }
        if joined {
            self.barrier = self.body.code.len();
        }
        self.reset_stack(label.height, &label.results);
        if !reachable && !joined {
            self.dead = Some(0);
        }
    }

    fn patch(&mut self, fixup: Fixup, target: u32) {
        match fixup {
            Fixup::Code(at) => {
                if let Some(t) = self.body.code[at].target_mut() {
                    *t = target;
                }
            }
            Fixup::Table(at) => self.body.targets[at] = target,
        }
    }

    fn label_index(&self, depth: u32) -> usize {
        self.labels.len() - 1 - depth as usize
    }

    /// Whether the top `arity` operands must be moved for a branch to this label.
    fn moves_needed(&self, index: usize) -> bool {
        let label = &self.labels[index];
        let arity = label.arity();
        let from = self.stack.len() - arity;
        (0..arity).any(|i| self.stack[from + i].place != Place::Temp || from + i != label.height + i)
    }

    fn move_for(&mut self, index: usize) {
        let (height, arity) = (self.labels[index].height, self.labels[index].arity());
        let from = self.stack.len() - arity;
        // Ascending order is safe: each destination lies at or below its source.
        for i in 0..arity {
            let (operand, position) = (self.stack[from + i], from + i);
            let d = self.slot(height + i);
            self.move_to(Popped { operand, position }, d);
        }
    }

    /// Points the branch at `at` to a label.
    fn aim(&mut self, fixup: Fixup, index: usize) {
        if self.labels[index].kind == LabelKind::Loop {
            let start = self.labels[index].start;
            self.patch(fixup, start);
        } else {
            self.labels[index].fixups.push(fixup);
        }
    }

    /// The code of an unconditional branch, without ending the block.
    fn jump(&mut self, index: usize, cost: u16) {
        if self.labels[index].kind == LabelKind::Function {
            self.return_with(cost);
            return;
        }
        self.move_for(index);
        let at = self.body.code.len();
        self.emit(Instr::Br { cost, target: 0 });
        self.aim(Fixup::Code(at), index);
    }

    pub(super) fn br(&mut self, depth: u32) {
        let cost = self.take_cost();
        self.jump(self.label_index(depth), cost);
        self.die();
    }

    pub(super) fn br_if(&mut self, depth: u32) {
        let cond = self.pop();
        let index = self.label_index(depth);
        if self.labels[index].kind == LabelKind::Function || self.moves_needed(index) {
            let skip = self.conditional(cond, SiteKind::BrIf, false);
            self.jump(index, 0);
            let here = self.here();
            self.patch(Fixup::Code(skip), here);
        } else {
            let at = self.conditional(cond, SiteKind::BrIf, true);
            self.aim(Fixup::Code(at), index);
        }
        self.barrier = self.body.code.len();
    }

    pub(super) fn br_table(&mut self, table: &BrTable<'_>) -> Result<(), LoadError> {
        let index = self.pop();
        let index = self.read(index);
        let cost = self.take_cost();
        let first = self.body.targets.len();
        let mut depths: Vec<u32> = table.targets().collect::<Result<_, _>>()?;
        depths.push(table.default());
        self.body.targets.resize(first + depths.len(), 0);
        self.emit_site(
            SiteKind::BrTable,
            Instr::BrTable { cost, index, first: first as u32, len: depths.len() as u32 },
        );
        // Targets that need their values moved get a piece of code that does it; equal targets share it.
        let mut pieces: HashMap<usize, u32> = HashMap::new();
        for (i, depth) in depths.into_iter().enumerate() {
            let label = self.label_index(depth);
            if self.labels[label].kind != LabelKind::Function && !self.moves_needed(label) {
                self.aim(Fixup::Table(first + i), label);
                continue;
            }
            let piece = *pieces.entry(label).or_insert_with(|| {
                let here = self.here();
                self.jump(label, 0);
                here
            });
            self.body.targets[first + i] = piece;
            self.check_size()?;
        }
        self.die();
        Ok(())
    }

    /// What follows cannot be reached until the block ends.
    pub(super) fn die(&mut self) {
        self.dead = Some(0);
        self.pending = 0;
        self.barrier = self.body.code.len();
        let height = self.labels.last().map_or(0, |l| l.height);
        self.stack.truncate(height);
    }

    pub(super) fn return_(&mut self) {
        let cost = self.take_cost();
        self.return_with(cost);
        self.die();
    }

    fn return_with(&mut self, cost: u16) {
        let count = self.body.results as usize;
        let from = self.stack.len() - count;
        if count == 1 {
            let (operand, position) = (self.stack[from], from);
            let a = self.read(Popped { operand, position });
            self.emit(Instr::Return1 { cost, a });
            return;
        }
        self.move_to_frame_start(from, count);
        self.emit(Instr::Return { cost });
    }

    /// Moves the operands from `from` on to the first slots of the frame. They are put in their own slots
    /// first, since a local among them could be overwritten before it is read.
    fn move_to_frame_start(&mut self, from: usize, count: usize) {
        let saved: Vec<Operand> = self.stack.clone();
        for position in from..from + count {
            self.settle(position);
        }
        for i in 0..count {
            let a = self.slot(from + i);
            if a != i as u32 {
                self.emit(Instr::Copy { d: i as u32, a });
            }
        }
        self.stack = saved;
        self.need(count);
    }

    pub(super) fn unreachable(&mut self) {
        let cost = self.take_cost();
        self.emit(Instr::Unreachable { cost });
        self.die();
    }

    // --- calls ---

    /// Pops the arguments into consecutive slots and pushes the results there; gives the first slot.
    fn call_window(&mut self, ty: &FuncType) -> u32 {
        self.settle_top(ty.params.len());
        let from = self.stack.len() - ty.params.len();
        let at = self.slot(from);
        self.need(from + ty.params.len().max(ty.results.len()));
        self.reset_stack(from, &ty.results);
        at
    }

    pub(super) fn call(&mut self, func: u32) {
        let ty = self.program.func_type(crate::ids::FuncIdx(func)).clone();
        let at = self.call_window(&ty);
        let cost = self.take_cost();
        if func < self.program.imported_funcs {
            self.emit_site(SiteKind::Host, Instr::CallImport { cost, func, at });
        } else {
            self.emit(Instr::Call { cost, func, at });
        }
        self.barrier = self.body.code.len();
    }

    pub(super) fn call_indirect(&mut self, ty: u32, table: u32) {
        let index = self.pop();
        let index = self.read_past(index);
        let signature = self.program.types[ty as usize].clone();
        let at = self.call_window(&signature);
        let cost = self.take_cost();
        self.emit_site(
            SiteKind::CallIndirect,
            Instr::CallIndirect { cost, signature: pack(TypeIdx(ty), table), index, at },
        );
        self.barrier = self.body.code.len();
    }

    /// Reads the index operand of an indirect call, which sits above the arguments.
    fn read_past(&mut self, p: Popped) -> u32 {
        self.need(p.position + 1);
        self.read(p)
    }

    pub(super) fn return_call(&mut self, func: u32) {
        let ty = self.program.func_type(crate::ids::FuncIdx(func)).clone();
        if func < self.program.imported_funcs {
            let at = self.call_window(&ty);
            let cost = self.take_cost();
            self.emit_site(SiteKind::Host, Instr::ReturnCallImport { cost, func, at });
        } else {
            let from = self.stack.len() - ty.params.len();
            self.move_to_frame_start(from, ty.params.len());
            let cost = self.take_cost();
            self.emit(Instr::ReturnCall { cost, func });
        }
        self.die();
    }

    pub(super) fn return_call_indirect(&mut self, ty: u32, table: u32) {
        let index = self.pop();
        let index = self.read_past(index);
        let signature = self.program.types[ty as usize].clone();
        let at = self.call_window(&signature);
        let cost = self.take_cost();
        self.emit_site(
            SiteKind::CallIndirect,
            Instr::ReturnCallIndirect { cost, signature: pack(TypeIdx(ty), table), index, at },
        );
        self.die();
    }
}

/// Type and table of an indirect call in one word; validation bounds both well below these widths.
fn pack(ty: TypeIdx, table: u32) -> u32 {
    (ty.0 & 0xf_ffff) | (table << 20)
}
