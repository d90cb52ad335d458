//! Random programs of C by every strategy against brute force; counts at the end, and now and then on the way.

#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::process::ExitCode;

use clap::Parser;
use slowpath_conformance::soak::{Tally, soak};

/// Random programs of C by every strategy against brute force.
#[derive(Parser)]
struct Args {
    /// How many programs.
    #[arg(long, value_name = "N", default_value = "200")]
    programs: u64,
    /// The seed of the first one; each has the next.
    #[arg(long, value_name = "FIRST", default_value = "0")]
    seed: u64,
    /// What each analysis may take.
    #[arg(long, value_name = "E", default_value = "10000000")]
    effort: u64,
    /// Print the program of a seed, and nothing else.
    #[arg(long, value_name = "SEED")]
    show: Option<u64>,
}

fn main() -> ExitCode {
    let Args { programs, seed: first, effort, show } = Args::parse();
    if let Some(seed) = show {
        let program = slowpath_conformance::soak::generate::program(seed);
        println!("// {}, sizes 1 to {}\n{}", program.call, program.largest, program.text);
        return ExitCode::SUCCESS;
    }
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            println!("no temporary folder: {error}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    for seed in first..first.saturating_add(programs) {
        let one = soak(seed, effort, folder.path());
        one.troubles.iter().for_each(|trouble| println!("{trouble}"));
        tally.add(one);
        if tally.programs.is_multiple_of(50) {
            println!("{tally}\n");
        }
    }
    println!("{tally}");
    ExitCode::from(u8::from(!tally.troubles.is_empty()))
}
