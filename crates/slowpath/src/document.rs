//! What the search found, in the words of the Findings document.

use serde_json::{Map, Value};
use slowpath_machine::Costs;
use slowpath_portfolio::{Claim, Evidence, FoundBy, Judgement, Row, Schedule, Standing, Z3Share};
use slowpath_program::SiteId;
use slowpath_program::call::Entry;
use slowpath_report::{
    AverageCost, Compilation, Confidence, Cut, Findings, HardWork, LayerWork, ModuleIdentity, SCHEMA, Settings,
    SizeResult, SolverWork, SourceOptions, TargetInfo, TechniqueWork, TrapReport,
};
use slowpath_search::{CostModel, SizeFinding, Stop};
use slowpath_solver::{Hard, SolverKind, SolverStats};
use slowpath_source::Mode;

use crate::request::{AnalyzeRequest, ProgramRequest, Strategy};
use crate::source_text;
use crate::subject::Subject;
use crate::verify::{Verdict, trap_of};

/// The document before anything is found.
pub(crate) fn open(request: &AnalyzeRequest, subject: &Subject) -> Findings {
    Findings {
        schema: SCHEMA,
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        target: target(&request.program, subject),
        strategy: request.strategy.name().to_owned(),
        cost_model: request.cost.to_string(),
        settings: settings(request),
        results: Vec::new(),
        policy: None,
        input_law: None,
        synthesis: None,
        fit: None,
        limits: Vec::new(),
        source: source_text::read(subject),
        trees: Vec::new(),
        flame: None,
        spent: None,
        stats: request.stats.then(SolverWork::default),
    }
}

fn target(program: &ProgramRequest, subject: &Subject) -> TargetInfo {
    let (call, harness) = match &subject.entry {
        Entry::Call(spec) => (Some(spec.to_string()), None),
        Entry::Harness { name } => (None, Some(name.clone())),
    };
    TargetInfo {
        file: program.file.display().to_string(),
        function: subject.entry.function().to_owned(),
        call,
        harness,
        compilation: Compilation {
            mode: match subject.compiled.mode {
                Mode::BranchFaithful => "branch-faithful",
                Mode::Optimized => "optimized",
                Mode::AsGiven => "as given",
            }
            .to_owned(),
            optimize: program.optimize.clone(),
            cflags: program.cflags.clone(),
        },
        options: SourceOptions { call: subject.given_call.clone(), ..program.options.clone() },
        module: ModuleIdentity::of(&subject.compiled.wasm),
        notes: subject.compiled.notes.clone(),
    }
}

fn settings(request: &AnalyzeRequest) -> Settings {
    let limits = &request.limits;
    Settings {
        seed: request.seed,
        solver: match request.solver.kind {
            SolverKind::Layered => "layered",
            SolverKind::Z3 => "z3",
        }
        .to_owned(),
        solver_timeout_ms: request.solver.z3_timeout_ms,
        budget_seconds: request.budget.as_secs_f64(),
        effort: request.effort,
        max_paths: limits.paths,
        max_instructions: limits.instructions,
        max_depth: limits.depth,
        max_memory: limits.memory,
        max_cells: limits.cells,
        max_select_depth: limits.select_depth,
    }
}

/// Every counter by its name; the executions of a line too, where they are the cost.
pub(crate) fn counters(costs: &Costs, model: &CostModel, cost: u64) -> Map<String, Value> {
    // Every run of ours is at least one call deep: what another engine cut has no other counters.
    let is_counted = costs.stack > 0;
    let known = Costs::NAMES.iter().zip(costs.values()).filter(|(_, value)| is_counted || *value > 0);
    let mut out: Map<String, Value> = known.map(|(name, value)| ((*name).to_owned(), value.into())).collect();
    if matches!(model, CostModel::Site { .. }) {
        out.insert(model.to_string(), cost.into());
    }
    out
}

