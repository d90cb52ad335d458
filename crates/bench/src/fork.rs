//! The cost of a fork.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use slowpath_machine::{InputSource, Limits, Memory, State, Symbolic, start};
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_term::Terms;

const ROUNDS: u32 = 20_000;

/// Forks a state whose 16 pages were all written to, alone and with a write after it.
pub fn run() -> bool {
    let wasm = wat::parse_str(
        r#"(module (memory 16) (func (export "f") (param i32) (local i32)
             (loop (i32.store8 (local.get 1) (i32.const 1))
               (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 1048576))))
             (if (local.get 0) (then (i32.store (i32.const 0) (i32.const 7))))))"#,
    )
    .expect("good text");
    let program = Arc::new(load(&wasm, &Probes::default()).expect("loads"));
    let entry = Entry::Call(CallSpec::parse("f(i32)").expect("good signature"));
    let function = program.find_function("f").expect("is there");
    let mut terms = Terms::new();
    let started =
        start::<Symbolic>(&mut terms, &program, function, &entry, 1, InputSource::Symbolic, Limits::default());
    let started = started.expect("starts");
    let (mut state, instance) = (started.state, started.instance);
    let event = state.run(&mut terms);
    assert!(matches!(event, slowpath_machine::Event::Ask(_)), "stops at the symbolic branch");
    let alone = time(|| {
        black_box(State::clone(&state));
    });
    let written = time(|| {
        let mut fork = State::clone(&state);
        fork.memory_mut(instance).write(512, &[1, 2, 3, 4]);
        black_box(fork);
    });
    println!("  fork {alone:.2?}, fork and first write {written:.2?}");
    alone < Duration::from_micros(5) && written < Duration::from_micros(10)
}

fn time(mut f: impl FnMut()) -> Duration {
    let begun = Instant::now();
    for _ in 0..ROUNDS {
        f();
    }
    begun.elapsed() / ROUNDS
}
