//! Runs that are stopped, killed and gone on with, and work that other processes do: the result is that of one run by itself.

use std::fs::{self, File};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::common::{Ran, json, program, results, run, scratch, slowpath, without_measurements, write};

const CALL: &str = "isort(a: i32[n], n)";

/// Every path of a few sizes.
fn exhaustive(sizes: &str, more: &[&str]) -> Vec<String> {
    let file = program("isort.c");
    let all = [&["analyze", &file, "--call", CALL, "--sizes", sizes, "--strategy", "exhaustive"], more].concat();
    all.into_iter().map(str::to_owned).collect()
}

fn words(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// What must be the same, whatever happened on the way.
fn outline(findings: &Value) -> Value {
    let mut findings = without_measurements(findings.clone());
    findings.as_object_mut().expect("an object").remove("settings");
    findings
}

fn folder(directory: &tempfile::TempDir) -> String {
    directory.path().join("out").to_string_lossy().into_owned()
}

fn journal(out: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(Path::new(out).join("journal.json")).expect("a journal")).expect("JSON")
}

#[test]
fn a_run_that_ends_too_early_is_gone_on_with_until_it_is_done() {
    let directory = scratch();
    let out = folder(&directory);
    let whole = outline(&json(&words(&exhaustive("3,7", &["--effort", "1e10"]))));
    let mut last = 0;
    for runs in 1.. {
        let resume: &[&str] = if runs == 1 { &[] } else { &["--resume"] };
        let args = exhaustive("3,7", &[&["--out", &out, "--effort", "2e5"], resume].concat());
        let found = json(&words(&args));
        let paths = results(&found).iter().map(|result| result["paths"].as_u64().expect("a number")).sum();
        assert!(paths > last, "run {runs} got nowhere: {paths}");
        last = paths;
        if results(&found).len() == 2 && results(&found).iter().all(|result| result["complete"] == true) {
            assert!(runs > 3, "it was to take several runs, not {runs}");
            assert_eq!(outline(&found), whole);
            return;
        }
        assert!(runs < 200, "it never ends");
    }
}

#[test]
fn killed_at_any_moment_a_run_leaves_what_the_next_one_goes_on_from() {
    let whole = outline(&json(&words(&exhaustive("3,8", &["--effort", "3e10"]))));
    for jobs in ["1", "2"] {
        let directory = scratch();
        let out = folder(&directory);
        let args =
            exhaustive("3,8", &["--out", &out, "--resume", "--checkpoint", "10ms", "--jobs", jobs, "--effort", "3e10"]);
        for moment in [0, 3, 15, 30, 50] {
            let before = fs::read(Path::new(&out).join("journal.json")).ok();
            let mut child = slowpath(&words(&args)).stdout(std::process::Stdio::null()).spawn().expect("it starts");
            // However slow the machine is, something was kept by then, unless all was done before.
            while child.try_wait().expect("it can be asked").is_none()
                && fs::read(Path::new(&out).join("journal.json")).ok() == before
            {
                sleep(Duration::from_millis(2));
            }
            sleep(Duration::from_millis(moment));
            let _ = child.kill();
            child.wait().expect("it ends");
            if Path::new(&out).join("journal.json").exists() {
                assert_eq!(journal(&out)["schema"], 1, "always whole");
            }
        }
        assert_eq!(outline(&json(&words(&args))), whole, "{jobs} jobs");
        // Once more there is nothing left to do.
        assert_eq!(outline(&json(&words(&args))), whole, "{jobs} jobs, again");
        let drafts = fs::read_dir(&out).expect("the folder is there").flatten();
        let drafts = drafts.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
        assert_eq!(drafts.count(), 0, "drafts of killed runs are swept");
    }
}

#[test]
fn what_all_techniques_found_is_never_worse_after_going_on() {
    let directory = scratch();
    let out = folder(&directory);
    let file = program("quicksort.c");
    let args = |effort: &'static str| {
        let call = "quicksort(a: i32[n], n)";
        let args =
            ["analyze", &file, "--call", call, "--sizes", "4,12,30", "--out", &out, "--resume", "--effort", effort];
        args.map(str::to_owned).to_vec()
    };
    let first = json(&words(&args("3e8")));
    let second = json(&words(&args("2e7")));
    for (before, after) in results(&first).iter().zip(results(&second)) {
        assert!(after["cost"].as_u64() >= before["cost"].as_u64(), "{before}\n{after}");
        assert_eq!(after["verified"], true, "{after}");
    }
    assert_eq!(results(&first).len(), results(&second).len());
}

fn refused(args: &[String], part: &str) {
    let Ran { code, stderr, .. } = run(&words(args));
    assert_eq!((code, stderr.contains(part)), (2, true), "{part}: {stderr}");
}

