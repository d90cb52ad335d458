//! `slowpath check` and `slowpath compare`

use std::path::Path;

use slowpath::Trust;
use slowpath::check::{Check, CheckOptions, check, read_config};
use slowpath_report::{CheckReport, Trouble, human, junit, sarif, to_json, value_to_json};

use crate::check_args::{CheckArgs, CheckFormat, CompareArgs, MergeArgs};
use crate::common_args::Format;
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{interrupt, output};

pub fn main(args: CheckArgs) -> Result<Exit, Failure> {
    let config = read_config(&args.config, Trust { document: args.trust, build: false })?;
    for (option, file) in [("--junit", &args.junit), ("--sarif", &args.sarif)] {
        file.as_deref().map_or(Ok(()), |file| output::check_file(option, file))?;
    }
    args.out.as_deref().map_or(Ok(()), output::check_directory)?;
    if args.update_baseline && config.baseline.is_none() {
        let message =
            format!("--update-baseline: {} names no baseline; add baseline = \"FILE\"", args.config.display());
        return Err(Failure::bad_input(message));
    }
    let options = CheckOptions {
        targets: args.targets.clone(),
        shard: args.shard,
        jobs: args.jobs.map(|jobs| jobs as usize),
        lenient: args.lenient,
        update_baseline: args.update_baseline,
        interrupt: interrupt::flag(),
    };
    let line = ProgressLine::new(args.quiet);
    let done = check(&config, &options, &mut |target, progress| line.show_for(target, &progress));
    line.clear();
    let done = done?;
    publish(&args, &done)?;
    if let Some(file) = config.baseline.as_deref().filter(|_| args.update_baseline) {
        output::save_file(file, &done.baseline.to_json())?;
        output::complain(&format!("wrote the baseline {}", file.display()));
    }
    Ok(exit(&done.report))
}

/// Prints first: should a file not be writable, the result is not lost.
fn publish(args: &CheckArgs, done: &Check) -> Result<(), Failure> {
    let report = &done.report;
    let as_sarif = || value_to_json(&sarif(report, place));
    output::print(&match args.format {
        CheckFormat::Human => report.human(output::style()),
        CheckFormat::Json => value_to_json(&serde_json::to_value(report).unwrap_or_default()),
        CheckFormat::Junit => junit(report),
        CheckFormat::Sarif => as_sarif(),
    })?;
    if let Some(file) = &args.junit {
        output::save_file(file, &junit(report))?;
    }
    if let Some(file) = &args.sarif {
        output::save_file(file, &as_sarif())?;
    }
    if let Some(directory) = &args.out {
        for (name, findings) in &done.findings {
            output::save(directory, &format!("{name}.json"), &to_json(findings))?;
        }
    }
    Ok(())
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

/// A file as seen from where slowpath runs, which on CI is the top of the repository.
fn place(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let inside = |here: &Path| {
        let (file, here) = (Path::new(file).canonicalize().ok()?, here.canonicalize().ok()?);
        file.strip_prefix(here).ok().map(|path| path.to_string_lossy().into_owned())
    };
    here.as_deref().and_then(inside).unwrap_or_else(|| file.to_owned())
}

/// `slowpath compare`
pub fn compare(args: CompareArgs) -> Result<Exit, Failure> {
    let (old, new) = (slowpath::read_findings(&args.old)?, slowpath::read_findings(&args.new)?);
    let comparison = slowpath_report::compare(&old, &new).map_err(slowpath::Error::from)?;
    match args.output.format {
        Format::Json => output::print(&value_to_json(&comparison.to_json()))?,
        Format::Human => output::print(&comparison.human(output::style()))?,
    }
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
