//! `slowpath scan`: everything that can be called, analysed within one budget and ranked.
//!
//! First a short look at every function, then longer ones at those that grow or of which nothing is sure yet (`crates/portfolio/src/rounds.rs`): in a library most functions are
//! accessors, whose growth a moment settles, and the few that matter want time.

mod ahead;
mod configuration;
mod elsewhere;
mod interest;
mod next_sizes;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use slowpath_fit::{Class, Verdict};
use slowpath_portfolio::{Interest, Rounds};
use slowpath_report::{Callable, Findings, SCAN_SCHEMA, Scan, Scanned, SizeResult, Skipped};
use slowpath_search::{steps_of, time_of};

use crate::analyze::{LOOK_SHARE_AT_THE_END, Purpose, analyze_subject};
use crate::check::verified;
use crate::error::Error;
use crate::keep::SharedEngine;
use crate::listing::{is_crate, list, of_folder};
use crate::progress::Progress;
use crate::request::{AnalyzeRequest, EntryRequest, ProgramRequest};
use crate::shard::Shard;
use crate::subject::Subject;
use crate::writing::Analysis;

use ahead::ahead;
pub use configuration::configuration;
use elsewhere::Elsewhere;
pub use elsewhere::look_at;
use interest::{depends_on_n, interest};
use next_sizes::next_sizes;

/// Random inputs at each size, for what an ordinary input costs.
const RANDOM_INPUTS: u64 = 20;

/// The part of a scan that goes to what everyone can call, where there are static functions besides.
const OPEN_SHARE: f64 = 0.75;

/// A look ended early if it used less than one part in so many.
const EARLY: u32 = 2;

