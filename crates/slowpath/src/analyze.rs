//! The pipeline: a request goes in, a Findings document comes out.

mod few_paths;

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use slowpath_machine::StartError;
use slowpath_report::{Confidence, Findings, SizeResult, Tree};
use slowpath_search::{
    Average, Budget, Decision, Family, Learned, PolicySet, Provenance, SearchError, SizeFinding, Synthesis, Target,
    average, depth_first, evolve, exhaustive, explore, learn, random_paths,
};

use crate::document;
use crate::doubt::Doubt;
use crate::error::Error;
use crate::error::policy::PolicyError;
use crate::growth::{self, Beside};
use crate::hot_lines;
use crate::input_law::{self, InputLaw};
use crate::mutate::mutate;
use crate::policy;
use crate::policy_file::{self, PolicyFile};
use crate::request::{AnalyzeRequest, Strategy};
use crate::sizes::{MOST_GROWN, Plan};
use crate::subject::Subject;
use crate::synthesis;
use crate::tree::trees;
use crate::trust::Trust;
use crate::verify::{Verdict, Verifier};

/// Bytes a term of the search takes, its place in the tables included.
const BYTES_PER_TERM: u64 = 107;

/// The part of the budget that may go into exploring small sizes to learn from.
const LEARNING_SHARE: f64 = 0.25;

/// The part of the time left that may go into following every path of small sizes once more, to draw them.
const TREE_SHARE: f64 = 0.02;

/// From this size on the law of inputs, where there is one, is used instead of a search.
const LAW_FROM: i64 = 2_001;
/// The part of the time left that may go into finding it.
const LAW_SHARE: f64 = 0.1;
/// The part of the time left that may go into inferring path conditions.
const SYNTHESIS_SHARE: f64 = 0.4;
/// The same where it stands in for policies that were not validated.
const SYNTHESIS_INSTEAD_SHARE: f64 = 0.1;
/// The part of the budget that may go into what the smallest sizes alone teach.
const EARLY_SHARE: f64 = 0.1;
/// Paths of a size that is explored for that.
const EARLY_PATHS: [f64; 2] = [15_000.0, 50_000.0];
/// The largest size explored completely to infer them from.
const MOST_EXPLORED: i64 = 24;

/// Held-out sizes that confirm a policy well enough for nothing else to be tried.
const CONFIRMED: usize = 3;

/// What happens just now, for somebody who waits.
#[derive(Debug)]
pub enum Progress<'a> {
    Compiling,
    Exploring {
        size: i64,
    },
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

