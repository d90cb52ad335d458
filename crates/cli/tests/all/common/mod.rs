//! The binary, run as a user would run it.

pub mod console;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A program of the shared collection.
pub fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(name);
    path.to_string_lossy().into_owned()
}

/// Work for an analysis, about as much as a few seconds of it.
const EFFORT: [&str; 2] = ["--effort", "5e8"];

/// The binary with these arguments.
pub fn slowpath(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slowpath"));
    command.args(args).stdin(Stdio::null());
    command
}

/// What a run of the binary came to.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            // None is death by a signal, which no input may cause.
            code: output.status.code().expect("the binary exits by itself"),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

/// Runs the binary; it must not panic, whatever it is given.
pub fn run(args: &[&str]) -> Ran {
    // By effort, unless a test is about time: the same on every machine, however busy.
    let limited = |arg: &&str| ["--budget", "--effort", "--help"].contains(arg);
    let effort: &[&str] = if args.first() == Some(&"analyze") && !args.iter().any(limited) { &EFFORT } else { &[] };
    // Documents that tests make are their own; those from elsewhere are the business of `trust`.
    let asks = args.first().is_some_and(|command| ["replay", "export", "check"].contains(command));
    let trust: &[&str] =
        if asks && !args.contains(&"--help") && !args.contains(&"--trust") { &["--trust"] } else { &[] };
    let ran = Ran::from(slowpath(&[args, effort, trust].concat()).output().expect("the binary starts"));
    assert!(!ran.stderr.contains("panicked"), "{args:?}\n{}", ran.stderr);
    ran
}

/// Runs the binary with `--format json`, and reads what it prints. It must succeed.
pub fn json(args: &[&str]) -> Value {
    let ran = run(&[args, &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{args:?}\n{}", ran.stderr);
    serde_json::from_str(&ran.stdout).expect("output is JSON")
}

/// The findings of an analysis in which every worst input was verified.
pub fn analyze(args: &[&str]) -> Value {
    let findings = json(&[&["analyze"], args].concat());
    for result in results(&findings) {
        assert_eq!(result["verified"], true, "{args:?}\n{result}\n{}", findings["limits"]);
    }
    findings
}

/// The sizes of a document.
pub fn results(findings: &Value) -> &[Value] {
    findings["results"].as_array().expect("results is a list")
}

/// One number of each size.
pub fn column(findings: &Value, name: &str) -> Vec<u64> {
    let number = |result: &Value| result[name].as_u64().unwrap_or_else(|| panic!("{name} is a number: {result}"));
    results(findings).iter().map(number).collect()
}

/// A directory that is gone after the test.
pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// A file in a scratch directory.
pub fn write(directory: &tempfile::TempDir, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path: PathBuf = directory.path().join(name);
    std::fs::write(&path, contents).expect("the file can be written");
    path.to_string_lossy().into_owned()
}

/// A document without what may differ from run to run: times, and how much work the solver had.
pub fn without_measurements(mut findings: Value) -> Value {
    if let Some(members) = findings.as_object_mut() {
        members.remove("stats");
        members.remove("spent");
    }
    for result in findings["results"].as_array_mut().expect("results is a list") {
        for measurement in ["seconds", "solver_queries", "smt_queries"] {
            result.as_object_mut().expect("a result is an object").remove(measurement);
        }
    }
    findings
}
