//! Plain inputs, run on an engine that is not ours where it counts the cost that is asked for, else on our own machine.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_portfolio::{OnMachine, Ran, Runner};
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use slowpath_replay::{ReplayError, ReplayLimits};
use slowpath_search::{Budget, CostModel, Target};

use crate::request::Limits;
use crate::resume::Keeping;
use crate::subject::Subject;

const PAGE: u64 = 65_536;
/// Instructions that wasmtime does in the time of a step, and steps that a run takes besides.
const PER_STEP: u64 = 8;
const STEPS_PER_RUN: u64 = 500;
/// Steps that each page of grown memory stands for.
const STEPS_PER_PAGE: u64 = 2_000;
/// Instructions of wasmtime's in a second, and what every run may take. Steps are the same whatever the engine, so that results by effort are.
const PER_SECOND: f64 = 1e9;
const LEAST_FUEL: u64 = 200_000_000;

/// A cost that the engine counts.
type Count = fn(&slowpath_replay::Ran) -> u64;

/// The fastest engine for the cost that is asked for.
pub(crate) struct FastRunner {
    /// None where it does not take the module or cannot count the cost.
    engine: Option<(slowpath_replay::Runner, Count)>,
    limit: u64,
    keeping: Keeping,
    /// The worst cost of each size that was kept.
    worst: BTreeMap<i64, u64>,
}

impl FastRunner {
    /// Compiles the module, if that is of use.
    pub fn new(subject: &Subject, limits: &Limits, replay: &ReplayLimits) -> FastRunner {
        let count: Option<Count> = match subject.cost {
            CostModel::Instructions => Some(|run| run.instructions),
            CostModel::Output => Some(|run| run.output),
            CostModel::Custom => Some(|run| run.custom),
            CostModel::Memory => Some(|run| u64::from(run.memory_pages) * PAGE),
            _ => None,
        };
        // What a module has from the start is there in every run.
        let at_first = subject.program.memories.first().map_or(0, |memory| u64::from(memory.min) * PAGE);
        let count = count.filter(|_| at_first <= replay.room_bytes);
        let engine = count.and_then(|count| {
            let (wasm, function) = (&subject.compiled.wasm, subject.function.0);
            let limits = ReplayLimits { fuel: limits.instructions, ..replay.clone() };
            let runner = slowpath_replay::Runner::new(&subject.program, wasm, function, &subject.entry, limits);
            Some((runner.ok()?, count))
        });
        FastRunner { engine, limit: limits.instructions, keeping: Keeping::default(), worst: BTreeMap::new() }
    }

    /// Keeps the worst inputs it comes across, as it does.
    pub fn keep_in(&mut self, keeping: Keeping) {
        self.keeping = keeping;
    }

    fn note(&mut self, n: i64, input: &InputValues, ran: Ran) {
        if self.keeping.is_on() && self.worst.get(&n).is_none_or(|worst| *worst < ran.cost) {
            self.worst.insert(n, ran.cost);
            self.keeping.note_input(n, ran.cost, input);
        }
    }
}

impl Runner for FastRunner {
    fn run_for(
        &mut self,
        instructions: u64,
        target: &Target,
        n: i64,
        input: &InputValues,
        budget: &Budget,
    ) -> Option<Ran> {
        let Some((runner, count)) = &mut self.engine else {
            return OnMachine.run_for(instructions, target, n, input, budget);
        };
        let limit = self.limit.min(instructions);
        let slowness = slowpath_replay::EngineKind::default().slowness() as f64;
        // A run that would outlast the budget by far is ended.
        let left = budget.of_one_run(Duration::ZERO).left().as_secs_f64();
        let fuel = limit.min(((left * PER_SECOND / slowness) as u64).max(LEAST_FUEL));
        let run = runner.run(n, input, fuel);
        // Our own machine holds less, and asks before it takes more.
        if matches!(run, Err(ReplayError::NoRoom(_) | ReplayError::CannotGrow { .. })) {
            return OnMachine.run_for(instructions, target, n, input, budget);
        }
        let inputs: u64 = input.0.iter().map(|named| named.bits.len() as u64).sum();
        budget.clock.count_run();
        budget.charge(STEPS_PER_RUN + inputs + run.as_ref().map_or(0, |run| run.instructions) / PER_STEP);
        // A run that made the memory grow needs a fresh instance after it.
        let first = target.program.memories.first().map_or(0, |memory| memory.min);
        let grown = run.as_ref().map_or(0, |run| u64::from(run.memory_pages).saturating_sub(u64::from(first)));
        budget.charge(grown * STEPS_PER_PAGE);
        let run = run.ok().filter(|run| run.trap != Some(Trap::AssumeFailed))?;
        let by_fuel = run.out_of_fuel && target.cost == CostModel::Instructions;
        let (instructions, cost) = if run.out_of_fuel {
            (fuel, if by_fuel { fuel } else { count(&run) })
        } else {
            (run.instructions, count(&run))
        };
        let ran = Ran { cost, at_least: run.out_of_fuel, instructions };
        // A run that was cut before the limit of all runs says too little.
        if !ran.at_least || limit == self.limit {
            self.note(n, input, ran);
        }
        Some(ran)
    }

    fn hits(&self) -> &[u32] {
        self.engine.as_ref().map_or(&[], |(runner, _)| runner.hits())
    }

    fn is_fast(&self) -> bool {
        self.engine.is_some()
    }
}
