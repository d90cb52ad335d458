//! Many runs of one function, each from the state a fresh instance would have, at a small part of a fresh instance's price.
//!
//! An instance is kept and put back to where it was before its first call (`session`): of its memory, what could have been
//! written (`touched`) is copied from an image taken then (`image`). Runs take place on the caller's thread, with as much
//! stack as any thread has; the few that need more are run again on a thread that has it (`deep`). What a run costs and
//! how it ends is what `Replayer` says of the same input. Beside that, it is counted how often each branch was reached.

mod deep;
mod image;
#[cfg(target_os = "linux")]
mod pagemap;
mod recipe;
mod session;
mod touched;

use std::sync::Arc;

use slowpath_program::Program;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;

use crate::{ReplayError, ReplayLimits, Replayed, Replayer};

use deep::DeepThread;
use recipe::Recipe;
use session::Session;

/// The pages in which memory is looked at and restored.
const PAGE: usize = 4096;
/// The stack a run gets at first: as much as wasmtime takes by default, so that every thread is expected to have it.
const NEAR_STACK: usize = 512 << 10;
/// After a run that needed more stack, so many runs are given it from the start.
const DEEP_RUNS: u32 = 64;

/// Runs one function on many inputs.
pub struct Runner {
    recipe: Arc<Recipe>,
    near: Session,
    /// Started when first needed, as is the next.
    deep: Option<DeepThread>,
    /// For runs that use up all the stack there is, of which counters may take a part.
    plain: Option<Replayer>,
    /// How many of the next runs are deep from the start.
    deep_runs: u32,
    hits: Vec<u32>,
}

/// What a run did. See `Replayed`, with which every field agrees, for what they mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// Of a run that was ended for want of fuel: what was counted until then.
    pub instructions: u64,
    pub exact: bool,
    pub trap: Option<Trap>,
    /// Whether more instructions than its fuel were executed. If so, `trap` is none.
    pub out_of_fuel: bool,
    pub output: u64,
    pub custom: u64,
    pub memory_pages: u32,
}

impl Runner {
    /// Compiles the module with a counter for each branch. `program` must have been loaded from `wasm`; the fuel of `limits`
    /// is for what comes before the call, each run has its own.
    pub fn new(
        program: &Program,
        wasm: &[u8],
        function: u32,
        entry: &Entry,
        limits: ReplayLimits,
    ) -> Result<Runner, ReplayError> {
        let recipe = Arc::new(Recipe::new(program, wasm, function, entry, limits)?);
        let near = Session::new(&recipe, NEAR_STACK.min(recipe.limits.stack_bytes))?;
        let hits = vec![0; recipe.sites];
        Ok(Runner { recipe, near, deep: None, plain: None, deep_runs: 0, hits })
    }

    /// One run. It is ended when it has executed more instructions than `fuel`, or soon after.
    pub fn run(&mut self, n: i64, inputs: &InputValues, fuel: u64) -> Result<Ran, ReplayError> {
        if self.deep_runs == 0 {
            let ran = self.near.run(n, inputs, fuel, &mut self.hits);
            if !is_stack_overflow(&ran) || self.recipe.limits.stack_bytes <= NEAR_STACK {
                return ran;
            }
            self.deep_runs = DEEP_RUNS;
        }
        self.deep_runs -= 1;
        let deep = match &mut self.deep {
            Some(deep) => deep,
            none => none.insert(DeepThread::start(&self.recipe)?),
        };
        let ran = deep.run(n, inputs, fuel, &mut self.hits);
        if !is_stack_overflow(&ran) {
            return ran;
        }
        match self.run_plain(n, inputs, fuel) {
            Err(ReplayError::OutOfFuel(_)) => ran,
            plain => plain,
        }
    }

    /// How often each branch was reached by the last run, by the index of its `SiteId`. Sites that are no `br_if`, `if`,
    /// `br_table` or `call_indirect` have 0. Counters start again from 0 after 2^32 - 1.
    pub fn hits(&self) -> &[u32] {
        &self.hits
    }

    /// One run without counters, from a fresh instance. Where the stack ends depends on them.
    fn run_plain(&mut self, n: i64, inputs: &InputValues, fuel: u64) -> Result<Ran, ReplayError> {
        let recipe = &self.recipe;
        let plain = match &mut self.plain {
            Some(plain) => plain,
            none => none.insert(Replayer::in_world(
                &recipe.wasm,
                recipe.function,
                recipe.world.clone(),
                recipe.limits.clone(),
            )?),
        };
        plain.set_fuel(fuel);
        plain.run(&recipe.entry, n, inputs).map(Ran::from)
    }
}

/// Whether there was too little stack for the run, or for what comes before it.
fn is_stack_overflow(ran: &Result<Ran, ReplayError>) -> bool {
    match ran {
        Ok(ran) => ran.trap == Some(Trap::StackOverflow),
        Err(error) => matches!(error, ReplayError::Startup { trap: Trap::StackOverflow, .. }),
    }
}

impl From<Replayed> for Ran {
    fn from(run: Replayed) -> Ran {
        Ran {
            instructions: run.instructions,
            exact: run.exact,
            trap: run.trap,
            out_of_fuel: false,
            output: run.output,
            custom: run.custom,
            memory_pages: run.memory_pages,
        }
    }
}
