//! Runs a second: a runner beside fresh instances, beside a wasmtime loop written for one function, and beside libFuzzer.
//!
//! Everyone runs the same function on the same kind of inputs, at the same length, and each makes its inputs as it goes. Of
//! the fuel, all but libFuzzer count it; branches are counted by the runner and by libFuzzer.

use std::time::{Duration, Instant};

use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::input::InputValues;
use slowpath_program::{Probes, load};
use slowpath_replay::{ReplayLimits, Replayer, Runner};

use crate::subjects::{N, SUBJECTS, Subject};
use crate::{fuzzer, plain_loop, programs};

/// Measured in turn, so often; the best counts.
const ROUNDS: usize = 3;
/// For each measurement.
const TIME: Duration = Duration::from_millis(500);
/// Numbers that look random, the same for everyone.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }
}

/// Prints runs a second and their ratios; true if all targets are met.
pub fn run() -> bool {
    // All are measured, even if one misses its target.
    SUBJECTS.each_ref().map(measure).into_iter().all(|met| met)
}

fn measure(subject: &Subject) -> bool {
    let wasm = programs::wasm(subject.file);
    let program = load(&wasm, &Probes::default()).expect("a compiled program loads");
    let spec = CallSpec::parse(subject.call).expect("a good signature");
    let mut inputs = InputValues::zeros(&spec.layout(N as i64, 0).expect("fits"));
    let entry = Entry::Call(spec);
    let function = program.find_function(entry.function()).expect("the function is there").0;
    let replayer = Replayer::new(&wasm, function, ReplayLimits::default()).expect("compiles");
    let mut runner =
        Runner::new(&program, &wasm, function, &entry, ReplayLimits::default()).expect("compiles with counters");
    let mut whole = plain_loop::PlainLoop::new(&wasm, subject, plain_loop::Reset::Everything);
    let mut known = plain_loop::PlainLoop::new(&wasm, subject, plain_loop::Reset::WhatItWrites);
    let fuzzer = fuzzer::Fuzzer::build(subject);

    let mut random = Random(1);
    let mut fill = |inputs: &mut InputValues| {
        for (i, bits) in inputs.0[0].bits.iter_mut().enumerate() {
            *bits = (subject.element)(i, random.next());
        }
    };
    for _ in 0..20 {
        fill(&mut inputs);
        let cost = replayer.run(&entry, N as i64, &inputs).expect("runs").instructions;
        let ran = runner.run(N as i64, &inputs, u64::MAX).expect("runs");
        assert_eq!([ran.instructions, whole.run(&inputs), known.run(&inputs)], [cost; 3], "{}", subject.name);
    }
    let mut best = [0.0f64; 5];
    for _ in 0..ROUNDS {
        let [ours, fresh, everything, hand, native] = &mut best;
        *ours = ours.max(rate(|| {
            fill(&mut inputs);
            runner.run(N as i64, &inputs, u64::MAX).expect("runs");
        }));
        *fresh = fresh.max(rate(|| {
            fill(&mut inputs);
            replayer.run(&entry, N as i64, &inputs).expect("runs");
        }));
        for (rate_of, plain) in [(everything, &mut whole), (hand, &mut known)] {
            *rate_of = rate_of.max(rate(|| {
                fill(&mut inputs);
                plain.run(&inputs);
            }));
        }
        if let Ok(fuzzer) = &fuzzer {
            *native = native.max(fuzzer.rate());
        }
    }
    let [ours, fresh, everything, hand, native] = best;
    println!("  {}, n = {N}: {ours:.0} runs a second", subject.name);
    let mut met = true;
    let mut line = |what: &str, theirs: f64, least: Option<f64>| {
        let ratio = ours / theirs;
        met &= least.is_none_or(|least| ratio >= least);
        println!("    {what:58} {theirs:>9.0}  ratio {ratio:.2}");
    };
    line("fresh instances (Replayer)", fresh, Some(20.0));
    line("wasmtime loop that copies all memory back", everything, Some(0.5));
    line("wasmtime loop that knows the function writes only its input", hand, None);
    match fuzzer {
        Ok(_) => line("libFuzzer, native, -O2", native, Some(0.1)),
        Err(why) => println!("    libFuzzer: not measured; {why}"),
    }
    met
}

/// How often a second it can be done.
fn rate(mut f: impl FnMut()) -> f64 {
    let begun = Instant::now();
    let mut times = 0u64;
    while begun.elapsed() < TIME {
        for _ in 0..16 {
            f();
        }
        times += 16;
    }
    times as f64 / begun.elapsed().as_secs_f64()
}
