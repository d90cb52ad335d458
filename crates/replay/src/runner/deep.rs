//! A thread with a large stack, which runs what is handed to it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use slowpath_program::input::InputValues;

use super::Ran;
use super::recipe::Recipe;
use super::session::Session;
use crate::ReplayError;

/// Ends when dropped.
pub(super) struct DeepThread {
    runs: Sender<Run>,
    results: Receiver<(Result<Ran, ReplayError>, Vec<u32>)>,
}

struct Run {
    n: i64,
    inputs: InputValues,
    fuel: u64,
    /// To be filled in and given back.
    hits: Vec<u32>,
}

impl DeepThread {
    /// Compiles the module for all the stack that its limits allow.
    pub(super) fn start(recipe: &Arc<Recipe>) -> Result<DeepThread, ReplayError> {
        let mut session = Session::new(recipe, recipe.limits.stack_bytes)?;
        let (runs, to_run) = channel::<Run>();
        let (done, results) = channel();
        let work = move || {
            for Run { n, inputs, fuel, mut hits } in to_run {
                let ran = session.run(n, &inputs, fuel, &mut hits);
                if done.send((ran, hits)).is_err() {
                    break;
                }
            }
        };
        let thread = Builder::new().name("replay".to_owned()).stack_size(recipe.limits.thread_stack_bytes());
        thread.spawn(work).map_err(|error| ReplayError::Engine(format!("no thread for the runs: {error}")))?;
        Ok(DeepThread { runs, results })
    }

    /// One run, waited for.
    pub(super) fn run(
        &mut self,
        n: i64,
        inputs: &InputValues,
        fuel: u64,
        hits: &mut Vec<u32>,
    ) -> Result<Ran, ReplayError> {
        let gone = || ReplayError::Engine("the engine panicked".to_owned());
        let run = Run { n, inputs: inputs.clone(), fuel, hits: std::mem::take(hits) };
        self.runs.send(run).map_err(|_| gone())?;
        let (ran, filled) = self.results.recv().map_err(|_| gone())?;
        *hits = filled;
        ran
    }
}
