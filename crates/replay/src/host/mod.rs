//! What the program can call: the functions of slowpath.h (`harness`) and of WASI (`wasi`).
//!
//! Everything is deterministic: inputs come from the finding, time is a counter, randomness a fixed stream.

mod files;
mod harness;
mod inputs;
mod memory;
mod stubs;
mod wasi;

use std::collections::HashMap;
use std::sync::Arc;

use slowpath_program::World;
use slowpath_program::call::CallError;
use slowpath_program::input::{InputValues, NameCounter};
use slowpath_program::trap::Trap;

use crate::error::HostTrap;
use crate::limits::Limiter;
use crate::region::Region;
use crate::signature::Signature;

use files::Files;
use inputs::Inputs;

/// What host functions know and change, for one run.
pub(crate) struct Host {
    pub limits: Limiter,
    pub region: Region,
    pub output: u64,
    pub custom: u64,
    /// The type of the C++ exception that is on its way.
    pub in_flight: Option<String>,
    /// What the entry was given to start with.
    fuel: u64,
    inputs: Inputs,
    streams: Streams,
    files: Files,
}

/// What host functions give, each time something else. It goes on from a program's initialisation to its run.
#[derive(Clone, Default)]
pub(crate) struct Streams {
    names: NameCounter,
    clock: wasi::Clock,
    random: wasi::Random,
}

impl Host {
    pub(crate) fn new(limits: Limiter, fuel: u64, inputs: &InputValues) -> Host {
        Host {
            limits,
            region: Region::default(),
            output: 0,
            custom: 0,
            in_flight: None,
            fuel,
            inputs: Inputs::new(inputs),
            streams: Streams::default(),
            files: Files::default(),
        }
    }

    /// Puts the world of size n around the program, before its entry is called.
    pub(crate) fn furnish(&mut self, world: &World, n: i64, inputs: &InputValues) -> Result<(), CallError> {
        self.files = Files::new(world, n, inputs, &mut self.streams.names)?;
        Ok(())
    }

    /// Forgets what was counted during initialisation.
    pub(crate) fn start_counting(&mut self, fuel: u64) {
        self.fuel = fuel;
        self.region = Region::default();
        self.output = 0;
        self.custom = 0;
    }

    /// How a run that returned ended all the same, if nobody caught what it threw.
    pub(crate) fn uncaught(&self) -> Option<Trap> {
        self.in_flight.as_deref().map(Trap::thrown)
    }

    /// Whether the program asked for any of its inputs so far.
    pub(crate) fn has_given_inputs(&self) -> bool {
        self.inputs.were_asked_for()
    }

    pub(crate) fn streams(&self) -> Streams {
        self.streams.clone()
    }

    /// For another run of the same instance: continues from where these streams were.
    pub(crate) fn rewind(&mut self, streams: &Streams, inputs: &InputValues) {
        self.in_flight = None;
        self.streams.clone_from(streams);
        self.inputs = Inputs::new(inputs);
    }
}

/// Whether this import is a function by which a program asks for an input.
pub(crate) fn gives_inputs(module: &str, field: &str) -> bool {
    harness::provides(module, field)
        && !["assume", "cost", "begin", "end", "panic", "thrown", "in_flight"]
            .iter()
            .any(|other| field.ends_with(other))
}

/// What a host function sees when it is called: the bytes of memory 0, what is kept for host functions, and the fuel that is left.
pub(crate) struct Seen<'a> {
    pub memory: &'a mut [u8],
    pub host: &'a mut Host,
    pub fuel_left: u64,
}

impl Seen<'_> {
    fn both(&mut self) -> (&mut [u8], &mut Host) {
        (self.memory, self.host)
    }

    /// The fuel used since the entry was called, including the call of the host function that asks.
    fn fuel_used(&self) -> u64 {
        self.host.fuel.saturating_sub(self.fuel_left)
    }
}

/// A function that a program can call: from the bits of its arguments to those of its results. Each engine makes its own of it.
pub(crate) type HostFunction = Arc<dyn Fn(&mut Seen<'_>, &[u64], &mut [u64]) -> Result<(), HostTrap> + Send + Sync>;

/// By module and name.
pub(crate) type HostFunctions = HashMap<(String, String), HostFunction>;

/// Arguments that are 32 bits wide.
fn ints<const N: usize>(arguments: &[u64]) -> [i32; N] {
    std::array::from_fn(|i| arguments.get(i).map_or(0, |bits| *bits as i32))
}

/// The function of this type that a module imports: the reason where there is none, which is that nobody has it or that its type is another.
pub(crate) fn function(world: &World, place: &str, name: &str, asked: &Signature) -> Result<HostFunction, Missing> {
    if let Some((_, stub)) = world.stub(place, name) {
        return Ok(stubs::function(stub, asked));
    }
    match harness::function(place, name).or_else(|| wasi::function(place, name)) {
        Some((ours, function)) if ours == *asked => Ok(function),
        Some(_) => Err(Missing::OtherType),
        None => Err(Missing::Unknown),
    }
}

/// Why there is no function to give.
pub(crate) enum Missing {
    Unknown,
    OtherType,
}
