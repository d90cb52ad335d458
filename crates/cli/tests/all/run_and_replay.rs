//! `run` and `replay`, and the file that `--out` writes.

use crate::common::{analyze, json, program, results, run, scratch, slowpath, write};
use serde_json::{Value, json};

const ISORT: &str = "isort(a: i32[n], n)";

#[test]
fn a_worst_input_costs_what_the_finding_says_when_it_is_run() {
    for (file, entry) in [
        ("isort.c", ["--call", ISORT]),
        ("bst.c", ["--harness", "bst_search"]),
        ("libc_user.c", ["--call", "count_negative(a: i32[n], n)"]),
        ("fp.c", ["--call", "ascents(a: f32[n], n)"]),
    ] {
        let file = program(file);
        let findings = analyze(&[&file, entry[0], entry[1], "--sizes", "3"]);
        let result = &results(&findings)[0];
        let input = result["input"].to_string();
        let ran = json(&["run", &file, entry[0], entry[1], "--size", "3", "--input", &input]);
        assert_eq!(ran["costs"]["instructions"], result["cost"]);
        assert_eq!(ran["trap"], Value::Null);
    }
}

#[test]
fn run_prints_exactly_the_costs_the_result_and_the_trap() {
    let ratio =
        |input: &str| json(&["run", &program("div_trap.c"), "--call", "ratio(a: i32, b: i32)", "--input", input]);
    let fine = ratio(r#"{"a": -7, "b": 2}"#);
    let keys: Vec<&String> = fine.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["costs", "result", "trap"]);
    assert_eq!((&fine["result"], &fine["trap"]), (&json!(-3), &Value::Null));
    let counters: Vec<&String> = fine["costs"].as_object().unwrap().keys().collect();
    let expected = ["instructions", "branches", "decisions", "calls", "memory", "stack", "output", "heap", "custom"];
    assert_eq!(counters, expected);
    let trapped = ratio(r#"{"a": 1, "b": 0}"#);
    assert_eq!((&trapped["result"], &trapped["trap"]), (&Value::Null, &json!("integer divide by zero")));
}

#[test]
fn results_have_the_type_of_the_function() {
    let directory = scratch();
    let file = write(
        &directory,
        "results.wat",
        r#"(module
            (func (export "none") (param i32))
            (func (export "pair") (param i32 i64) (result i64 i32) local.get 1 local.get 0)
            (func (export "half") (param f32) (result f32) (f32.div (local.get 0) (f32.const 2))))"#,
    );
    for (call, input, expected) in [
        ("none(i32)", r#"{"arg0": 4}"#, json!(null)),
        ("pair(i32, i64)", r#"{"arg0": -1, "arg1": 9223372036854775807}"#, json!([i64::MAX, -1])),
        ("half(f32)", r#"{"arg0": 0.2}"#, json!(0.1)),
        ("half(f32)", r#"{"arg0": "inf"}"#, json!("inf")),
    ] {
        let ran = json(&["run", &file, "--call", call, "--input", input]);
        assert_eq!(ran["result"], expected, "{call}");
    }
}

#[test]
fn the_input_can_be_in_a_file_and_a_line_can_be_the_cost() {
    let directory = scratch();
    let input = format!("@{}", write(&directory, "input.json", r#"{"a": [3, 2, 1]}"#));
    let file = program("isort.c");
    let args = ["run", &file, "--call", ISORT, "--size", "3", "--input", &input, "--cost", "site:isort.c:8"];
    assert_eq!(json(&args)["costs"]["site:isort.c:8"], 3);
}

#[test]
fn a_program_without_inputs_needs_none() {
    let ran = json(&["run", &program("recursion.c"), "--call", "descend(n)", "--size", "100"]);
    assert_eq!((&ran["result"], &ran["costs"]["stack"]), (&json!(100), &json!(101)));
}

#[test]
fn inputs_that_do_not_fit_are_explained() {
    let file = program("isort.c");
    for (input, words) in [
        (None, r#"--input '{"a":[0,0,0]}'"#),
        (Some("{"), "not JSON"),
        (Some("[3, 2, 1]"), "JSON object"),
        (Some("{}"), "`a` is missing"),
        (Some(r#"{"a": [1, 2]}"#), "an array of 3 i32"),
        (Some(r#"{"a": [1, 2, 4294967296]}"#), "a[2]"),
        (Some(r#"{"a": [1, 2, "x"]}"#), "a[2]"),
        (Some(r#"{"a": [1, 2, 3], "b": 1}"#), "no input `b`"),
        (Some("@does-not-exist.json"), "does-not-exist.json"),
    ] {
        let mut args = vec!["run", &file, "--call", ISORT, "--size", "3"];
        args.extend(input.iter().flat_map(|input| ["--input", input]));
        let ran = run(&args);
        assert_eq!(ran.code, 2, "{input:?}");
        assert!(ran.stderr.contains(words), "{input:?}: {}", ran.stderr);
    }
}

#[test]
fn a_slip_in_the_name_of_a_harness_input_is_noticed() {
    let (file, entry) = (program("bst.c"), ["--harness", "bst_search", "--size", "2"]);
    let ran = run(&[&["run", &file], &entry[..]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains(r#"{"keys":[0,0]}"#), "{}", ran.stderr);
    let ran = run(&[&["run", &file], &entry[..], &["--input", r#"{"kyes": [1, 2]}"#]].concat());
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("no input called `kyes`") && ran.stderr.contains("`keys` was not given"));
}

#[test]
fn a_saved_document_is_what_is_printed_and_can_be_replayed() {
    let directory = scratch();
    let out = directory.path().join("deep/out").to_string_lossy().into_owned();
    for (file, entry, cost) in [
        ("isort.c", ["--call", ISORT], "instructions"),
        ("bst.c", ["--harness", "bst_search"], "branches"),
        ("cost_begin_end.c", ["--harness", "measured"], "custom"),
        ("libc_user.c", ["--call", "count_negative(a: i32[n], n)"], "site:libc_user.c:14"),
        ("fp.c", ["--call", "ascents(a: f32[n], n)"], "decisions"),
    ] {
        let findings = analyze(&[&program(file), entry[0], entry[1], "--sizes", "1..3", "--cost", cost, "--out", &out]);
        let text = std::fs::read_to_string(format!("{out}/findings.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), findings);
        let replayed = json(&["replay", &out]);
        assert_eq!(results(&replayed).len(), 3);
        for size in results(&replayed) {
            assert_eq!(size["agrees"], true, "{size}");
        }
        let ran = run(&["replay", &format!("{out}/findings.json")]);
        assert!(ran.code == 0 && ran.stdout.contains(" runs agree"), "{}", ran.stdout);
    }
}

#[test]
fn replay_notices_another_cost_and_another_program() {
    let directory = scratch();
    let original = write(&directory, "f.c", "int f(int x) { if (x > 5) return 1; return 0; }");
    let out = directory.path().to_string_lossy().into_owned();
    analyze(&[&original, "--call", "f(x: i32)", "--out", &out]);

    // Moved, it is still the same program.
    let moved = directory.path().join("g.c").to_string_lossy().into_owned();
    std::fs::rename(&original, &moved).unwrap();
    let ran = run(&["replay", &out]);
    assert!(ran.code == 2 && ran.stderr.contains("f.c"), "{}", ran.stderr);
    let ran = run(&["replay", &out, "--program", &moved]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);

    let document = format!("{out}/findings.json");
    let text = std::fs::read_to_string(&document).unwrap();
    std::fs::write(&document, text.replace("\"branches\": 1", "\"branches\": 7")).unwrap();
    let ran = run(&["replay", &out, "--program", &moved]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("branches: 7 recorded, 1 on the machine"), "{}", ran.stdout);

    std::fs::write(&moved, "int f(int x) { if (x > 6) return 1; return 0; }").unwrap();
    let ran = run(&["replay", &out, "--program", &moved]);
    assert!(ran.code == 2 && ran.stderr.contains("not the program that was analysed"), "{}", ran.stderr);
}

#[test]
fn documents_that_are_none_are_refused() {
    let directory = scratch();
    for (text, words) in
        [("", "not JSON"), ("{}", "schema"), (r#"{"schema": 99}"#, "schema 99"), (r#"{"schema": 1}"#, "damaged")]
    {
        let file = write(&directory, "findings.json", text);
        let ran = run(&["replay", &file]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    use std::io::Read;
    use std::process::Stdio;
    for format in ["human", "json"] {
        let args = ["analyze", &program("isort.c"), "--call", ISORT, "--sizes", "1..3", "--format", format];
        let mut child = slowpath(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{stderr}");
        assert_eq!(stderr, "");
    }
}
