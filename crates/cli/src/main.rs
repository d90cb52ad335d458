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
mod output;
mod progress;
mod replay;
mod report;
mod run;
mod source_args;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use args::{Args, Command};

/// A search makes and drops many small things, and long paths need much memory at once: both cost less than with the
/// allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Runs the command given; every failure is one message on standard error and an exit code.
fn main() -> ExitCode {
    let args = Args::parse();
    let done = match args.command {
        Command::Analyze(args) => analyze::main(*args),
        Command::Run(args) => run::main(*args),
        Command::Replay(args) => replay::main(args),
        Command::Bench(args) => bench::main(*args),
        Command::Report(args) => report::main(args),
        Command::Check(args) => check::main(*args),
        Command::Compare(args) => check::compare(args),
        Command::Completions(args) => generate::completions(args),
        Command::Man(args) => generate::man(args),
        Command::Export(args) => export::main(args),
    };
    match done {
        Ok(code) => code.into(),
        Err(failure) => {
            output::complain(&format!("error: {}", failure.message));
            failure.code.into()
        }
    }
}
