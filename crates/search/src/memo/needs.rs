//! What a future reads of the state it begins with, found backwards: what is needed after a stretch of the run, and what
//! the run did, say what is needed before it.

use rustc_hash::{FxHashMap, FxHashSet};
use slowpath_machine::{Entry, Place, Recorded, State};
use slowpath_program::{Bounded, Effect, Instr, Program};
use slowpath_term::Terms;
use smallvec::SmallVec;

use super::held::Held;
use super::input_set::InputSet;
use super::names::Name;
use super::touched::Touched;

/// Places whose contents matter.
pub type Needs = FxHashSet<Place>;

/// Goes back over what happened: `needs` is what matters at its end, and becomes what matters at its beginning. False where
/// that cannot be said. Names that matter are in `held`. `start` is the state that every path begins with. Inputs that are read where nobody writes are added to
/// `inputs`: no place will say that they matter. With `choices`, some instruction of the program makes choices that addresses are split by.
#[allow(clippy::too_many_arguments, reason = "parts of what explores, borrowed one by one")]
pub fn backwards(
    program: &Program,
    choices: bool,
    terms: &Terms,
    start: &State<Recorded>,
    touched: &mut Touched,
    entries: &[Entry],
    needs: &mut Needs,
    inputs: &mut InputSet,
    held: &mut Held,
) -> bool {
    let (bounds, read, written) = (FxHashMap::default(), Vec::new(), Vec::new());
    let mut way =
        Backwards { choices, terms, start, touched, needs, inputs, held, bounds, read, wanted: false, written };
    for entry in entries.iter().rev() {
        match *entry {
            Entry::Step { func, pc, base } => {
                let body = program.funcs.get(func.index()).and_then(|f| f.body.as_ref());
                let Some(instruction) = body.and_then(|body| body.code.get(pc as usize)) else { return false };
                if !way.instruction(instruction, base) {
                    return false;
                }
            }
            other => way.happened(other),
        }
    }
    // Nothing is remembered of bounds: what has one is needed as it is.
    let bounded: Vec<Place> = way.bounds.keys().copied().collect();
    needs.extend(bounded);
    true
}

struct Backwards<'a> {
    choices: bool,
    terms: &'a Terms,
    start: &'a State<Recorded>,
    touched: &'a mut Touched,
    needs: &'a mut Needs,
    inputs: &'a mut InputSet,
    held: &'a mut Held,
    /// Registers that only have to be no greater than a number: addresses of what nobody needs, which must not trap.
    bounds: FxHashMap<Place, u64>,
    /// What the current instruction read. Its entries come before it, backwards.
    read: Vec<(u32, u32)>,
    /// Whether something that the current instruction wrote is needed.
    wanted: bool,
    /// Names that the current instruction wrote to memory.
    written: Vec<Name>,
}

