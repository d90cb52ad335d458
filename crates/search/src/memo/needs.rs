//! What a future reads of the state it begins with, found backwards: what is needed after a stretch of the run, and what
//! the run did, say what is needed before it.

use rustc_hash::{FxHashMap, FxHashSet};
use slowpath_machine::{Entry, Place, Recorded, State};
use slowpath_program::{Bounded, Effect, Instr, Program};
use slowpath_term::Terms;

use super::input_set::InputSet;
use super::touched::Touched;

/// Places whose contents matter.
pub type Needs = FxHashSet<Place>;

/// Goes back over what happened: `needs` is what matters at its end, and becomes what matters at its beginning. False where
/// that cannot be said. `start` is the state that every path begins with. Inputs that are read where nobody writes are added to
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
) -> bool {
    let (bounds, read) = (FxHashMap::default(), Vec::new());
    let mut way = Backwards { choices, terms, start, touched, needs, inputs, bounds, read, wanted: false };
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
    /// Registers that only have to be no greater than a number: addresses of what nobody needs, which must not trap.
    bounds: FxHashMap<Place, u64>,
    /// What the current instruction read. Its entries come before it, backwards.
    read: Vec<(u32, u32)>,
    /// Whether something that the current instruction wrote is needed.
    wanted: bool,
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
            }
            Entry::MayHaveWritten { addr, len } => {
                self.wanted |= (addr..addr.saturating_add(len)).any(|addr| self.needs.contains(&Place::Byte(addr)));
            }
            Entry::Copied { to, from, len } => {
                let moved: Vec<u32> = (0..len).filter(|i| self.needs.remove(&Place::Byte(to + i))).collect();
                moved.into_iter().for_each(|i| self.need_byte(from + i));
            }
            Entry::Passed { from, to } => self.needs.extend((from..to).map(Place::Register)),
            Entry::Cleared { from, to } => {
                for register in (from..to).map(Place::Register) {
                    self.needs.remove(&register);
                    self.bounds.remove(&register);
                }
            }
            Entry::Step { .. } => {}
        }
    }

    /// An instruction, after what it did; false where its effect is not known.
    fn instruction(&mut self, instruction: &Instr, base: u32) -> bool {
        let register = |slot: u32| Place::Register(base + slot);
        let effect = instruction.effect();
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
        true
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
        }
    }
}
