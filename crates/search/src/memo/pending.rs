//! A branch that waits to know whether a byte of the input equals a number.

use slowpath_machine::{Entry, Place, Recorded, State};
use slowpath_program::{Instr, Program};
use slowpath_term::{InputId, Terms};
use smallvec::SmallVec;

use super::names::{Name, byte_test};
use crate::driver::Choice;

/// What such a branch compares.
pub struct Pending {
    pub input: InputId,
    pub number: u8,
    /// Whether the number is in the code, and no name.
    pub is_fixed: bool,
    /// Which side is equality, as a number.
    pub way: u64,
    /// The registers it looked at.
    pub holds: SmallVec<[(Place, Name); 2]>,
    step: Entry,
}

impl Pending {
    /// What the branch of a state compares, if one waits that does.
    pub fn of(program: &Program, terms: &Terms, state: &State<Recorded>, choice: &Choice) -> Option<Pending> {
        let (func, pc, base) = state.waiting_branch()?;
        let mut asked = None;
        let mut way = 1;
        for side in &choice.sides {
            let [Some(term), None] = side.terms() else { return None };
            let (input, number, negated) = byte_test(terms, term)?;
            if asked.is_some_and(|asked| asked != (input, number)) {
                return None;
            }
            asked = Some((input, number));
            way = way << 2 | side.words()[0] << 1 | u64::from(negated);
        }
        let (input, number) = asked?;
        let register = |slot: u32| Place::Register(base + slot);
        let instruction = program.funcs.get(func.index())?.body.as_ref()?.code.get(pc as usize)?;
        let (holds, is_fixed): (SmallVec<[(Place, Name); 2]>, bool) = match *instruction {
            Instr::BrI32Eq { a, b, .. }
            | Instr::BrI32Ne { a, b, .. }
            | Instr::BrI64Eq { a, b, .. }
            | Instr::BrI64Ne { a, b, .. } => {
                ([a, b].map(|slot| (register(slot), Name::Either(input, number))).into_iter().collect(), false)
            }
            Instr::BrIf { cond: a, .. }
            | Instr::BrIfZ { cond: a, .. }
            | Instr::BrI32EqImm { a, imm: 0, .. }
            | Instr::BrI32NeImm { a, imm: 0, .. }
                if is_flag(terms, state, register(a)) =>
            {
                ([(register(a), Name::Test(input, number))].into_iter().collect(), false)
            }
            Instr::BrIf { cond: a, .. } | Instr::BrIfZ { cond: a, .. } if number == 0 => {
                ([(register(a), Name::Input(input))].into_iter().collect(), true)
            }
            Instr::BrI32EqImm { a, imm, .. }
            | Instr::BrI32NeImm { a, imm, .. }
            | Instr::BrI64EqImm { a, imm, .. }
            | Instr::BrI64NeImm { a, imm, .. }
                if imm == i32::from(number) =>
            {
                ([(register(a), Name::Input(input))].into_iter().collect(), true)
            }
            _ => return None,
        };
        Some(Pending { input, number, is_fixed, way, holds, step: Entry::Step { func, pc, base } })
    }

    /// The number, if it is a name.
    pub fn name(&self) -> Option<u8> {
        (!self.is_fixed).then_some(self.number)
    }

    /// What happened before the branch looked at its registers.
    pub fn before<'a>(&self, mut entries: &'a [Entry]) -> &'a [Entry] {
        while let Some((last, rest)) = entries.split_last()
            && *last == self.step
        {
            entries = rest;
        }
        entries
    }
}

/// Whether a register holds the result of a comparison.
fn is_flag(terms: &Terms, state: &State<Recorded>, place: Place) -> bool {
    matches!(state.term_at(place), [Some(term), None] if terms.width(term) == 1)
}
