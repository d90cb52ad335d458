//! `slowpath-soak [--programs N] [--seed FIRST] [--effort E]`: random programs of C by every strategy against brute force; counts at the
//! end, and now and then on the way.

#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::process::ExitCode;

use slowpath_conformance::soak::{Tally, soak};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, otherwise: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse::<u64>().ok()).unwrap_or(otherwise)
    };
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
            println!("… {} programs, {} troubles", tally.programs, tally.troubles.len());
        }
    }
    println!("{tally}");
    ExitCode::from(u8::from(!tally.troubles.is_empty()))
}