/// Analyses a function at each size in turn. Whatever limit is reached, what was found until then is in the document.
pub fn analyze(request: &AnalyzeRequest, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Findings, Error> {
    progress(Progress::Compiling);
    let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
    Ok(study(request, subject, Purpose::Report, progress)?.findings)
}

/// The same, and beside it what was learned, to be used again; or why there is nothing.
pub fn analyze_and_keep(
    request: &AnalyzeRequest,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Findings, Result<PolicyFile, PolicyError>), Error> {
    policy_file::check_learns(request).map_err(Error::NoPolicy)?;
    progress(Progress::Compiling);
    let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
    let study = study(request, subject, Purpose::Report, progress)?;
    Ok((study.findings, policy_file::keep(&study.subject, &study.policies)))
}

/// What an analysis came to, and what it learned from beside it.
pub struct Study {
    pub findings: Findings,
    /// The small sizes that were explored completely, from 1 on.
    pub exact: Vec<SizeFinding>,
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
pub fn study(
    request: &AnalyzeRequest,
    subject: Subject,
    purpose: Purpose,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Study, Error> {
    let loaded = request.policy.as_deref().map(|file| policy_file::load(file, request, &subject)).transpose()?;
    let budget = budget(request);
    let plan = match request.strategy {
        // These never complete a size, which is what growing goes by.
        Strategy::Evolve | Strategy::Mutate => Plan::sampled(request.sizes.clone(), subject.depends_on_n()),
        _ => Plan::new(request.sizes.clone(), subject.depends_on_n()),
    };
    // Sizes that cannot be laid out are refused before any work is done.
    plan.rest().iter().try_for_each(|n| subject.check_size(*n))?;
    let target = subject.target(request.limits.machine(), request.solver.clone(), request.seed);
    let verifier = Verifier::new(&subject, &request.limits);
    let mut findings = document::open(request, &subject);
    let learned = loaded.map(|(policies, note)| {
        findings.limits.extend(note);
        Learned { policies, ..Learned::default() }
    });
    findings.policy = learned.as_ref().and_then(|learned| policy::report(&subject, learned));
    let largest = plan.rest().iter().copied().max().unwrap_or(MOST_GROWN);
    let (sizes_left, law) = (1, OnceCell::new());
    let synthesis = None;
    let analysis = Analysis {
        request,
        subject,
        target,
        verifier,
        budget,
        findings,
        learned,
        law,
        synthesis,
        early: None,
        trust: Trust::default(),
        probed: 0,
        largest,
        sizes_left,
        purpose,
    };
    analysis.all_sizes(plan, progress)
}

/// Half of the time until then.
fn half_way(deadline: Instant) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / 2
}

fn budget(request: &AnalyzeRequest) -> Budget {
    let terms = request.limits.search_memory / BYTES_PER_TERM;
    Budget {
        deadline: Instant::now().checked_add(request.budget),
        paths: request.limits.paths.unwrap_or(u64::MAX),
        terms: usize::try_from(terms).unwrap_or(usize::MAX).max(1000),
        interrupt: request.interrupt.clone(),
    }
}

struct Analysis<'r> {
    request: &'r AnalyzeRequest,
    subject: Subject,
    target: Target,
    verifier: Verifier,
    budget: Budget,
    findings: Findings,
    /// What the small sizes taught, once a strategy has asked for it.
    learned: Option<Learned>,
    law: OnceCell<Option<InputLaw>>,
    /// A few sizes explored completely, and what they alone taught about path conditions.
    early: Option<(Vec<SizeFinding>, Option<Synthesis>)>,
    /// How path conditions are made, or why they cannot be, once it was tried.
    synthesis: Option<Result<Synthesis, String>>,
    /// How far the learned policy can be relied on.
    trust: Trust,
    /// The largest size it was validated on on the way to another.
    probed: i64,
    /// The largest size that will be asked for.
    largest: i64,
    purpose: Purpose,
    /// Sizes that have to share the time that is left.
    sizes_left: u32,
}

impl Analysis<'_> {
    fn all_sizes(mut self, mut plan: Plan, progress: &mut dyn FnMut(Progress<'_>)) -> Result<Study, Error> {
        while let Some(n) = plan.next() {
            if let Some(stop) = self.budget.expired() {
                self.findings.limits.push(not_reached(n, plan.rest(), &stop.to_string()));
                break;
            }
            progress(Progress::Exploring { size: n });
            self.sizes_left = plan.rest().len() as u32 + 1;
            let found = match self.explore(n) {
                Ok(found) => found,
                Err(bug @ SearchError::Diverged(_)) => {
                    self.disagreement(format!("size {n}: {bug}"), progress);
                    continue;
                }
                Err(unlucky @ SearchError::GaveUp) => {
                    self.findings.limits.push(not_reached(n, &[], &unlucky.to_string()));
                    continue;
                }
                // A size too large for the program's memory is no reason to forget the smaller ones.
                Err(error) if !self.findings.results.is_empty() => {
                    self.findings.limits.push(not_reached(n, plan.rest(), &error.to_string()));
                    break;
                }
                Err(error) => return Err(Error::Search { file: self.subject.file, source: Box::new(error) }),
            };
            self.book(&found, progress);
            if let Some(why) = plan.done(found.complete, found.seconds, self.seconds_left()) {
                self.findings.limits.push(why);
                break;
            }
        }
        self.trust.settle(&mut self.findings);
        let explored = self.learned.iter().flat_map(|learned| &learned.exact);
        let explored = explored.filter_map(|found| Some((found.size as u64, found.worst.as_ref()?.cost)));
        let beside = Beside { exact: explored.collect(), ..Beside::default() };
        growth::hold_to_law(&mut self.findings, &beside.exact);
        self.findings.fit = growth::law(&self.findings, beside);
        hot_lines::add(&mut self.findings, &self.subject, &self.target);
        let with_law = self.request.strategy == Strategy::Auto && self.purpose != Purpose::Inputs;
        if with_law && self.budget.expired().is_none() {
            self.findings.input_law = self.input_law().map(InputLaw::report);
        }
        self.findings.trees = self.trees();
        let learned = self.learned.unwrap_or_default();
        let (exact, policies) = (learned.exact, learned.policies);
        Ok(Study { findings: self.findings, exact, policies, subject: self.subject })
    }

    fn explore(&mut self, n: i64) -> Result<SizeFinding, SearchError> {
        self.subject.check_size(n).map_err(StartError::Signature)?;
        match self.request.strategy {
            Strategy::Exhaustive => exhaustive(&self.target, n, self.request.jobs, &self.budget),
            Strategy::Auto => self.learned_or_exhaustive(n, Family::Either),
            Strategy::Wise => self.learned_or_exhaustive(n, Family::Wise),
            Strategy::History => self.learned_or_exhaustive(n, Family::History),
            Strategy::DepthFirst => depth_first(&self.target, n, &self.budget),
            Strategy::Random => random_paths(&self.target, n, self.request.random_paths, &self.budget),
            Strategy::Evolve => {
                let seeds = if self.request.evolve_from_policy { self.policy_path(n)? } else { Vec::new() };
                evolve(&self.target, n, &self.request.evolve, &seeds, &self.share())
            }
            Strategy::Synthesize => self.synthesized(n),
            Strategy::Mutate => mutate(&self.target, &self.verifier, n, &self.request.evolve, &self.share()),
        }
    }

    /// The budget of one size where each would go on for as long as there is time.
    fn share(&self) -> Budget {
        let now = Instant::now();
        let share = |deadline: Instant| now + deadline.saturating_duration_since(now) / self.sizes_left.max(1);
        Budget { deadline: self.budget.deadline.map(share), ..self.budget.clone() }
    }

    fn learn(&mut self, family: Family) -> Result<(), SearchError> {
        if self.learned.is_none() {
            let until = Instant::now() + self.request.budget.mul_f64(LEARNING_SHARE);
            let learned = learn(
                &self.target,
                family,
                self.request.history,
                self.largest_explored(),
                self.request.jobs,
                &self.budget,
                until,
            )?;
            self.findings.policy = policy::report(&self.subject, &learned);
            self.learned = Some(learned);
        }
        Ok(())
    }

    /// Synthesis is for what comes after the small sizes, even where large ones could be explored completely.
    fn largest_explored(&self) -> i64 {
        if self.request.strategy == Strategy::Synthesize { self.largest.min(MOST_EXPLORED) } else { self.largest }
    }

    /// The path a learned policy takes at this size, if there is one.
    fn policy_path(&mut self, n: i64) -> Result<Vec<Vec<Decision>>, SearchError> {
        self.learn(Family::Either)?;
        let Some(learned) = &self.learned else { return Ok(Vec::new()) };
        // Most of the time is for what comes after.
        let now = Instant::now();
        let part = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(LEARNING_SHARE);
        let share = self.share();
        let share = Budget { deadline: share.deadline.map(part), ..share };
        let found = learned.policies.run(&self.target, n, &share)?;
        let path = found.and_then(|(found, _)| found.worst).map(|path| path.decisions);
        Ok(path.filter(|path| !path.is_empty()).into_iter().collect())
    }

    /// The exact result where the small sizes were explored for learning, else what the best policy finds. Where
    /// nothing could be learned, exhaustive search with all the time that is left.
    fn learned_or_exhaustive(&mut self, n: i64, family: Family) -> Result<SizeFinding, SearchError> {
        self.learn(family)?;
        if self.purpose != Purpose::ComparePolicies
            && let Some(learned) = &self.learned
            && let Some(exact) = learned.exact.iter().find(|f| f.size == n)
        {
            return Ok(exact.clone());
        }
        let synthesizes = self.request.strategy == Strategy::Auto && self.purpose != Purpose::ComparePolicies;
        if synthesizes && let Some(found) = self.every_path(n)? {
            self.hold_policy_to(&found)?;
            return Ok(found);
        }
        if synthesizes {
            self.probe_policy(n)?;
        }
        if n >= LAW_FROM {
            // What synthesis finds is as good to infer a law from as what a policy finds.
            if self.request.strategy == Strategy::Auto && !self.has_policy() {
                self.infer_synthesis(SYNTHESIS_INSTEAD_SHARE)?;
            }
            if let Some(found) = self.by_law(n) {
                return Ok(found);
            }
        }
        if synthesizes
            && !self.has_policy()
            && let Some(found) = self.synthesized_instead(n)?
        {
            return Ok(found);
        }
        if let Some(learned) = &self.learned
            && let Some((mut found, by)) = learned.policies.run(&self.target, n, &self.budget)?
            && found.worst.is_some()
        {
            if !matches!(self.request.strategy, Strategy::Auto | Strategy::Synthesize) {
                return Ok(found);
            }
            let confirmed = learned.policies.candidates[by].validated.len();
            self.trust.temper(&mut found);
            return self.doubted(found, confirmed, synthesizes);
        }
        if self.request.strategy != Strategy::Auto {
            return exhaustive(&self.target, n, self.request.jobs, &self.budget);
        }
        let half = Budget { deadline: self.budget.deadline.map(half_way), ..self.budget.clone() };
        let found = exhaustive(&self.target, n, self.request.jobs, &half)?;
        if found.complete { Ok(found) } else { self.doubt().evolved(found) }
    }

    /// What a policy found that so many held-out sizes confirm, or what is found that costs more.
    fn doubted(&mut self, found: SizeFinding, confirmed: usize, synthesizes: bool) -> Result<SizeFinding, SearchError> {
        let validated = |found: &SizeFinding| matches!(found.provenance, Provenance::Guided { validated: true, .. });
        let (size, claimed, policy) = (found.size, validated(&found), found.cost());
        let mut found = self.doubt().about(found, confirmed)?;
        let better = |other: &SizeFinding, found: &SizeFinding| {
            let surer = matches!(other.provenance, Provenance::Law | Provenance::Synthesized { validated: true })
                && !validated(found);
            other.cost() > found.cost() || (other.cost() == found.cost() && surer)
        };
        let unsure = found.cost() > policy || (claimed && confirmed < CONFIRMED);
        if synthesizes
            && unsure
            && let Some(other) = self.synthesized_instead(size)?
            && better(&other, &found)
        {
            found = other;
        }
        // The inputs of small sizes may follow a law where no path does.
        if synthesizes
            && (unsure || !claimed)
            && !matches!(found.provenance, Provenance::Synthesized { validated: true })
            && let Some(other) = self.by_law(size)
            && better(&other, &found)
        {
            found = other;
        }
        if claimed && found.cost() > policy {
            self.trust.beaten(size);
            // What was not tried on the word of the policy.
            if synthesizes && let Some(exact) = self.every_path(size)? {
                return Ok(exact);
            }
        }
        Ok(found)
    }

    /// Whether there is a policy that was validated, follows one path, and was not caught out.
    fn has_policy(&self) -> bool {
        let best = self.learned.as_ref().and_then(|learned| learned.policies.candidates.first());
        self.trust.is_whole() && best.is_some_and(|best| best.is_validated() && best.deterministic)
    }

    /// What the synthesised path condition leads to, where it was validated on other sizes.
    fn synthesized_instead(&mut self, n: i64) -> Result<Option<SizeFinding>, SearchError> {
        self.infer_synthesis(SYNTHESIS_INSTEAD_SHARE)?;
        Ok(self.synthesized_at(n, &self.budget))
    }

    /// The same, where it is known already how path conditions are made.
    fn synthesized_at(&self, n: i64, budget: &Budget) -> Option<SizeFinding> {
        let Some(Ok(synthesis)) = &self.synthesis else { return None };
        let found = synthesis.at(&self.target, n, budget).ok()?;
        matches!(found.provenance, Provenance::Synthesized { validated: true }).then_some(found)
    }

    /// Infers how path conditions are made, when it is first asked for.
    fn infer_synthesis(&mut self, share: f64) -> Result<(), SearchError> {
        if self.synthesis.is_none() {
            let learned = self.learned.take().unwrap_or_default();
            let left = Duration::from_secs_f64(self.seconds_left().min(1e9) * share);
            let budget = Budget { deadline: Some(Instant::now() + left), ..self.budget.clone() };
            let inferred = synthesis::infer(&self.target, &self.subject, &learned, &budget);
            self.learned = Some(learned);
            let mut inferred = inferred?;
            // A law is inferred only where synthesis was asked for; elsewhere it comes by itself.
            if inferred.is_err()
                && self.request.strategy == Strategy::Synthesize
                && let (Some(law), Some(learned)) = (self.input_law(), &self.learned)
                && let Some(model) = synthesis::infer_by_law(&self.target, learned, law, &budget)?
            {
                inferred = Ok(model);
            }
            self.findings.synthesis = inferred.as_ref().ok().map(|model| synthesis::report(&self.subject, model));
            self.synthesis = Some(inferred);
        }
        Ok(())
    }

    /// What the synthesised path condition leads to; where there is none, what a policy finds, and why.
    fn synthesized(&mut self, n: i64) -> Result<SizeFinding, SearchError> {
        if let Some(found) = self.synthesized_early(n)? {
            return Ok(found);
        }
        self.learn(Family::Either)?;
        self.infer_synthesis(SYNTHESIS_SHARE)?;
        let known = self.learned.iter().flat_map(|learned| &learned.exact);
        let exact = known.into_iter().find(|found| found.size == n).cloned();
        let found = match &self.synthesis {
            Some(Ok(synthesis)) => synthesis.at(&self.target, n, &self.budget),
            Some(Err(why)) => Err(why.clone()),
            None => Err(String::new()),
        };
        match (found, exact) {
            (Ok(found), None) => Ok(found),
            (Ok(found), Some(mut exact)) => {
                if found.cost() != exact.cost() {
                    let cost = found.cost().unwrap_or(0);
                    exact.limits.insert(format!("the synthesised input costs only {cost}"), 1);
                }
                Ok(exact)
            }
            (Err(_), Some(exact)) => Ok(exact),
            (Err(why), None) => {
                let mut found = self.learned_or_exhaustive(n, Family::Either)?;
                found.limits.insert(format!("no path condition was synthesised: {why}; so this is guided search"), 1);
                Ok(found)
            }
        }
    }

    /// The same from a few sizes explored completely, without a policy, where it comes to the cost that these predict.
    fn synthesized_early(&mut self, n: i64) -> Result<Option<SizeFinding>, SearchError> {
        if self.learned.is_some() {
            return Ok(None);
        }
        if self.early.is_none() {
            let until = Instant::now() + self.request.budget.mul_f64(EARLY_SHARE);
            let (largest, jobs) = (self.largest_explored(), self.request.jobs);
            let budget = Budget { deadline: Some(until), ..self.budget.clone() };
            for most in EARLY_PATHS {
                let explored = explore(&self.target, largest, most, jobs, &self.budget, until)?;
                let synthesis = synthesis::infer_explored(&self.target, &explored, &budget)?;
                let done = synthesis.is_some();
                self.findings.synthesis = synthesis.as_ref().map(|model| synthesis::report(&self.subject, model));
                self.early = Some((explored.exact, synthesis));
                if done {
                    break;
                }
            }
        }
        let Some((exact, Some(synthesis))) = &self.early else { return Ok(None) };
        let found = synthesis.at(&self.target, n, &self.budget).ok();
        let validated = found.filter(|found| matches!(found.provenance, Provenance::Synthesized { validated: true }));
        Ok(match exact.iter().find(|found| found.size == n) {
            // Sizes too small for the model need none.
            Some(exact) if validated.is_some() || (n as u64) < synthesis.from() => Some(exact.clone()),
            Some(_) => None,
            None => validated,
        })
    }

    /// The input that the law of inputs gives, if there is a law.
    fn by_law(&self, n: i64) -> Option<SizeFinding> {
        self.input_law()?.finding(&self.target, n, &self.budget)
    }

    /// The law of the worst inputs, inferred when it is first asked for.
    fn input_law(&self) -> Option<&InputLaw> {
        self.law.get_or_init(|| self.infer_law()).as_ref()
    }

    fn infer_law(&self) -> Option<InputLaw> {
        let learned = self.learned.as_ref()?;
        let left = Duration::from_secs_f64(self.seconds_left().min(1e9) * LAW_SHARE);
        let budget = Budget { deadline: Some(Instant::now() + left), ..self.budget.clone() };
        let known = learned.exact.last().map_or(0, |found| found.size);
        let at = |n: i64| {
            self.subject.check_size(n).ok()?;
            let other = self.synthesized_at(n, &budget);
            let Some((mut found, by)) = learned.policies.run(&self.target, n, &budget).ok()? else { return other };
            self.trust.temper(&mut found);
            let validated = matches!(found.provenance, Provenance::Guided { validated: true, .. });
            if let Some(other) = other.filter(|other| !validated || other.cost() > found.cost()) {
                return Some(other);
            }
            // What local search beats is no example of the worst.
            let confirmed = learned.policies.candidates[by].validated.len();
            let doubt = Doubt { target: &self.target, budget: &budget, sizes_left: self.sizes_left };
            let stands = n <= known || doubt.stands(&found, confirmed);
            stands.then_some(found)
        };
        input_law::find(&self.target, &learned.exact, &at, self.largest, &budget)
    }

    /// The computation trees of small sizes whose every path is known.
    fn trees(&self) -> Vec<Tree> {
        let mut sizes: Vec<(i64, u64)> = self
            .findings
            .results
            .iter()
            .filter(|result| result.confidence == Confidence::Exact)
            .map(|result| (result.size, result.paths))
            .collect();
        if sizes.is_empty() {
            sizes.extend(self.learned.iter().flat_map(|learned| &learned.exact).map(|found| (found.size, found.paths)));
        }
        let left = Duration::from_secs_f64(self.seconds_left().min(1e9) * TREE_SHARE);
        let budget = Budget { deadline: Some(Instant::now() + left), ..self.budget.clone() };
        trees(&self.subject, &self.target, &sizes, &budget)
    }

    fn doubt(&self) -> Doubt<'_> {
        Doubt { target: &self.target, budget: &self.budget, sizes_left: self.sizes_left }
    }

    /// Has a size checked by the other engines and enters it into the document.
    fn book(&mut self, found: &SizeFinding, progress: &mut dyn FnMut(Progress<'_>)) {
        let n = found.size;
        progress(Progress::Replaying { size: n });
        self.findings.limits.extend(document::limits_of(self.request.strategy, found));
        let verdict = found.worst.as_ref().map(|path| self.verifier.verify(&self.target, n, path, &self.budget));
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
        let traps: Vec<bool> = found
            .traps
            .iter()
            .map(|trap| trap.examples.iter().all(|path| self.verifier.confirms_trap(n, path)))
            .collect();
        let average = self.average(n, progress);
        let result =
            document::size_result(&self.subject, self.request.strategy, found, verdict.as_ref(), &traps, average);
        progress(Progress::Done(&result));
        self.trust.note(self.findings.results.len(), found);
        self.findings.results.push(result);
        if let Some(work) = &mut self.findings.stats {
            document::add_work(work, &found.stats);
        }
    }

    fn average(&mut self, n: i64, progress: &mut dyn FnMut(Progress<'_>)) -> Option<Average> {
        let wanted = self.request.average?;
        progress(Progress::Averaging { size: n });
        let limit = match average(&self.target, n, wanted, &self.budget) {
            Ok(Some(average)) if average.runs + average.discarded == wanted => return Some(average),
            Ok(Some(average)) => {
                let done = average.runs + average.discarded;
                self.findings.limits.push(format!("size {n}: the average is of {done} random inputs, not {wanted}"));
                return Some(average);
            }
            Ok(None) => format!("size {n}: no average, since no random input ran to its end"),
            Err(error) => format!("size {n}: no average: {error}"),
        };
        self.findings.limits.push(limit);
        None
    }

    fn disagreement(&mut self, text: String, progress: &mut dyn FnMut(Progress<'_>)) {
        let text = format!("{text} (this is a bug in slowpath, please report it)");
        progress(Progress::Disagreement(&text));
        self.findings.limits.push(text);
    }

    fn seconds_left(&self) -> f64 {
        let left = self.budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.unwrap_or(Duration::MAX).as_secs_f64()
    }
}

fn not_reached(first: i64, rest: &[i64], why: &str) -> String {
    match rest.last() {
        None => format!("size {first} was not analysed: {why}"),
        Some(last) => format!("sizes {first} to {last} were not analysed: {why}"),
    }
}
