//! The command line: from arguments to a request, from a result to text and an exit code. Everything it does is in the library.

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
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use mimalloc::MiMalloc;

use args::{Args, Command};

/// A search makes and drops many small things, and long paths need much memory at once: both cost less than with the
/// allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Runs the command given; every failure is one message on standard error and an exit code.
fn main() -> ExitCode {
    let args = Args::parse_from(with_list(std::env::args_os().collect()));
    let done = match args.command {
        Command::Analyze(args) => analyze::main(*args),
        Command::Run(args) => run::main(*args),
        Command::Replay(args) => replay::main(args),
        Command::Bench(args) => bench::main(*args),
        Command::Report(args) => report::main(args),
        Command::Check(args) => check::main(*args),
        Command::Compare(args) => check::compare(args),
        Command::Merge(args) => check::merge(args),
        Command::Completions(args) => generate::completions(args),
        Command::Man(args) => generate::man(args),
        Command::Export(args) => export::main(args),
        Command::List(args) => scan::list(args),
        Command::Scan(args) => scan::scan(args),
        Command::Init(args) => scan::init(args),
        Command::Worker(args) => worker::main(&args),
    };
    match done {
        Ok(code) => code.into(),
        Err(failure) => {
            output::complain(&format!("error: {}", failure.message));
            failure.code.into()
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
