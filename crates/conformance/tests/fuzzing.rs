//! Every fuzz body, on its seeds and on a few inputs made of them. `make fuzz` has more of it.

use std::time::Duration;

use slowpath_conformance::fuzzing::TARGETS;
use slowpath_conformance::fuzzing::driver::{Until, fuzz};
use slowpath_conformance::fuzzing::mutate::words;

/// Inputs of one target; those that run programs take longer.
fn few(name: &str) -> u64 {
    match name {
        "memo" => 60,
        "machine" | "layers" => 150,
        _ => 1000,
    }
}

#[test]
fn fuzz_bodies_hold_on_a_few_inputs() {
    for target in &TARGETS {
        let until = Until { runs: few(target.name), time: Duration::MAX };
        let outcome = fuzz(target, Vec::new(), 1, until, &mut |_| {});
        println!("{}: {outcome:?}", target.name);
        assert_eq!(outcome.crash, None, "{}", target.name);
        assert!(outcome.runs == few(target.name) && outcome.accepted > 0, "{}: {outcome:?}", target.name);
    }
}

#[test]
fn words_of_a_dictionary_are_read() {
    assert_eq!(words("# c\nname=\"a\\x00b\"\n\"\\\"\"\n\n"), [b"a\0b".to_vec(), b"\"".to_vec()]);
    assert!(TARGETS.iter().filter(|target| !words(target.dictionary).is_empty()).count() >= 5);
}
