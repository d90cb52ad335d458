//! The pipeline: a request goes in, a Findings document comes out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use slowpath_portfolio::{Knowledge, Ledger, Plan, Session, Settings};
use slowpath_report::Findings;
use slowpath_search::{Budget, Learned, PolicySet, Stop};
use slowpath_solver::limit_z3_memory;

use crate::corpus;
use crate::dictionary_file;
use crate::document;
use crate::error::Error;
use crate::error::policy::PolicyError;
use crate::islands;
use crate::memory::{self, MemoryWatch};
use crate::policy_file::{self, PolicyFile};
use crate::progress::Progress;
use crate::request::AnalyzeRequest;
use crate::resume::Keeping;
use crate::setup::{engines, plan, settings, within_reach};
use crate::subject::Subject;
use crate::synthesis;
use crate::writing::{Analysis, Writing};

/// Analyses a function at each size. Whatever limit is reached, what was found until then is in the document.
pub fn analyze(request: &AnalyzeRequest, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Findings, Error> {
    progress(Progress::Compiling);
    let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
    Ok(analyze_subject(request, subject, Purpose::Report, progress)?.findings)
}

/// Analyses a function, and gives beside the document what was learned, to be used again; or why there is nothing.
pub fn analyze_and_keep(
    request: &AnalyzeRequest,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Findings, Result<PolicyFile, PolicyError>), Error> {
    policy_file::check_learns(request).map_err(Error::NoPolicy)?;
    progress(Progress::Compiling);
    let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
    let analysis = analyze_subject(request, subject, Purpose::Report, progress)?;
    Ok((analysis.findings, policy_file::keep(&analysis.subject, &analysis.policies)))
}

/// What an analysis is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To tell a user all there is to tell.
    Report,
    /// To compare what policies find, also at sizes whose every path is known.
    ComparePolicies,
    /// To have worst inputs, and nothing besides.
    Inputs,
    /// A short look among many, of which only what is verified counts.
    Look,
}

impl Purpose {
    /// Whether a user is to be told what was found.
    fn is_told(self) -> bool {
        matches!(self, Purpose::Report | Purpose::Look)
    }

    /// The part of the budget in which what was found is verified and written after its end.
    fn share_at_the_end(self) -> f64 {
        if self == Purpose::Look { LOOK_SHARE_AT_THE_END } else { SHARE_AT_THE_END }
    }
}

