//! One program being compared: what is asked of it, and what is known of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use slowpath::{AnalyzeRequest, Error, Limits, Strategy, Subject};
use slowpath_search::{Budget, CostModel, STEPS_PER_SECOND, Target};
use slowpath_solver::SolverConfig;

use crate::cells::ProgramReport;
use crate::error::BenchError;
use crate::oracle::Oracle;
use crate::request::BenchRequest;
use crate::suite::{Program, Suite};

/// The steps of work that stand for a time.
fn steps(time: Duration) -> u64 {
    (time.as_secs_f64() * STEPS_PER_SECOND as f64) as u64
}

/// One program being compared.
pub(crate) struct Trial<'r> {
    pub request: &'r BenchRequest,
    pub suite: &'r Suite,
    pub program: &'r Program,
    pub analysis: AnalyzeRequest,
    /// Sizes of the table and beyond that were asked for.
    pub sizes: Vec<i64>,
    /// When it began.
    pub begun: Instant,
}

impl<'r> Trial<'r> {
    /// The comparison of this program that the request asks for; `columns` are the sizes of the whole table.
    pub fn new(
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
            (all, depth.largest().min(program.largest_size()), depth.budget())
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
            // So that every machine comes to the same, however busy it is.
            effort: request.budget.is_none().then(|| steps(budget)),
            seed: request.seed,
            jobs: request.jobs,
            interrupt: Arc::clone(&request.interrupt),
            ..AnalyzeRequest::new(&program.file, program.entry())
        };
        Ok(Trial { request, suite, program, analysis, sizes, begun: Instant::now() })
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
            given_up: None,
            seconds: 0.0,
        }
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

    /// What one search may use.
    pub fn budget(&self) -> Budget {
        let interrupt = Arc::clone(&self.request.interrupt);
        let limited = match self.analysis.effort {
            Some(steps) => Budget::of_effort(steps),
            None => Budget::of_time(self.analysis.budget),
        };
        Budget { interrupt, ..limited }
    }

    /// What exploring all paths of a size may use: as much as several searches, since nothing less counts.
    pub fn exploring(&self) -> Budget {
        const TIMES: u64 = 6;
        let budget = self.budget();
        match self.analysis.effort {
            Some(steps) => Budget { interrupt: budget.interrupt, ..Budget::of_effort(steps.saturating_mul(TIMES)) },
            None => budget,
        }
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
}
