//! One concrete run of a given input.

use std::rc::Rc;
use std::time::Duration;

use slowpath_machine::{Concrete, Costs, Event, FlatMemory, InputSource, Limit, Limits, Outcome, start};
use slowpath_program::Trap;
use slowpath_program::input::InputValues;
use slowpath_term::Terms;

use crate::budget::Budget;
use crate::target::{SearchError, Target};

/// Steps that making an instance and its inputs stands for.
const STEPS_PER_RUN: u64 = 2_000;
/// Instructions in the time of a step: dense code does twelve of a merge sort, fewer where it has to stop often. Charged one each, costs that only our own machine counts
/// had a tenth of the runs that their time allows.
const PER_STEP: u64 = 4;

/// What a concrete run came to.
#[derive(Clone, Debug)]
pub struct ConcreteRun {
    /// By the target's cost model.
    pub cost: u64,
    pub costs: Costs,
    pub replay_instructions: u64,
    /// None where a limit or the budget stopped the run.
    pub outcome: Option<Outcome>,
    /// The limit that stopped it.
    pub stopped: Option<Limit>,
    /// The budget stopped it: its time, or the memory there is.
    pub out_of_time: bool,
    /// Results, as bits.
    pub results: Vec<u64>,
    /// The inputs the run made, with their values.
    pub input: InputValues,
    /// Bytes of its memory that were held at most, about.
    pub held: u64,
    /// What the program wanted to read and is not there, in words.
    pub absent: Vec<String>,
}

/// Instructions after which a harness has made its inputs, but for a few that make them as they go.
const DRAWN: u64 = 5_000_000;

/// A random input that is allowed, as far as a short run shows. None where it is not.
pub fn draw_input(target: &Target, n: i64, seed: u64, budget: &Budget) -> Result<Option<InputValues>, SearchError> {
    let limits = Limits { instructions: target.limits.instructions.min(DRAWN), ..target.limits };
    let run = run_within(target, n, InputSource::Random(seed), limits, budget)?;
    Ok(run.is_allowed().then_some(run.input))
}

/// Runs one input.
pub fn run_concrete(target: &Target, n: i64, source: InputSource, budget: &Budget) -> Result<ConcreteRun, SearchError> {
    run_within(target, n, source, target.limits, budget)
}

fn run_within(
    target: &Target,
    n: i64,
    source: InputSource,
    limits: Limits,
    budget: &Budget,
) -> Result<ConcreteRun, SearchError> {
    let mut terms = Terms::new();
    let t = target;
    let mut state = start::<Concrete>(&mut terms, &t.program, t.function, &t.entry, n, source, limits)?.state;
    state.limit_room();
    const POLL: u64 = 2_000_000;
    let budget = &budget.of_one_run(Duration::ZERO);
    let (mut stopped, mut out_of_time, mut charged, mut given) = (None, false, 0, 0);
    state.check_at = POLL.min(limits.instructions);
    let outcome = loop {
        match state.run(&mut terms) {
            Event::Done(outcome) => break Some(outcome),
            Event::Stopped(limit) => {
                stopped = Some(limit);
                break None;
            }
            // Nothing is symbolic here.
            Event::Ask(_) => break None,
            Event::Room(bytes) => match budget.room_for(bytes) {
                Some(room) => {
                    state.give_room(room);
                    given += room;
                }
                None => {
                    budget.out_of_memory();
                    out_of_time = true;
                    break None;
                }
            },
            Event::Poll => {
                if state.check_at >= limits.instructions {
                    stopped = Some(Limit::Instructions);
                    break None;
                }
                budget.charge((state.meter.raw.instructions - charged) / PER_STEP);
                charged = state.meter.raw.instructions;
                if budget.expired().is_some() {
                    out_of_time = true;
                    break None;
                }
                state.check_at = state.next_check(POLL).min(limits.instructions);
            }
        }
    };
    let inputs: u64 = state.inputs().iter().map(|record| u64::from(record.count)).sum();
    budget.clock.count_run();
    budget.charge(STEPS_PER_RUN + inputs + (state.meter.raw.instructions - charged) / PER_STEP);
    let returned = outcome == Some(Outcome::Returned);
    Ok(ConcreteRun {
        cost: t.cost.of(&state),
        costs: state.meter.costs(),
        replay_instructions: state.meter.saved_instructions(),
        outcome,
        stopped,
        out_of_time,
        results: if returned { state.results().to_vec() } else { Vec::new() },
        input: state.made_inputs(),
        held: given + state.memory_bytes().min(FlatMemory::LOW),
        absent: state.absent().map(str::to_owned).collect(),
    })
}

impl ConcreteRun {
    /// Whether the input is one that the harness allows, as far as it ran.
    pub fn is_allowed(&self) -> bool {
        match &self.outcome {
            Some(outcome) => *outcome != Outcome::Trapped(Trap::AssumeFailed),
            None => self.is_at_least(),
        }
    }

    /// Whether the limit of instructions or the end of its time ended the run, so that it costs at least what it did.
    pub fn is_at_least(&self) -> bool {
        self.stopped == Some(Limit::Instructions) || self.out_of_time
    }

    /// Runs a given input.
    pub fn of(target: &Target, n: i64, input: &InputValues, budget: &Budget) -> Result<ConcreteRun, SearchError> {
        run_concrete(target, n, InputSource::Given(Rc::new(input.clone())), budget)
    }
}
