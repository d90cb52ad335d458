//! The functions of `slowpath.h`.

use std::rc::Rc;

use slowpath_program::Trap;
use slowpath_program::call::ElemType;
use slowpath_term::Terms;

use crate::access::trapped;
use crate::host::Values;
use crate::memory::Memory;
use crate::mode::{Mode, Truth};
use crate::profile::Profile;
use crate::question::{Event, QuestionKind};
use crate::state::State;

/// Bytes of a name that are read.
const NAME_LIMIT: u64 = 256;
/// Elements one path may make, all inputs together.
const MOST_INPUTS: u64 = 16 << 20;

impl<M: Mode> State<M> {
    /// A NUL-terminated name in memory; a null pointer and an empty name mean `input`.
    fn name_at(&mut self, terms: &mut Terms, slot: u32) -> Result<String, Event> {
        let ptr = self.reg(slot);
        let ptr = u64::from(self.pin(terms, ptr, "a symbolic name")? as u32);
        if ptr == 0 {
            return Ok("input".to_owned());
        }
        let index = self.memory_index();
        let mut bytes = Vec::new();
        for i in 0..NAME_LIMIT {
            let Some(byte) = self.memories[index].load(terms, ptr + i, 1) else {
                return trapped(Trap::MemoryOutOfBounds);
            };
            self.profile.read(ptr + i, 1);
            match self.pin(terms, byte, "a symbolic name")? as u8 {
                0 => break,
                byte => bytes.push(byte),
            }
        }
        if bytes.is_empty() {
            return Ok("input".to_owned());
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(super) fn check_inputs(&self, count: u64) -> Result<(), Event> {
        if u64::from(self.host.next) + count > MOST_INPUTS {
            return trapped(Trap::Host(format!("the program makes more than {MOST_INPUTS} inputs")));
        }
        Ok(())
    }

    pub(super) fn make_array(&mut self, terms: &mut Terms, at: u32, ty: ElemType) -> Result<(), Event> {
        let name = self.name_at(terms, at + 2)?;
        let (ptr, count) = (self.reg(at), self.reg(at + 1));
        let ptr = u64::from(self.pin(terms, ptr, "a symbolic place for an input")? as u32);
        let count = u64::from(self.pin(terms, count, "a symbolic length of an input")? as u32);
        let index = self.memory_index();
        let bytes = u64::from(ty.bytes());
        if !self.memories[index].in_bounds(ptr, count * bytes) {
            return trapped(Trap::MemoryOutOfBounds);
        }
        self.check_inputs(count)?;
        let values = self.new_input(terms, &name, ty, false, count as u32, Values::default());
        for (i, value) in values.into_iter().enumerate() {
            self.memories[index].store(terms, ptr + i as u64 * bytes, bytes as u8, value);
        }
        self.profile.wrote(ptr, count * bytes);
        Ok(())
    }

    pub(super) fn make_scalar(&mut self, terms: &mut Terms, at: u32, ty: ElemType) -> Result<(), Event> {
        let name = self.name_at(terms, at)?;
        self.check_inputs(1)?;
        let values = self.new_input(terms, &name, ty, true, 1, Values::default());
        let value = Self::as_argument(terms, ty, values[0]);
        self.set_reg(at, value);
        Ok(())
    }

    /// Text in memory, with its length; `…` stands for what is unknown of it.
    fn text(&mut self, terms: &mut Terms, slot: u32) -> String {
        let [from, length] =
            [slot, slot + 1].map(|slot| M::bits(self.reg(slot)).map_or(0, |bits| u64::from(bits as u32)));
        let index = self.memory_index();
        let byte = |at| self.memories[index].load(terms, at, 1).and_then(M::bits).map(|bits| bits as u8);
        let bytes: Vec<Option<u8>> = (from..from + length.min(NAME_LIMIT)).map(byte).collect();
        self.profile.read(from, length.min(NAME_LIMIT));
        readable(&bytes)
    }

    pub(super) fn panicked(&mut self, terms: &mut Terms, at: u32) -> Result<(), Event> {
        let (message, file) = (self.text(terms, at), self.text(terms, at + 2));
        let line = M::bits(self.reg(at + 4)).unwrap_or(0) as u32;
        trapped(Trap::panicked(&message, &file, line))
    }

    pub(super) fn thrown(&mut self, terms: &mut Terms, at: u32) -> Result<(), Event> {
        let name = self.name_at(terms, at)?;
        trapped(Trap::thrown(&name))
    }

    /// Notes which exception is on its way; one that still is when the entry returns was not caught.
    pub(super) fn in_flight(&mut self, terms: &mut Terms, at: u32) -> Result<(), Event> {
        let none = M::bits(self.reg(at)).is_some_and(|address| address as u32 == 0);
        let exception = if none { None } else { Some(Rc::from(self.name_at(terms, at)?)) };
        Rc::make_mut(&mut self.host).in_flight = exception;
        Ok(())
    }

    pub(super) fn assume(&mut self, terms: &mut Terms, at: u32) -> Result<(), Event> {
        let holds = match M::truth(terms, self.reg(at)) {
            Truth::Known(b) => b,
            Truth::Open(cond) => self.decide(QuestionKind::Assume(cond))?,
        };
        if holds { Ok(()) } else { trapped(Trap::AssumeFailed) }
    }
}

/// Text of which some bytes are unknown. A number with an unknown digit is unknown as a whole: what is known of it is that of one path, and would
/// make as many messages as there are lengths.
fn readable(bytes: &[Option<u8>]) -> String {
    let is_digit = |byte: &Option<u8>| byte.is_none_or(|byte| byte.is_ascii_digit());
    let mut out = String::new();
    for part in bytes.chunk_by(|a, b| is_digit(a) == is_digit(b)) {
        match part.iter().copied().collect::<Option<Vec<u8>>>() {
            Some(known) => out += &String::from_utf8_lossy(&known),
            None => out.push('…'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn numbers_with_unknown_digits_are_unknown() {
        let bytes = |text: &str| text.bytes().map(|byte| Some(byte).filter(|byte| *byte != b'?')).collect::<Vec<_>>();
        let shown = ["len 3, index ??00", "index ?", "a ?x 12"].map(|text| readable(&bytes(text)));
        assert_eq!(shown, ["len 3, index …", "index …", "a …x 12"]);
    }
}
