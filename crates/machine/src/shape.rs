//! The parts of a state by name: what two states have to agree on to have the same future.

use std::rc::Rc;

use slowpath_program::FuncIdx;
use slowpath_term::TermId;

use crate::memory::Memory;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::Answer;
use crate::state::State;
use crate::symbolic::Open;
use crate::value::Form;

/// A part of a state that is read and written as one. Of a state with one module; several are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A register, counted from the first one of the outermost frame.
    Register(u32),
    Global(u32),
    /// A byte of memory.
    Byte(u32),
}

impl<P: Profile> State<Open<P>> {
    /// What a place holds, as numbers: equal exactly where the values are, terms included.
    pub fn content(&self, place: Place) -> [u64; 2] {
        match place {
            Place::Register(at) => self.values.get(at as usize).map_or([0; 2], |value| value.words()),
            Place::Global(at) => self.globals.get(at as usize).map_or([0; 2], |value| value.words()),
            Place::Byte(addr) => [self.memories.first().map_or(0, |memory| memory.content(addr.into())), 0],
        }
    }

    /// The term that a place holds, or a part of it.
    pub fn term_at(&self, place: Place) -> [Option<TermId>; 2] {
        let value = match place {
            Place::Register(at) => self.values.get(at as usize),
            Place::Global(at) => self.globals.get(at as usize),
            Place::Byte(addr) => return [self.memories.first().and_then(|memory| memory.term(addr.into())), None],
        };
        match value.map(|value| value.form()) {
            None | Some(Form::Plain(_)) => [None; 2],
            Some(Form::Term(t) | Form::Flag(t, _)) => [Some(t), None],
            Some(Form::Unmade(comparison, _)) => [Some(comparison.a), Some(comparison.b)],
        }
    }

    /// The place of a global of the module.
    pub fn global_place(&self, global: u32) -> Place {
        let instance = self.store.instances.first();
        Place::Global(instance.and_then(|instance| instance.globals.get(global as usize)).copied().unwrap_or(global))
    }

    /// Everything that the future depends on beside registers, globals, bytes of memory and conditions, as numbers: where
    /// each frame is, what the instruction that asked was told before, the sizes and tables, what the host knows, and
    /// whether costs count. `start` is a state of the same run before it.
    pub fn shape(&self, start: &Self, out: &mut Vec<u64>) {
        out.push(self.frames.len() as u64);
        for frame in &self.frames {
            let place = u64::from(frame.func.0) << 32 | u64::from(frame.pc);
            out.extend([place, u64::from(frame.base) << 32 | u64::from(frame.instance.0)]);
        }
        out.push(self.answers.len() as u64);
        for answer in &self.answers {
            out.extend(match *answer {
                Answer::Bool(side) => [0, side.into(), 0],
                Answer::Case(case) => [1, case.into(), 0],
                Answer::Range(low, high) => [2, low, high],
                Answer::Value(value) => [3, value, 0],
            });
        }
        out.push(u64::from(self.waiting.is_some()) << 1 | u64::from(self.selected));
        if let Some(unwritten) = &self.unwritten {
            out.extend([unwritten.input as u64, unwritten.number as u64, u64::from(unwritten.bytes)]);
        }
        out.push(self.meter.region_number());
        out.extend(self.memories.iter().map(|memory| u64::from(memory.pages())));
        self.host.words(out);
        for (table, first) in self.tables.iter().zip(&start.tables) {
            if !Rc::ptr_eq(table, first) {
                out.push(table.len() as u64);
                out.extend(table.iter());
            }
        }
        for (now, first) in
            [(&self.dropped_data, &start.dropped_data), (&self.dropped_elements, &start.dropped_elements)]
        {
            if !Rc::ptr_eq(now, first) {
                out.extend(now.iter().map(|dropped| u64::from(*dropped)));
            }
        }
    }

    /// Where the branch is that waits for an answer, if a plain one does: its function, its place there, and the first register of
    /// its frame. Not where choices of the path may have changed what it asks.
    pub fn waiting_branch(&self) -> Option<(FuncIdx, u32, u32)> {
        let frame = self.frames.last().filter(|_| self.waiting.is_some() && !self.selected)?;
        Some((frame.func, frame.pc, frame.base))
    }

    /// What this path decided on conditions of selects and comparisons, for other values that are built on them.
    pub fn decided(&self) -> impl Iterator<Item = (TermId, bool)> + '_ {
        self.decided.iter().map(|(cond, side)| (*cond, *side))
    }

    /// Bytes that a fork of this state takes before it writes anything, about.
    pub fn fork_bytes(&self) -> usize {
        self.values.len() * size_of::<<Open<P> as Mode>::Value>() + 1024
    }
}
