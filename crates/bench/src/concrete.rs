//! Concrete runs, ours and wasmi's in turn.

use std::time::{Duration, Instant};

use slowpath_search::{Budget, run_concrete};
use slowpath_solver::SolverKind;

use crate::programs;

const PROGRAMS: [(&str, &str, i64); 3] =
    [("sorting.c", "sorting", 3000), ("hashing.c", "hashing", 3_000_000), ("matrix.c", "matrix", 120)];
const ROUNDS: usize = 5;

/// What wasmi's time may be multiplied by.
pub const MOST_TIMES_WASMI: f64 = 1.6;

/// Prints the ratio for each program; true if all are within the target.
pub fn run() -> bool {
    let mut met = true;
    for (file, function, n) in PROGRAMS {
        let wasm = programs::wasm(file);
        let target = programs::target(file, &format!("{function}(n)"), SolverKind::Layered);
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let (mut our_result, mut their_result) = (0, 0);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            let run = run_concrete(&target, n, Default::default(), &Budget::default()).expect("runs");
            ours = ours.min(begun.elapsed());
            our_result = run.results.first().copied().unwrap_or(0) as u32;
            let (time, result) = wasmi_run(&wasm, function, n as i32);
            theirs = theirs.min(time);
            their_result = result;
        }
        assert_eq!(our_result, their_result, "{file}: the engines disagree");
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        met &= ratio <= MOST_TIMES_WASMI;
        println!("  {function:8} n={n:<8} slowpath {ours:>10.2?}  wasmi {theirs:>10.2?}  ratio {ratio:.2}");
    }
    met
}

/// The least time of some runs of wasmi on a program that does nothing but arithmetic: how fast this machine is.
pub fn wasmi_on_hashing() -> Duration {
    let (file, function, n) = PROGRAMS[1];
    let wasm = programs::wasm(file);
    (0..ROUNDS).map(|_| wasmi_run(&wasm, function, n as i32).0).min().unwrap_or_default()
}

fn wasmi_run(wasm: &[u8], function: &str, n: i32) -> (Duration, u32) {
    let begun = Instant::now();
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, wasm).expect("a valid module");
    let mut store = wasmi::Store::new(&engine, ());
    let instance = wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("instantiates");
    let f = instance.get_typed_func::<i32, i32>(&store, function).expect("the function is there");
    let result = f.call(&mut store, n).expect("runs");
    (begun.elapsed(), result as u32)
}
