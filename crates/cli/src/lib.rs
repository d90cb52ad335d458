//! The command line: from arguments to a request, from a result to text and an exit code. Everything it does is in the library `slowpath`.
//!
//! `main.rs` is the program; that it can be called is for other languages, whose packages bring the command along ([`run`]) and take
//! options as the command line does ([`analyze_request`], [`run_request`]).

mod analyze;
mod args;
mod bench;
mod bench_args;
mod check;
mod check_args;
mod common_args;
mod exit;
mod export;
mod generate;
mod interrupt;
mod named;
mod native;
mod options_page;
mod output;
mod processes;
mod progress;
mod replay;
mod report;
mod run;
mod scan;
mod scan_args;
mod source_args;
mod worker;

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, Parser};

use args::{Args, Command};

pub use exit::Exit;
pub use named::{Named, analyze_options, analyze_request, run_options, run_request};

/// Runs the command given, whose first argument is the program itself; every failure is one message on standard error and an exit code.
/// `again` is what starts the program once more, before its arguments; none where nobody knows.
pub fn run(arguments: Vec<OsString>, again: Option<Vec<OsString>>) -> Exit {
    let given = arguments.get(2..).unwrap_or_default().to_vec();
    let args = Args::parse_from(with_list(arguments));
    // What a killed run left behind goes with whatever is done next.
    slowpath::sweep_abandoned();
    let of_targets = |command| again.clone().map(|program| processes::target_worker(program, command, given.clone()));
    let done = match args.command {
        Command::Analyze(args) => analyze::main(*args, again.map(|program| processes::worker(program, given))),
        Command::Run(args) => run::main(*args),
        Command::Replay(args) => replay::main(args),
        Command::Bench(args) => bench::main(*args, of_targets("bench")),
        Command::Report(args) => report::main(args),
        Command::Check(args) => check::main(*args, of_targets("check")),
        Command::Compare(args) => check::compare(args),
        Command::Merge(args) => check::merge(args),
        Command::Completions(args) => generate::completions(args),
        Command::Man(args) => generate::man(args),
        Command::Export(args) => export::main(args),
        Command::List(args) => scan::list(args),
        Command::Scan(args) => scan::scan(args, of_targets("scan")),
        Command::Init(args) => scan::init(args, of_targets("init")),
        Command::Worker(args) => worker::main(&args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            output::complain(&format!("error: {}", failure.message));
            failure.code
        }
    }
}

/// A program or folder where a command should be asks what there is to call.
fn with_list(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_command =
        |word: &OsString| word == "help" || Args::command().get_subcommands().any(|c| c.get_name() == word);
    if arguments.get(1).is_some_and(|word| Path::new(word).exists() && !is_command(word)) {
        arguments.insert(1, "list".into());
    }
    arguments
}