impl Backwards<'_> {
    /// Something that an instruction did beside what it does with registers.
    fn happened(&mut self, entry: Entry) {
        match entry {
            Entry::Read { addr, len } => self.read.push((addr, len)),
            Entry::Wrote { addr, len } => {
                for addr in addr..addr.saturating_add(len) {
                    self.wanted |= self.needs.remove(&Place::Byte(addr));
                }
                if !self.held.places.is_empty() {
                    let held = &mut self.held.places;
                    self.written
                        .extend((addr..addr.saturating_add(len)).filter_map(|addr| held.remove(&Place::Byte(addr))));
                }
            }
            Entry::MayHaveWritten { addr, len } => {
                if !self.held.places.is_empty() {
                    self.no_names((addr..addr.saturating_add(len)).map(Place::Byte));
                }
                self.wanted |= (addr..addr.saturating_add(len)).any(|addr| self.needs.contains(&Place::Byte(addr)));
            }
            Entry::Copied { to, from, len } => {
                let moved: Vec<u32> = (0..len).filter(|i| self.needs.remove(&Place::Byte(to + i))).collect();
                moved.into_iter().for_each(|i| self.need_byte(from + i));
                if !self.held.places.is_empty() {
                    let held = &mut self.held.places;
                    let moved: Vec<(u32, Name)> =
                        (0..len).filter_map(|i| Some((i, held.remove(&Place::Byte(to + i))?))).collect();
                    moved.into_iter().for_each(|(i, name)| self.hold_byte(from + i, name));
                }
            }
            Entry::Passed { from, to } => self.needs.extend((from..to).map(Place::Register)),
            Entry::Cleared { from, to } => {
                for register in (from..to).map(Place::Register) {
                    self.needs.remove(&register);
                    self.bounds.remove(&register);
                    if let Some(name) = self.held.places.remove(&register) {
                        self.held.fix(name);
                    }
                }
            }
            Entry::Step { .. } => {}
        }
    }

    /// An instruction, after what it did; false where its effect is not known.
    fn instruction(&mut self, instruction: &Instr, base: u32) -> bool {
        let register = |slot: u32| Place::Register(base + slot);
        let effect = instruction.effect();
        let names = !(self.held.places.is_empty() && self.written.is_empty());
        let copied = if names { self.copied(instruction, effect, base) } else { SmallVec::new() };
        match effect {
            Effect::Computes { d, from } => self.computed(instruction, base, d, from),
            Effect::ComputesRange { at, reads, writes } => {
                let mut needed = false;
                for slot in at..at + writes {
                    needed |= self.defined(register(slot));
                }
                if needed {
                    self.needs.extend((at..at + reads).map(register));
                }
            }
            Effect::Loads { d, addr } => self.loaded(instruction, base, d, addr),
            Effect::Stores { addr, value } => {
                self.needs.insert(register(addr));
                if self.wanted {
                    self.needs.insert(register(value));
                }
            }
            Effect::ReadsGlobal { d, global } => {
                if self.defined(register(d)) {
                    self.needs.insert(self.start.global_place(global));
                }
            }
            Effect::WritesGlobal { a, global } => {
                if self.needs.remove(&self.start.global_place(global)) {
                    self.needs.insert(register(a));
                }
            }
            Effect::Decides { on, d } => {
                if let Some(d) = d {
                    self.defined(register(d));
                }
                self.needs.extend(on.into_iter().flatten().map(register));
            }
            Effect::CopiesMemory { at } => self.needs.extend((at..at + 3).map(register)),
            Effect::FillsMemory { at } => {
                self.needs.extend([at, at + 2].map(register));
                if self.wanted {
                    self.needs.insert(register(at + 1));
                }
            }
            Effect::DecidesOnRange { at, count } => self.needs.extend((at..at + count).map(register)),
            Effect::Opaque => return false,
        }
        // What is not loaded into a register was read to decide.
        let read = std::mem::take(&mut self.read);
        if !matches!(effect, Effect::Loads { .. }) {
            self.need_bytes(read);
        }
        self.wanted = false;
        for (place, name) in copied {
            if let (Place::Byte(byte), Effect::Loads { addr, .. }) = (place, effect) {
                self.needs.insert(register(addr));
                self.hold_byte(byte, name);
            } else {
                self.held.places.insert(place, name);
            }
        }
        true
    }

    /// The places that an instruction copies a name from, or compares; what else it makes names of is needed as it is.
    fn copied(&mut self, instruction: &Instr, effect: Effect, base: u32) -> SmallVec<[(Place, Name); 2]> {
        let register = |slot: u32| Place::Register(base + slot);
        let written = std::mem::take(&mut self.written);
        if let (Instr::Store8 { value, .. }, &[name]) = (*instruction, &written[..]) {
            return SmallVec::from_iter([(register(value), name)]);
        }
        self.wanted |= !written.is_empty();
        written.into_iter().for_each(|name| self.held.fix(name));
        match (*instruction, effect) {
            (_, Effect::Computes { d, .. } | Effect::Loads { d, .. }) => {
                let Some(name) = self.held.places.get(&register(d)) else { return SmallVec::new() };
                let from = source(instruction, *name, &self.read, register);
                if from.is_empty() {
                    self.no_names([register(d)].into_iter());
                } else {
                    self.held.places.remove(&register(d));
                }
                return from;
            }
            (_, Effect::ReadsGlobal { d, .. } | Effect::Decides { d: Some(d), .. }) | (Instr::Select { d, .. }, _) => {
                self.no_names([register(d)].into_iter());
            }
            (_, Effect::ComputesRange { at, writes: count, .. } | Effect::DecidesOnRange { at, count }) => {
                self.no_names((at..at + count).map(register));
            }
            // The host puts its results there, or may do so.
            (Instr::CallImport { at, .. } | Instr::CallIndirect { at, .. }, _) => {
                let first = base + at;
                let results = |place: &&Place| matches!(place, Place::Register(r) if *r >= first);
                let results: Vec<Place> = self.held.places.keys().filter(results).copied().collect();
                self.no_names(results.into_iter());
            }
            _ => {}
        }
        SmallVec::new()
    }

    /// What is at these places is needed as it is, and keeps its meaning.
    fn no_names(&mut self, places: impl Iterator<Item = Place>) {
        for place in places {
            if let Some(name) = self.held.places.remove(&place) {
                self.held.fix(name);
                self.needs.insert(place);
            }
        }
    }

    fn hold_byte(&mut self, addr: u32, name: Name) {
        if self.touched.may_change(addr) {
            self.held.places.insert(Place::Byte(addr), name);
            return;
        }
        match Name::at(self.terms, self.start, Place::Byte(addr)) {
            Some(Name::Input(input)) if name.covers(Name::Input(input)) => {
                self.inputs.insert(input);
            }
            Some(found @ Name::Number(_)) if name.covers(found) => self.held.fix(found),
            _ => self.held.fix(name),
        }
    }

    /// A register was written: whether it is needed after that, in any way. Before, it is not.
    fn defined(&mut self, register: Place) -> bool {
        let bounded = self.bounds.remove(&register).is_some();
        self.needs.remove(&register) || bounded
    }

    fn computed(&mut self, instruction: &Instr, base: u32, d: u32, from: [Option<u32>; 2]) {
        let register = |slot: u32| Place::Register(base + slot);
        let most = self.bounds.remove(&register(d));
        let bounded = match (self.needs.remove(&register(d)), most) {
            (false, None) => return,
            (false, Some(most)) => instruction.bounded(most),
            (true, _) => Bounded::Unclear,
        };
        match bounded {
            Bounded::Always => {}
            Bounded::If(a, most) => self.bound(register(a), most),
            Bounded::Unclear => self.needs.extend(from.into_iter().flatten().map(register)),
        }
    }

    fn loaded(&mut self, instruction: &Instr, base: u32, d: u32, addr: u32) {
        let register = |slot: u32| Place::Register(base + slot);
        let most = self.bounds.remove(&register(d));
        let within = most.is_none_or(|most| instruction.bounded(most) == Bounded::Always);
        if self.needs.remove(&register(d)) || !within {
            let read = std::mem::take(&mut self.read);
            self.need_bytes(read);
            self.needs.insert(register(addr));
            return;
        }
        // Nobody needs what is there, as long as it is there. Memories do not shrink. An address that a choice is part of is a decision,
        // though, and whether one is depends on what it is computed from.
        let last = self.start.memory_bytes().checked_sub(1).filter(|_| !self.choices);
        match last.zip(instruction.load_end()).and_then(|(last, end)| last.checked_sub(end)) {
            Some(most) => self.bound(register(addr), most),
            None => {
                self.needs.insert(register(addr));
            }
        }
    }

    fn bound(&mut self, register: Place, most: u64) {
        let known = self.bounds.entry(register).or_insert(most);
        *known = most.min(*known);
    }

    fn need_bytes(&mut self, read: Vec<(u32, u32)>) {
        for (addr, len) in read {
            (addr..addr.saturating_add(len)).for_each(|addr| self.need_byte(addr));
        }
    }

    fn need_byte(&mut self, addr: u32) {
        let place = Place::Byte(addr);
        if self.touched.may_change(addr) {
            self.needs.insert(place);
            return;
        }
        for term in self.start.term_at(place).into_iter().flatten() {
            self.inputs.extend_from(self.terms.inputs(term));
            self.held.use_otherwise(self.terms, term);
        }
    }
}

