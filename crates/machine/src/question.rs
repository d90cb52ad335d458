//! What the machine asks of the search, and what it is told.

use slowpath_program::{FuncIdx, SiteId, Trap};
use slowpath_term::{Comparison, TermId};

/// Why `run` came back.
#[derive(Clone, Debug)]
pub enum Event {
    /// The path is over.
    Done(Outcome),
    /// A symbolic value decides; give an `Answer` and run again.
    Ask(Question),
    /// The instruction count passed `check_at`: time to look at the clock. Raise `check_at` to go on.
    Poll,
    /// The next instruction writes to memory that nobody wrote to before, which takes so many bytes more than there is room for. `give_room`
    /// to go on.
    Room(u64),
    /// A limit ends the path.
    Stopped(Limit),
}

/// How a path ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Returned,
    Trapped(Trap),
}

/// A limit that cut a path short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// Instructions on one path.
    Instructions,
    /// Depth of calls.
    CallDepth,
}

/// Something that made a result less than exact, to be reported.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// `memory.grow` was refused because of our own limit.
    MemoryLimit,
}

/// A decision the machine cannot make alone.
#[derive(Clone, Debug)]
pub struct Question {
    pub site: SiteId,
    pub func: FuncIdx,
    /// Which activation of the function: histories are kept per activation.
    pub activation: u32,
    pub kind: QuestionKind,
}

#[derive(Clone, Debug)]
pub enum QuestionKind {
    /// Does this hold? Answer `Bool`.
    Branch(TermId),
    /// Does this not hold? Answer `Bool`. The opposite is left to be made for the side that needs it.
    Unless(TermId),
    /// Does this comparison of two inputs hold? Answer `Bool`. The term is left to be made for the side that needs it.
    Compare(Comparison),
    /// Does this hold, which means a trap? Answer `Bool`.
    Trap(TermId, Trap),
    /// Which of these, of which exactly one holds? Answer `Case`.
    Switch(Vec<TermId>),
    /// The program only goes on where this holds. Answer `Bool`; `false` ends the path as infeasible.
    Assume(TermId),
    /// Bounds of the term's unsigned value on this path. Answer `Range`. No decision.
    Range(TermId),
    /// Too many possible values: choose one. Answer `Value`, after adding the equality to the path.
    Pin(TermId, &'static str),
}

/// The reply to a question, of the kind the question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Bool(bool),
    Case(u32),
    Range(u64, u64),
    Value(u64),
}
