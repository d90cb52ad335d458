//! Stack code to register code, one function at a time.
//!
//! Before: the module is validated. During: `stack` mirrors the operand stack, `pending` is the cost of the
//! straight-line code not yet charged. After: every branch target is resolved, and the cost charged along any
//! path equals the number of original instructions, counted as wasmtime counts fuel.

mod control;
mod ops;
mod stack;
mod vector;

use wasmparser::FunctionBody;

use crate::code::{Instr, Probes};
use crate::error::LoadError;
use crate::ids::{FuncIdx, SiteId, Slot};
use crate::module::{FuncBody, NO_SITE, Program};
use crate::sites::{LoopInfo, Site, SiteKind};
use crate::val_type::ValType;
use crate::val_type::{second_half, val_type};

use stack::{Label, LabelKind, Operand, Place, Popped, slot_of};

/// What translation adds to the program as a whole.
pub(crate) struct Output {
    pub sites: Vec<Site>,
    pub loops: Vec<LoopInfo>,
    /// How many instructions may still be made, see `Output::new`.
    pub room: usize,
}

impl Output {
    /// For code of this many bytes. It becomes about one instruction for three bytes; only functions of very many results,
    /// each of which is moved at every branch, could make more than four for one.
    pub fn new(bytes: usize) -> Output {
        Output { sites: Vec::new(), loops: Vec::new(), room: (1 << 20) + 4 * bytes }
    }
}

/// Registers a frame may need: keeps a hostile function from asking for gigabytes.
const MAX_FRAME: usize = 1 << 20;

/// Stack entries that can stand for a local without a copy; those above are rare, and looking for them would take long.
const MAX_LAZY: usize = 256;

/// Translates one function body.
pub(crate) fn function(
    program: &Program,
    func: FuncIdx,
    body: &FunctionBody<'_>,
    code_start: usize,
    probes: &Probes,
    out: &mut Output,
) -> Result<FuncBody, LoadError> {
    let ty = program.func_type(func).clone();
    let mut local_types = ty.params.clone();
    for local in body.get_locals_reader()? {
        let (count, ty) = local?;
        let ty = val_type(ty)?;
        match second_half(ty) {
            Some(high) => (0..count).for_each(|_| local_types.extend([ty, high])),
            None => local_types.extend(std::iter::repeat_n(ty, count as usize)),
        }
    }
    let vectors = local_types.contains(&ValType::V128High);
    let first_slots = vectors.then(|| {
        let slots = (0..).zip(&local_types).filter(|(_, ty)| **ty != ValType::V128High);
        slots.map(|(slot, _)| slot).collect()
    });
    let locals = local_types.len() as u32;
    let mut t = Translator {
        program,
        func,
        probes,
        out,
        local_types,
        first_slots,
        locals,
        body: FuncBody {
            locals,
            params: ty.params.len() as u32,
            results: ty.results.len() as u32,
            ..FuncBody::default()
        },
        stack: Vec::new(),
        labels: Vec::new(),
        dead: None,
        // Entering a function costs one, as in wasmtime.
        pending: 1,
        barrier: 0,
        offset: 0,
        next_probe: probes.offsets.partition_point(|&o| (o as usize + code_start) < body.range().start as usize),
        height: ty.params.len().max(ty.results.len()),
    };
    t.labels.push(Label {
        kind: LabelKind::Function,
        height: 0,
        params: Vec::new(),
        results: ty.results,
        fixups: Vec::new(),
        else_branch: None,
        start: 0,
        loop_number: None,
    });
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        let at = reader.original_position() as usize;
        t.offset = at.saturating_sub(code_start) as u32;
        let op = reader.read()?;
        t.operator(&op)?;
    }
    t.finish()
}

struct Translator<'a> {
    program: &'a Program,
    func: FuncIdx,
    probes: &'a Probes,
    out: &'a mut Output,
    /// By slot: a vector has two.
    local_types: Vec<ValType>,
    /// The slot of each local, where that is not its number: there are vectors.
    first_slots: Option<Vec<u32>>,
    locals: u32,
    body: FuncBody,
    stack: Vec<Operand>,
    labels: Vec<Label>,
    /// Inside code that cannot be reached: how many blocks deep.
    dead: Option<u32>,
    pending: u64,
    /// Instructions before this place may be jumped over or to: not to be folded with later ones.
    barrier: usize,
    offset: u32,
    next_probe: usize,
    /// The most stack slots in use at any time.
    height: usize,
}

