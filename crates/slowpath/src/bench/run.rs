//! Runs the programs of a suite and fills its table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use slowpath_report::{Findings, SizeResult};
use slowpath_search::{Budget, CostModel, SizeFinding, Target, exhaustive};
use slowpath_solver::SolverConfig;

use crate::analyze::{Progress, Purpose, study};
use crate::bench::cells::{BenchReport, ProgramReport, Skipped, Statistic};
use crate::bench::error::BenchError;
use crate::bench::files::Suites;
use crate::bench::formula::evaluate;
use crate::bench::judge::{Facts, judge};
use crate::bench::oracle::Oracle;
use crate::bench::suite::{Program, Suite};
use crate::error::Error;
use crate::request::{AnalyzeRequest, Limits, Strategy};
use crate::subject::Subject;

/// How much to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Small sizes only; seconds for a suite.
    Quick,
    /// What takes less than a minute.
    #[default]
    Usual,
    /// Everything the suite names; may take an hour.
    Full,
}

impl Depth {
    /// The largest size tried.
    pub fn largest(self) -> i64 {
        match self {
            // Where larger sizes are needed to learn from, time is too, and a busy machine has none.
            Depth::Quick => 5,
            Depth::Usual => 250,
            Depth::Full => i64::MAX,
        }
    }

    /// Published counts of paths up to this are checked by exploring them all.
    pub fn paths(self) -> f64 {
        match self {
            Depth::Quick => 2e3,
            Depth::Usual => 2e5,
            Depth::Full => 5e6,
        }
    }

    /// The time for each program unless said otherwise.
    pub fn budget(self) -> Duration {
        Duration::from_secs(match self {
            Depth::Quick => 5,
            Depth::Usual => 10,
            Depth::Full => 600,
        })
    }

    /// The largest size tried where tools are compared, each at sizes of its own.
    pub fn largest_of_tools(self) -> i64 {
        if self == Depth::Quick { 50 } else { i64::MAX }
    }

    /// The time of one run where tools are compared.
    pub fn run_budget(self) -> Duration {
        Duration::from_secs(match self {
            Depth::Quick => 3,
            Depth::Usual => 60,
            Depth::Full => 600,
        })
    }

    /// How many seeds what is random gets.
    pub fn seeds(self) -> u64 {
        if self == Depth::Quick { 2 } else { 10 }
    }
}

