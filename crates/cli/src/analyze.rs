//! `slowpath analyze`

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use slowpath::{AnalyzeRequest, Error, Findings, Keep, PolicyError, PolicyFile, ProgramRequest, Progress, Promise};
use slowpath_report::{Evidence, Style, github, human, markdown, next, to_json};

use crate::args::{AnalyzeArgs, USUAL_BUDGET};
use crate::common_args::{EngineName, PublishFormat};
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{interrupt, output, processes};

/// `worker` is the command of a process that does tasks of this analysis, if it can be started.
pub fn main(args: AnalyzeArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Failure> {
    let mut request = request(&args, interrupt::flag())?;
    if args.engine == EngineName::Processes {
        request.engine = Some(processes::engine(worker, request.jobs)?);
    }
    if let Some(directory) = &args.out {
        output::check_directory(directory)?;
    }
    if let Some(file) = &args.save_policy {
        output::check_file("--save-policy", file)?;
    }
    let line = ProgressLine::new(args.quiet);
    let mut show = |progress: Progress<'_>| line.show(&progress);
    let done = match &args.save_policy {
        None => slowpath::analyze(&request, &mut show).map(|findings| (findings, None)),
        Some(file) => slowpath::analyze_and_keep(&request, &mut show).map(|(f, policies)| (f, Some((file, policies)))),
    };
    line.clear();
    let (findings, policies) = done?;
    publish(&args, &findings)?;
    let saved = policies.map_or(Ok(()), |(file, policies)| save_policies(file, policies));
    if findings.has_result() {
        saved?;
        return expected(&args, &findings);
    }
    let why = findings.limits.join("\n  ");
    Err(Failure { code: Exit::Stopped, message: format!("a limit ended the analysis before any result\n  {why}") })
}

fn save_policies(file: &Path, policies: Result<PolicyFile, PolicyError>) -> Result<(), Failure> {
    let policies = policies.map_err(Error::NoPolicy)?;
    output::save_file(file, &policies.to_json())
}

/// Whether the growth found is what the user expects.
fn expected(args: &AnalyzeArgs, findings: &Findings) -> Result<Exit, Failure> {
    let Some(expected) = &args.expect else { return Ok(Exit::Done) };
    match slowpath::keeps(findings, expected) {
        Promise::Kept => Ok(Exit::Done),
        Promise::Broken(how) => {
            let largest = findings.results.iter().rev().find_map(|result| Evidence::of(findings, result));
            let evidence: String = largest.iter().flat_map(Evidence::lines).map(|line| format!("\n  {line}")).collect();
            Err(Failure { code: Exit::Exceeded, message: format!("--expect: {how}{evidence}") })
        }
        Promise::Open(why) => {
            output::complain(&format!("--expect {expected}: cannot tell: {why}"));
            Ok(Exit::Done)
        }
    }
}

/// What is asked for; `interrupt` ends it with what there is.
pub fn request(args: &AnalyzeArgs, interrupt: Arc<AtomicBool>) -> Result<AnalyzeRequest, Failure> {
    let sizes = args.sizes().map_err(|error| Failure::bad_input(format!("--sizes: {error}")))?;
    let program = ProgramRequest { interrupt: Some(Arc::clone(&interrupt)), ..args.program.program() };
    // By effort, and where nothing is said of time, nobody is in a hurry.
    let is_hurried = args.effort.is_none() && args.budget != USUAL_BUDGET;
    Ok(AnalyzeRequest {
        program: if is_hurried { program.within(args.budget) } else { program },
        entry: args.program.entry(),
        sizes,
        strategy: args.strategy,
        without: args.without.iter().flatten().copied().collect(),
        history: args.history,
        policy: args.policy.clone(),
        dictionary: args.dictionary.clone(),
        random_paths: args.paths,
        evolve: args.evolve.params(),
        evolve_from_policy: args.evolve.from_policy,
        cost: args.program.cost.clone(),
        limits: args.limits(),
        budget: args.budget,
        effort: args.effort,
        solver: args.solver(),
        seed: args.seed,
        jobs: args.jobs(),
        corpus: args.corpus.clone(),
        average: args.average,
        stats: args.stats,
        keep: args.out.as_ref().map(|out| Keep { resume: args.resume, every: args.checkpoint, ..Keep::in_folder(out) }),
        engine: None,
        islands: args.islands.unwrap_or(0),
        interrupt,
    })
}

/// Prints first: should the directory not be writable, the result is not lost.
fn publish(args: &AnalyzeArgs, findings: &Findings) -> Result<(), Failure> {
    let json = to_json(findings);
    match args.output.format {
        PublishFormat::Json => output::print(&json)?,
        PublishFormat::Human => output::print(&human(findings, Style { all: args.all, ..output::style() }))?,
        PublishFormat::Markdown => output::print(&markdown::findings(findings))?,
        PublishFormat::Github => output::print(&github::findings(findings, output::place))?,
    }
    if let Some(directory) = &args.out {
        let file = output::save(directory, "findings.json", &json)?;
        if args.output.format == PublishFormat::Human {
            output::print(&format!("\nsaved to {}\n", file.display()))?;
        }
    }
    if args.output.format == PublishFormat::Human {
        let saved = args.out.as_ref().map(|directory| directory.to_string_lossy());
        output::print(&next(findings, saved.as_deref(), output::style()))?;
    }
    Ok(())
}