/// Where a name comes from that an instruction puts into a register: nowhere, if it does more than copy or compare.
fn source(
    instruction: &Instr,
    name: Name,
    read: &[(u32, u32)],
    register: impl Fn(u32) -> Place,
) -> SmallVec<[(Place, Name); 2]> {
    match (*instruction, name) {
        (Instr::Copy { a, .. } | Instr::Return1 { a, .. }, _) => [(register(a), name)].into_iter().collect(),
        (Instr::Load8U { .. }, Name::Number(_) | Name::Input(_) | Name::Either(..)) => match *read {
            [(addr, 1)] => [(Place::Byte(addr), name)].into_iter().collect(),
            _ => SmallVec::new(),
        },
        // Compilers mask a flag with 1 before they branch on it.
        (Instr::I32AndImm { a, imm, .. }, Name::Test(..)) if imm & 1 == 1 => {
            [(register(a), name)].into_iter().collect()
        }
        (
            Instr::I32Eq { a, b, .. }
            | Instr::I32Ne { a, b, .. }
            | Instr::I64Eq { a, b, .. }
            | Instr::I64Ne { a, b, .. },
            Name::Test(input, byte),
        ) => [a, b].map(|slot| (register(slot), Name::Either(input, byte))).into_iter().collect(),
        // A flag that is compared with zero; an input would have been.
        (Instr::I32EqImm { a, imm: 0, .. } | Instr::I32NeImm { a, imm: 0, .. }, Name::Test(_, 1..)) => {
            [(register(a), name)].into_iter().collect()
        }
        _ => SmallVec::new(),
    }
}
