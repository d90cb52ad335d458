//! On random modules the machine agrees with wasmtime in every mode: results, traps, memory, globals, tables and fuel.

use slowpath_conformance::differential::{Stats, compare};
use slowpath_conformance::{smith, theirs};

/// Modules to compare. `SLOWPATH_SEEDS=1000000..1002000` compares others.
const SEEDS: std::ops::Range<u64> = 0..2000;

fn seeds() -> std::ops::Range<u64> {
    let given = std::env::var("SLOWPATH_SEEDS").ok();
    let given = given.as_deref().and_then(|text| text.split_once(".."));
    given.map_or(SEEDS, |(from, to)| from.parse().expect("a number")..to.parse().expect("a number"))
}

#[test]
fn random_modules_do_the_same_on_the_machine_and_on_wasmtime() {
    let run = || {
        let (mut stats, mut differences, mut refused) = (Stats::default(), Vec::new(), 0);
        for seed in seeds() {
            match compare(&smith::module(seed), seed, &mut stats) {
                Ok(true) => {}
                Ok(false) => refused += 1,
                Err(difference) => differences.push(format!("seed {seed}: {difference}")),
            }
        }
        println!("{stats:?}, {refused} modules wasmtime cannot compile");
        assert!(differences.is_empty(), "{} modules differ:\n{}", differences.len(), differences.join("\n"));
    };
    let thread = std::thread::Builder::new().stack_size(theirs::STACK * 2).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