#[test]
fn a_journal_of_something_else_is_refused_with_a_message() {
    let directory = scratch();
    let out = folder(&directory);
    let on = ["--out", out.as_str(), "--resume"];
    // Where there is nothing to go on with, a run begins.
    assert_eq!(run(&words(&exhaustive("3", &on))).code, 0);
    refused(
        &exhaustive("3", &["--out", &out, "--resume", "--cost", "calls"]),
        "another cost model: instructions, not calls",
    );
    let mut other = exhaustive("3", &on);
    other[3] = "isort(a: i32[n] in 0..=1, n)".to_owned();
    refused(&other, "another call: isort(a: i32[n], n), not isort(a: i32[n] in 0..=1, n)");
    other[1] = write(&directory, "other.c", "int isort(int *a, int n) { return a[0] > n; }\n");
    other[3] = CALL.to_owned();
    refused(&other, "another program: isort.c");
    let file = Path::new(&out).join("journal.json");
    let good = fs::read_to_string(&file).expect("a journal");
    for (text, part) in [
        (&good[..good.len() / 2], "no journal of slowpath's"),
        (&good.replace("\"schema\":1", "\"schema\":9"), "a journal of schema 9"),
        (&good.replace(&format!("\"slowpath\":\"{}\"", env!("CARGO_PKG_VERSION")), "\"slowpath\":\"0.0.7\""), "0.0.7"),
    ] {
        fs::write(&file, text).expect("it can be written");
        refused(&exhaustive("3", &on), part);
    }
    // Without `--resume` a run begins anew.
    assert_eq!(run(&words(&exhaustive("3", &["--out", &out]))).code, 0);
    assert_eq!(run(&words(&exhaustive("3", &on))).code, 0);
    refused(&exhaustive("3", &["--resume"]), "--out");
}

#[test]
fn a_folder_that_another_run_uses_is_refused() {
    let directory = scratch();
    let out = folder(&directory);
    fs::create_dir_all(&out).expect("it can be made");
    let lock = File::create(Path::new(&out).join(".slowpath.lock")).expect("it can be made");
    lock.lock().expect("nobody else has it");
    refused(&exhaustive("3", &["--out", &out]), "another run of slowpath is using this folder");
    drop(lock);
    assert_eq!(run(&words(&exhaustive("3", &["--out", &out]))).code, 0);
}

#[test]
fn what_a_journal_claims_is_not_believed() {
    let directory = scratch();
    let out = folder(&directory);
    let whole = outline(&json(&words(&exhaustive("3,5", &["--out", &out]))));
    let kept = journal(&out);
    let change = |change: &dyn Fn(&mut Value)| {
        let mut changed = kept.clone();
        change(&mut changed);
        fs::write(Path::new(&out).join("journal.json"), changed.to_string()).expect("it can be written");
        let found = json(&words(&exhaustive("3,5", &["--out", &out, "--resume"])));
        assert_eq!(outline(&found), whole);
    };
    let state = |size: usize| kept["explorations"][size]["state"].clone();
    // A cost that no input has, an input that costs less, states of other sizes, and nonsense.
    change(&|journal| journal["inputs"][1]["cost"] = 1_000_000.into());
    change(&|journal| journal["inputs"][1]["input"]["a"] = vec![1, 2, 3, 4, 5].into());
    change(&|journal| {
        journal["explorations"][0]["state"] = state(1);
        journal["explorations"][1]["state"] = state(0);
    });
    change(&|journal| journal["explorations"][1]["state"] = "AAAA====".into());
    change(&|journal| journal["explorations"] = Value::Array(Vec::new()));
}

#[test]
fn other_processes_come_to_the_same() {
    // By effort one worker explores alone: time it is, and far more than is needed.
    let threads = outline(&json(&words(&exhaustive("3,7", &["--budget", "10m", "--jobs", "1"]))));
    for more in [&["--jobs", "2"][..], &["--jobs", "2", "--engine", "processes"]] {
        let directory = scratch();
        let out = folder(&directory);
        for keep in [&[][..], &["--out", &out]] {
            let found = json(&words(&exhaustive("3,7", &[&["--budget", "10m"], more, keep].concat())));
            assert_eq!(outline(&found), threads, "{more:?} {keep:?}");
        }
    }
}

#[test]
fn a_worker_answers_to_every_line() {
    let mut args = exhaustive("3", &[]);
    args[0] = "worker".to_owned();
    let mut command = slowpath(&words(&args));
    let mut child =
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, b"{}\nnonsense\n{\"ticket\":7,\"work\":\"c2x3AQ==\"}\n").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let lines = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["refused"].is_string()), "{lines:?}");
    assert!(lines[2]["ticket"] == 7 && output.status.success());
}
