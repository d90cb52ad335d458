//! On random modules the machine agrees with wasmtime in every mode: results, traps, memory, globals, tables and fuel.

#![allow(clippy::print_stdout, reason = "what a test says of itself, shown where it fails")]

use slowpath_conformance::differential::{Stats, compare};
use slowpath_conformance::{random_programs, smith, theirs};

/// Modules to compare. `SLOWPATH_SEEDS=1000000..1002000` compares others.
fn seeds(default: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let given = std::env::var("SLOWPATH_SEEDS").ok();
    let given = given.as_deref().and_then(|text| text.split_once(".."));
    given.map_or(default, |(from, to)| from.parse().expect("a number")..to.parse().expect("a number"))
}

fn compare_all(seeds: std::ops::Range<u64>, module: fn(u64) -> Vec<u8>) {
    let run = move || {
        let (mut stats, mut differences, mut refused) = (Stats::default(), Vec::new(), 0);
        for seed in seeds {
            match compare(&module(seed), seed, &mut stats) {
                Ok(true) => {}
                Ok(false) => refused += 1,
                Err(difference) => differences.push(format!("seed {seed}: {difference}")),
            }
        }
        println!("{stats:?}");
        assert_eq!(refused, 0, "wasmtime compiles every module");
        assert!(differences.is_empty(), "{} modules differ:\n{}", differences.len(), differences.join("\n"));
    };
    // Deep recursion needs more stack than a test usually has.
    let thread = std::thread::Builder::new().stack_size(theirs::STACK * 2).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn modules_of_wasm_smith_do_the_same_on_the_machine_and_on_wasmtime() {
    compare_all(seeds(0..2000), smith::module);
}

#[test]
fn modules_that_compute_do_the_same_on_the_machine_and_on_wasmtime() {
    let module = |seed| wat::parse_str(random_programs::module(seed)).expect("the text is valid");
    compare_all(seeds(0..1000), module);
}
