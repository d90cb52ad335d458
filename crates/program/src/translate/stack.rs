//! The operand stack at translation time: what each entry is, so that locals and constants need no instruction.

use crate::ids::Slot;
use crate::val_type::ValType;

/// Where an operand's value is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Place {
    /// In the stack slot of its position.
    Temp,
    /// Still in the local it was read from.
    Local(u32),
    Const(u64),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Operand {
    pub place: Place,
    pub ty: ValType,
}

/// A popped operand and the position it had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Popped {
    pub operand: Operand,
    pub position: usize,
}

/// What a label at the end of a `br` is waiting for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fixup {
    /// The target of the instruction at this place.
    Code(usize),
    /// An entry of the function's `br_table` targets.
    Table(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LabelKind {
    Function,
    Block,
    Loop,
    If,
    Else,
}

/// An open block.
#[derive(Debug)]
pub(super) struct Label {
    pub kind: LabelKind,
    /// Stack height below the block's parameters.
    pub height: usize,
    pub params: Vec<ValType>,
    pub results: Vec<ValType>,
    pub fixups: Vec<Fixup>,
    /// For `If`: the branch to the else side.
    pub else_branch: Option<usize>,
    /// For `Loop`: where it starts.
    pub start: u32,
    /// The number of the innermost loop around what is inside; for `Loop` its own.
    pub loop_number: Option<u32>,
}

impl Label {
    /// How many values a branch to this label carries.
    pub fn arity(&self) -> usize {
        if self.kind == LabelKind::Loop { self.params.len() } else { self.results.len() }
    }
}

/// The slot of a stack position.
pub(super) fn slot_of(locals: u32, position: usize) -> Slot {
    locals + position as u32
}
