//! What tests leave out.

/// Something that futures depend on and that is left out on purpose, so that tests can show that it would be noticed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    Registers,
    Globals,
    Memory,
    Inputs,
}
