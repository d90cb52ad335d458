//! Branch sites and loops: the places policies speak about.

use crate::ids::{FuncIdx, SiteId};

/// What kind of instruction a site is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SiteKind {
    /// `br_if`
    BrIf,
    /// `if`
    If,
    /// `br_table`
    BrTable,
    /// `select`
    Select,
    /// `call_indirect`, `return_call_indirect`
    CallIndirect,
    /// A comparison whose result is used as a number rather than branched on at once.
    Compare,
    /// An arithmetic instruction that can trap: division, remainder, float to integer.
    Arithmetic,
    /// A memory access, which a symbolic address can split.
    Memory,
    /// A table access.
    Table,
    /// A call into the host, whose arguments can be symbolic.
    Host,
}

impl SiteKind {
    /// Whether executing the site counts as a conditional for the `branches` cost.
    pub fn is_conditional(self) -> bool {
        matches!(self, SiteKind::BrIf | SiteKind::If | SiteKind::BrTable | SiteKind::Select | SiteKind::CallIndirect)
    }

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            SiteKind::BrIf => "br_if",
            SiteKind::If => "if",
            SiteKind::BrTable => "br_table",
            SiteKind::Select => "select",
            SiteKind::CallIndirect => "call_indirect",
            SiteKind::Compare => "comparison",
            SiteKind::Arithmetic => "arithmetic",
            SiteKind::Memory => "memory access",
            SiteKind::Table => "table access",
            SiteKind::Host => "host call",
        }
    }
}

/// One site.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub id: SiteId,
    pub kind: SiteKind,
    pub func: FuncIdx,
    /// Offset of the instruction from the start of the code section's contents, as DWARF counts.
    pub offset: u32,
}

/// One loop of a function, by the code it spans.
#[derive(Clone, Copy, Debug)]
pub struct LoopInfo {
    pub func: FuncIdx,
    /// Code offset of the `loop` instruction.
    pub start: u32,
    /// Code offset of its `end`.
    pub end: u32,
    /// Index (in the program's loop list) of the loop around it.
    pub parent: Option<u32>,
    /// 1 for an outermost loop.
    pub depth: u32,
}
