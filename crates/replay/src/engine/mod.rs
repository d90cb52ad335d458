//! What is asked of an engine.
//!
//! The engine is chosen when slowpath is built: wasmtime, a compiler, for what is used every day; wasmi, an interpreter that is compiled in
//! a small part of the time, for a first look. Everything around them knows only what is said here. Where both are built in, a run can be
//! made on either.

#[cfg(feature = "wasmi")]
mod on_wasmi;
#[cfg(feature = "wasmtime")]
mod on_wasmtime;

use std::sync::Arc;

use slowpath_program::instrument::{Counted, InstrumentError};
use slowpath_program::trap::Trap;
use slowpath_program::{Program, World};

use crate::error::ReplayError;
use crate::host::{Host, HostFunctions};
use crate::kind::EngineKind;
use crate::limits::ReplayLimits;
use crate::signature::Signature;

#[cfg(not(any(feature = "wasmtime", feature = "wasmi")))]
compile_error!("slowpath-replay needs an engine: enable the feature `wasmtime` or `wasmi`");

impl EngineKind {
    /// The module with what the engine needs in it to be asked what a run cost.
    #[cfg_attr(
        not(feature = "wasmi"),
        allow(unused_variables, reason = "wasmtime is told the costs when it is set up")
    )]
    pub(crate) fn prepare(self, wasm: &[u8], function: u32, world: &World) -> Result<Vec<u8>, InstrumentError> {
        match self {
            #[cfg(feature = "wasmtime")]
            EngineKind::Wasmtime => slowpath_program::instrument::with_exports(wasm, function),
            #[cfg(feature = "wasmi")]
            EngineKind::Wasmi => slowpath_program::instrument::with_meter(wasm, function, &world.costs),
        }
    }

    /// What `prepare` makes, with a counter for each branch.
    pub(crate) fn prepare_counted(
        self,
        program: &Program,
        wasm: &[u8],
        function: u32,
    ) -> Result<Counted, InstrumentError> {
        match self {
            #[cfg(feature = "wasmtime")]
            EngineKind::Wasmtime => slowpath_program::instrument::with_counters(program, wasm, function),
            #[cfg(feature = "wasmi")]
            EngineKind::Wasmi => slowpath_program::instrument::with_counters_and_meter(program, wasm, function),
        }
    }

    pub(crate) fn engine(self, settings: &Settings<'_>) -> Result<Box<dyn Engine>, ReplayError> {
        match self {
            #[cfg(feature = "wasmtime")]
            EngineKind::Wasmtime => on_wasmtime::engine(settings),
            #[cfg(feature = "wasmi")]
            EngineKind::Wasmi => Ok(on_wasmi::engine(settings)),
        }
    }
}

/// How modules are compiled and run.
#[cfg_attr(not(feature = "wasmtime"), allow(dead_code, reason = "for wasmi the module itself says what it costs"))]
pub(crate) struct Settings<'a> {
    pub limits: &'a ReplayLimits,
    pub world: &'a World,
    /// Whether the module has counters, and its instance will be run again and again.
    pub counted: bool,
}

/// Compiles modules.
pub(crate) trait Engine: Send {
    /// A module that `prepare` or `prepare_counted` made. The reason where it cannot.
    fn compile(&self, wasm: &[u8]) -> Result<Arc<dyn Module>, String>;
}

/// Something a module asks for: where it is, what it is called, and the type of the function, or what else it is.
pub(crate) struct Import {
    pub module: String,
    pub name: String,
    pub kind: Result<Signature, &'static str>,
}

/// A module that is compiled.
pub(crate) trait Module: Send + Sync {
    fn imports(&self) -> Result<Vec<Import>, ReplayError>;
    /// The module with the functions that it imports, of which none is missing and all have its types.
    fn link(self: Arc<Self>, functions: HostFunctions) -> Result<Box<dyn Linked>, ReplayError>;
}

/// A module with all it imports.
pub(crate) trait Linked: Send + Sync {
    /// A fresh instance whose start function was run, with so much fuel.
    fn start(&self, host: Host, fuel: u64) -> Result<Box<dyn Instance>, Ending>;
    /// Ends every run of the module that has begun, where the engine can; else they end with their fuel.
    fn stop(&self) {}
}

/// A program that can be called.
pub(crate) trait Instance: Send {
    fn host(&self) -> &Host;
    fn host_mut(&mut self) -> &mut Host;
    /// The type of the entry.
    fn signature(&self) -> Result<Signature, ReplayError>;
    /// Calls `_initialize`, if there is one.
    fn initialize(&mut self) -> Result<(), Ending>;
    /// Asks the allocator for a byte, if there is one.
    fn allocate(&mut self) -> Result<(), Ending>;
    /// Calls the entry. The bits of its results; references are 0 or 1.
    fn call(&mut self, arguments: &[u64]) -> Result<Vec<u64>, Ending>;
    fn set_fuel(&mut self, fuel: u64) -> Result<(), ReplayError>;
    fn fuel_left(&self) -> Result<u64, ReplayError>;
    /// Memory 0, if there is one.
    fn memory(&self) -> Option<&[u8]>;
    fn memory_mut(&mut self) -> Option<&mut [u8]>;
    /// Whether memory 0 could be grown by so many pages.
    fn grow(&mut self, pages: u32) -> bool;
    /// The memory of the counters.
    fn counters(&mut self) -> Option<&mut [u8]>;
    /// Remembers what these globals hold. Each is exported as `global_export` says.
    fn keep_globals(&mut self, globals: &[u32]) -> Result<(), ReplayError>;
    /// Makes them hold that again. False if it cannot be done.
    fn restore_globals(&mut self) -> bool;
}

/// An end of the run: by a trap, and whether a host function caused it; or by something that makes the run worthless.
#[derive(Debug)]
pub(crate) enum Ending {
    Trap {
        trap: Trap,
        by_host: bool,
    },
    OutOfFuel,
    /// It was told to.
    #[cfg_attr(not(feature = "wasmtime"), allow(dead_code, reason = "only wasmtime can be told"))]
    Stopped,
    Failure(String),
}

pub(crate) fn lost(export: &str) -> ReplayError {
    ReplayError::Engine(format!("the export {export} is lost"))
}
