//! What the program can call: the functions of slowpath.h (`harness`) and of WASI (`wasi`).
//!
//! Everything is deterministic: inputs come from the finding, time is a counter, randomness a fixed stream.

mod harness;
mod memory;
mod wasi;

use std::collections::HashMap;

use slowpath_program::input::{InputValues, NameCounter, NamedInput};
use wasmtime::{Caller, Engine, ExternType, InstancePre, Linker, Module, StoreLimits, StoreLimitsBuilder};

use crate::ReplayLimits;
use crate::error::{ReplayError, text};
use crate::region::Region;

/// What host functions know and change, for one run.
pub(crate) struct Host {
    pub limits: StoreLimits,
    pub region: Region,
    pub output: u64,
    pub custom: u64,
    /// What the entry was given to start with.
    fuel: u64,
    inputs: HashMap<String, NamedInput>,
    names: NameCounter,
    clock: wasi::Clock,
    random: wasi::Random,
}

impl Host {
    pub(crate) fn new(limits: &ReplayLimits, inputs: &InputValues) -> Host {
        let memory_bytes = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX);
        let store_limits =
            StoreLimitsBuilder::new().memory_size(memory_bytes).table_elements(limits.table_elements).build();
        Host {
            limits: store_limits,
            region: Region::default(),
            output: 0,
            custom: 0,
            fuel: limits.fuel,
            inputs: inputs.0.iter().map(|input| (input.name.clone(), input.clone())).collect(),
            names: NameCounter::default(),
            clock: wasi::Clock::default(),
            random: wasi::Random::default(),
        }
    }

    /// Forgets what was counted during initialisation.
    pub(crate) fn start_counting(&mut self, fuel: u64) {
        self.fuel = fuel;
        self.region = Region::default();
        self.output = 0;
        self.custom = 0;
    }
}

/// The fuel used since the entry was called, including the call of the host function that asks.
fn fuel_used(caller: &Caller<'_, Host>) -> wasmtime::Result<u64> {
    Ok(caller.data().fuel.saturating_sub(caller.get_fuel()?))
}

/// Links a module with the host functions it imports.
pub(crate) fn link(engine: &Engine, module: &Module) -> Result<InstancePre<Host>, ReplayError> {
    let mut linker = Linker::new(engine);
    let define = |linker: &mut Linker<Host>| -> wasmtime::Result<()> {
        harness::define(linker)?;
        wasi::define(linker)
    };
    define(&mut linker).map_err(|error| ReplayError::Engine(text(&error)))?;
    for import in module.imports() {
        let kind = match import.ty() {
            ExternType::Func(_) if harness::provides(import.module(), import.name()) => continue,
            ExternType::Func(_) if wasi::provides(import.module(), import.name()) => continue,
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
