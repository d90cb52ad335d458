//! Harnesses that were written for other tools.

use crate::common::{analyze, column, program, results};

#[test]
fn the_calls_of_klee_make_inputs_and_assumptions() {
    let file = program("klee_tree.c");
    let found = analyze(&[&file, "--harness", "klee_harness", "--sizes", "1..4"]);
    // Found at one of n places or not at all; what the assertion guards against never happens.
    assert_eq!(column(&found, "paths"), [2, 3, 4, 5]);
    let last = &results(&found)[3];
    assert!(last["traps"].as_array().is_some_and(Vec::is_empty), "{last}");
    let key = last["input"]["key"].as_i64().expect("a key");
    assert!((0..10).contains(&key), "{last}");
}

#[test]
fn the_calls_of_sv_comp_do_too_and_main_needs_no_size() {
    let found = analyze(&[&program("klee_tree.c"), "--harness", "main", "--sizes", "1"]);
    assert_eq!(column(&found, "paths"), [4]);
    assert_eq!(results(&found)[0]["confidence"], "exact");
}
