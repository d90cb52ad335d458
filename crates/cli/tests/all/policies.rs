//! Policies are saved, loaded, and refused where they do not belong.

use std::path::Path;

use crate::common::{analyze, column, program, results, run, scratch, write};
use serde_json::{Value, json};
use tempfile::TempDir;

const ISORT: [&str; 2] = ["--call", "isort(a: i32[n], n)"];

/// The path of a file that does not exist yet.
fn new_file(directory: &TempDir) -> String {
    directory.path().join("policy.json").to_string_lossy().into_owned()
}

/// Insertion sort's policies, saved.
fn saved(directory: &TempDir) -> String {
    let file = new_file(directory);
    analyze(&[&program("isort.c"), ISORT[0], ISORT[1], "--sizes", "1..4,30", "--save-policy", &file]);
    file
}

fn read(file: &str) -> Value {
    let text = std::fs::read_to_string(file).expect("the policy was saved");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Exit code 2, and a message that has all of these.
fn refused(args: &[&str], parts: &[&str]) {
    let ran = run(&[&["analyze"], args, &["--quiet"]].concat());
    assert_eq!(ran.code, 2, "{args:?}\n{}\n{}", ran.stdout, ran.stderr);
    for part in parts {
        assert!(ran.stderr.contains(part), "{args:?}: no '{part}' in\n{}", ran.stderr);
    }
}

#[test]
fn a_saved_policy_finds_the_same_without_exploring_small_sizes() {
    let cases: [(&str, [&str; 2]); 3] = [
        ("isort.c", ISORT),
        ("bst.c", ["--harness", "bst_search"]),
        ("heap.c", ["--call", "heap_insert(keys: i32[n], n)"]),
    ];
    for (name, [flag, entry]) in cases {
        for strategy in ["auto", "wise", "history"] {
            let directory = scratch();
            let file = new_file(&directory);
            let common = [&program(name), flag, entry, "--strategy", strategy];
            let learned = analyze(&[&common[..], &["--sizes", "3,20,35", "--save-policy", &file]].concat());
            let loaded = analyze(&[&common[..], &["--sizes", "3,20,35", "--policy", &file]].concat());
            assert_eq!(column(&loaded, "cost"), column(&learned, "cost"), "{name} {strategy}");
            // Size 3 shows it: every path of it was followed to learn, and just one with the policy. By `auto`, another technique may
            // have followed all the same.
            let sure = |r: &Value| r["confidence"] == "validated" || (strategy == "auto" && r["found_by"] == "memo");
            assert_eq!(column(&loaded, "paths")[1..], [1, 1], "{name} {strategy}");
            assert_eq!(results(&learned)[0]["confidence"], "exact");
            assert!(results(&loaded).iter().all(sure), "{name} {strategy}");
            assert_eq!(loaded["policy"], learned["policy"], "{name} {strategy}");
        }
    }
}

#[test]
fn the_file_names_source_lines() {
    let directory = scratch();
    let policy = read(&saved(&directory));
    let rule = &policy["policies"][0]["rules"][0];
    assert_eq!(rule["place"], "isort.c:7");
    assert_eq!(rule["line"], "while (j > 0 && a[j - 1] > x) {");
    assert_eq!(rule["sides"], json!({"false": "permitted"}));
    let left: Vec<_> = std::fs::read_dir(directory.path()).expect("a directory").collect();
    assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
}

#[test]
fn another_program_function_or_cost_model_is_refused_by_name() {
    let directory = scratch();
    let file = saved(&directory);
    let policy = ["--sizes", "9", "--policy", &file];
    refused(&[&[&program("bst.c"), "--harness", "bst_search"], &policy[..]].concat(), &["isort.c (", "bst.c ("]);
    let isort = program("isort.c");
    refused(
        &[&[&isort, ISORT[0], ISORT[1], "--cost", "branches"], &policy[..]].concat(),
        &["cost model instructions", "not for branches"],
    );
    let two = "void up(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] > 3) a[i] = 0; }\n\
               void down(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] < 3) a[i] = 0; }\n";
    let two = write(&directory, "two.c", two);
    let elsewhere = scratch();
    let other = new_file(&elsewhere);
    analyze(&[&two, "--call", "up(i32[n], n)", "--sizes", "1..5", "--save-policy", &other]);
    refused(&[&two, "--call", "down(i32[n], n)", "--sizes", "9", "--policy", &other], &["`up`", "`down`"]);
}

#[test]
fn a_program_that_only_moved_keeps_its_policy() {
    let directory = scratch();
    let file = saved(&directory);
    let text = std::fs::read_to_string(program("isort.c")).expect("the program");
    let moved = write(&directory, "moved.c", format!("/* A comment more. */\n\n{text}"));
    let findings = analyze(&[&moved, ISORT[0], ISORT[1], "--sizes", "30", "--policy", &file]);
    assert_eq!(results(&findings)[0]["confidence"], "validated");
}

#[test]
fn with_other_inputs_a_policy_is_used_but_not_validated() {
    let directory = scratch();
    let file = saved(&directory);
    let args = [&program("isort.c"), "--call", "isort(a: i32[n] in 0..=9, n)", "--sizes", "8", "--policy", &file];
    let findings = analyze(&args);
    assert_ne!(results(&findings)[0]["confidence"], "validated");
    assert!(findings["limits"][0].as_str().is_some_and(|l| l.contains("in 0..=9")), "{}", findings["limits"]);
}

#[test]
fn damaged_files_are_refused_with_a_message() {
    let directory = scratch();
    let good = read(&saved(&directory));
    let isort = program("isort.c");
    let check = |name: &str, contents: &str, parts: &[&str]| {
        let file = write(&directory, name, contents);
        refused(&[&isort, ISORT[0], ISORT[1], "--sizes", "9", "--policy", &file], &[parts, &[name]].concat());
    };
    let edited = |pointer: &str, value: Value| {
        let mut damaged = good.clone();
        *damaged.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} exists")) = value;
        damaged.to_string()
    };
    let text = good.to_string();
    check("half.json", &text[..text.len() / 2], &["no policy file"]);
    check("empty.json", "", &["no policy file"]);
    check("bytes.json", "\u{0}\u{1}", &["no policy file"]);
    check("other.json", r#"{"schema": 1, "results": []}"#, &["no policy file", "missing field"]);
    check("schema.json", &edited("/schema", json!(99)), &["format 99"]);
    check("hash.json", &edited("/module/fnv1a", json!("0")), &["another program"]);
    check("none.json", &edited("/policies", json!([])), &["no policies"]);
    let many: Vec<&Value> = vec![&good["policies"][0]; 65];
    check("many.json", &edited("/policies", json!(many)), &["65 policies"]);
    check("site.json", &edited("/policies/0/rules/0/site", json!(12345)), &["policy 1, rule 1", "no site 12345"]);
    check("side.json", &edited("/policies/0/rules/0/sides", json!({"maybe": "permitted"})), &["`maybe` is no side"]);
    check("said.json", &edited("/policies/0/rules/0/sides", json!({"true": "welcome"})), &["welcome"]);
    check("wise.json", &edited("/policies/1/kind", json!("wise")), &["policy 2, rule 1", "no histories"]);
    check("kind.json", &edited("/policies/0/kind", json!("history")), &["history_length"]);
    let rule = |history: Value| edited("/policies/1/rules/0/history", history);
    check("step.json", &rule(json!(["isort.c:7 perhaps #5"])), &["policy 2, rule 1"]);
    check("long.json", &rule(json!(["isort.c:7 true #5"])), &["at most 0"]);
}

#[test]
fn the_longest_histories_do_no_harm_and_longer_ones_are_refused() {
    let directory = scratch();
    let good = read(&saved(&directory));
    let isort = program("isort.c");
    let with_history = |length: usize| {
        let mut policy = good.clone();
        policy["policies"] = json!([policy["policies"][1]]);
        policy["policies"][0]["history_length"] = json!("unlimited");
        policy["policies"][0]["rules"][0]["history"] = json!(vec!["isort.c:7 false #5"; length]);
        write(&directory, &format!("{length}.json"), policy.to_string())
    };
    let longest = with_history(1024);
    let findings = analyze(&[&isort, ISORT[0], ISORT[1], "--sizes", "9", "--policy", &longest]);
    assert_eq!(column(&findings, "paths"), [1]);
    let longer = with_history(1025);
    refused(&[&isort, ISORT[0], ISORT[1], "--sizes", "9", "--policy", &longer], &["1025 decisions"]);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let directory = scratch();
    let file = saved(&directory);
    let elsewhere = scratch();
    let fresh = new_file(&elsewhere);
    let isort = program("isort.c");
    let with = |more: &[&str], parts: &[&str]| refused(&[&[&isort, ISORT[0], ISORT[1]], more].concat(), parts);
    for strategy in ["exhaustive", "dfs", "random", "mutate", "evolve"] {
        with(&["--sizes", "3", "--strategy", strategy, "--save-policy", &fresh], &[strategy, "learns no policy"]);
        with(&["--sizes", "3", "--strategy", strategy, "--policy", &file], &[strategy, "no use"]);
    }
    assert!(!Path::new(&fresh).exists());
    with(&["--policy", &file], &["--sizes"]);
    with(&["--sizes", "3", "--policy", "no/such/file"], &["no/such/file"]);
    with(&["--sizes", "3", "--policy", &file, "--save-policy", &fresh], &["cannot be used with"]);
    let folder = directory.path().to_string_lossy();
    with(&["--sizes", "3", "--save-policy", &folder], &["directory"]);
    let wise = directory.path().join("wise.json").to_string_lossy().into_owned();
    analyze(&[&isort, ISORT[0], ISORT[1], "--sizes", "1..5", "--strategy", "wise", "--save-policy", &wise]);
    with(&["--sizes", "9", "--strategy", "history", "--policy", &wise], &["--strategy wise"]);
    for history in ["-1", "x", "1025", "1.5", ""] {
        with(&["--sizes", "3", "--history", history], &["--history"]);
    }
}

#[test]
fn the_length_of_histories_can_be_set() {
    let merge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/wise/mergesort_jdk15.c");
    let merge = merge.to_string_lossy();
    for (history, length) in [("0", json!(0)), ("1", json!(1)), ("5", json!(5)), ("unlimited", json!("unlimited"))] {
        let directory = scratch();
        let file = new_file(&directory);
        let common = [&*merge, "--harness", "mergesort_jdk15", "--cost", "branches", "--strategy", "history"];
        let learn = ["--sizes", "7,12", "--history", history, "--max-paths", "6000", "--save-policy", &file];
        let learned = analyze(&[&common[..], &learn].concat());
        let policies = read(&file);
        let policies = policies["policies"].as_array().expect("policies is a list");
        assert!(!policies.is_empty() && policies.iter().all(|p| p["history_length"] == length), "{history}");
        // Histories are no longer than that, and some are as long.
        let longest = policies.iter().flat_map(|p| p["rules"].as_array().expect("rules"));
        let longest = longest.map(|r| r["history"].as_array().map_or(0, Vec::len)).max();
        match length.as_u64() {
            Some(length) => assert_eq!(longest, Some(length as usize), "{history}"),
            None => assert!(longest > Some(5), "{history}: {longest:?}"),
        }
        let loaded = analyze(&[&common[..], &["--sizes", "12", "--policy", &file]].concat());
        assert_eq!(column(&loaded, "cost")[0], column(&learned, "cost")[1], "{history}");
    }
}

/// The rules of the policy in the findings, without what they were learned from.
fn rules(found: &Value) -> Vec<String> {
    let lines = found["policy"]["explained"].as_array().unwrap();
    lines[1..].iter().map(|line| line.as_str().unwrap().to_owned()).collect()
}

#[test]
fn explanations_speak_of_the_conditions_of_the_source() {
    let sort = analyze(&[&program("isort.c"), "--call", "isort(a: i32[n], n)", "--sizes", "1..5"]);
    assert_eq!(rules(&sort), ["isort.c:7 'a[j - 1] > x': always true"]);

    let file = program("polarity.c");
    let every_way = [&file, "--call", "polarity(a: i32[4*n], b: i32[n], n)", "--sizes", "1..3"];
    let expected = [
        "polarity.c:11 'a[4 * i] >= 6': always true",
        "polarity.c:13 '3 < a[4 * i + 1]': always false",
        "polarity.c:17 'a[4 * i + 2] == b[i]': always false",
        "polarity.c:19 'if (a[4 * i + 3]) /* zero costs */': always zero",
    ];
    assert_eq!(rules(&analyze(&every_way)), expected);
}
