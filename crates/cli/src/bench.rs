//! `slowpath bench`

use std::ffi::OsString;

use slowpath_report::value_to_json;
use slowpath_suites::{BenchError, BenchProgress, BenchRequest, Depth, Suites, bench, compare_program, suite_names};

use crate::bench_args::BenchArgs;
use crate::common_args::Format;
use crate::exit::{Exit, Failure};
use crate::progress::ProgressLine;
use crate::{interrupt, output, processes, worker};

/// `worker` is the command of a process that does programs of this comparison, if it can be started.
pub fn main(args: BenchArgs, worker: Option<Vec<OsString>>) -> Result<Exit, Failure> {
    let sizes = args.sizes().map_err(|error| Failure::bad_input(format!("--sizes: {error}")))?;
    let Some(suite) = args.suite.clone() else {
        return Err(Failure::bad_input(format!("say which suite; there are {}", suite_names().join(", "))));
    };
    let suites = match &args.suites {
        Some(folder) => Suites::in_folder(folder),
        None => Suites::built_in(),
    }
    .map_err(failure)?;
    let is_worker = args.engine.worker;
    let request = BenchRequest {
        suite,
        programs: args.program.clone(),
        sizes,
        strategy: args.strategy,
        depth: match (args.quick, args.full) {
            (true, _) => Depth::Quick,
            (false, true) => Depth::Full,
            (false, false) => Depth::Usual,
        },
        budget: args.budget,
        // A worker is one of several that are at it.
        jobs: if is_worker { 1 } else { args.jobs() },
        seed: args.seed,
        seeds: args.seeds,
        engine: if is_worker { None } else { processes::of_targets(&args.engine, worker, args.jobs())? },
        interrupt: interrupt::flag(),
    };
    if is_worker {
        return worker::targets(|name| compare_program(&request, &suites, name));
    }
    let line = ProgressLine::new(args.quiet);
    let (format, style) = (args.output.format, output::style());
    let mut printed = Ok(());
    let report = bench(&request, &suites, &mut |progress| match progress {
        BenchProgress::Program(name) => line.say(&format!("{name} …")),
        BenchProgress::Size { program, size } => line.say(&format!("{program}: size {size} …")),
        // A suite may take an hour: each table is shown as soon as there is one.
        BenchProgress::Done(program) => {
            line.clear();
            if format == Format::Human && !program.cells.is_empty() && printed.is_ok() {
                printed = output::print(&program.to_text(style));
            }
        }
    });
    line.clear();
    let report = report.map_err(failure)?;
    printed?;
    if report.cells().next().is_none() {
        let text = format!("nothing in the suite {} can be compared at these sizes", request.suite);
        return Err(Failure::bad_input(text));
    }
    match format {
        Format::Json => output::print(&value_to_json(&report.to_json()))?,
        Format::Human => output::print(&report.closing(style))?,
    }
    Ok(if report.falls_short() { Exit::Exceeded } else { Exit::Done })
}

fn failure(error: BenchError) -> Failure {
    Failure::bad_input(error.to_string())
}
