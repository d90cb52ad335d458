//! Amounts that are not known on a path are chosen, and said to be.

use crate::common::{analyze, column, program, results};

#[test]
fn unknown_sizes_asked_from_the_allocator_are_followed_each_or_chosen_and_said() {
    let file = program("unknown_amounts.c");
    let of = ["--cost", "heap", "--sizes", "1", "--strategy", "exhaustive"];
    let few = analyze(&[&[file.as_str(), "--call", "grab(k: u32 in 50..=90)"], &of[..]].concat());
    assert_eq!((&results(&few)[0]["confidence"], column(&few, "cost")[0]), (&"exact".into(), 90));
    let findings = analyze(&[&[file.as_str(), "--call", "grab(k: u32)"], &of[..]].concat());
    assert_ne!(results(&findings)[0]["confidence"], "exact");
    assert_eq!(column(&findings, "cost"), [100], "{findings}");
    assert!(findings["limits"].to_string().contains("allocator"), "{}", findings["limits"]);
}

#[test]
fn an_unknown_length_written_is_chosen_and_said() {
    let file = program("unknown_amounts.c");
    let call = ["--call", "emit(k: u32 in 5..=90)", "--sizes", "1", "--strategy", "exhaustive"];
    let findings = analyze(&[&[file.as_str()], &call[..]].concat());
    assert_ne!(results(&findings)[0]["confidence"], "exact");
    assert!(findings["limits"].to_string().contains("system call"), "{}", findings["limits"]);
}

#[test]
fn a_line_counts_only_inside_the_measured_region() {
    let file = program("unknown_amounts.c");
    let site = "site:unknown_amounts.c:26";
    let findings = analyze(&[&file, "--harness", "regions", "--cost", site, "--sizes", "3..5"]);
    assert_eq!(column(&findings, "cost"), [3, 4, 5]);
}
