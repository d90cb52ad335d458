//! Work in parts: the targets of several machines, and documents of one target made one.

use serde_json::Value;

use crate::common::{json, program, results, run, scratch, write};

const CALL: &str = "isort(a: i32[n], n)";

fn analyzed(directory: &tempfile::TempDir, name: &str, args: &[&str]) -> String {
    let ran = run(&[&["analyze", &program("isort.c"), "--call", CALL, "--format", "json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    write(directory, name, ran.stdout)
}

#[test]
fn documents_of_one_target_become_one_with_the_worst_of_each_size() {
    let directory = scratch();
    let small = analyzed(&directory, "small.json", &["--sizes", "1..4", "--strategy", "exhaustive"]);
    let large = analyzed(&directory, "large.json", &["--sizes", "4..6", "--strategy", "exhaustive"]);
    let lucky = analyzed(&directory, "lucky.json", &["--sizes", "6", "--strategy", "random", "--max-paths", "2"]);
    let out = directory.path().join("out").to_string_lossy().into_owned();
    let merged = run(&["merge", &lucky, &small, &large, "--format", "json", "--out", &out]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    let document: Value = serde_json::from_str(&merged.stdout).expect("JSON");
    let whole = json(&["analyze", &program("isort.c"), "--call", CALL, "--sizes", "1..6", "--strategy", "exhaustive"]);
    let costs = |document: &Value| -> Vec<(Value, Value, Value)> {
        let row = |one: &Value| (one["size"].clone(), one["cost"].clone(), one["confidence"].clone());
        results(document).iter().map(row).collect()
    };
    assert_eq!(costs(&document), costs(&whole));
    assert_eq!(document["fit"]["formula"], whole["fit"]["formula"]);
    let replayed = run(&["replay", &out]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.stdout, replayed.stderr);
}

#[test]
fn documents_that_cannot_be_one_are_refused() {
    let directory = scratch();
    let one = analyzed(&directory, "one.json", &["--sizes", "1..3", "--strategy", "exhaustive"]);
    let calls = analyzed(&directory, "calls.json", &["--sizes", "1", "--cost", "calls"]);
    let worse = std::fs::read_to_string(&one).expect("the document is there");
    let mut worse: Value = serde_json::from_str(&worse).expect("JSON");
    worse["results"][2]["cost"] = Value::from(1_000_000);
    for result in worse["results"].as_array_mut().expect("results") {
        result["confidence"] = Value::from("best-found");
    }
    let worse = write(&directory, "worse.json", worse.to_string());
    for (other, part) in [(&calls, "different targets"), (&worse, "exact worst cost")] {
        let ran = run(&["merge", &one, other]);
        assert_eq!((ran.code, ran.stderr.contains(part)), (2, true), "{part}: {}", ran.stderr);
    }
}

#[test]
fn the_parts_of_a_check_and_of_a_scan_are_the_whole() {
    let directory = scratch();
    let mut config = String::new();
    for name in ["a", "b", "c"] {
        write(&directory, &format!("{name}.c"), format!("int {name}(int *x, int n) {{ return x[0] > n; }}\n"));
        config += &format!(
            "[[target]]\nname = \"{name}\"\nfile = \"{name}.c\"\ncall = \"{name}(x: i32[n], n)\"\nsizes = \"1..2\"\neffort = \"1e7\"\nexpect = \"n\"\n"
        );
    }
    let config = write(&directory, "slowpath.toml", config);
    let names = |args: &[&str], list: &str, key: &str| -> Vec<String> {
        let ran = run(args);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        let names = document[list].as_array().expect("a list").iter();
        names.filter_map(|one| one[key].as_str().map(str::to_owned)).collect()
    };
    let check =
        |part: &str| names(&["check", "--config", &config, "--shard", part, "--format", "json"], "targets", "name");
    assert_eq!((check("1/2"), check("2/2")), (vec!["a".to_owned(), "c".to_owned()], vec!["b".to_owned()]));
    let folder = directory.path().to_string_lossy().into_owned();
    let scan = |part: &str| {
        let args = ["scan", &folder, "--effort", "1e7", "--shard", part, "--format", "json"];
        names(&args, "functions", "function")
    };
    let mut all = [scan("1/2"), scan("2/2")].concat();
    all.sort();
    assert_eq!(all, ["a", "b", "c"]);
    let wrong = run(&["scan", &folder, "--shard", "3/2"]);
    assert_eq!((wrong.code, wrong.stderr.contains("the second of five")), (2, true), "{}", wrong.stderr);
}
