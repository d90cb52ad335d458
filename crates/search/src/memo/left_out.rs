//! What tests leave out, and what they change otherwise.

/// Something that futures depend on and that is left out on purpose, so that tests can show that it would be noticed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The last register of those needed.
    Register,
    /// The last global of those needed.
    Global,
    /// The last byte of memory of those needed.
    Byte,
    /// The path's conditions on the inputs that were asked about.
    Conditions,
    /// That values of an input are told apart.
    Values,
    /// What was asked where nothing else was possible.
    Passed,
    /// What was written right after the first decision.
    FirstWrites,
    /// How many instructions ran before a path that was cut.
    Instructions,
    /// The numbers that names are compared with.
    Fixed,
    /// That something else is asked of inputs that names are compared with.
    Otherwise,
}

/// What tests change.
#[derive(Clone, Copy, Default)]
pub struct Trial {
    pub left_out: Option<LeftOut>,
    /// Bytes that are remembered at most.
    pub most_remembered: Option<usize>,
}