/// Everything a comparison needs to know.
#[derive(Clone, Debug)]
pub struct BenchRequest {
    pub suite: String,
    /// Only these; empty: all.
    pub programs: Vec<String>,
    /// Only these sizes, ascending; none: those of the table and beyond.
    pub sizes: Option<Vec<i64>>,
    /// None: what the suite's tools are compared with by default.
    pub strategy: Option<Strategy>,
    pub depth: Depth,
    /// For each program; where tools are compared, for each run.
    pub budget: Option<Duration>,
    pub jobs: usize,
    pub seed: u64,
    /// How many seeds, from that on, evolutions get.
    pub seeds: Option<u64>,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

/// What happens just now.
#[derive(Debug)]
pub enum BenchProgress<'a> {
    Program(&'a str),
    Size { program: &'a str, size: i64 },
    Done(&'a ProgramReport),
}

/// Compares a suite, program by program.
pub fn bench(
    request: &BenchRequest,
    suites: &Suites,
    progress: &mut dyn FnMut(BenchProgress<'_>),
) -> Result<BenchReport, BenchError> {
    let begun = Instant::now();
    let suite = Suite::read(&request.suite, &suites.description(&request.suite)?)?;
    let programs = chosen(&suite, &request.programs)?;
    if let Some(strategy) = request.strategy
        && !matches!(strategy, Strategy::Auto | Strategy::Wise | Strategy::History)
        && !programs.iter().all(|program| program.published.tools.has_seconds())
    {
        return Err(BenchError::Strategy { suite: suite.name, strategy: strategy.name() });
    }
    let columns = suite.columns();
    let mut report = BenchReport {
        suite: suite.name.clone(),
        depth: request.depth,
        programs: Vec::new(),
        seconds: 0.0,
        interrupted: false,
    };
    for program in programs {
        progress(BenchProgress::Program(&program.name));
        let tried = Trial::new(request, &suite, program, &columns).and_then(|trial| trial.run(progress))?;
        // Half a program would count as missed what was only not waited for.
        if request.interrupt.load(Ordering::Relaxed) {
            report.interrupted = true;
            break;
        }
        progress(BenchProgress::Done(&tried));
        report.programs.push(tried);
    }
    report.seconds = begun.elapsed().as_secs_f64();
    Ok(report)
}

fn chosen<'s>(suite: &'s Suite, names: &[String]) -> Result<Vec<&'s Program>, BenchError> {
    if let Some(name) = names.iter().find(|name| !suite.programs.iter().any(|p| p.name == **name)) {
        let known: Vec<&str> = suite.programs.iter().map(|p| p.name.as_str()).collect();
        let (suite, name) = (suite.name.clone(), name.clone());
        return Err(BenchError::NoProgram { suite, name, known: known.join(", ") });
    }
    Ok(suite.programs.iter().filter(|p| names.is_empty() || names.contains(&p.name)).collect())
}

/// One program being compared.
pub(super) struct Trial<'r> {
    pub request: &'r BenchRequest,
    suite: &'r Suite,
    pub program: &'r Program,
    pub analysis: AnalyzeRequest,
    /// Sizes of the table and beyond that were asked for.
    pub sizes: Vec<i64>,
    begun: Instant,
}

/// What was found at all sizes.
struct Found {
    findings: Findings,
    exact: BTreeMap<i64, SizeFinding>,
    known: BTreeMap<i64, u64>,
}

impl<'r> Trial<'r> {
    fn new(
        request: &'r BenchRequest,
        suite: &'r Suite,
        program: &'r Program,
        columns: &BTreeSet<i64>,
    ) -> Result<Trial<'r>, BenchError> {
        let cost: CostModel = program.cost.parse().map_err(|error| suite.bad_field(program, "cost", error))?;
        let (tools, depth) = (&program.published.tools, request.depth);
        let compares_tools = tools.has_ratios() || tools.has_seconds();
        let (own, largest, budget) = if compares_tools {
            // Without a known cost nothing could be said of what is found.
            let known =
                tools.sizes().chain(program.beyond.iter().copied()).filter(|n| program.worst_at.contains_key(n));
            (known.collect(), depth.largest_of_tools(), depth.run_budget())
        } else {
            let all: BTreeSet<i64> = columns.iter().chain(&program.beyond).copied().collect();
            (all, depth.largest().min(program.reach()), depth.budget())
        };
        let sizes: Vec<i64> = request.sizes.clone().unwrap_or_else(|| own.into_iter().collect());
        let wanted = request.sizes.is_some();
        let guided = sizes.iter().filter(|n| wanted || **n <= largest);
        let usual = if tools.has_seconds() { Strategy::Synthesize } else { Strategy::Auto };
        let strategy = request.strategy.unwrap_or(usual);
        let analysis = AnalyzeRequest {
            sizes: Some(guided.copied().collect()),
            strategy,
            cost,
            budget: request.budget.unwrap_or(budget),
            seed: request.seed,
            jobs: request.jobs,
            interrupt: Arc::clone(&request.interrupt),
            ..AnalyzeRequest::new(&program.file, program.entry())
        };
        Ok(Trial { request, suite, program, analysis, sizes, begun: Instant::now() })
    }

    fn run(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
        let tools = &self.program.published.tools;
        let mut report = if tools.has_ratios() {
            self.ratios(progress)?
        } else if tools.has_seconds() {
            self.times(progress)?
        } else {
            self.paths(progress)?
        };
        report.seconds = self.begun.elapsed().as_secs_f64();
        Ok(report)
    }

    /// A report with nothing in it yet.
    pub fn open_report(&self) -> ProgramReport {
        ProgramReport {
            name: self.program.name.clone(),
            n: self.program.n.clone(),
            policy: None,
            cells: Vec::new(),
            others: Vec::new(),
            skipped: Vec::new(),
            notes: self.program.notes.clone(),
            seconds: 0.0,
        }
    }

