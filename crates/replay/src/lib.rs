//! Runs an input on an engine that is not ours, wasmtime or wasmi, and counts its cost there.
//!
//! A finding is only believed if this run agrees with the machine's. The host functions here are therefore written
//! independently of the machine's, after the same description (see `host`), and nothing but `program` is shared.

mod compile;
mod engine;
mod error;
mod host;
mod kind;
mod limits;
mod link;
mod region;
mod run;
mod runner;
mod signature;
mod started;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use slowpath_program::World;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::instrument::exported_function;
use slowpath_program::trap::Trap;

pub use error::ReplayError;
pub use kind::EngineKind;
pub use limits::ReplayLimits;
pub use runner::{Ran, Runner};

use engine::Settings;
use started::Initialized;

/// A module, compiled and linked, whose function can be run on many inputs.
pub struct Replayer {
    module: Initialized,
    limits: ReplayLimits,
    world: World,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// Fuel used by the call, or by its regions between `slowpath_begin` and `slowpath_end`.
    ///
    /// Entering a function costs 1 and so does every operator, except `nop`, `drop`, `block`, `loop`, `unreachable`, `return`, `else` and
    /// `end`, which are free; bulk operations add the number of bytes or elements.
    pub instructions: u64,
    /// Whether `instructions` is exact. After a trap in the middle of a function, wasmtime only knows what was used up to the last
    /// call or return, and the true count may be higher.
    pub exact: bool,
    /// The bits of each result; references are 0 or 1.
    pub results: Vec<u64>,
    pub trap: Option<Trap>,
    /// Bytes written to standard output and error.
    pub output: u64,
    /// The sum of what the program gave to `slowpath_cost`.
    pub custom: u64,
    /// Size of the memory at the end; it never shrinks, so this is its peak.
    pub memory_pages: u32,
}

impl Replayer {
    /// Compiles a module in order to run one of its functions, given by its index.
    pub fn new(wasm: &[u8], function: u32, limits: ReplayLimits) -> Result<Replayer, ReplayError> {
        Replayer::in_world(wasm, function, World::default(), limits)
    }

    /// Compiles a module in order to run one of its functions, with something around it.
    pub fn in_world(wasm: &[u8], function: u32, world: World, limits: ReplayLimits) -> Result<Replayer, ReplayError> {
        if limits.is_interrupted() {
            return Err(ReplayError::CompileTime);
        }
        let engine = limits.engine.engine(&Settings { limits: &limits, world: &world, counted: false })?;
        let prepared = limits.engine.prepare(wasm, function, &world)?;
        let linked = link::link(compile::module(engine, prepared, &limits)?, &world)?;
        let module = Initialized { linked, initialize: exported_function(wasm, "_initialize")? != Some(function) };
        Ok(Replayer { module, limits, world })
    }

    /// Changes how much fuel a run may use, without compiling anything again.
    pub fn set_fuel(&mut self, fuel: u64) {
        self.limits.fuel = fuel;
    }

    /// One run from a fresh instance. A trap is a result; an error means that there is nothing to compare with.
    pub fn run(&self, entry: &Entry, n: i64, inputs: &InputValues) -> Result<Replayed, ReplayError> {
        self.run_for(entry, n, inputs, self.limits.fuel)
    }

    /// One run that is ended after so many instructions.
    pub fn run_for(&self, entry: &Entry, n: i64, inputs: &InputValues, fuel: u64) -> Result<Replayed, ReplayError> {
        self.run_unless(entry, n, inputs, fuel, || false)
    }

    /// One run that is ended after so many instructions, or soon after `is_over` says so, where the engine can be told to stop: wasmtime can, wasmi ends
    /// with its fuel.
    pub fn run_unless(
        &self,
        entry: &Entry,
        n: i64,
        inputs: &InputValues,
        fuel: u64,
        is_over: impl Fn() -> bool,
    ) -> Result<Replayed, ReplayError> {
        /// Most runs are over at once, and nobody should wait for the next look.
        const TICKS: [Duration; 2] = [Duration::from_micros(200), Duration::from_millis(20)];
        let limits = ReplayLimits { fuel, ..self.limits.clone() };
        // On a thread of its own, since a deep recursion needs more stack than a thread usually has.
        let (waiting, done) = (std::thread::current(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let running = std::thread::Builder::new()
                .name("replay".to_owned())
                .stack_size(self.limits.thread_stack_bytes())
                .spawn_scoped(scope, || {
                    let ran = run::run(&self.module, &limits, &self.world, entry, n, inputs);
                    done.store(true, Ordering::Release);
                    waiting.unpark();
                    ran
                })
                .map_err(|error| ReplayError::Engine(format!("no thread for the run: {error}")))?;
            let mut tick = TICKS[0];
            while !done.load(Ordering::Acquire) && !running.is_finished() {
                std::thread::park_timeout(tick);
                tick = (tick * 2).min(TICKS[1]);
                // Told again and again: it may not have begun when it was told first.
                if is_over() {
                    self.module.linked.stop();
                }
            }
            running.join().unwrap_or_else(|_| Err(ReplayError::Engine("the engine panicked".to_owned())))
        })
    }
}