/// What to scan, and what that may use.
#[derive(Clone, Debug)]
pub struct ScanRequest {
    pub program: ProgramRequest,
    /// For all functions together, compiling each once apart.
    pub budget: Duration,
    /// Steps of work for all functions together, instead of time.
    pub effort: Option<u64>,
    pub jobs: usize,
    pub seed: u64,
    /// Only this part of the functions, for one of several machines.
    pub shard: Option<Shard>,
    /// Workers that do [`look_at`], as many looks at a time as there are. Default: one after the other, here.
    pub engine: Option<SharedEngine>,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

/// A function that can be called, and what is known of it.
struct Candidate {
    file: PathBuf,
    name: String,
    call: String,
    /// What the call leaves out.
    note: Option<String>,
    /// Only its file can call it; what others can call comes to it, if anything does.
    is_static: bool,
    /// Compiled for the first look, and kept where there may be another.
    subject: Option<Subject>,
    /// The best of all looks at it.
    known: Option<Scanned>,
    /// Why there is nothing, as the last look at it says.
    nothing: Option<String>,
    interest: Interest,
    /// The sizes of the next look, where not any will do.
    sizes: Option<Vec<i64>>,
}

/// Analyses every function that can be called by its types, and ranks them.
/// `keep` is given the number of a function and its findings, again where a longer look at it came to more.
pub fn scan(
    request: &ScanRequest,
    progress: &mut dyn FnMut(&str, Progress<'_>),
    keep: &mut dyn FnMut(usize, &Findings),
) -> Result<Scan, Error> {
    let mut scan = Scan { schema: SCAN_SCHEMA, functions: Vec::new(), skipped: Vec::new() };
    let mut candidates = candidates(request, &mut scan)?;
    let mut elsewhere = Elsewhere::begin(request);
    // Of time, all workers have it at once.
    let workers = elsewhere.as_ref().map_or(1, Elsewhere::slots);
    let whole = request.effort.map_or_else(|| request.budget * u32::try_from(workers).unwrap_or(u32::MAX), time_of);
    candidates.sort_by_key(|candidate| candidate.is_static);
    let open = candidates.iter().filter(|candidate| !candidate.is_static).count();
    let compiled_here = candidates.iter().filter(|_| elsewhere.is_none());
    let requests = compiled_here.map(|candidate| analysis(request, &candidate.look_for(Duration::ZERO))).collect();
    std::thread::scope(|scope| {
        let mut ahead = ahead(scope, requests, is_crate(&request.program));
        let mut left = whole;
        for group in [0..open, open..candidates.len()] {
            let is_last = group.end == candidates.len();
            let mut rounds = Rounds::new(if is_last { left } else { left.mul_f64(OPEN_SHARE) }, group.len());
            while let Some((at, slice)) = rounds.next(|at| candidates[group.start + at].interest) {
                if request.interrupt.load(Ordering::SeqCst) {
                    return;
                }
                let number = group.start + at;
                let looked = match &mut elsewhere {
                    Some(elsewhere) => {
                        let ahead = rounds.ahead().map(|(at, slice)| (group.start + at, slice));
                        let looks = ahead.map(|(number, slice)| (number, candidates[number].look_for(slice)));
                        elsewhere.begin_ahead(looks);
                        let looked = elsewhere.looked(number, &candidates[number].look_for(slice));
                        let Some(looked) = looked else { return };
                        candidates[number].take_in(request, slice, looked)
                    }
                    None => {
                        let candidate = &mut candidates[number];
                        let name = candidate.name.clone();
                        let mut progress = |event: Progress<'_>| progress(&name, event);
                        let made = candidate.subject.take().map(Ok).or_else(|| {
                            progress(Progress::Compiling);
                            ahead.take(number)
                        });
                        candidate.look(request, slice, made, &mut progress)
                    }
                };
                let Some((took, findings)) = looked else { continue };
                rounds.spent(took);
                left = left.saturating_sub(took);
                if let Some(findings) = findings {
                    keep(number, &findings);
                }
            }
        }
    });
    let is_ended = request.interrupt.load(Ordering::SeqCst);
    let unseen = if is_ended { "the scan was interrupted before it came to this" } else { "the budget was used up" };
    for candidate in candidates {
        match candidate.known {
            Some(scanned) => scan.functions.push(scanned),
            None => scan.skipped.push(Skipped {
                file: candidate.file.display().to_string(),
                function: Some(candidate.name),
                why: candidate.nothing.unwrap_or_else(|| unseen.to_owned()),
            }),
        }
    }
    scan.rank();
    Ok(scan)
}

/// What can be called, of this machine's part; what cannot is noted.
fn candidates(request: &ScanRequest, scan: &mut Scan) -> Result<Vec<Candidate>, Error> {
    let mut all: Vec<(PathBuf, Callable)> = Vec::new();
    for file in list(&request.program)?.files {
        if let Some(why) = file.error {
            scan.skipped.push(Skipped { file: file.file.clone(), function: None, why });
        }
        all.extend(file.functions.into_iter().map(|function| (PathBuf::from(&file.file), function)));
    }
    let mut place = 0..;
    all.retain(|_| place.next().is_some_and(|place| request.shard.is_none_or(|shard| shard.has(place))));
    let mut found = Vec::new();
    for (file, function) in all {
        let is_static = function.is_static();
        let Callable { name, call, why, note, .. } = function;
        match call {
            Some(call) => {
                let (subject, known, nothing, interest, sizes) = (None, None, None, Interest::Unsure, None);
                found.push(Candidate { file, name, call, note, is_static, subject, known, nothing, interest, sizes })
            }
            None => scan.skipped.push(Skipped {
                file: file.display().to_string(),
                function: Some(name),
                why: why.unwrap_or_default(),
            }),
        }
    }
    Ok(found)
}

/// One look at a function: with the request, all that decides what it comes to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Look {
    file: PathBuf,
    call: String,
    sizes: Option<Vec<i64>>,
    slice: Duration,
}

fn analysis(request: &ScanRequest, look: &Look) -> AnalyzeRequest {
    let mut one = AnalyzeRequest::new(look.file.clone(), EntryRequest::Call(look.call.clone()));
    one.program = match is_crate(&request.program) {
        true => request.program.clone(),
        false => of_folder(&request.program, &look.file),
    };
    one.sizes = look.sizes.clone();
    one.budget = look.slice.div_f64(1.0 + LOOK_SHARE_AT_THE_END);
    one.effort = request.effort.map(|_| steps_of(look.slice));
    one.jobs = request.jobs;
    one.seed = request.seed;
    one.average = Some(RANDOM_INPUTS);
    one.interrupt = Arc::clone(&request.interrupt);
    one
}

/// What an analysis came to, and how long it took on the wall.
fn timed(
    one: &AnalyzeRequest,
    subject: Subject,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Analysis, Duration), Error> {
    let begun = Instant::now();
    let analysis = analyze_subject(one, subject, Purpose::Look, progress)?;
    Ok((analysis, begun.elapsed()))
}

/// What a look came to: the document and the time on the wall, or why there is none.
type Looked = Result<(Findings, Duration), String>;

impl Candidate {
    fn look_for(&self, slice: Duration) -> Look {
        Look { file: self.file.clone(), call: self.call.clone(), sizes: self.sizes.clone(), slice }
    }