/// Analyses a program that is already loaded.
pub fn analyze_subject(
    request: &AnalyzeRequest,
    subject: Subject,
    purpose: Purpose,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Analysis, Error> {
    islands::check(request)?;
    let mut findings = document::open(request, &subject);
    findings.limits.extend(left_out(request));
    let knowledge = known_policies(request, &subject, &mut findings)?;
    let plan = plan(request, &subject);
    let mut target = subject.target(request.limits.machine(), request.solver.clone(), request.seed);
    // Sizes that cannot be laid out are refused before any work is done.
    plan.sizes().iter().try_for_each(|n| target.check_size(*n))?;
    let dictionary = request.dictionary.as_deref().map(dictionary_file::load).transpose()?.unwrap_or_default();
    let corpus = request.corpus.as_deref().map(|folder| corpus::read(folder, &subject)).transpose()?;
    let keeping = Keeping::begin(request, &subject)?;
    target.explorations = keeping.explorations(request, &subject);
    // From here on time counts.
    let budget = request.whole_budget();
    let bytes = memory::limit(request.limits.search_memory, budget.clock.is_by_work());
    let (plan, too_large) = within_reach(plan, &target, &budget, bytes);
    findings.limits.extend(too_large);
    if plan == Plan::Given(Vec::new()) {
        let policies = PolicySet::default();
        return Ok(Analysis { findings, exact: Vec::new(), guided: Vec::new(), policies, subject });
    }
    // What is held by now, the program above all, is none of the search's.
    let at_first = memory::held_now();
    let (verifier, mut runner) = engines(request, &subject, &budget, bytes);
    runner.keep_in(keeping.clone());
    let memory = MemoryWatch::start(bytes, at_first);
    limit_z3_memory((bytes as f64 * Z3_SHARE) as u64);
    let budget = Budget { memory_full: memory.flag(), gauge: memory.gauge(), ..budget };
    progress(Progress::Begun { clock: budget.clock.clone(), limit: budget.deadline.unwrap_or(request.budget) });
    let mut ledger = Ledger::default();
    findings.limits.extend(keeping.offer(&subject, &target, &budget, &mut ledger));
    findings.limits.extend(islands::visit(request, &subject, &target, &budget, &mut ledger));
    keeping.note(&ledger);
    let mut session = Session {
        target: &target,
        settings: Settings {
            corpus: corpus.unwrap_or_default(),
            dictionary,
            ..settings(request, &plan, purpose == Purpose::ComparePolicies)
        },
        ledger,
        knowledge,
        runner: &mut runner,
        budget: until_the_end(&budget),
        sizes_left: 1,
        events: &mut |event| progress(Progress::Search(event)),
        after: &mut |ledger| keeping.note(ledger),
    };
    let strategy = request.strategy.of_portfolio(request.evolve_from_policy);
    let schedule = slowpath_portfolio::run(&mut session, &strategy, &plan);
    if (strategy.is_portfolio() || strategy.pumps_only()) && purpose.is_told() {
        slowpath_portfolio::input_law(&mut session, &strategy, &schedule.sizes);
    }
    let synthesis = slowpath_portfolio::synthesis_model(&session).map(|model| synthesis::report(&subject, model));
    let Session { ledger, knowledge, .. } = session;
    // Its instance holds what programs hold, and so does the one that verifies.
    drop(runner);

    let ran_out = budget.ran_out_of_memory();
    let is_hurried = request.interrupt.load(Ordering::Relaxed);
    let at_the_end = AT_THE_END.max(request.budget.mul_f64(purpose.share_at_the_end()));
    let budget = budget.at_least(at_the_end + request.budget.mul_f64(KEPT_FOR_THE_END));
    // Whoever asks for an end only now need not wait for all that.
    let budget = if is_hurried { budget } else { Budget { interrupt: Arc::clone(&request.interrupt), ..budget } };
    let mut writing = Writing { request, subject, target, verifier, budget, findings, ledger, knowledge };
    writing.averages(&schedule, progress);
    keeping.note(&writing.ledger);
    writing.findings.limits.extend(keeping.end());
    writing.sizes(&schedule, progress);
    writing.work();
    if let Some(work) = &mut writing.findings.stats {
        work.techniques = document::technique_work(&schedule);
    }
    if writing.findings.results.iter().all(|result| result.cost.is_none())
        && let Some(failure) = schedule.failure
        && writing.findings.results.iter().all(|result| result.cut.is_none())
    {
        return Err(Error::Search { file: writing.subject.file, source: Box::new(failure) });
    }
    writing.findings.limits.extend(schedule.limits);
    // Whoever was ended by it may not be whose result it is.
    let is_said = writing.findings.limits.iter().any(|limit| limit.contains(MEMORY_OPTION));
    if ran_out && !is_said {
        writing.findings.limits.push(Stop::Memory.to_string());
    }
    writing.findings.synthesis = synthesis;
    Ok(writing.finish())
}

/// The budget of everything that searches.
fn until_the_end(budget: &Budget) -> Budget {
    let deadline = match budget.deadline {
        Some(deadline) if !budget.clock.is_by_work() => Some(deadline.mul_f64(1.0 - KEPT_FOR_THE_END)),
        deadline => deadline,
    };
    Budget { deadline, ..budget.clone() }
}

const MEMORY_OPTION: &str = "--max-search-memory";

/// The time after the budget's end in which what was found is verified and written, or the part of the budget if that is more: a run may
/// take a tenth longer than its budget.
const AT_THE_END: Duration = Duration::from_millis(500);
const SHARE_AT_THE_END: f64 = 0.05;
/// The part of a budget of time that is kept for that, since half a second is short for nine sizes of some hundred million instructions.
const KEPT_FOR_THE_END: f64 = 0.05;
/// The same of a short look: with half a second to verify all sizes and run random inputs at them, on a busy machine 33 of textdistance's 52 functions had
/// nothing verified. Whoever plans looks takes it into account.
pub(crate) const LOOK_SHARE_AT_THE_END: f64 = 0.5;
/// The part of the search's memory that Z3 may come to hold in a question: it does not always listen to the watcher at once.
const Z3_SHARE: f64 = 0.6;
/// What to say of techniques that the user left out.
fn left_out(request: &AnalyzeRequest) -> Option<String> {
    let names: Vec<String> = request.without.iter().map(ToString::to_string).collect();
    (!names.is_empty()).then(|| format!("left out: {} (--without)", names.join(", ")))
}

/// Policies that the user gave.
fn known_policies(request: &AnalyzeRequest, subject: &Subject, findings: &mut Findings) -> Result<Knowledge, Error> {
    let Some(file) = request.policy.as_deref() else { return Ok(Knowledge::default()) };
    let (policies, note) = policy_file::load(file, request, subject)?;
    findings.limits.extend(note);
    Ok(Knowledge { learned: Some(Learned { policies, ..Learned::default() }), ..Knowledge::default() })
}
