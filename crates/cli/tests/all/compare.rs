//! `slowpath compare`, and the commands that describe the command line itself.

use crate::common::{program, run, scratch, write};
use serde_json::Value;

fn findings(directory: &tempfile::TempDir, name: &str, source: &str, args: &[&str]) -> String {
    let file = write(directory, &format!("{name}.c"), source);
    let ran = run(&[&["analyze", &file, "--call", "f(a: i32[n], n)", "--format", "json"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    write(directory, &format!("{name}.json"), ran.stdout)
}

const LINEAR: &str = "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] > 0; return s; }\n";
const SQUARE: &str =
    "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += i; return s; }\n";
const TRAPS: &str = "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += 9 / a[0]; return s; }\n";

#[test]
fn what_got_worse_is_said_and_exits_with_1() {
    let directory = scratch();
    let sizes = ["--sizes", "1..6", "--cost", "branches"];
    let (linear, square) =
        (findings(&directory, "linear", LINEAR, &sizes), findings(&directory, "square", SQUARE, &sizes));
    let worse = run(&["compare", &linear, &square]);
    assert_eq!(worse.code, 1, "{}{}", worse.stdout, worse.stderr);
    assert!(worse.stdout.contains("growth: n → n^2") && worse.stdout.ends_with("worse\n"), "{}", worse.stdout);
    let better = run(&["compare", &square, &linear, "--format", "json"]);
    assert_eq!(better.code, 0, "{}", better.stderr);
    let comparison: Value = serde_json::from_str(&better.stdout).expect("JSON");
    assert_eq!((&comparison["worse"], comparison["sizes"].as_array().map(Vec::len)), (&Value::from(false), Some(6)));

    let traps = findings(&directory, "traps", TRAPS, &sizes);
    let trapped = run(&["compare", &square, &traps]);
    assert_eq!(trapped.code, 1, "{}", trapped.stdout);
    assert!(trapped.stdout.contains("new trap: "), "{}", trapped.stdout);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let directory = scratch();
    let one = findings(&directory, "one", LINEAR, &["--sizes", "1..2"]);
    let calls = findings(&directory, "calls", LINEAR, &["--sizes", "1..2", "--cost", "calls"]);
    let later = findings(&directory, "later", LINEAR, &["--sizes", "3..4"]);
    let other =
        run(&["analyze", &program("isort.c"), "--call", "isort(a: i32[n], n)", "--sizes", "1", "--format", "json"]);
    let other = write(&directory, "other.json", other.stdout);
    for (new, part) in [(&calls, "different costs"), (&later, "no size in common"), (&other, "different functions")] {
        let ran = run(&["compare", &one, new]);
        assert_eq!((ran.code, ran.stderr.contains(part)), (2, true), "{part}: {}", ran.stderr);
    }
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let commands = ["analyze", "run", "replay", "bench", "report", "check", "compare", "completions", "man"];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(commands.iter().all(|command| ran.stdout.contains(command)), "{shell}");
        assert!(ran.stdout.contains("update-baseline"), "{shell}");
    }
    let directory = scratch();
    let out = directory.path().join("man").to_string_lossy().into_owned();
    assert_eq!(run(&["man", "--out", &out]).code, 0);
    for command in commands {
        let page = std::fs::read_to_string(format!("{out}/slowpath-{command}.1")).expect("every command has a page");
        assert!(page.contains(".TH slowpath-") && page.contains(&format!("slowpath {command}")), "{command}\n{page}");
    }
    let whole = run(&["man"]).stdout;
    assert!(whole.contains(".TH slowpath 1") && commands.iter().all(|command| whole.contains(command)), "{whole}");
}