impl Translator<'_> {
    fn finish(mut self) -> Result<FuncBody, LoadError> {
        let frame = self.locals as usize + self.height;
        if frame > MAX_FRAME {
            return Err(self.too_large(format_args!("needs {frame} registers, more than {MAX_FRAME}")));
        }
        self.body.frame = frame as u32;
        self.out.room -= self.body.code.len();
        Ok(self.body)
    }

    fn too_large(&self, why: std::fmt::Arguments<'_>) -> LoadError {
        LoadError::TooLarge(format!("function {} {why}", self.func))
    }

    /// Whether the code made so far is within the room there is.
    fn check_size(&self) -> Result<(), LoadError> {
        if self.body.code.len() > self.out.room {
            return Err(self.too_large(format_args!("moves more values than its size allows for")));
        }
        Ok(())
    }

    // --- emission ---

    fn emit(&mut self, instr: Instr) {
        self.body.code.push(instr);
        self.body.offset_at.push(self.offset);
        self.body.site_at.push(NO_SITE);
    }

    fn emit_site(&mut self, kind: SiteKind, instr: Instr) {
        let id = self.new_site(kind);
        self.emit(instr);
        *self.body.site_at.last_mut().expect("just pushed") = id.0;
    }

    fn new_site(&mut self, kind: SiteKind) -> SiteId {
        let id = SiteId(self.out.sites.len() as u32);
        self.out.sites.push(Site { id, kind, func: self.func, offset: self.offset });
        id
    }

    /// Takes back the last instruction, and the site it may have been given.
    fn unemit(&mut self) -> Option<Instr> {
        if self.body.code.len() <= self.barrier {
            return None;
        }
        let site = self.body.site_at.pop()?;
        self.body.offset_at.pop();
        if site != NO_SITE && site as usize + 1 == self.out.sites.len() {
            self.out.sites.pop();
        }
        self.body.code.pop()
    }

    /// The last instruction, if nothing can jump to the place after it.
    fn last(&self) -> Option<Instr> {
        if self.body.code.len() > self.barrier { self.body.code.last().copied() } else { None }
    }

    fn here(&self) -> u32 {
        self.body.code.len() as u32
    }

    /// The pending cost, for a control instruction to carry.
    fn take_cost(&mut self) -> u16 {
        if self.pending > u64::from(u16::MAX) {
            self.flush_cost();
        }
        std::mem::take(&mut self.pending) as u16
    }

    /// Charges the pending cost by an instruction of its own.
    fn flush_cost(&mut self) {
        while self.pending > 0 {
            let cost = self.pending.min(u64::from(u32::MAX)) as u32;
            self.pending -= u64::from(cost);
            self.emit(Instr::Charge { cost });
        }
    }

    // --- operands ---

    fn slot(&self, position: usize) -> Slot {
        slot_of(self.locals, position)
    }

    fn need(&mut self, height: usize) {
        self.height = self.height.max(height);
    }

    fn push(&mut self, place: Place, ty: ValType) {
        self.stack.push(Operand { place, ty });
        self.need(self.stack.len());
    }

    /// The slot of a local, or of its first half.
    fn local_slot(&self, local: u32) -> u32 {
        self.first_slots.as_ref().map_or(local, |slots| slots[local as usize])
    }

    fn push_local(&mut self, local: u32) {
        let slot = self.local_slot(local);
        let ty = self.local_types[slot as usize];
        self.push_local_slot(slot, ty);
        if let Some(high) = second_half(ty) {
            self.push_local_slot(slot + 1, high);
        }
    }

    fn push_local_slot(&mut self, local: u32, ty: ValType) {
        if self.stack.len() < MAX_LAZY {
            self.push(Place::Local(local), ty);
        } else {
            let d = self.push_temp(ty);
            self.emit(Instr::Copy { d, a: local });
        }
    }

    /// Pushes a result to be computed, and tells its slot.
    fn push_temp(&mut self, ty: ValType) -> Slot {
        let slot = self.slot(self.stack.len());
        self.push(Place::Temp, ty);
        slot
    }

    fn pop(&mut self) -> Popped {
        let operand = self.stack.pop().expect("validated");
        Popped { operand, position: self.stack.len() }
    }

    /// The slot an operand can be read from; a constant is put in its stack slot first.
    fn read(&mut self, p: Popped) -> Slot {
        match p.operand.place {
            Place::Temp => self.slot(p.position),
            Place::Local(l) => l,
            Place::Const(bits) => {
                let d = self.slot(p.position);
                self.emit(Instr::Const { d, bits });
                d
            }
        }
    }

    /// Moves an operand to a given slot.
    fn move_to(&mut self, p: Popped, d: Slot) {
        match p.operand.place {
            Place::Temp => {
                let a = self.slot(p.position);
                if a != d {
                    self.emit(Instr::Copy { d, a });
                }
            }
            Place::Local(a) => self.emit(Instr::Copy { d, a }),
            Place::Const(bits) => self.emit(Instr::Const { d, bits }),
        }
    }

    /// Puts the stack entry at `position` into its own slot.
    fn settle(&mut self, position: usize) {
        let operand = self.stack[position];
        if operand.place != Place::Temp {
            let d = self.slot(position);
            self.move_to(Popped { operand, position }, d);
            self.stack[position].place = Place::Temp;
        }
    }

    fn settle_top(&mut self, count: usize) {
        for position in self.stack.len() - count..self.stack.len() {
            self.settle(position);
        }
    }

    /// Before code that may or may not run: entries that are still locals must not change under it.
    fn settle_locals(&mut self) {
        for position in 0..self.stack.len().min(MAX_LAZY) {
            if matches!(self.stack[position].place, Place::Local(_)) {
                self.settle(position);
            }
        }
    }

    /// Before `local` is written: entries that still mean its old value are saved.
    fn settle_local(&mut self, local: u32) {
        for position in 0..self.stack.len().min(MAX_LAZY) {
            if self.stack[position].place == Place::Local(local) {
                self.settle(position);
            }
        }
    }
}
