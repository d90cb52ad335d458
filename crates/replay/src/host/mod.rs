//! What the program can call: the functions of slowpath.h (`harness`) and of WASI (`wasi`).
//!
//! Everything is deterministic: inputs come from the finding, time is a counter, randomness a fixed stream.

mod files;
mod harness;
mod inputs;
mod memory;
mod stubs;
mod wasi;

use slowpath_program::World;
use slowpath_program::call::CallError;
use slowpath_program::input::{InputValues, NameCounter};
use slowpath_program::trap::Trap;
use wasmtime::{Caller, Engine, ExternType, InstancePre, Linker, Module};

use crate::error::{ReplayError, text};
use crate::limits::Limiter;
use crate::region::Region;

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

/// The fuel used since the entry was called, including the call of the host function that asks.
fn fuel_used(caller: &Caller<'_, Host>) -> wasmtime::Result<u64> {
    Ok(caller.data().fuel.saturating_sub(caller.get_fuel()?))
}

/// Links a module with the host functions it imports.
pub(crate) fn link(engine: &Engine, module: &Module, world: &World) -> Result<InstancePre<Host>, ReplayError> {
    let mut linker = Linker::new(engine);
    let define = |linker: &mut Linker<Host>| -> wasmtime::Result<()> {
        harness::define(linker)?;
        wasi::define(linker)?;
        stubs::define(linker, module, world)
    };
    define(&mut linker).map_err(|error| ReplayError::Engine(text(&error)))?;
    for import in module.imports() {
        let kind = match import.ty() {
            ExternType::Func(_) if harness::provides(import.module(), import.name()) => continue,
            ExternType::Func(_) if wasi::provides(import.module(), import.name()) => continue,
            ExternType::Func(_) if world.stub(import.module(), import.name()).is_some() => continue,
            ExternType::Func(_) => "a function",
            ExternType::Memory(_) => "a memory",
            ExternType::Table(_) => "a table",
            ExternType::Global(_) => "a global",
            _ => "a tag",
        };
        let (module, field) = (import.module().to_owned(), import.name().to_owned());
        return Err(ReplayError::UnknownImport { module, field, kind });
    }
    linker.instantiate_pre(module).map_err(|error| ReplayError::ImportType(text(&error)))
}
