//! The quick ones of benchmarks/slowpath.toml have their textbook class. `scripts/classes.py` measures all of them.

use std::path::Path;

use crate::common::run;
use serde_json::Value;

fn config() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/slowpath.toml").to_string_lossy().into_owned()
}

/// The class and formula found for a target, which must not break its bound; of most that they keep it cannot be proven.
fn class(target: &str) -> (String, String) {
    let ran = run(&["check", "--config", &config(), "--target", target, "--lenient", "--format", "json"]);
    assert_eq!(ran.code, 0, "{target}\n{}{}", ran.stdout, ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).expect("the report is JSON");
    let text = |name: &str| report["targets"][0][name].as_str().unwrap_or_default().to_owned();
    (text("class"), text("formula"))
}

#[test]
fn a_heap_and_a_red_black_tree_are_logarithmic() {
    assert_eq!(class("heap_push"), ("log n".to_owned(), "3⌊log₂ n⌋ + 1".to_owned()));
    assert_eq!(class("wise-red_black_tree_search").0, "log n");
    assert_eq!(class("wise-heap_insert").0, "n log n");
}

#[test]
fn a_merge_sort_is_n_log_n_and_no_power() {
    assert_eq!(class("wise-mergesort_jdk15").0, "n log n");
}

#[test]
fn a_travelling_salesman_is_factorial_and_a_uri_verifier_exponential() {
    assert_eq!(class("wise-travelling_salesman").0, "n!");
    let (found, formula) = class("spf-wca-uri_verifier");
    assert!(found.ends_with("^n"), "{found}: {formula}");
}

#[test]
fn insertion_sort_costs_an_exact_quadratic_number_of_branches() {
    assert_eq!(class("wise-insertion_sort"), ("n^2".to_owned(), "n² + n - 1".to_owned()));
}
