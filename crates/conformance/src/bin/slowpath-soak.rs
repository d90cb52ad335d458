//! `slowpath-soak [--programs N] [--seed FIRST] [--effort E]`: random programs of C by every strategy against brute force; counts at the
//! end, and now and then on the way. `slowpath-soak --show SEED` prints the program of a seed.

#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::process::ExitCode;

use slowpath_conformance::soak::{Tally, soak};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, otherwise: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse::<u64>().ok()).unwrap_or(otherwise)
    };
    if arguments.first().is_some_and(|argument| argument == "--show") {
        let program = slowpath_conformance::soak::generate::program(option("--show", 0));
        println!("// {}, sizes 1 to {}\n{}", program.call, program.largest, program.text);
        return ExitCode::SUCCESS;
    }
    let (programs, first, effort) = (option("--programs", 200), option("--seed", 0), option("--effort", 10_000_000));
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            println!("no temporary folder: {error}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    for seed in first..first + programs {
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
