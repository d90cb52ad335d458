//! Plain inputs, run on wasmtime where it counts the cost that is asked for, else on our own machine.

use slowpath_portfolio::{OnMachine, Ran, Runner};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use slowpath_replay::{ReplayError, Replayed, Replayer};
use slowpath_search::{Budget, CostModel, Target};

use crate::request::Limits;
use crate::subject::Subject;
use crate::verify::replay_limits;

const PAGE: u64 = 65_536;
/// Instructions that wasmtime does in the time of a step, and steps that a run takes besides.
const PER_STEP: u64 = 8;
const STEPS_PER_RUN: u64 = 300;

/// The fastest engine for the cost that is asked for.
pub(crate) struct FastRunner {
    /// None where wasmtime does not take the module or cannot count the cost.
    wasmtime: Option<(Replayer, fn(&Replayed) -> u64)>,
    entry: Entry,
    limit: u64,
}

impl FastRunner {
    /// Compiles the module, if that is of use.
    pub fn new(subject: &Subject, limits: &Limits) -> FastRunner {
        let count: Option<fn(&Replayed) -> u64> = match subject.cost {
            CostModel::Instructions => Some(|run| run.instructions),
            CostModel::Output => Some(|run| run.output),
            CostModel::Custom => Some(|run| run.custom),
            CostModel::Memory => Some(|run| u64::from(run.memory_pages) * PAGE),
            _ => None,
        };
        let wasmtime = count.and_then(|count| {
            let mut replayer = Replayer::new(&subject.compiled.wasm, subject.function.0, replay_limits(limits)).ok()?;
            replayer.set_fuel(limits.instructions);
            Some((replayer, count))
        });
        FastRunner { wasmtime, entry: subject.entry.clone(), limit: limits.instructions }
    }
}

impl Runner for FastRunner {
    fn run(&mut self, target: &Target, n: i64, input: &InputValues, budget: &Budget) -> Option<Ran> {
        let Some((replayer, count)) = &self.wasmtime else { return OnMachine.run(target, n, input, budget) };
        match replayer.run(&self.entry, n, input) {
            Ok(run) => {
                budget.charge(STEPS_PER_RUN + run.instructions / PER_STEP);
                let allowed = run.trap != Some(Trap::AssumeFailed);
                allowed.then(|| Ran { cost: count(&run), at_least: false })
            }
            Err(ReplayError::OutOfFuel(_)) => {
                budget.charge(self.limit / PER_STEP);
                (target.cost == CostModel::Instructions).then_some(Ran { cost: self.limit, at_least: true })
            }
            Err(_) => {
                budget.charge(STEPS_PER_RUN);
                None
            }
        }
    }

    fn hits(&self) -> &[u32] {
        &[]
    }
}
