//! From the final ledger to the document.

use slowpath_portfolio::{Claim, FoundBy, Guided, InputLaw, Judgement, Knowledge, Ledger, Row, Schedule, judge};
use slowpath_report::{Confidence, Findings, Spent};
use slowpath_search::{Budget, ConcreteRun, Learned, PolicySet, SizeFinding, Target, average};

use crate::document;
use crate::growth::{self, Beside};
use crate::hot_lines;
use crate::input_law;
use crate::panics::Panics;
use crate::policy;
use crate::progress::Progress;
use crate::request::{AnalyzeRequest, Strategy};
use crate::subject::Subject;
use crate::synthesis;
use crate::tree;
use crate::verify::{Verdict, Verifier};

/// The part of the time that is left for writing which random inputs may take.
const AVERAGES_SHARE: f64 = 0.5;
/// The part that running the largest worst input again may take, so that where it is too large others are verified.
const LARGEST_SHARE: f64 = 0.75;

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

/// What the document is written from.
pub(crate) struct Writing<'r> {
    pub(crate) request: &'r AnalyzeRequest,
    pub(crate) subject: Subject,
    pub(crate) target: Target,
    pub(crate) verifier: Verifier,
    pub(crate) budget: Budget,
    pub(crate) findings: Findings,
    pub(crate) ledger: Ledger,
    pub(crate) knowledge: Knowledge,
}

impl Writing<'_> {
    /// Runs random inputs at every size. One that costs more than anything known is the worst known.
    pub(crate) fn averages(&mut self, schedule: &Schedule, progress: &mut dyn FnMut(Progress<'_>)) {
        let Some(wanted) = self.request.average else { return };
        // What is verified counts for more. And of all sizes the largest is what users look at.
        let budget = self.budget.part(AVERAGES_SHARE);
        for n in schedule.sizes.iter().rev() {
            progress(Progress::Averaging { size: *n });
            let limit = match average(&self.target, *n, wanted, &budget) {
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
    pub(crate) fn sizes(&mut self, schedule: &Schedule, progress: &mut dyn FnMut(Progress<'_>)) {
        let searches = self.request.strategy == Strategy::Auto;
        // The largest size is what users look at: where time is short, it is the one that is verified.
        let largest = schedule.sizes.last().and_then(|n| self.ledger.row(*n)?.best.as_ref());
        let share = self.budget.part(LARGEST_SHARE);
        let mut largest = largest.and_then(|best| Some((best.finding.size, self.verdict(best, &share)?)));
        for n in &schedule.sizes {
            let Some(row) = self.ledger.row(*n).cloned() else { continue };
            let judgement = judge(&row, &self.ledger, &self.knowledge, searches);
            self.failures(&row, progress);
            let Some(best) = row.best.as_ref().filter(|_| row.cost().is_some() || row.failures.is_empty()) else {
                continue;
            };
            let verdict = largest.take_if(|(size, _)| size == n).map(|(_, verdict)| verdict);
            let verdict = verdict.or_else(|| {
                progress(Progress::Replaying { size: *n });
                self.verdict(best, &self.budget)
            });
            self.size(&row, best, &judgement, verdict.as_ref(), progress);
        }
        // A contradiction is a bug wherever it was come across, at sizes that were only learned from too.
        let unreported = self.ledger.rows().filter(|row| !schedule.sizes.contains(&row.size));
        let bugs = unreported.flat_map(|row| row.contradictions.iter().map(|bug| format!("size {}: {bug}", row.size)));
        for bug in bugs.collect::<Vec<String>>() {
            self.disagreement(bug, progress);
        }
    }

    /// What the other engines say of the worst input of a claim.
    fn verdict(&self, best: &Claim, budget: &Budget) -> Option<Verdict> {
        let path = best.finding.worst.as_ref()?;
        Some(self.verifier.verify(&self.target, best.finding.size, path, budget))
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

    fn size(
        &mut self,
        row: &Row,
        best: &Claim,
        judgement: &Judgement,
        verdict: Option<&Verdict>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) {
        let (n, strategy) = (row.size, self.request.strategy);
        self.findings.limits.extend(document::limits_of(strategy, best, judgement));
        match verdict {
            Some(Verdict::CannotTell(why)) => {
                self.findings.limits.push(format!("size {n}: the worst input is not verified: {why}"));
            }
            Some(Verdict::Disagrees(differences)) => {
                let text = format!("size {n}: the engines disagree on the worst input: {}", differences.join("; "));
                self.disagreement(text, progress);
            }
            Some(Verdict::Agrees) | None => {}
        }
        let confirms = |trap: &slowpath_search::TrapFinding| {
            !trap.examples.is_empty()
                && trap.examples.iter().all(|path| self.verifier.confirms_trap(n, path, &self.budget))
        };
        let traps: Vec<bool> = row.traps.iter().map(confirms).collect();
        let result = document::size_result(&self.subject, strategy, row, best, judgement, verdict, &traps);
        progress(Progress::Done(&result));
        self.findings.results.push(result);
    }

    /// The solver's work in all phases: searches and challenges at every size, learning, laws, and what was done for the report so far.
    pub(crate) fn work(&mut self) {
        let Some(work) = &mut self.findings.stats else { return };
        document::add_work(work, &self.budget.solver_work());
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
    pub(crate) fn finish(mut self) -> Analysis {
        let none = Learned::default();
        let learned = self.knowledge.learned.as_ref().unwrap_or(&none);
        let caught_out = self.ledger.caught_out(FoundBy::Policy);
        self.findings.policy = policy::report(&self.subject, learned, caught_out);
        if let (Some(size), false) = (caught_out, self.findings.results.is_empty()) {
            let what = "the policy held at every size it was validated on, but not at size";
            self.findings.limits.push(format!("{what} {size}"));
        }
        if let Some(panics) = Panics::of(&self.request.program, &self.subject, self.target.limits) {
            panics.tell(&mut self.findings, &self.subject, &self.budget);
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
