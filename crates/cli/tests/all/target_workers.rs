//! Targets and islands that other processes do: the result is that of one process by itself.

use serde_json::Value;

use crate::common::{program, run, scratch, without_measurements, write};

/// What a command prints as JSON, by one process and by two workers, without times.
fn alone_and_by_workers(args: &[&str]) -> (Value, Value) {
    let printed = |more: &[&str]| {
        let ran = run(&[args, &["--format", "json", "--quiet"], more].concat());
        assert!(ran.code < 2, "{}", ran.stderr);
        let mut document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        forget_times(&mut document);
        document
    };
    (printed(&[]), printed(&["--engine", "processes", "--jobs", "2"]))
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("seconds");
            members.values_mut().for_each(forget_times);
        }
        Value::Array(values) => {
            values.retain(|cell| cell["statistic"].as_str().is_none_or(|name| !name.contains("seconds")));
            values.iter_mut().for_each(forget_times);
        }
        _ => {}
    }
}

/// A folder with three files, one of which grows, one not, and one cannot be used.
fn three(directory: &tempfile::TempDir) -> String {
    write(
        directory,
        "a.c",
        "int a(int *x, int n) { int s = 0; for (int i = 0; i < n; i++) if (x[i] > 3) s++; return s; }\n",
    );
    write(directory, "b.c", "int b(int *x, int n) { return x[0] > n; }\n");
    write(directory, "c.c", "int c(int *x, int n) { return x[0] > ; }\n");
    directory.path().to_string_lossy().into_owned()
}

#[test]
fn the_targets_of_a_check_come_to_the_same_by_workers() {
    let directory = scratch();
    three(&directory);
    let target = |name: &str| {
        format!(
            "[[target]]\nname = \"{name}\"\nfile = \"{name}.c\"\ncall = \"{name}(x: i32[n], n)\"\nsizes = \"1..4\"\nexpect = \"1\"\n"
        )
    };
    let config = write(&directory, "slowpath.toml", ["a", "b"].map(target).concat());
    let (alone, by_workers) = alone_and_by_workers(&["check", "--config", &config, "--effort", "1e7"]);
    assert_eq!(alone["targets"].as_array().map(Vec::len), Some(2), "{alone:#}");
    assert_eq!(alone, by_workers);
    // What cannot be used is said in the same words, and ends with the same code.
    let config = write(&directory, "slowpath.toml", ["a", "b", "c"].map(target).concat());
    let args = ["check", "--config", &config, "--effort", "1e6", "--quiet"];
    let (alone, by_workers) = (run(&args), run(&[&args[..], &["--engine", "processes"]].concat()));
    assert_eq!((alone.code, by_workers.code), (2, 2));
    assert!(by_workers.stdout.contains("c.c") && alone.stdout.lines().count() == by_workers.stdout.lines().count());
}

#[test]
fn the_functions_of_a_scan_come_to_the_same_by_workers() {
    let directory = scratch();
    let folder = three(&directory);
    let (alone, by_workers) = alone_and_by_workers(&["scan", &folder, "--effort", "3e7"]);
    assert_eq!(alone["functions"].as_array().map(Vec::len), Some(2), "{alone:#}");
    assert_eq!(alone, by_workers);
}

#[test]
fn the_programs_of_a_suite_come_to_the_same_by_workers() {
    let programs = ["--program", "heap_insert", "--program", "insertion_sort"];
    let args = [&["bench", "wise", "--quick", "--sizes", "1..4"], &programs[..]].concat();
    let (alone, by_workers) = alone_and_by_workers(&args);
    assert_eq!(alone["programs"].as_array().map(Vec::len), Some(2), "{alone:#}");
    assert_eq!(alone, by_workers);
}

#[test]
fn islands_come_to_the_same_whoever_does_them() {
    let file = program("merge_recursive.c");
    let found = |more: &[&str]| {
        let call = ["--call", "merge_recursive(a: i32[n], n)", "--sizes", "24", "--effort", "3e7"];
        let ran = run(&[&["analyze", &file, "--format", "json", "--quiet"], &call[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        without_measurements(serde_json::from_str(&ran.stdout).expect("JSON"))
    };
    let alone = found(&["--islands", "3", "--jobs", "1"]);
    assert_eq!(alone, found(&["--islands", "3", "--jobs", "2"]));
    assert_eq!(alone, found(&["--islands", "3", "--jobs", "2", "--engine", "processes"]));
}

#[test]
fn islands_are_refused_where_chance_has_no_part() {
    let file = program("isort.c");
    let args = [
        "analyze",
        &file,
        "--call",
        "isort(a: i32[n], n)",
        "--sizes",
        "3",
        "--strategy",
        "exhaustive",
        "--islands",
        "2",
    ];
    let ran = run(&args);
    assert_eq!((ran.code, ran.stderr.contains("chance has no part")), (2, true), "{}", ran.stderr);
}
