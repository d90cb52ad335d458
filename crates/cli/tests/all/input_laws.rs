//! Input laws of `auto`: what they say, and what they do not claim.

use crate::common::{analyze, results, scratch, write};
use serde_json::Value;

/// The analysis of one large size of a program of a few lines.
fn large(source: &str, call: &str, size: &str, more: &[&str]) -> Value {
    let directory = scratch();
    let file = write(&directory, "large.c", source);
    analyze(&[&[&file, "--call", call, "--sizes", size, "--effort", "6e8"], more].concat())
}

fn limits(findings: &Value) -> String {
    findings["limits"].to_string()
}

fn law(findings: &Value) -> &str {
    findings["input_law"]["inputs"][0]["law"].as_str().unwrap_or("none")
}

const INSERT: &str = "void insert(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i], j = i - 1;
        while (j >= 0 && a[j] > x) { a[j + 1] = a[j]; j--; }
        a[j + 1] = x;
    }
}
";

#[test]
fn no_law_leads_out_of_a_declared_range() {
    let findings = large(INSERT, "insert(a: i32[n] in 0..=99, n)", "2500", &[]);
    let found = &results(&findings)[0];
    assert_eq!((&found["confidence"], &found["verified"]), (&"best-found".into(), &true.into()));
    let values = found["input"]["a"].as_array().expect("an array");
    assert!(values.iter().all(|value| value.as_i64().is_some_and(|value| (0..=99).contains(&value))));
    // Each of 100 values 25 times, falling: every pair but those of equal values is exchanged.
    assert_eq!(values.iter().filter(|value| **value == 99).count(), 25);
    assert!(limits(&findings).contains("made to fit"), "{}", limits(&findings));
}

#[test]
fn values_too_large_for_their_type_give_way_to_smaller_ones_that_cost_the_same() {
    let source = "int runs(const unsigned char *s, int n) {
    int count = 1;
    for (int i = 1; i < n; i++)
        if (s[i] != s[i - 1]) count += 3;
    return count;
}
";
    let findings = large(source, "runs(s: u8[n], n)", "100000", &[]);
    assert_eq!(results(&findings)[0]["confidence"], "validated");
    assert!(law(&findings).contains("is even"), "{}", law(&findings));
}

#[test]
fn what_depends_on_the_remainder_of_the_size_has_a_law() {
    let source = "int picky(const int *a, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == n % 3) { if (a[i] > 5) { count += 2; count ^= 7; } }
        else if (a[i] < 5) count++;
    }
    return count;
}
";
    let findings = large(source, "picky(a: i32[n], n)", "100001", &[]);
    assert_eq!(results(&findings)[0]["confidence"], "validated");
    assert_eq!(law(&findings), "a[i] = 6 if (i - n) mod 3 = 0, else 0, for n ≥ 3");
}

#[test]
fn what_only_synthesis_finds_has_a_law_too() {
    let source = "int find(const char *s, int n) {
    static const char pattern[] = \"aaab\";
    int count = 0;
    for (int i = 0; i + 4 <= n; i++) {
        int j = 0;
        while (j < 4 && s[i + j] == pattern[j]) j++;
        if (j == 4) count++;
    }
    return count;
}
";
    let findings = large(source, "find(s: char[n], n)", "100000", &[]);
    assert_eq!(results(&findings)[0]["confidence"], "validated");
    assert!(law(&findings).starts_with("s[i] = 97, except s[n-1] = 98"), "{}", law(&findings));
}

#[test]
fn a_law_that_runs_into_a_trap_claims_nothing() {
    let source = "int count(const int *a, int n) {
    int found = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 7) found += 3;
    if (n > 1000) __builtin_trap();
    return found;
}
";
    let findings = large(source, "count(a: i32[n], n)", "3000", &[]);
    let found = &results(&findings)[0];
    // Every path ends in the trap; where all of them are remembered that is exact, and no law's claim.
    let sure = found["confidence"] != "best-found";
    assert!(!found["trap"].is_null() && (!sure || found["found_by"] == "memo"), "{}", found["confidence"]);
}

#[test]
fn where_there_are_few_paths_all_of_them_are_followed() {
    let source = "int search(const int *a, int n, int key) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low < n && a[low] == key;
}
";
    let findings = large(source, "search(a: i32[n], n, key: i32)", "1000", &[]);
    let found = &results(&findings)[0];
    assert_eq!((&found["confidence"], &found["paths"]), (&"exact".into(), &1001.into()));
}
