//! Rust from source to verified findings.

use crate::common::{analyze, column, program, results, run, scratch, write};

#[test]
fn a_slice_is_an_array_and_its_length() {
    let file = program("queue.rs");
    let found = analyze(&[&file, "--call", "sorted_insert(keys: i32[n], n)", "--sizes", "1..5"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24, 120]);
    assert!(results(&found).iter().all(|r| r["confidence"] == "exact"), "{}", found["limits"]);
    let found = analyze(&[&file, "--call", "queue::distinct(keys: i32[n], n)", "--sizes", "1..4"]);
    // Orders of n keys, some of them equal: the ordered Bell numbers.
    assert_eq!(column(&found, "paths"), [1, 3, 13, 75]);
}

#[test]
fn every_branch_of_a_sort_is_kept_and_the_policy_found() {
    let file = program("queue.rs");
    let found = analyze(&[&file, "--call", "bubble(keys: i32[n], n)", "--sizes", "1..6,30"]);
    assert_eq!(column(&found, "paths"), [1, 2, 6, 24, 120, 720, 1]);
    let worst = results(&found)[6]["input"]["keys"].as_array().expect("an array").clone();
    assert!(worst.windows(2).all(|pair| pair[0].as_i64() > pair[1].as_i64()), "{worst:?}");
    assert!(found["fit"].to_string().contains("n^2"), "{}", found["fit"]);
    assert!(found["policy"]["explained"].to_string().contains("queue.rs:23"), "{}", found["policy"]["explained"]);
}

#[test]
fn a_panic_is_a_trap_with_an_input_that_causes_it() {
    let found = analyze(&[&program("queue.rs"), "--call", "indirect(keys: i32[n], n)", "--sizes", "2"]);
    let traps = results(&found)[0]["traps"].as_array().expect("traps").clone();
    assert!(traps.iter().any(|trap| trap["trap"] == "unreachable" && trap["verified"] == true), "{traps:?}");
}

#[test]
fn mistakes_are_answered_in_rustcs_own_words() {
    let directory = scratch();
    let file = write(&directory, "broken.rs", "pub fn f() -> i32 {\n    \"text\"\n}\n");
    let ran = run(&["analyze", &file, "--call", "f()", "--sizes", "1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("mismatched types") && ran.stderr.contains("broken.rs:2:5"), "{}", ran.stderr);
}
