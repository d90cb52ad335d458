//! `--strategy synthesize`: path conditions that were never executed, validated on what is known.

use crate::common::{analyze, column, program, results, scratch, without_measurements, write};
use serde_json::Value;

fn synthesize(file: &str, call: &str, sizes: &str, more: &[&str]) -> Value {
    let args = [file, "--call", call, "--sizes", sizes, "--strategy", "synthesize", "--effort", "3e10"];
    analyze(&[&args, more].concat())
}

fn limits(findings: &Value) -> Vec<&str> {
    findings["limits"].as_array().expect("limits is a list").iter().filter_map(Value::as_str).collect()
}

#[test]
fn two_loops_cost_at_500_what_the_falling_array_costs() {
    let findings = synthesize(&program("two_loops.c"), "two_loops(a: i32[n], n)", "1..8,500", &[]);
    assert_eq!(limits(&findings), Vec::<&str>::new());
    assert_eq!(column(&findings, "cost").last(), Some(&3_391_191));
    assert_eq!(results(&findings)[8]["costs"]["branches"], 250_498);
    assert_eq!(results(&findings)[8]["confidence"], "validated");
    let explained = findings["synthesis"]["explained"].to_string();
    assert!(explained.contains("two_loops.c:18"), "{explained}");
}

#[test]
fn a_recursive_merge_sort_costs_at_500_what_its_known_worst_input_costs() {
    for (cost, at_500) in [("instructions", 399_969), ("branches", 20_947)] {
        let call = "merge_recursive(a: i32[n], n)";
        let findings = synthesize(&program("merge_recursive.c"), call, "1..8,500", &["--cost", cost]);
        assert_eq!(limits(&findings), Vec::<&str>::new(), "{cost}");
        assert_eq!(column(&findings, "cost").last(), Some(&at_500), "{cost}");
        assert_eq!(results(&findings)[8]["confidence"], "validated", "{cost}");
        assert_eq!(findings["synthesis"]["recursive"], true, "{cost}");
    }
}

#[test]
fn a_point_that_follows_no_rule_is_named_and_searched_for_instead() {
    let directory = scratch();
    let source = "void jumpy(const int *a, int n) {
    volatile int work = 0;
    for (int i = 0; i < n; i++) {
        unsigned mixed = (unsigned)i * 2654435761u;
        mixed ^= mixed >> 15;
        mixed *= 2246822519u;
        if (a[i] > (int)(mixed >> 20))
            for (int k = 0; k < 5; k++) work++;
    }
}
";
    let file = write(&directory, "jumpy.c", source);
    let findings = synthesize(&file, "jumpy(a: i32[n], n)", "40", &[]);
    let limits = limits(&findings);
    let fallen = |limit: &&&str| limit.contains("jumpy.c:7") && limit.contains("follows no known sequence");
    assert!(limits.iter().any(|limit| fallen(&limit)), "{limits:?}");
    assert!(limits.iter().any(|limit| limit.contains("guided search")), "{limits:?}");
    assert_eq!(findings["synthesis"], Value::Null);
    assert_eq!(results(&findings)[0]["confidence"], "validated");
}

#[test]
fn the_document_does_not_depend_on_the_number_of_jobs() {
    let run = |jobs: &str| {
        let findings = synthesize(&program("isort.c"), "isort(a: i32[n], n)", "3,50,200", &["--jobs", jobs]);
        without_measurements(findings)
    };
    assert_eq!(run("1"), run("2"));
}

#[test]
fn loops_that_halve_are_synthesised_at_the_cost_predicted() {
    let source = "int halves(const int *a, int n) {
    int count = 0;
    for (int width = n; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            if (a[i] > width) count++;
    return count;
}
";
    let directory = scratch();
    let file = write(&directory, "halves.c", source);
    let findings = synthesize(&file, "halves(a: i32[n], n)", "200,1000", &[]);
    assert_eq!(limits(&findings), Vec::<&str>::new());
    assert_eq!(results(&findings)[1]["confidence"], "validated");
    assert_ne!(findings["synthesis"], Value::Null);
}

#[test]
fn loops_of_steps_two_and_three_are_synthesised_at_the_cost_predicted() {
    let source = "int steps(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i += 2) if (a[i] > 10) { s += a[i]; s ^= 3; }
    for (int i = 1; i < n; i += 3) if (a[i] < 0) { s -= a[i]; s *= 5; s++; }
    return s;
}
";
    let directory = scratch();
    let file = write(&directory, "steps.c", source);
    let findings = synthesize(&file, "steps(a: i32[n], n)", "50,200", &[]);
    assert_eq!(limits(&findings), Vec::<&str>::new());
    assert_eq!(results(&findings)[1]["confidence"], "validated");
}
