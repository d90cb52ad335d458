//! Plain inputs, run on an engine that is not ours where it counts the cost that is asked for, else on our own machine.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use slowpath_portfolio::{OnMachine, Ran, Runner};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use slowpath_replay::{ReplayError, ReplayLimits, Replayer};
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
const LEAST_FUEL: u64 = 50_000_000;
const ROUND_FUEL: u64 = 5_000_000;
/// Instructions for which a run is left to itself: a tenth of a second. What takes longer is begun again where it can be told to stop.
const UNWATCHED: u64 = 100_000_000;

/// A cost that the engine counts.
type Count = fn(&slowpath_replay::Ran) -> u64;

/// Runs of the program that can be told to stop: without counters, each from a fresh instance.
struct LongRuns {
    replayer: Option<Arc<Replayer>>,
    entry: Entry,
}

impl LongRuns {
    /// Runs an input again that did not end within the instructions for which runs are left to themselves. What the first try came to is what is known
    /// where this one is told to stop.
    fn run(&self, n: i64, input: &InputValues, fuel: u64, budget: &Budget, first: Tried) -> Tried {
        let Some(replayer) = &self.replayer else { return first };
        let budget = budget.of_one_run(Duration::ZERO);
        // By effort its fuel alone ends it, or the result would depend on the machine.
        let is_late = || !budget.clock.is_by_work() && budget.expired().is_some();
        let is_over = || budget.interrupt.load(Ordering::Relaxed) || is_late() || !budget.has_room(0);
        match replayer.run_unless(&self.entry, n, input, fuel, is_over) {
            Ok(run) => Tried { run: run.into(), fuel },
            // How much of it counted it does not say: all of it, unless the program measures only a part of itself.
            Err(ReplayError::OutOfFuel(_)) if first.run.instructions >= first.fuel => {
                Tried { run: slowpath_replay::Ran { instructions: fuel, ..first.run }, fuel }
            }
            Err(ReplayError::OutOfFuel(_)) => Tried { fuel, ..first },
            Err(_) => first,
        }
    }
}

/// What a run came to that had so much fuel.
struct Tried {
    run: slowpath_replay::Ran,
    fuel: u64,
}

/// The fastest engine for the cost that is asked for.
pub(crate) struct FastRunner {
    /// None where it does not take the module or cannot count the cost.
    engine: Option<(slowpath_replay::Runner, Count)>,
    long_runs: LongRuns,
    limit: u64,
    keeping: Keeping,
    /// The worst cost of each size that was kept.
    worst: BTreeMap<i64, u64>,
}

impl FastRunner {
    /// Compiles the module, if that is of use. Long runs are for the engine that can be told to stop, if there is one.
    pub fn new(
        subject: &Subject,
        limits: &Limits,
        replay: &ReplayLimits,
        replayer: Option<Arc<Replayer>>,
    ) -> FastRunner {
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
        FastRunner {
            engine,
            long_runs: LongRuns { replayer, entry: subject.entry.clone() },
            limit: limits.instructions,
            keeping: Keeping::default(),
            worst: BTreeMap::new(),
        }
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
        let affordable = (left * PER_SECOND / slowness) as u64;
        // Runs that are cut one after the other are to be cut at the same.
        let fuel = limit.min((affordable - affordable % ROUND_FUEL).max(LEAST_FUEL));
        let unwatched = fuel.min(UNWATCHED);
        let run = runner.run(n, input, unwatched);
        // Our own machine holds less, and asks before it takes more.
        if matches!(run, Err(ReplayError::NoRoom(_) | ReplayError::CannotGrow { .. })) {
            return OnMachine.run_for(instructions, target, n, input, budget);
        }
        let tried = run.map(|run| Tried { run, fuel: unwatched }).map(|first| match first.run.out_of_fuel {
            true if fuel > unwatched => self.long_runs.run(n, input, fuel, budget, first),
            _ => first,
        });
        let inputs: u64 = input.0.iter().map(|named| named.bits.len() as u64).sum();
        budget.clock.count_run();
        let executed = |tried: &Tried| if tried.run.out_of_fuel { tried.fuel } else { tried.run.instructions };
        budget.charge(STEPS_PER_RUN + inputs + tried.as_ref().map_or(0, executed) / PER_STEP);
        let Tried { run, fuel } = tried.ok()?;
        // A run that made the memory grow needs a fresh instance after it.
        let first = target.program.memories.first().map_or(0, |memory| memory.min);
        let grown = u64::from(run.memory_pages).saturating_sub(u64::from(first));
        budget.charge(grown * STEPS_PER_PAGE);
        if run.trap == Some(Trap::AssumeFailed) {
            return None;
        }
        let by_fuel = run.out_of_fuel && target.cost == CostModel::Instructions;
        let (instructions, cost) = if run.out_of_fuel {
            (fuel, if by_fuel { fuel.min(run.instructions) } else { count(&run) })
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
