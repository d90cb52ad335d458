//! What host functions remember, and where the values of inputs come from.

use std::rc::Rc;

use slowpath_program::input::{InputValues, NameCounter};

use super::files::Files;
use super::input_record::InputRecord;
use super::words::SharedWords;

/// Where the values of inputs come from.
#[derive(Clone, Debug, Default)]
pub enum InputSource {
    /// Each is a fresh variable (symbolic mode).
    #[default]
    Symbolic,
    /// Each is a fresh variable, but that some bytes are parts of fresh words.
    InWords(SharedWords),
    /// Given by name; a missing one is zero.
    Given(Rc<InputValues>),
    /// Drawn at random from this seed on, uniformly over the type or the range (floats from -10⁶ to 10⁶).
    Random(u64),
}

/// What host functions remember. It is part of the state, so that a fork has its own.
#[derive(Clone, Debug)]
pub struct HostState {
    pub(crate) records: Vec<InputRecord>,
    pub(crate) next: u32,
    /// Values given or drawn so far, by input number; empty in symbolic mode.
    pub(crate) values: Vec<u64>,
    pub(crate) names: NameCounter,
    pub(crate) source: InputSource,
    pub(crate) clock: u64,
    pub(crate) random: u64,
    /// The type of the C++ exception that is on its way.
    pub(crate) in_flight: Option<Rc<str>>,
    pub(crate) files: Files,
}

impl Default for HostState {
    fn default() -> HostState {
        HostState {
            records: Vec::new(),
            next: 0,
            values: Vec::new(),
            names: NameCounter::default(),
            source: InputSource::Symbolic,
            clock: 0,
            random: 0x9E37_79B9_7F4A_7C15,
            in_flight: None,
            files: Files::default(),
        }
    }
}

impl HostState {
    /// What later calls of the host depend on, as numbers.
    pub(crate) fn words(&self, out: &mut Vec<u64>) {
        out.extend([u64::from(self.next), self.clock, self.random]);
        out.push(self.in_flight.as_ref().map_or(0, |name| 1 + name.len() as u64));
        out.extend(self.in_flight.iter().flat_map(|name| name.bytes().map(u64::from)));
        self.files.words(out);
    }
}