/// One size, with what the other engines say about it.
pub(crate) fn size_result(
    subject: &Subject,
    strategy: Strategy,
    row: &Row,
    best: &Claim,
    judgement: &Judgement,
    verdict: Option<&Verdict>,
    traps_confirmed: &[bool],
) -> SizeResult {
    let found = &best.finding;
    let worst = found.worst.as_ref();
    let is_site = |site: &SiteId| site.index() < subject.program.sites.len();
    let traps = row.traps.iter().zip(traps_confirmed).map(|(trap, confirmed)| TrapReport {
        trap: trap.trap.to_string(),
        // The last branch before a panic is one of the library.
        place: trap
            .site
            .filter(is_site)
            .filter(|_| !trap.trap.names_its_place())
            .map(|s| subject.program.site_place(s)),
        paths: trap.paths,
        inputs: trap.examples.iter().map(|path| path.input.to_json()).collect(),
        messages: Vec::new(),
        verified: *confirmed,
    });
    SizeResult {
        size: found.size,
        cost: worst.map(|path| path.cost),
        at_least: best.is_at_least(),
        costs: worst.map_or_else(Map::new, |path| counters(&path.costs, &subject.cost, path.cost)),
        paths: found.paths,
        path_count: found.path_count.as_ref().map(ToString::to_string),
        worst_paths: found.worst_paths,
        complete: found.complete,
        solver_queries: row.stats.queries,
        smt_queries: row.stats.smt_queries,
        seconds: row.total_seconds(),
        confidence: match judgement.standing {
            // A result the engines disagree on is not to be relied on.
            _ if matches!(verdict, Some(Verdict::Disagrees(_))) => Confidence::BestFound,
            Standing::Exact => Confidence::Exact,
            Standing::Validated => Confidence::Validated,
            Standing::Challenged => Confidence::Challenged,
            Standing::BestFound => Confidence::BestFound,
        },
        found_by: worst.map(|_| best.found_by.to_string()),
        input: worst.map(|path| path.input.to_json()),
        trap: worst.and_then(|path| trap_of(&path.outcome)).map(ToString::to_string),
        verified: verdict == Some(&Verdict::Agrees),
        average: row.average.as_ref().map(|a| AverageCost {
            runs: a.runs,
            mean: a.mean,
            least: a.least,
            most: a.most,
            discarded: a.discarded,
        }),
        traps: traps.collect(),
        cut: (found.cut > 0)
            .then(|| Cut { paths: found.cut, input: found.cut_worst.as_ref().map(|path| path.input.to_json()) }),
        stopped: stopped(strategy, found),
        hot_lines: Vec::new(),
    }
}

/// Why the search at a size ended early. A sample is no search that was stopped.
fn stopped(strategy: Strategy, found: &SizeFinding) -> Option<String> {
    match (strategy, found.stop) {
        (_, None) => None,
        (Strategy::Random, Some(Stop::Paths)) => Some(format!("a sample of {} random paths", found.paths + found.cut)),
        (Strategy::Mutate, Some(Stop::Paths)) => Some(format!("{} inputs were run (--max-paths)", found.paths)),
        (_, Some(stop)) => Some(stop.to_string()),
    }
}

/// What makes the result of a size less than the whole truth, for people.
pub(crate) fn limits_of(strategy: Strategy, best: &Claim, judgement: &Judgement) -> Vec<String> {
    let found = &best.finding;
    let size = found.size;
    let mut out = Vec::new();
    let believed = best.evidence() == Evidence::Believed;
    if judgement.standing < Standing::Validated && (believed || strategy == Strategy::Auto) {
        out.push(format!("size {size}: there may be worse: {}", judgement.why));
    }
    if let Some(why) = stopped(strategy, found) {
        out.push(format!("size {size}: {why}; paths that were not followed may cost more"));
    }
    // Of what the solver gave up on what it did most often is first.
    let mut limits: Vec<(&String, u64)> = found.limits.iter().map(|(what, times)| (what, *times)).collect();
    limits.sort_by_key(|(what, times)| {
        let gave_up = what.starts_with("the solver gave up");
        (gave_up, std::cmp::Reverse(if gave_up { *times } else { 0 }))
    });
    for (what, times) in limits {
        let times = if times == 1 { String::new() } else { format!(" ({times} times)") };
        out.push(format!("size {size}: {what}{times}"));
    }
    // The least that is said of the least that is known.
    if judgement.standing == Standing::BestFound && out.is_empty() {
        out.push(format!("size {size}: there may be worse: {}", judgement.why));
    }
    out
}

/// What techniques took, and Z3's part of it, the longest in Z3 first.
pub(crate) fn technique_work(schedule: &Schedule) -> Vec<TechniqueWork> {
    let work = |(name, share): (&FoundBy, &Z3Share)| TechniqueWork {
        name: name.to_string(),
        seconds: share.seconds,
        smt_queries: share.smt_queries,
        smt_seconds: share.smt_nanos as f64 / 1e9,
    };
    let mut all: Vec<TechniqueWork> = schedule.z3.iter().map(work).collect();
    all.sort_by(|a, b| b.smt_seconds.total_cmp(&a.smt_seconds));
    all
}

/// Adds the solver's work at one size to the whole.
pub(crate) fn add_work(sum: &mut SolverWork, more: &SolverStats) {
    sum.queries += more.queries;
    sum.smt_queries += more.smt_queries;
    sum.unknown += more.unknown;
    sum.rejected_models += more.rejected_models;
    for (condition, hard) in &more.hard {
        let Hard { asked, unknown, nanos } = *hard;
        sum.hard.push(HardWork { condition: condition.clone(), asked, unknown, nanos });
    }
    sum.hard.sort_by_key(|hard| std::cmp::Reverse(hard.nanos));
    for layer in &more.layers {
        let at = sum.layers.iter().position(|known| known.name == layer.name).unwrap_or_else(|| {
            sum.layers.push(LayerWork { name: layer.name.to_owned(), ..LayerWork::default() });
            sum.layers.len() - 1
        });
        let known = &mut sum.layers[at];
        known.seen += layer.seen;
        known.sat += layer.sat;
        known.unsat += layer.unsat;
        known.passed += layer.passed;
        known.nanos += layer.nanos;
    }
}
