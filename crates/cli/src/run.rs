//! `slowpath run`

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use slowpath::{ProgramRequest, RunReport, RunRequest};
use slowpath_report::{Align, Style, Table, count, value_to_json};

use crate::args::RunArgs;
use crate::common_args::Format;
use crate::exit::{Exit, Failure};
use crate::{interrupt, output};

pub fn main(args: RunArgs) -> Result<Exit, Failure> {
    let request = request(&args, interrupt::flag())?;
    let report = slowpath::run(&request)?;
    for warning in &report.warnings {
        output::complain(&format!("warning: {warning}"));
    }
    match args.output.format {
        Format::Json => output::print(&value_to_json(&report.to_json()))?,
        Format::Human => output::print(&human(&report, output::style()))?,
    }
    match report.stopped {
        None => Ok(Exit::Done),
        Some(why) => Err(Failure { code: Exit::Stopped, message: why }),
    }
}

/// What is asked for; `interrupt` ends it.
pub fn request(args: &RunArgs, interrupt: Arc<AtomicBool>) -> Result<RunRequest, Failure> {
    Ok(RunRequest {
        program: ProgramRequest { interrupt: Some(Arc::clone(&interrupt)), ..args.program.program() },
        entry: args.program.entry(),
        size: args.size().map_err(|error| Failure::bad_input(format!("--size: {error}")))?,
        input: args.input.as_deref().map(read_input).transpose()?,
        cost: args.program.cost.clone(),
        limits: args.limits.limits(),
        interrupt,
    })
}

/// JSON, or the file that has it.
fn read_input(text: &str) -> Result<String, Failure> {
    let Some(file) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    std::fs::read_to_string(file).map_err(|error| Failure::bad_input(format!("--input: cannot read {file}: {error}")))
}

fn human(report: &RunReport, style: Style) -> String {
    let mut table = Table::new(&[("counter", Align::Left), ("cost", Align::Right)]);
    for (name, value) in &report.costs {
        table.row(vec![name.clone(), value.as_u64().map_or_else(|| value.to_string(), count)]);
    }
    let end = match (&report.trap, &report.stopped) {
        (Some(trap), _) => format!("trap: {}\n", report.message.as_ref().unwrap_or(trap)),
        (None, Some(why)) => format!("stopped: {why}\n"),
        (None, None) if report.result.is_null() => "returned\n".to_owned(),
        (None, None) => format!("result: {}\n", report.result),
    };
    table.render(style) + &end
}
