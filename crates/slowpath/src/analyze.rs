//! The pipeline: a request goes in, a Findings document comes out.

use std::sync::Arc;
use std::time::Duration;

use slowpath_portfolio::{
    Claim, Event, FoundBy, Guided, InputLaw, Judgement, Knowledge, Ledger, Plan, Row, Schedule, Session, Settings,
    judge,
};
use slowpath_replay::ReplayLimits;
use slowpath_report::{Confidence, Findings, SizeResult, Spent};
use slowpath_search::{Budget, Clock, ConcreteRun, Learned, PolicySet, SizeFinding, Target, average};

use crate::corpus;
use crate::dictionary_file;
use crate::document;
use crate::error::Error;
use crate::error::policy::PolicyError;
use crate::growth::{self, Beside};
use crate::hot_lines;
use crate::input_law;
use crate::memory::{self, MemoryWatch};
use crate::policy;
use crate::policy_file::{self, PolicyFile};
use crate::request::{AnalyzeRequest, Limits, Strategy};
use crate::resume::Keeping;
use crate::runner::FastRunner;
use crate::subject::Subject;
use crate::synthesis;
use crate::tree;
use crate::verify::{Verdict, Verifier, replay_limits};

/// What happens just now, for somebody who waits.
#[derive(Debug)]
pub enum Progress<'a> {
    Compiling,
    /// The search begins; the clock goes up to the limit.
    Begun {
        clock: Clock,
        limit: Duration,
    },
    /// Something happened in the search.
    Search(Event),
    Replaying {
        size: i64,
    },
    Averaging {
        size: i64,
    },
    Done(&'a SizeResult),
    /// Two engines disagree: a bug in slowpath that the user must hear of.
    Disagreement(&'a str),
}

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

/// What an analysis came to, and what it learned from beside it.
pub struct Analysis {
    pub findings: Findings,
    /// The small sizes that were explored completely, from 1 on.
    pub exact: Vec<SizeFinding>,
    /// What following policies came to, size by size.
    pub guided: Vec<Guided>,
    /// What was learned, if anything.
    pub policies: PolicySet,
    pub subject: Subject,
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
}

/// Analyses a program that is already loaded.
pub fn analyze_subject(
    request: &AnalyzeRequest,
    subject: Subject,
    purpose: Purpose,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Analysis, Error> {
    let mut findings = document::open(request, &subject);
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
    let bytes = memory::limit(request.limits.search_memory);
    let (plan, too_large) = within_reach(plan, &target, &budget, bytes);
    findings.limits.extend(too_large);
    if plan == Plan::Given(Vec::new()) {
        let policies = PolicySet::default();
        return Ok(Analysis { findings, exact: Vec::new(), guided: Vec::new(), policies, subject });
    }
    let verifier = Verifier::new(&subject, &engine_limits(&request.limits, &budget, bytes));
    let mut runner = FastRunner::new(&subject, &request.limits, &engine_limits(&request.limits, &budget, bytes));
    runner.keep_in(keeping.clone());
    let memory = MemoryWatch::start(bytes);
    let budget = Budget { memory_full: memory.flag(), ..budget };
    progress(Progress::Begun { clock: budget.clock.clone(), limit: budget.deadline.unwrap_or(request.budget) });
    let mut ledger = Ledger::default();
    findings.limits.extend(keeping.offer(&subject, &target, &budget, &mut ledger));
    let mut session = Session {
        target: &target,
        settings: Settings { corpus: corpus.unwrap_or_default(), dictionary, ..settings(request, &plan, purpose) },
        ledger,
        knowledge,
        runner: &mut runner,
        budget,
        sizes_left: 1,
        events: &mut |event| progress(Progress::Search(event)),
        after: &mut |ledger| keeping.note(ledger),
    };
    let strategy = request.strategy.of_portfolio(request.evolve_from_policy);
    let schedule = slowpath_portfolio::run(&mut session, &strategy, &plan);
    if (strategy.is_portfolio() || strategy.pumps_only()) && purpose == Purpose::Report {
        slowpath_portfolio::input_law(&mut session, &strategy, &schedule.sizes);
    }
    let synthesis = slowpath_portfolio::synthesis_model(&session).map(|model| synthesis::report(&subject, model));
    let Session { ledger, knowledge, budget, .. } = session;

    let budget = budget.at_least(AT_THE_END);
    let mut writing = Writing { request, subject, target, verifier, budget, findings, ledger, knowledge };
    writing.averages(&schedule, progress);
    keeping.note(&writing.ledger);
    writing.findings.limits.extend(keeping.end());
    writing.sizes(&schedule, progress);
    writing.work();
    if writing.findings.results.iter().all(|result| result.cost.is_none())
        && let Some(failure) = schedule.failure
        && writing.findings.results.iter().all(|result| result.cut.is_none())
    {
        return Err(Error::Search { file: writing.subject.file, source: Box::new(failure) });
    }
    writing.findings.limits.extend(schedule.limits);
    writing.findings.synthesis = synthesis;
    Ok(writing.finish())
}

/// The part of the time that is left which one compilation for wasmtime may take; without it, inputs are run on our own machine.
const COMPILED_IN: f64 = 0.2;
/// The time after the budget's end in which what was found is verified and written.
const AT_THE_END: Duration = Duration::from_millis(500);
/// The part of the search's memory that compiling may take.
const COMPILER_SHARE: u64 = 2;

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
fn within_reach(plan: Plan, target: &Target, budget: &Budget, memory: u64) -> (Plan, Vec<String>) {
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

/// Policies that the user gave.
fn known_policies(request: &AnalyzeRequest, subject: &Subject, findings: &mut Findings) -> Result<Knowledge, Error> {
    let Some(file) = request.policy.as_deref() else { return Ok(Knowledge::default()) };
    let (policies, note) = policy_file::load(file, request, subject)?;
    findings.limits.extend(note);
    Ok(Knowledge { learned: Some(Learned { policies, ..Learned::default() }), ..Knowledge::default() })
}

fn plan(request: &AnalyzeRequest, subject: &Subject) -> Plan {
    let otherwise = match request.strategy {
        // These never complete a size, which is what growing goes by.
        Strategy::Evolve | Strategy::Mutate => Plan::sampled(),
        Strategy::Auto | Strategy::Pump => Plan::Doubling,
        _ => Plan::Growing,
    };
    Plan::new(request.sizes.clone(), subject.depends_on_n(), otherwise)
}

fn settings(request: &AnalyzeRequest, plan: &Plan, purpose: Purpose) -> Settings {
    /// The largest size explored completely where synthesis is asked for: it is for what comes after the small sizes.
    const MOST_EXPLORED: i64 = 24;
    let largest = plan.sizes().iter().copied().max().unwrap_or(slowpath_portfolio::MOST_GROWN);
    let synthesizes_only = request.strategy == Strategy::Synthesize;
    let compares_policies = purpose == Purpose::ComparePolicies;
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
    }
}

/// From the final ledger to the document.
struct Writing<'r> {
    request: &'r AnalyzeRequest,
    subject: Subject,
    target: Target,
    verifier: Verifier,
    budget: Budget,
    findings: Findings,
    ledger: Ledger,
    knowledge: Knowledge,
}

impl Writing<'_> {
    /// Runs random inputs at every size. One that costs more than anything known is the worst known.
    fn averages(&mut self, schedule: &Schedule, progress: &mut dyn FnMut(Progress<'_>)) {
        let Some(wanted) = self.request.average else { return };
        for n in &schedule.sizes {
            progress(Progress::Averaging { size: *n });
            let limit = match average(&self.target, *n, wanted, &self.budget) {
                Ok(Some(average)) => {
                    self.ledger.offer(FoundBy::FirstInputs, average.as_finding(*n));
                    let done = average.runs + average.discarded;
                    let short = format!("size {n}: the average is of {done} random inputs, not {wanted}");
                    self.ledger.row_mut(*n).average = Some(average);
                    (done != wanted).then_some(short)
                }
                Ok(None) => Some(format!("size {n}: no average, since no random input ran to its end")),
                Err(error) => Some(format!("size {n}: no average: {error}")),
            };
            self.findings.limits.extend(limit);
        }
    }

    /// Has every size judged, checked by the other engines and entered into the document.
    fn sizes(&mut self, schedule: &Schedule, progress: &mut dyn FnMut(Progress<'_>)) {
        let searches = self.request.strategy == Strategy::Auto;
        for n in &schedule.sizes {
            let Some(row) = self.ledger.row(*n).cloned() else { continue };
            let judgement = judge(&row, &self.ledger, &self.knowledge, searches);
            self.failures(&row, progress);
            let Some(best) = row.best.as_ref().filter(|_| row.cost().is_some() || row.failures.is_empty()) else {
                continue;
            };
            self.size(&row, best, &judgement, progress);
        }
    }

    /// What went wrong at a size.
    fn failures(&mut self, row: &Row, progress: &mut dyn FnMut(Progress<'_>)) {
        let size = row.size;
        for bug in &row.contradictions {
            self.disagreement(format!("size {size}: {bug}"), progress);
        }
        let unmodelled = self.knowledge.unmodelled.iter().filter(|(n, ..)| *n == size);
        let guided = unmodelled.map(|(_, places, other)| {
            let why = if places.is_empty() { other.clone() } else { synthesis::words(&self.subject, places) };
            format!("size {size}: no path condition was synthesised: {why}; so this is guided search")
        });
        let none = if row.cost().is_none() { " was not analysed" } else { "" };
        let failed = row.failures.iter().map(|failure| format!("size {size}{none}: {failure}"));
        // What the best claim says itself comes with it.
        let own = |why: &&String| {
            let best = row.best.as_ref().map(|best| &best.finding);
            !best
                .is_some_and(|best| best.limits.contains_key(*why) || best.stop.is_some_and(|s| s.to_string() == **why))
        };
        let exploring = row.explored_until.iter().filter(own);
        let explored = exploring.map(|why| format!("size {size}: not every path was followed: {why}"));
        let mut limits: Vec<String> = guided.chain(failed).chain(explored).collect();
        limits.dedup();
        self.findings.limits.extend(limits);
    }

    fn size(&mut self, row: &Row, best: &Claim, judgement: &Judgement, progress: &mut dyn FnMut(Progress<'_>)) {
        let (n, strategy) = (row.size, self.request.strategy);
        progress(Progress::Replaying { size: n });
        self.findings.limits.extend(document::limits_of(strategy, best, judgement));
        let worst = best.finding.worst.as_ref();
        let verdict = worst.map(|path| self.verifier.verify(&self.target, n, path, &self.budget));
        match &verdict {
            Some(Verdict::CannotTell(why)) => {
                self.findings.limits.push(format!("size {n}: the worst input is not verified: {why}"));
            }
            Some(Verdict::Disagrees(differences)) => {
                let text = format!("size {n}: the engines disagree on the worst input: {}", differences.join("; "));
                self.disagreement(text, progress);
            }
            Some(Verdict::Agrees) | None => {}
        }
        let confirms =
            |trap: &slowpath_search::TrapFinding| trap.examples.iter().all(|path| self.verifier.confirms_trap(n, path));
        let traps: Vec<bool> = row.traps.iter().map(confirms).collect();
        let result = document::size_result(&self.subject, strategy, row, best, judgement, verdict.as_ref(), &traps);
        progress(Progress::Done(&result));
        self.findings.results.push(result);
    }

    /// The solver's work in all phases: at every size, those included that were only learned from or looked at beyond, and in learning.
    fn work(&mut self) {
        let Some(work) = &mut self.findings.stats else { return };
        let learning = self.knowledge.learned.iter().map(|learned| &learned.judging);
        for stats in self.ledger.rows().map(|row| &row.stats).chain(learning) {
            document::add_work(work, stats);
        }
    }

    fn disagreement(&mut self, text: String, progress: &mut dyn FnMut(Progress<'_>)) {
        let text = format!("{text} (this is a bug in slowpath, please report it)");
        progress(Progress::Disagreement(&text));
        self.findings.limits.push(text);
    }

    /// Costs known of sizes that are not reported.
    fn beside(&self) -> Beside {
        let families = [self.knowledge.patterns.family(), self.knowledge.recipes.family()];
        let points = |family: Vec<(i64, u64)>| -> Vec<(u64, u64)> {
            family.into_iter().filter_map(|(size, cost)| Some((u64::try_from(size).ok()?, cost))).collect()
        };
        let mut beside = Beside { families: families.into_iter().map(points).collect(), ..Beside::default() };
        let reported = |row: &&Row| self.findings.results.iter().any(|result| result.size == row.size);
        for row in self.ledger.rows().filter(|row| !reported(row)) {
            let (Some(cost), Ok(size)) = (row.cost(), u64::try_from(row.size)) else { continue };
            let cut = row.best.as_ref().is_some_and(Claim::is_at_least);
            let known = match (row.is_exact(), cut) {
                (true, _) => &mut beside.exact,
                (_, true) => &mut beside.cut,
                _ => &mut beside.probes,
            };
            known.push((size, cost));
        }
        beside
    }

    /// What the program wants to read at its largest size and is not there.
    fn absent(&self) -> Vec<String> {
        let reads = |import: &slowpath_program::Import| ["fd_read", "path_open"].contains(&import.name.as_str());
        if !self.target.program.imports.iter().any(reads) {
            return Vec::new();
        }
        let mut worst =
            self.ledger.rows().rev().filter_map(|row| Some((row.size, row.best.as_ref()?.finding.worst.as_ref()?)));
        let Some((n, path)) = worst.next() else { return Vec::new() };
        let run = ConcreteRun::of(&self.target, n, &path.input, &self.budget);
        run.map_or_else(
            |_| Vec::new(),
            |run| run.absent.iter().map(|what| format!("the program reads {what}")).collect(),
        )
    }

    /// Everything that is about all sizes together.
    fn finish(mut self) -> Analysis {
        let none = Learned::default();
        let learned = self.knowledge.learned.as_ref().unwrap_or(&none);
        let caught_out = self.ledger.caught_out(FoundBy::Policy);
        self.findings.policy = policy::report(&self.subject, learned, caught_out);
        if let (Some(size), false) = (caught_out, self.findings.results.is_empty()) {
            let what = "the policy held at every size it was validated on, but not at size";
            self.findings.limits.push(format!("{what} {size}"));
        }
        self.findings.fit = growth::law(&self.findings, self.beside());
        hot_lines::add(&mut self.findings, &self.subject, &self.target, &self.budget);
        self.findings.limits.extend(self.absent());
        let law = self.knowledge.law.as_ref().and_then(Option::as_ref);
        let law = self.knowledge.patterns.law.clone().or_else(|| law.map(InputLaw::in_words));
        self.findings.input_law = law.map(input_law::report);
        let sizes = self.findings.results.iter().filter(|result| result.confidence == Confidence::Exact);
        let mut sizes: Vec<(i64, u64)> = sizes.map(|result| (result.size, result.paths)).collect();
        if sizes.is_empty() {
            sizes.extend(learned.explored.iter().map(|found| (found.size, found.paths)));
        }
        self.findings.trees = tree::trees(&self.subject, &self.target, &sizes, &self.budget);
        let clock = &self.budget.clock;
        self.findings.spent = Some(Spent { seconds: clock.now().as_secs_f64(), steps: clock.steps() });
        let learned = self.knowledge.learned.unwrap_or_default();
        let exact = learned.explored.into_iter().filter(|found| found.complete).collect();
        let guided = self.ledger.rows().filter_map(|row| row.guided).collect();
        Analysis { findings: self.findings, exact, guided, policies: learned.policies, subject: self.subject }
    }
}
