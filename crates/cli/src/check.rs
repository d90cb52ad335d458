//! `slowpath check` and `slowpath compare`

use std::ffi::OsString;

use slowpath::check::{Check, CheckOptions, ConfigError, analyze_target, check, read_config};
use slowpath::{Error, Trust};
use slowpath_report::{CheckReport, Trouble, github, human, junit, markdown, sarif, to_json, value_to_json};

use crate::check_args::{CheckArgs, CheckFormat, CompareArgs, MergeArgs};
use crate::common_args::{Format, PublishFormat};
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{common_args, interrupt, output, processes, worker};

/// `worker` is the command of a process that does targets of this check, if it can be started.
pub fn main(args: CheckArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Failure> {
    if args.engine.worker {
        let config = read_config(&args.config, trust(&args))?;
        // One of several that are at it.
        let options = CheckOptions { jobs: Some(1), ..options(&args) };
        return worker::targets(|name| analyze_target(&config, &options, name));
    }
    for (option, file) in [("--junit", &args.junit), ("--sarif", &args.sarif), ("--summary", &args.summary)] {
        file.as_deref().map_or(Ok(()), |file| output::check_file(option, file))?;
    }
    args.out.as_deref().map_or(Ok(()), output::check_directory)?;
    match judge(&args, worker) {
        Err(Refused { failure, line }) => {
            // Who reads only the files must not take silence for success.
            let config = args.config.display().to_string();
            save(&args, &CheckReport::refused(env!("CARGO_PKG_VERSION"), &config, line, &failure.message))?;
            Err(failure)
        }
        Ok(exit) => Ok(exit),
    }
}

/// Why a check did not begin, and the line of the configuration that says so.
struct Refused {
    failure: Failure,
    line: u32,
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Refused {
        Refused { failure, line: 1 }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Failure::from(error).into()
    }
}

fn trust(args: &CheckArgs) -> Trust {
    Trust { document: args.trust, build: false }
}

fn options(args: &CheckArgs) -> CheckOptions {
    CheckOptions {
        targets: args.targets.clone(),
        shard: args.shard,
        jobs: args.jobs.map(|jobs| jobs as usize),
        effort: args.effort,
        lenient: args.lenient,
        update_baseline: args.update_baseline,
        engine: None,
        interrupt: interrupt::flag(),
    }
}

fn judge(args: &CheckArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Refused> {
    let read = read_config(&args.config, trust(args));
    let config = read.map_err(|error| {
        let line = if let Error::Config(ConfigError::Wrong { line, .. }) = &error { *line } else { 1 };
        Refused { failure: error.into(), line }
    })?;
    if args.update_baseline && config.baseline.is_none() {
        let message =
            format!("--update-baseline: {} names no baseline; add baseline = \"FILE\"", args.config.display());
        return Err(Failure::bad_input(message).into());
    }
    let engine = processes::of_targets(&args.engine, worker, common_args::jobs(args.jobs))?;
    let options = CheckOptions { engine, ..options(args) };
    let line = ProgressLine::new(args.quiet);
    let done = check(&config, &options, &mut |target, progress| line.show_for(target, &progress));
    line.clear();
    let done = done?;
    publish(args, &done)?;
    if let Some(file) = config.baseline.as_deref().filter(|_| args.update_baseline) {
        output::save_file(file, &done.baseline.to_json())?;
        output::complain(&format!("wrote the baseline {}", file.display()));
    }
    Ok(exit(&done.report))
}

/// Prints first: should a file not be writable, the result is not lost.
fn publish(args: &CheckArgs, done: &Check) -> Result<(), Failure> {
    let report = &done.report;
    output::print(&match args.format {
        CheckFormat::Human => report.human(output::style()),
        CheckFormat::Json => value_to_json(&serde_json::to_value(report).unwrap_or_default()),
        CheckFormat::Junit => junit(report),
        CheckFormat::Sarif => value_to_json(&sarif(report, output::place)),
        CheckFormat::Markdown => markdown::check(report),
        CheckFormat::Github => github::check(report, output::place),
    })?;
    save(args, report)?;
    if let Some(directory) = &args.out {
        for (name, findings) in &done.findings {
            output::save(directory, &format!("{name}.json"), &to_json(findings))?;
        }
    }
    Ok(())
}

/// The files that were asked for.
fn save(args: &CheckArgs, report: &CheckReport) -> Result<(), Failure> {
    if let Some(file) = &args.junit {
        output::save_file(file, &junit(report))?;
    }
    if let Some(file) = &args.sarif {
        output::save_file(file, &value_to_json(&sarif(report, output::place)))?;
    }
    args.summary.as_deref().map_or(Ok(()), |file| output::append(file, &markdown::check(report)))
}

/// A target that cannot be used outweighs a bound, since nothing is known of it.
fn exit(report: &CheckReport) -> Exit {
    let any = |wanted: fn(&Trouble) -> bool| report.targets.iter().filter_map(|t| t.error.as_ref()).any(wanted);
    if any(|trouble| matches!(trouble, Trouble::BadInput(_))) {
        Exit::BadInput
    } else if report.fails() {
        Exit::Exceeded
    } else if any(|trouble| matches!(trouble, Trouble::Stopped(_))) || report.targets.is_empty() {
        Exit::Stopped
    } else {
        Exit::Done
    }
}

/// `slowpath compare`
pub fn compare(args: CompareArgs) -> Result<Exit, Failure> {
    let (old, new) = (slowpath::read_findings(&args.old)?, slowpath::read_findings(&args.new)?);
    let comparison = slowpath_report::compare(&old, &new).map_err(slowpath::Error::from)?;
    output::print(&match args.output.format {
        PublishFormat::Json => value_to_json(&comparison.to_json()),
        PublishFormat::Human => comparison.human(output::style()),
        PublishFormat::Markdown => markdown::comparison(&comparison),
        PublishFormat::Github => github::comparison(&comparison),
    })?;
    Ok(if comparison.worse { Exit::Exceeded } else { Exit::Done })
}

/// `slowpath merge`
pub fn merge(args: MergeArgs) -> Result<Exit, Failure> {
    args.out.as_deref().map_or(Ok(()), output::check_directory)?;
    let documents: Result<Vec<_>, _> = args.documents.iter().map(|file| slowpath::read_findings(file)).collect();
    let merged = slowpath::merge(documents?).map_err(|error| Failure::bad_input(error.to_string()))?;
    match args.output.format {
        Format::Json => output::print(&to_json(&merged))?,
        Format::Human => output::print(&human(&merged, output::style()))?,
    }
    if let Some(directory) = &args.out {
        output::save(directory, "findings.json", &to_json(&merged))?;
    }
    Ok(Exit::Done)
}