    /// Looks at it for so long, in a program that may be there already: what that took, with what was found where it is more than was known. None where it cannot
    /// be run, which takes nothing.
    fn look(
        &mut self,
        request: &ScanRequest,
        slice: Duration,
        made: Option<Result<Subject, Error>>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Option<(Duration, Option<Findings>)> {
        let one = analysis(request, &self.look_for(slice));
        let subject = made.unwrap_or_else(|| Subject::load(&one.program, &one.entry, &one.cost));
        let looked = subject.and_then(|subject| timed(&one, subject, progress)).map_err(|error| error.to_string());
        let (looked, subject) = match looked {
            Ok((analysis, on_the_wall)) => (Ok((analysis.findings, on_the_wall)), Some(analysis.subject)),
            Err(why) => (Err(why), None),
        };
        let taken_in = self.take_in(request, slice, looked);
        // There may be hundreds of programs, and most are not looked at again.
        self.subject = subject.filter(|_| self.interest > Interest::None);
        taken_in
    }

    /// Takes in what a look for so long came to: what it took, with what was found where it is more than was known.
    fn take_in(
        &mut self,
        request: &ScanRequest,
        slice: Duration,
        looked: Looked,
    ) -> Option<(Duration, Option<Findings>)> {
        let (findings, on_the_wall) = match looked {
            Ok(looked) => looked,
            Err(why) => {
                self.interest = Interest::None;
                self.nothing = Some(why);
                return None;
            }
        };
        let spent = findings.spent.and_then(|spent| Duration::try_from_secs_f64(spent.seconds).ok());
        let spent = spent.unwrap_or(slice);
        let is_more = self.learn(&findings);
        // One that ended long before its time has nothing more to find.
        if spent < slice.div_f64(1.0 + LOOK_SHARE_AT_THE_END) / EARLY {
            self.interest = Interest::None;
        }
        // Writing down what was found takes work of its own, which no effort was meant for; time is time.
        let took = if request.effort.is_some() { spent.min(slice) } else { on_the_wall };
        Some((took, is_more.then_some(findings)))
    }

    /// Takes in what a look came to, and says whether it is more than what was known.
    fn learn(&mut self, findings: &Findings) -> bool {
        let Some(scanned) = scanned(findings, &self.call, &self.note) else {
            self.nothing = Some(no_result(findings));
            return self.known.is_none();
        };
        self.interest = interest(&scanned, findings);
        // What is known to grow faster than n is looked at as it comes.
        self.sizes = next_sizes(findings).filter(|_| self.interest < Interest::Fast && depends_on_n(&self.call));
        let is_more = self.known.as_ref().is_none_or(|known| says_more(&scanned, known));
        if is_more {
            self.known = Some(scanned);
        }
        is_more
    }
}

/// Whether a look says more than what is known. A longer one that was unlucky takes nothing away: what costs at least so much does so for good.
fn says_more(new: &Scanned, known: &Scanned) -> bool {
    let is = |scanned: &Scanned, verdict: Verdict| scanned.verdict == verdict.name();
    match (new.class, known.class) {
        _ if is(new, Verdict::Exact) != is(known, Verdict::Exact) => is(new, Verdict::Exact),
        (Some(own), Some(other)) if own != other && (is(new, Verdict::AtLeast) || is(known, Verdict::AtLeast)) => {
            own > other
        }
        (own, other) => (own.is_some(), new.size) >= (other.is_some(), known.size),
    }
}

fn no_result(findings: &Findings) -> String {
    let unverified = findings.limits.iter().find(|limit| limit.contains("is not verified"));
    let why = unverified.or_else(|| findings.limits.first());
    why.cloned().unwrap_or_else(|| "no size has a verified result".to_owned())
}

fn scanned(findings: &Findings, call: &str, note: &Option<String>) -> Option<Scanned> {
    let sure = verified::verified(findings);
    let largest = sure.results.iter().filter(|result| result.cost.is_some()).max_by_key(|result| result.size)?;
    let law = sure.fit.as_ref();
    // Where the size makes no difference to the call there is no law, and what is known of one size is known of all.
    let is_constant = law.is_none_or(|law| law.class.is_none()) && !depends_on_n(call) && largest.complete;
    Some(Scanned {
        file: findings.target.file.clone(),
        function: findings.target.function.clone(),
        call: call.to_owned(),
        class: law.and_then(|law| law.class).or(is_constant.then_some(Class::CONSTANT)),
        verdict: match law {
            _ if is_constant => Verdict::Exact.name(),
            Some(law) => law.verdict.name(),
            None => Verdict::NotSure.name(),
        }
        .to_owned(),
        formula: law.map(|law| law.formula.clone()).filter(|formula| !formula.is_empty()),
        size: largest.size,
        cost: largest.cost?,
        ratio: sure.results.iter().filter_map(ratio).max_by_key(|(size, _)| *size).map(|(_, ratio)| ratio),
        traps: findings.results.iter().map(|result| result.traps.len()).max().unwrap_or(0),
        note: note.clone(),
    })
}

/// A size, and how many times as much as a random input its worst one costs.
fn ratio(result: &SizeResult) -> Option<(i64, f64)> {
    let mean = result.average.as_ref()?.mean;
    (mean > 0.0).then_some((result.size, result.cost? as f64 / mean))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::{ScanRequest, scan};
    use crate::request::ProgramRequest;

    #[test]
    fn a_scan_that_is_interrupted_looks_at_no_further_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["first.c", "second.c"] {
            std::fs::write(folder.path().join(name), "int one(int x) { return x; }\n").expect("a file");
        }
        let interrupt = Arc::new(AtomicBool::new(true));
        let program = ProgramRequest { interrupt: Some(Arc::clone(&interrupt)), ..ProgramRequest::new(folder.path()) };
        let budget = Duration::from_secs(1);
        let request = ScanRequest {
            program,
            budget,
            effort: Some(1_000),
            jobs: 1,
            seed: 0,
            shard: None,
            engine: None,
            interrupt,
        };
        let refused = scan(&request, &mut |_, _| {}, &mut |_, _| {}).expect_err("nothing was compiled");
        let words = refused.to_string();
        assert!(words.contains("interrupted while") && words.contains("first.c"), "{words}");
    }
}
