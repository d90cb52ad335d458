//! `slowpath scan`: everything that can be called, analysed within one budget and ranked.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use slowpath_report::{Callable, Findings, SCAN_SCHEMA, Scan, Scanned, SizeResult, Skipped};

use slowpath_source::Language;

use crate::analyze::analyze;
use crate::check::verified;
use crate::error::Error;
use crate::listing::{is_crate, list, of_folder};
use crate::progress::Progress;
use crate::request::{AnalyzeRequest, EntryRequest, ProgramRequest};
use crate::shard::Shard;

/// Random inputs at each size, for what an ordinary input costs.
const RANDOM_INPUTS: u64 = 20;

/// What to scan, and what that may use.
#[derive(Clone, Debug)]
pub struct ScanRequest {
    pub program: ProgramRequest,
    /// For all functions together.
    pub budget: Duration,
    /// Steps of work for all functions together, instead of time.
    pub effort: Option<u64>,
    pub jobs: usize,
    pub seed: u64,
    /// Only this part of the functions, for one of several machines.
    pub shard: Option<Shard>,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

/// Analyses every function that can be called by its types, and ranks them.
/// `keep` is given the findings of each function as they are there.
pub fn scan(
    request: &ScanRequest,
    progress: &mut dyn FnMut(&str, Progress<'_>),
    keep: &mut dyn FnMut(&Findings),
) -> Result<Scan, Error> {
    let listing = list(&request.program)?;
    let begun = Instant::now();
    let mut scan = Scan { schema: SCAN_SCHEMA, functions: Vec::new(), skipped: Vec::new() };
    let mut todo: Vec<(PathBuf, Callable)> = Vec::new();
    for file in listing.files {
        if let Some(why) = file.error {
            scan.skipped.push(Skipped { file: file.file.clone(), function: None, why });
        }
        todo.extend(file.functions.into_iter().map(|function| (PathBuf::from(&file.file), function)));
    }
    let mut place = 0..;
    todo.retain(|_| place.next().is_some_and(|place| request.shard.is_none_or(|shard| shard.has(place))));
    let mut left = todo.iter().filter(|(_, callable)| callable.call.is_some()).count() as u32;
    let effort = request.effort.map(|effort| effort / u64::from(left.max(1)));
    for (file, callable) in todo {
        let skip =
            |why: String| Skipped { file: file.display().to_string(), function: Some(callable.name.clone()), why };
        let Some(call) = &callable.call else {
            scan.skipped.push(skip(callable.why.clone().unwrap_or_default()));
            continue;
        };
        let remaining = request.budget.saturating_sub(begun.elapsed());
        if request.interrupt.load(Ordering::SeqCst) || (effort.is_none() && remaining.is_zero()) {
            scan.skipped.push(skip("the budget was used up".to_owned()));
            continue;
        }
        let mut one = AnalyzeRequest::new(file.clone(), EntryRequest::Call(call.clone()));
        one.program = match is_crate(&request.program) {
            true => request.program.clone(),
            false => of_folder(&request.program, &file),
        };
        one.budget = remaining / left.max(1);
        one.effort = effort;
        one.jobs = request.jobs;
        one.seed = request.seed;
        one.average = Some(RANDOM_INPUTS);
        one.interrupt = Arc::clone(&request.interrupt);
        left = left.saturating_sub(1);
        match analyze(&one, &mut |event| progress(&callable.name, event)) {
            Ok(findings) => {
                keep(&findings);
                match scanned(&findings, call) {
                    Some(scanned) => scan.functions.push(scanned),
                    None => scan.skipped.push(skip(no_result(&findings))),
                }
            }
            Err(error) => scan.skipped.push(skip(error.to_string())),
        }
    }
    scan.rank();
    Ok(scan)
}

fn no_result(findings: &Findings) -> String {
    findings.limits.first().cloned().unwrap_or_else(|| "no size has a verified result".to_owned())
}

fn scanned(findings: &Findings, call: &str) -> Option<Scanned> {
    let sure = verified::verified(findings);
    let largest = sure.results.iter().filter(|result| result.cost.is_some()).max_by_key(|result| result.size)?;
    let law = sure.fit.as_ref();
    Some(Scanned {
        file: findings.target.file.clone(),
        function: findings.target.function.clone(),
        call: call.to_owned(),
        class: law.and_then(|law| law.class),
        verdict: law.map_or("not sure", |law| law.verdict.name()).to_owned(),
        formula: law.map(|law| law.formula.clone()).filter(|formula| !formula.is_empty()),
        size: largest.size,
        cost: largest.cost?,
        ratio: sure.results.iter().filter_map(ratio).max_by_key(|(size, _)| *size).map(|(_, ratio)| ratio),
        traps: findings.results.iter().map(|result| result.traps.len()).max().unwrap_or(0),
    })
}

/// A size, and how many times as much as a random input its worst one costs.
fn ratio(result: &SizeResult) -> Option<(i64, f64)> {
    let mean = result.average.as_ref()?.mean;
    (mean > 0.0).then_some((result.size, result.cost? as f64 / mean))
}

/// A `slowpath.toml` that holds what a scan of `program` found as bounds.
pub fn configuration(scan: &Scan, program: &ProgramRequest, folder: &Path) -> String {
    // Paths are relative to the folder that the configuration is in.
    let inside = |path: &Path| match path.strip_prefix(folder).unwrap_or(path) {
        own if own.as_os_str().is_empty() => ".".to_owned(),
        path => path.display().to_string(),
    };
    let is_c = |file: &Path| matches!(Language::of(file), Some(Language::C | Language::Cpp));
    let given = program.options.project.as_deref().map(Path::new);
    let project = given.or_else(|| Some(program.file.as_path()).filter(|path| path.is_dir()));
    let mut out = "# Made by `slowpath init`: the growth of each function as it was found. `slowpath check` fails if it gets worse.\n"
        .to_owned();
    let mut names: Vec<String> = Vec::new();
    for scanned in scan.functions.iter().filter(|scanned| scanned.class.is_some()) {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let mut name: String = scanned.function.chars().map(plain).take(90).collect();
        if name.starts_with('.') || name.is_empty() {
            name.insert(0, '_');
        }
        if names.contains(&name) {
            name = format!("{name}-{}", names.len());
        }
        let class = scanned.class.map(|class| class.to_string()).unwrap_or_default();
        let file_of = Path::new(&scanned.file);
        let file = inside(file_of);
        let text = |text: &str| toml::Value::String(text.to_owned()).to_string();
        out += &format!(
            "\n[[target]]\nname = {}\nfile = {}\ncall = {}\nexpect = {}\n",
            text(&name),
            text(&file),
            text(&scanned.call),
            text(&class)
        );
        if let Some(project) = project.filter(|_| is_c(file_of)) {
            out += &format!("project = {}\n", text(&inside(project)));
        }
        names.push(name);
    }
    out
}
