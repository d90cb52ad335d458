//! `slowpath replay --native`

use slowpath::{NativeReplay, NativeSize, Timing, Trust};
use slowpath_report::{Align, Style, Table, value_to_json};

use crate::args::ReplayArgs;
use crate::common_args::Format;
use crate::exit::{Exit, Failure};
use crate::output;

/// Nanoseconds below which a time says little.
const SHORT: f64 = 1000.0;

pub fn main(args: ReplayArgs) -> Result<Exit, Failure> {
    let trust = Trust { document: args.trust, build: args.trust_build };
    let native = slowpath::replay_native(&args.findings, args.program, args.timeout, trust)?;
    match args.output.format {
        Format::Json => output::print(&value_to_json(&native.to_json()))?,
        Format::Human => output::print(&human(&native, output::style()))?,
    }
    let timed = native.sizes.iter().any(|size| size.worst.nanoseconds().is_some());
    if timed {
        Ok(Exit::Done)
    } else {
        Err(Failure { code: Exit::Stopped, message: "no input could be timed".to_owned() })
    }
}

fn human(native: &NativeReplay, style: Style) -> String {
    let heads = ["size", "worst input", "random input", "slowdown"].map(|head| (head, Align::Right));
    let mut table = Table::new(&heads);
    for size in &native.sizes {
        let mark = if size.by_law { "*" } else { "" };
        let slowdown = size.slowdown().map_or_else(|| "-".to_owned(), |times| format!("{times:.1}x"));
        table.row(vec![format!("{}{mark}", size.size), cell(&size.worst), cell(&size.random), slowdown]);
    }
    let mut out = format!("compiled with {}, median times\n{}", native.compiler, table.render(style));
    if native.sizes.iter().any(|size| size.by_law) {
        out += "* the worst input is made by the input law\n";
    }
    if native.sizes.iter().any(|size| size.worst.nanoseconds().is_some_and(|time| time < SHORT)) {
        out += "below about 1 µs, caches and branch prediction count for more than the input\n";
    }
    for size in &native.sizes {
        out += &failures(size, style);
    }
    for note in &native.notes {
        out += &format!("note: {note}\n");
    }
    out
}

fn failures(size: &NativeSize, style: Style) -> String {
    let line = |(what, timing): (&str, &Timing)| match timing {
        Timing::Took { .. } => None,
        Timing::Failed(why) => Some(format!("{} {what} input: {why}\n", style.red(&format!("size {}:", size.size)))),
    };
    [("worst", &size.worst), ("random", &size.random)].into_iter().filter_map(line).collect()
}

fn cell(timing: &Timing) -> String {
    let Some(nanoseconds) = timing.nanoseconds() else { return "-".to_owned() };
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}
