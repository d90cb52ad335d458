//! What a search is set up with: the sizes, the settings of its techniques, and what engines may use.

use std::sync::Arc;

use slowpath_portfolio::{Plan, Settings};
use slowpath_replay::ReplayLimits;
use slowpath_search::{Budget, Target};

use crate::request::{AnalyzeRequest, Limits, Strategy};
use crate::runner::FastRunner;
use crate::subject::Subject;
use crate::verify::{Verifier, replay_limits};

/// The part of the time that is left which one compilation for wasmtime may take; without it, inputs are run on our own machine.
const COMPILED_IN: f64 = 0.2;
/// The part of the search's memory that compiling may take.
const COMPILER_SHARE: u64 = 2;
/// The part of the search's memory that a program run on wasmtime may have, where nobody looks how much of it is held: what needs more is run on our own machine.
const RUN_SHARE: u64 = 4;

/// Both engines that run plain inputs: the one that verifies, and the one that is fast.
pub(crate) fn engines(
    request: &AnalyzeRequest,
    subject: &Subject,
    budget: &Budget,
    bytes: u64,
) -> (Verifier, FastRunner) {
    let verifier = Verifier::new(subject, &engine_limits(&request.limits, budget, bytes));
    let mut for_runs = engine_limits(&request.limits, budget, bytes);
    for_runs.room_bytes = bytes / RUN_SHARE;
    if verifier.engine().is_none() && !budget.clock.is_by_work() {
        // What could not be compiled once is not tried again: there it costs more, and both would be at it.
        for_runs.compiler_bytes = 0;
    }
    let runner = FastRunner::new(subject, &request.limits, &for_runs, verifier.engine());
    (verifier, runner)
}

/// What wasmtime may use. By effort, compiling takes what it takes.
fn engine_limits(limits: &Limits, budget: &Budget, memory: u64) -> ReplayLimits {
    ReplayLimits {
        compiled_by: budget.part(COMPILED_IN).deadline.and_then(|end| budget.clock.on_the_wall(end)),
        interrupt: Arc::clone(&budget.interrupt),
        compiler_bytes: memory / COMPILER_SHARE,
        ..replay_limits(limits)
    }
}

/// The plan without the sizes whose inputs alone take more time or memory than there is, and what to say of these.
pub(crate) fn within_reach(plan: Plan, target: &Target, budget: &Budget, memory: u64) -> (Plan, Vec<String>) {
    /// What an unknown input takes: its term, its place in memory, its value in models.
    const BYTES_PER_INPUT: u64 = 250;
    /// Laying out inputs a second, and the part of the time that this may take. So many are always tried.
    const INPUTS_PER_SECOND: f64 = 1_000_000.0;
    const SHARE: f64 = 0.4;
    const ALWAYS: u64 = 1_000_000;
    let by_time = (budget.left().as_secs_f64() * SHARE * INPUTS_PER_SECOND) as u64;
    let most = by_time.max(ALWAYS).min(memory / BYTES_PER_INPUT);
    let Plan::Given(sizes) = plan else { return (plan, Vec::new()) };
    let inputs =
        |n: &i64| target.inputs(*n).unwrap_or_default().iter().map(|input| u64::from(input.count)).sum::<u64>();
    let (near, far): (Vec<i64>, Vec<i64>) = sizes.into_iter().partition(|n| inputs(n) <= most);
    let said = |n: &i64| {
        let (inputs, limit) = (inputs(n), if most < by_time.max(ALWAYS) { "--max-search-memory" } else { "--budget" });
        format!("size {n} was not analysed: of its {inputs} inputs, no more than {most} can be laid out ({limit})")
    };
    let limits = far.iter().map(said).collect();
    (Plan::Given(near), limits)
}

pub(crate) fn plan(request: &AnalyzeRequest, subject: &Subject) -> Plan {
    let otherwise = match request.strategy {
        // These never complete a size, which is what growing goes by.
        Strategy::Evolve | Strategy::Mutate => Plan::sampled(),
        Strategy::Auto | Strategy::Pump => Plan::Doubling,
        _ => Plan::Growing,
    };
    Plan::new(request.sizes.clone(), subject.depends_on_n(), otherwise)
}

pub(crate) fn settings(request: &AnalyzeRequest, plan: &Plan, compares_policies: bool) -> Settings {
    /// The largest size explored completely where synthesis is asked for: it is for what comes after the small sizes.
    const MOST_EXPLORED: i64 = 24;
    let largest = plan.sizes().iter().copied().max().unwrap_or(slowpath_portfolio::MOST_GROWN);
    let synthesizes_only = request.strategy == Strategy::Synthesize;
    Settings {
        jobs: request.jobs,
        family: request.strategy.of_portfolio(false).family(),
        history: request.history,
        evolve: request.evolve.clone(),
        random_paths: request.random_paths,
        largest,
        largest_explored: if synthesizes_only { largest.min(MOST_EXPLORED) } else { largest },
        compares_policies,
        synthesizes: request.strategy == Strategy::Auto && !compares_policies,
        corpus: Vec::new(),
        dictionary: Vec::new(),
        left_out: request.without.clone(),
    }
}
