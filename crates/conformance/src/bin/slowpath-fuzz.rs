//! Fuzzes the bodies with nothing but a stable compiler.
//!
//! Inputs of `fuzz/corpus/TARGET` are part of the corpus. An input that panics, or takes longer than 120 s, is left in `fuzz/artifacts`.

#![allow(clippy::print_stdout, clippy::exit, reason = "a program of its own")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Parser;
use clap::builder::PossibleValuesParser;
use slowpath_conformance::fuzzing::data::Data;
use slowpath_conformance::fuzzing::driver::{Until, fuzz};
use slowpath_conformance::fuzzing::{TARGETS, Target};

/// No input may take longer, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Fuzzes the bodies with nothing but a stable compiler. An input that panics or hangs is left in fuzz/artifacts.
#[derive(Parser)]
struct Args {
    /// What is fuzzed.
    #[arg(value_parser = PossibleValuesParser::new(TARGETS.iter().map(|target| target.name).chain(["all"])))]
    target: String,
    /// The most inputs of each.
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// The longest time for each, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    time: u64,
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
}

fn main() -> ExitCode {
    let Args { target: name, runs, time, seed } = Args::parse();
    let chosen = TARGETS.iter().filter(|target| name == "all" || name == target.name);
    let until = Until { runs: runs.unwrap_or(u64::MAX), time: Duration::from_secs(time) };
    let mut crashed = false;
    for target in chosen {
        crashed |= campaign(target, seed, until);
    }
    ExitCode::from(u8::from(crashed))
}

fn campaign(target: &Target, seed: u64, until: Until) -> bool {
    let current: Arc<Mutex<(Instant, Vec<u8>)>> = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    watch_for_hangs(target.name, Arc::clone(&current));
    let started = Instant::now();
    let outcome = fuzz(target, stored(target.name), seed, until, &mut |input| {
        *current.lock().unwrap_or_else(PoisonError::into_inner) = (Instant::now(), input.to_vec());
    });
    // Nothing runs any more, so nothing can hang.
    current.lock().unwrap_or_else(PoisonError::into_inner).1.clear();
    println!(
        "{}: {} inputs in {:.0} s, {} got past the front door, the slowest took {:.0} ms, at most {} of memory{}",
        target.name,
        outcome.runs,
        started.elapsed().as_secs_f64(),
        outcome.accepted,
        outcome.slowest.as_secs_f64() * 1000.0,
        most_memory(),
        outcome
            .crash
            .as_ref()
            .map_or_else(String::new, |input| format!(", CRASH: {}", keep(target.name, input).display())),
    );
    outcome.crash.is_some()
}

/// The most memory the process ever had, where the system tells: what leaks shows here.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map_or("?", str::trim).to_owned()
}

/// The inputs of the corpus in the repository.
fn stored(name: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(Path::new("fuzz/corpus").join(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read(path).ok()).collect()
}

fn watch_for_hangs(name: &'static str, current: Arc<Mutex<(Instant, Vec<u8>)>>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let (since, input) = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if since.elapsed() > PATIENCE && !input.is_empty() {
                println!("{name}: HANG: {}", keep(name, &input).display());
                std::process::exit(1);
            }
        }
    });
}

/// Leaves an input where it can be run again.
fn keep(name: &str, input: &[u8]) -> PathBuf {
    let folder = Path::new("fuzz/artifacts").join(name);
    let file = folder.join(format!("crash-{:016x}", Data::seed(input)));
    let _ = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    file
}
