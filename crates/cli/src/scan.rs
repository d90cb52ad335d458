//! `slowpath list`, `slowpath scan` and `slowpath init`

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use slowpath::{Findings, ProgramRequest, ScanRequest};
use slowpath_report::{Scan, github, markdown, to_json, value_to_json};

use crate::common_args::{Format, PublishFormat, jobs};
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::scan_args::{InitArgs, ListArgs, PlaceArgs, ScanArgs, ScanLimits};
use crate::{interrupt, output, processes, worker};

/// `slowpath list`
pub fn list(args: ListArgs) -> Result<Exit, Failure> {
    let listing = slowpath::list(&args.place.program())?;
    match args.output.format {
        Format::Json => output::print(&value_to_json(&serde_json::to_value(&listing).unwrap_or_default()))?,
        Format::Human => output::print(&listing.human(output::style()))?,
    }
    Ok(if listing.has_only_errors() { Exit::BadInput } else { Exit::Done })
}

/// `slowpath scan`
pub fn scan(args: ScanArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Failure> {
    if args.limits.engine.worker {
        return looks(&args.place, &args.limits);
    }
    args.out.as_deref().map_or(Ok(()), output::check_directory)?;
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    let mut failed = None;
    // As each is done: a scan may take long, and be stopped. What a longer look finds replaces what a shorter one did.
    let mut keep = |number: usize, findings: &Findings| {
        let Some(directory) = &args.out else { return };
        let name = match names.get(&number) {
            Some(name) => name.clone(),
            None => free_name(&findings.target.function, names.values()),
        };
        if let Err(failure) = output::save(directory, &format!("{name}.json"), &to_json(findings)) {
            failed.get_or_insert(failure);
        }
        names.insert(number, name);
    };
    let scan = run(&args.place, &args.limits, worker, &mut keep)?;
    output::print(&match args.output.format {
        PublishFormat::Json => value_to_json(&serde_json::to_value(&scan).unwrap_or_default()),
        PublishFormat::Human => scan.human(output::style()),
        PublishFormat::Markdown => markdown::scan(&scan),
        PublishFormat::Github => github::scan(&scan, output::place),
    })?;
    if let Some(failure) = failed {
        return Err(failure);
    }
    Ok(if scan.functions.is_empty() { Exit::Stopped } else { Exit::Done })
}

/// `slowpath init`
pub fn init(args: InitArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Failure> {
    if args.limits.engine.worker {
        return looks(&args.place, &args.limits);
    }
    output::check_file("--config", &args.config)?;
    if args.config.exists() && !args.force {
        let message = format!("{} is there already; --force replaces it", args.config.display());
        return Err(Failure::bad_input(message));
    }
    if args.place.krate().is_some() {
        let message =
            "a crate of the registry does not change, so there is nothing to check later; give a file or a folder";
        return Err(Failure::bad_input(message.to_owned()));
    }
    let scan = run(&args.place, &args.limits, worker, &mut |_, _| {})?;
    output::print(&scan.human(output::style()))?;
    let bounded = scan.functions.iter().filter(|scanned| scanned.class.is_some()).count();
    if bounded == 0 {
        let message = "the growth of no function was found, so there is nothing to hold it to; give it more --budget";
        return Err(Failure { code: Exit::Stopped, message: message.to_owned() });
    }
    let folder = args.config.parent().unwrap_or(Path::new(""));
    output::save_file(&args.config, &slowpath::configuration(&scan, &args.place.program(), folder))?;
    output::print(&format!(
        "\nwrote {} with {bounded} targets; check them with slowpath check\n",
        args.config.display()
    ))?;
    Ok(Exit::Done)
}

/// A function's name as that of a file that no other has.
fn free_name<'a>(function: &str, taken: impl Iterator<Item = &'a String> + Clone) -> String {
    let stem = slowpath_report::export::file_stem(function);
    let numbered = (2..).map(|number| format!("{stem}-{number}"));
    // File systems may not tell capitals from others.
    let is_free = |name: &String| !taken.clone().any(|other| other.eq_ignore_ascii_case(name));
    [stem.clone()].into_iter().chain(numbered).find(is_free).unwrap_or(stem)
}

/// Looks at functions for another process.
fn looks(place: &PlaceArgs, limits: &ScanLimits) -> Result<Exit, Failure> {
    // One of several that are at it.
    let request = ScanRequest { jobs: 1, ..request(place, limits) };
    worker::targets(|look| slowpath::look_at(&request, look))
}

fn request(place: &PlaceArgs, limits: &ScanLimits) -> ScanRequest {
    let interrupt = interrupt::flag();
    ScanRequest {
        program: ProgramRequest { interrupt: Some(Arc::clone(&interrupt)), ..place.program() },
        budget: limits.budget,
        effort: limits.effort,
        jobs: jobs(limits.jobs),
        seed: limits.seed,
        shard: limits.shard,
        engine: None,
        interrupt,
    }
}

fn run(
    place: &PlaceArgs,
    limits: &ScanLimits,
    worker: Option<Vec<OsString>>,
    keep: &mut dyn FnMut(usize, &Findings),
) -> Result<Scan, Failure> {
    let engine = processes::of_targets(&limits.engine, worker, jobs(limits.jobs))?;
    let request = ScanRequest { engine, ..request(place, limits) };
    let line = ProgressLine::new(limits.quiet);
    let done = slowpath::scan(&request, &mut |function, progress| line.show_for(function, &progress), keep);
    line.clear();
    Ok(done?)
}