    /// Counts of paths, costs and times, size by size.
    fn paths(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<ProgramReport, BenchError> {
        let found = self.find(progress)?;
        let mut report = self.open_report();
        report.policy = found.findings.policy.as_ref().and_then(policy_words);
        for statistic in Statistic::ALL {
            for n in &self.sizes {
                self.cell(statistic, *n, &found, &mut report)?;
            }
        }
        Ok(report)
    }

    /// What went wrong with this program.
    pub fn failed(&self, source: Error) -> BenchError {
        BenchError::Program { program: self.program.name.clone(), source: Box::new(source) }
    }

    /// The program, compiled, and what is known of its worst costs.
    pub fn load(&self) -> Result<(Subject, Target, BTreeMap<i64, u64>), BenchError> {
        let analysis = &self.analysis;
        let subject = Subject::load(&analysis.program, &analysis.entry, &analysis.cost);
        let subject = subject.map_err(|source| self.failed(source))?;
        let target = subject.target(Limits::default().machine(), SolverConfig::default(), analysis.seed);
        let known = self.known(&subject, &target)?;
        Ok((subject, target, known))
    }

    fn find(&self, progress: &mut dyn FnMut(BenchProgress<'_>)) -> Result<Found, BenchError> {
        let name = self.program.name.as_str();
        let analysis = &self.analysis;
        let (subject, target, known) = self.load()?;
        let study = study(analysis, subject, Purpose::ComparePolicies, &mut |event| {
            if let Progress::Exploring { size } = event {
                progress(BenchProgress::Size { program: name, size });
            }
        })
        .map_err(|source| self.failed(source))?;
        let mut exact: BTreeMap<i64, SizeFinding> = study.exact.into_iter().map(|f| (f.size, f)).collect();
        // What learning had no use for: published counts of larger sizes, smallest first, and no more once one fails.
        for (size, count) in &self.program.published.exhaustive_paths {
            let wanted = self.sizes.contains(size) && *count <= self.request.depth.paths();
            if !wanted || exact.contains_key(size) {
                continue;
            }
            if self.request.depth != Depth::Full && !self.is_affordable(*count, exact.values()) {
                break;
            }
            progress(BenchProgress::Size { program: name, size: *size });
            let budget = self.budget();
            let Ok(finding) = exhaustive(&target, *size, analysis.jobs, &budget) else { break };
            let complete = finding.complete;
            exact.insert(*size, finding);
            if !complete {
                break;
            }
        }
        Ok(Found { findings: study.findings, exact, known })
    }

    /// Whether so many paths fit the budget, at the pace of the largest size explored.
    fn is_affordable<'f>(&self, paths: f64, explored: impl Iterator<Item = &'f SizeFinding>) -> bool {
        let largest = explored.filter(|finding| finding.complete).max_by_key(|finding| finding.paths);
        let pace = largest.map_or(0.0, |finding| finding.seconds / finding.paths.max(1) as f64);
        paths * pace < self.analysis.budget.as_secs_f64()
    }

    fn budget(&self) -> Budget {
        let deadline = Instant::now().checked_add(self.analysis.budget);
        Budget { deadline, interrupt: Arc::clone(&self.request.interrupt), ..Budget::default() }
    }

    /// Costs of the known worst inputs, each run afresh.
    fn known(&self, subject: &Subject, target: &Target) -> Result<BTreeMap<i64, u64>, BenchError> {
        let oracle = Oracle { suite: self.suite, program: self.program, subject, target };
        let mut out = BTreeMap::new();
        for n in self.analysis.sizes.iter().flatten() {
            if let Some(cost) = oracle.known(*n, &self.budget())? {
                out.insert(*n, cost);
            }
        }
        Ok(out)
    }

    /// Judges one cell, if there is anything to judge.
    fn cell(&self, statistic: Statistic, n: i64, found: &Found, report: &mut ProgramReport) -> Result<(), BenchError> {
        let row = self.program.published.row(statistic);
        if row.is_empty() && statistic != Statistic::Worst {
            return Ok(());
        }
        let result = found.findings.results.iter().find(|result| result.size == n);
        let exact = found.exact.get(&n);
        let known = found.known.get(&n).copied();
        let tried = match statistic {
            Statistic::ExhaustivePaths | Statistic::ExhaustiveSeconds => exact.is_some(),
            _ => self.analysis.sizes.iter().flatten().any(|size| *size == n),
        };
        let published = if statistic == Statistic::Worst { known.map(|k| k as f64) } else { row.get(&n).copied() };
        if !tried {
            if published.is_some() {
                report.skipped.push(Skipped { statistic, size: n, published });
            }
            return Ok(());
        }
        let branches = result.filter(|r| r.verified).and_then(branches);
        let ours = match statistic {
            Statistic::ExhaustivePaths => exact.filter(|f| f.complete).map(|f| f.paths as f64),
            Statistic::ExhaustiveSeconds => exact.filter(|f| f.complete).map(|f| f.seconds),
            Statistic::GuidedPaths => result.filter(|r| r.verified).map(|r| r.paths as f64),
            Statistic::Seconds => result.filter(|r| r.verified).map(|r| r.seconds),
            Statistic::Worst => branches.map(|b| b as f64).filter(|_| known.is_some()),
            Statistic::Longest => branches.map(|b| self.longest(b, n)).transpose()?,
            Statistic::EvolveRatio | Statistic::AutoRatio | Statistic::MakeSeconds => None,
        };
        if published.is_none() && ours.is_none() {
            return Ok(());
        }
        let guided = !matches!(statistic, Statistic::ExhaustivePaths | Statistic::ExhaustiveSeconds);
        let sound = !guided
            || (result.is_some_and(|r| r.complete) && known.is_none_or(|known| branches.is_some_and(|b| b >= known)));
        let stated = self.program.stated.at(statistic, n);
        let short = known.zip(branches).filter(|(known, branches)| branches < known);
        let short_as_stated = guided
            && short
                .is_some_and(|(_, cost)| self.program.stated.at(Statistic::Worst, n).is_some_and(|s| s <= cost as f64));
        let illegible = self.program.published.is_illegible(statistic, n);
        let facts =
            Facts { statistic, size: n, published, illegible, ours, sound, stated, floor: None, short_as_stated };
        report.cells.push(judge(facts, || why(facts, result, short)));
        Ok(())
    }

    /// The longest path as the paper counts it.
    fn longest(&self, branches: u64, n: i64) -> Result<f64, BenchError> {
        let Some(formula) = &self.program.published_longest else { return Ok(branches as f64) };
        let branches = i64::try_from(branches).unwrap_or(i64::MAX);
        let bad = |what| self.suite.bad_field(self.program, "published_longest", what);
        evaluate(formula, &[("branches", branches), ("n", n)]).map(|value| value as f64).map_err(bad)
    }
}

fn branches(result: &SizeResult) -> Option<u64> {
    result.costs.get("branches").and_then(Value::as_u64)
}

/// Why a cell was missed; `short` is the known cost and the lower one that was found.
fn why(facts: Facts, result: Option<&SizeResult>, short: Option<(u64, u64)>) -> String {
    let Some(ours) = facts.ours else {
        return match result {
            Some(result) if !result.verified => "the input is not verified".to_owned(),
            _ => "not reached in the budget (--budget)".to_owned(),
        };
    };
    let published = facts.published.unwrap_or_default();
    let stopped = result.and_then(|r| r.stopped.as_ref());
    let stopped = stopped.map_or_else(String::new, |why| format!("; {why}"));
    match (facts.statistic, short) {
        (Statistic::Worst, _) => format!("{ours} of the known {published}{stopped}"),
        (Statistic::Seconds, Some((known, cost))) => {
            format!("{ours:.3} s, published {published} s, but it costs {cost} of the known {known}{stopped}")
        }
        (Statistic::GuidedPaths, Some((known, cost))) => {
            format!("{ours}, published {published}, but they cost {cost} of the known {known}{stopped}")
        }
        (Statistic::Seconds | Statistic::ExhaustiveSeconds, _) => {
            format!("{ours:.1} s, published {published} s{stopped}")
        }
        _ => format!("{ours}, published {published}{stopped}"),
    }
}

/// `wise policy, learned at sizes 1 to 6; …`
fn policy_words(policy: &Value) -> Option<String> {
    policy["explained"].as_array()?.first()?.as_str().map(str::to_owned)
}
