//! The fuzz bodies of loader and machine, run for a few seconds each on modules that fuzzers would take long to come upon.

use std::time::{Duration, Instant};

use slowpath_conformance::rng::Rng;
use slowpath_conformance::{random_programs, smith};
use slowpath_machine::fuzz::fuzz_machine;
use slowpath_program::fuzz::fuzz_loader;

/// No module of this size may take longer, however busy the machine is: they take milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// How much of it: 1 for a few seconds, more with `SLOWPATH_FUZZ=50`.
fn rounds() -> u64 {
    std::env::var("SLOWPATH_FUZZ").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

fn timed(what: &str, body: impl FnOnce()) {
    let start = Instant::now();
    body();
    assert!(start.elapsed() < PATIENCE, "{what} took {:?}", start.elapsed());
}

fn module(seed: u64) -> Vec<u8> {
    match seed % 3 {
        0 => smith::module(seed),
        1 => smith::module_with_host(seed),
        _ => wat::parse_str(random_programs::module(seed)).expect("the text is valid"),
    }
}

/// Changes a few bytes: a bit, a byte, a piece taken out, put in or repeated, the end cut off.
fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len() as u64) as usize;
        let len = (rng.below(8) as usize + 1).min(bytes.len() - at);
        match rng.below(8) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next_u64() as u8,
            2 => bytes[at] = [0x00, 0x7f, 0x80, 0xff, 0x40, 0x0b][rng.below(6) as usize],
            3 => drop(bytes.drain(at..at + len)),
            4 => drop(bytes.splice(at..at, rng.bytes(len))),
            5 => {
                let piece = bytes[at..at + len].to_vec();
                bytes.splice(at..at, piece);
            }
            6 => bytes[at] = bytes[at].wrapping_add(1),
            _ => bytes.truncate(at.max(8)),
        }
    }
}

#[test]
fn the_loader_answers_to_any_bytes() {
    let mut rng = Rng::new(1);
    for i in 0..5000 * rounds() {
        let len = rng.below(200) as usize;
        let mut bytes = rng.bytes(len);
        if i % 2 == 0 {
            bytes.splice(0..0, *b"\0asm\x01\0\0\0");
        }
        timed(&format!("random bytes {i}"), || fuzz_loader(&bytes));
    }
}

#[test]
fn the_loader_answers_to_modules_with_a_few_bytes_changed() {
    let with_lines = [
        include_bytes!("../../program/tests/data/isort-dwarf4.wasm").to_vec(),
        include_bytes!("../../program/tests/data/isort-dwarf5.wasm").to_vec(),
    ];
    let mut accepted = 0;
    for seed in 0..800 * rounds() {
        let mut rng = Rng::new(seed);
        let whole = if seed % 4 == 0 { with_lines[seed as usize / 4 % 2].clone() } else { module(seed) };
        fuzz_loader(&whole);
        for change in 0..25 {
            let mut bytes = whole.clone();
            mutate(&mut bytes, &mut rng);
            timed(&format!("module {seed}, change {change}"), || fuzz_loader(&bytes));
            accepted += usize::from(slowpath_program::load(&bytes, &slowpath_program::Probes::default()).is_ok());
        }
    }
    println!("{accepted} changed modules are still valid");
    assert!(accepted > 1000, "mutation leaves some modules valid");
}

#[test]
fn the_machine_comes_to_an_end_whatever_it_is_answered() {
    for seed in 0..2000 * rounds() {
        let bytes = module(seed);
        timed(&format!("module {seed}"), || fuzz_machine(&bytes));
        let mut rng = Rng::new(seed);
        for change in 0..4 {
            let mut bytes = bytes.clone();
            mutate(&mut bytes, &mut rng);
            timed(&format!("module {seed}, change {change}"), || fuzz_machine(&bytes));
        }
    }
}
