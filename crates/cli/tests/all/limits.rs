//! Programs that run away: every limit ends them, is named in the report, and keeps what was found.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Ran, analyze, json, program, results, run, scratch, slowpath, write};
use serde_json::Value;

const RUNAWAYS: &str = r#"(module
    (memory 1)
    (func (export "spin") (param i32) (loop $l (br $l)))
    (func (export "spin_on_7") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 7)) (then (loop $l (br $l))))
        (i32.const 1))
    (func $recur (export "recur") (param i32) (result i32) (i32.add (i32.const 1) (call $recur (local.get 0))))
    (func (export "grow") (param i32) (result i32)
        (loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
        (memory.size))
    (func (export "count_down") (param i32)
        (loop $l (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))"#;

fn limits(findings: &Value) -> String {
    findings["limits"].to_string()
}

/// Analyses one of the functions above at size 1; exit code, document, messages.
fn runaway(call: &str, options: &[&str]) -> (i32, Value, String) {
    let directory = scratch();
    let file = write(&directory, "runaways.wat", RUNAWAYS);
    let ran = run(&[&["analyze", &file, "--call", call, "--sizes", "1", "--format", "json"], options].concat());
    (ran.code, serde_json::from_str(&ran.stdout).expect("a document is printed even then"), ran.stderr)
}

#[test]
fn an_infinite_loop_on_every_path_costs_at_least_the_limit() {
    let (code, findings, stderr) = runaway("spin(i32)", &["--max-instructions", "1e6"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(limits(&findings).contains("--max-instructions"));
    let result = &results(&findings)[0];
    assert_eq!((&result["cost"], &result["at_least"]), (&1_000_000.into(), &true.into()));
    assert_eq!((&result["verified"], &result["confidence"]), (&true.into(), &"best-found".into()));
}

#[test]
fn an_infinite_loop_on_one_path_is_reported_with_its_input() {
    let (code, findings, _) = runaway("spin_on_7(x: i32)", &["--max-instructions", "1e6"]);
    assert_eq!(code, 0);
    let result = &results(&findings)[0];
    assert_eq!((&result["cut"]["paths"], &result["cut"]["input"]["x"]), (&1.into(), &7.into()));
    assert_eq!((&result["complete"], &result["confidence"]), (&false.into(), &"best-found".into()));
    assert_eq!(result["verified"], true);
}

#[test]
fn a_path_on_which_z3_had_its_time_is_followed_without_it_and_others_have_theirs() {
    let file = program("hashes/words.c");
    let explored = |limit: &str| {
        let call = ["--call", "chained_murmur(keys: u32[n], n)", "--sizes", "4", "--strategy", "exhaustive"];
        analyze(&[&[file.as_str()], &call[..], &["--effort", "1e9", "--solver-path-timeout", limit]].concat())
    };
    let (strict, usual) = (explored("1"), explored("10000"));
    let named = |findings: &Value| limits(findings).contains("Z3 had its time on this path (--solver-path-timeout)");
    assert!(named(&strict) && !named(&usual), "{}\n{}", limits(&strict), limits(&usual));
    // What one path does not take is there for others.
    let paths = |findings: &Value| results(findings)[0]["paths"].as_u64();
    assert!(paths(&strict) > paths(&usual), "{:?} {:?}", paths(&strict), paths(&usual));
}

#[test]
fn the_budget_ends_a_search_that_would_not_end() {
    for call in ["spin(i32)", "count_down(x: i32)"] {
        let begun = Instant::now();
        let (code, findings, _) = runaway(call, &["--budget", "300ms", "--max-instructions", "1e12"]);
        assert!(begun.elapsed() < Duration::from_secs(120), "{call} took {:?}", begun.elapsed());
        assert!([0, 3].contains(&code), "{call}");
        assert!(limits(&findings).contains("--budget"), "{call}: {}", limits(&findings));
    }
}

#[test]
fn runaway_recursion_is_ended_and_not_called_verified() {
    let (code, findings, stderr) = runaway("recur(x: i32)", &[]);
    assert_eq!(code, 0);
    let result = &results(&findings)[0];
    assert_eq!(result["trap"], "call stack exhausted");
    assert_eq!((&result["verified"], &result["complete"]), (&false.into(), &false.into()));
    assert!(limits(&findings).contains("--max-depth"));
    assert!(!stderr.contains("BUG"), "{stderr}");
}

#[test]
fn memory_growth_is_refused_at_the_limit() {
    let (code, findings, _) = runaway("grow(x: i32)", &["--max-memory", "4MiB"]);
    assert_eq!(code, 0);
    let result = &results(&findings)[0];
    assert_eq!(result["costs"]["memory"], 4 << 20);
    assert_eq!(result["verified"], true);
    assert!(limits(&findings).contains("--max-memory"));
}

#[test]
fn deep_recursion_within_the_limit_is_verified() {
    let file = program("recursion.c");
    let findings = analyze(&[&file, "--call", "descend(n)", "--sizes", "19000"]);
    assert_eq!(results(&findings)[0]["costs"]["stack"], 19001);
    let deeper = ["--max-depth", "200001", "--cost", "stack"];
    let findings = analyze(&[&[file.as_str(), "--call", "descend(n)", "--sizes", "200000"], &deeper[..]].concat());
    assert_eq!(results(&findings)[0]["cost"], 200_001);
}

#[test]
fn an_array_that_does_not_fit_the_memory_limit_says_so() {
    let file = program("isort.c");
    let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--max-memory", "2MiB"];
    let ran = run(&[&args[..], &["--sizes", "1000000"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("--max-memory"), "{}", ran.stderr);
    // After smaller sizes it is a limit, and they are kept.
    let findings = json(&[&args[..], &["--sizes", "1,2,1000000"]].concat());
    assert_eq!(results(&findings).len(), 2);
    assert!(limits(&findings).contains("size 1000000 was not analysed"));
}

#[test]
fn sizes_that_the_budget_does_not_reach_are_named() {
    let file = program("isort.c");
    let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "3,30,40,50"];
    let findings = json(&[&args[..], &["--strategy", "exhaustive", "--effort", "1e8"]].concat());
    let sizes: Vec<i64> = results(&findings).iter().map(|result| result["size"].as_i64().unwrap()).collect();
    assert_eq!(sizes, [3, 30, 40, 50], "no size is without an input");
    assert_eq!(results(&findings)[1]["complete"], false);
    for result in &results(&findings)[2..] {
        let found = [&result["found_by"], &result["confidence"], &result["verified"]];
        assert_eq!(found.map(ToString::to_string), ["\"first inputs\"", "\"best-found\"", "true"]);
    }
    assert!(limits(&findings).contains("sizes 40 to 50 were not analysed"), "{}", limits(&findings));
}

#[test]
fn an_unknown_address_past_the_bound_is_pinned_and_recorded() {
    let findings = json(&[
        "analyze",
        &program("table_lookup.c"),
        "--call",
        "chained_lookups(s: u8[n], n)",
        "--sizes",
        "1",
        "--max-cells",
        "8",
        "--strategy",
        "exhaustive",
    ]);
    assert!(limits(&findings).contains("covers too many cells"), "{}", limits(&findings));
    assert_eq!(results(&findings)[0]["complete"], false);
}

/// Waits until a process has worked for a while by its own processor time, which compilers are no part of.
fn let_work(id: u32) {
    let worked = || {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(11)?.parse::<u64>().ok()
    };
    let begun = Instant::now();
    // Hundredths of a second; where the system does not tell, by the clock.
    while worked().map_or(begun.elapsed() < Duration::from_secs(3), |ticks| ticks < 30) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupt_ends_with_the_results_so_far_saved() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let directory = scratch();
        let out = directory.path().to_string_lossy().into_owned();
        let args = ["analyze", &program("isort.c"), "--call", "isort(a: i32[n], n)", "--sizes", "2,40", "--out", &out];
        let child = slowpath(&args)
            .args(["--format", "json", "--budget", "10m", "--strategy", "exhaustive"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let_work(child.id());
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        let ran = Ran::from(child.wait_with_output().expect("the binary ends"));
        assert_eq!(ran.code, 0, "{signal} {}", ran.stderr);
        let findings: Value = serde_json::from_str(&ran.stdout).expect("a document");
        assert!(limits(&findings).contains("interrupted"), "{}", limits(&findings));
        let saved = std::fs::read_to_string(format!("{out}/findings.json")).expect("it is saved");
        assert_eq!(serde_json::from_str::<Value>(&saved).unwrap(), findings);
    }
}

/// A single path holds more than the limit: it ends on the way, and what can be run is run.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_memory_ends_with_results() {
    let options = ["--call", "hoard(a: u8[n], n)", "--sizes", "100", "--strategy", "exhaustive"];
    let (_, findings) =
        spent("limits/deep.c", &[&options[..], &["--max-search-memory", "32MiB", "--budget", "10m"]].concat());
    assert!(limits(&findings).contains("--max-search-memory"), "{}", limits(&findings));
    let result = &results(&findings)[0];
    assert!(result["cost"].as_u64() > Some(0) && result["verified"] == true, "{findings}");
}

/// The most memory, in KiB, that an analysis was seen to hold; as often as can be looked, and none where the system does not tell.
fn most_held(args: &[&str]) -> Option<u64> {
    let mut child = slowpath(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = None;
    while child.try_wait().expect("it can be asked").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(line.and_then(|line| line.split_whitespace().next()?.parse().ok()));
        std::thread::sleep(Duration::from_millis(2));
    }
    most
}

#[test]
fn a_program_that_writes_everywhere_at_once_stays_within_the_memory_of_the_search() {
    // A gigabyte in one instruction, in few instructions, before the function is called, and after it has grown.
    let programs = [
        "(module (memory 16384) (func (export \"f\") (param i32)
            (if (i32.gt_s (local.get 0) (i32.const 5))
                (then (memory.fill (i32.const 0) (i32.const 7) (i32.const 900000000))))))",
        "(module (memory 16384) (func (export \"f\") (param i32) (local i32)
            (if (i32.gt_s (local.get 0) (i32.const 5)) (then (loop $l
                (i32.store (local.get 1) (i32.const 7))
                (br_if $l (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 65536))) (i32.const 1073000000))))))))",
        "(module (memory 16384) (func $s (memory.fill (i32.const 0) (i32.const 7) (i32.const 900000000))) (start $s)
            (func (export \"f\") (param i32)))",
        "(module (memory 1) (func (export \"f\") (param i32)
            (if (i32.gt_s (local.get 0) (i32.const 5)) (then
                (drop (memory.grow (i32.const 16000)))
                (memory.fill (i32.const 0) (i32.const 7) (i32.const 900000000))))))",
    ];
    let directory = scratch();
    for program in programs {
        let file = write(&directory, "f.wat", program);
        let limited = ["--effort", "1e9", "--max-search-memory", "64MiB", "--quiet"];
        let most = most_held(&[&["analyze", &file, "--call", "f(x: i32)"], &limited[..]].concat());
        // Of other things a process holds 33 MB, and a busy machine may look late.
        assert!(most.is_none_or(|kib| kib < 300 << 10), "{most:?} KiB: {program}");
    }
}

#[test]
fn a_program_that_runs_out_of_room_costs_at_least_what_it_did() {
    let directory = scratch();
    let file = write(
        &directory,
        "f.wat",
        "(module (memory 16384) (func (export \"f\") (param i32) (local i32) (loop $l
            (i32.store (local.get 1) (i32.const 7))
            (br_if $l (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 4096))) (i32.const 1073000000))))))",
    );
    let findings = json(&["analyze", &file, "--call", "f(x: i32)", "--effort", "1e9", "--max-search-memory", "64MiB"]);
    let result = &results(&findings)[0];
    assert!(result["cost"].as_u64() > Some(10_000) && result["at_least"] == true, "{findings}");
    assert!(limits(&findings).contains("--max-search-memory"), "{findings}");
}

/// A number as WebAssembly writes it.
fn leb(mut n: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    out
}

#[test]
fn a_function_too_long_for_any_slice_of_time_has_a_result() {
    // x = (x + 1) * x, again and again, in one block: to start it takes as long as first inputs have.
    let code = [&b"\0\x20\0"[..], &b"\x41\x01\x6a\x20\0\x6c".repeat(1_100_000), b"\x0b"].concat();
    let section = |number: u8, content: &[u8]| [&[number][..], &leb(content.len()), content].concat();
    let body = [&leb(1)[..], &leb(code.len()), &code].concat();
    let module = [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, b"\x01\x60\x01\x7f\x01\x7f"),
        section(3, b"\x01\0"),
        section(7, b"\x01\x01f\0\0"),
        section(10, &body),
    ];
    let directory = scratch();
    let file = write(&directory, "long.wasm", module.concat());
    // In memory for which no engine compiles it.
    let options = ["--call", "f(x: i32)", "--max-search-memory", "512MiB", "--effort", "1e8"];
    let findings = json(&[&["analyze", &file], &options[..]].concat());
    assert_eq!(results(&findings)[0]["cost"], 4_400_002, "{findings}");
}

#[test]
fn a_concrete_run_has_limits_too() {
    let directory = scratch();
    let file = write(&directory, "runaways.wat", RUNAWAYS);
    let with = |call: &str, more: &[&str]| {
        run(&[&["run", &file, "--call", call, "--input", r#"{"arg0": 1}"#, "--format", "json"], more].concat())
    };
    let ran = with("spin(i32)", &["--max-instructions", "1e6"]);
    assert!(ran.code == 3 && ran.stderr.contains("--max-instructions"), "{}", ran.stderr);
    let ran = with("recur(i32)", &["--max-depth", "100"]);
    assert!(ran.code == 0 && ran.stdout.contains("call stack exhausted"), "{}", ran.stdout);
    let ran = with("grow(i32)", &["--max-memory", "1MiB"]);
    assert!(ran.code == 0 && ran.stdout.contains("\"result\": 16"), "{}", ran.stdout);
}

/// Steps that an analysis of one of the programs in `tests/programs` took.
fn spent(file: &str, options: &[&str]) -> (u64, Value) {
    let findings = json(&[&["analyze", &program(file)], options].concat());
    (findings["spent"]["steps"].as_u64().expect("steps are counted"), findings)
}

#[test]
fn inputs_are_made_afresh_within_the_effort() {
    let options = ["--call", "factors(a: u64, b: u64)", "--effort", "1", "--solver-timeout", "60000"];
    let (steps, findings) = spent("limits/hashes.c", &options);
    assert!(steps < 50_000_000, "{steps}");
    assert_eq!(results(&findings)[0]["verified"], true);
}

/// Reading one of its sums path by path took 2ⁿ steps that nobody counted.
#[test]
fn sums_that_share_parts_are_read_within_the_effort() {
    let options = ["--call", "f(a: u32[n] in 0..=2, n)", "--sizes", "1..5", "--effort", "5e6"];
    let (steps, findings) = spent("limits/doubling.c", &options);
    assert!(steps < 50_000_000, "{steps}");
    assert!(results(&findings).iter().all(|result| result["confidence"] == "exact"), "{findings}");
}

#[test]
fn many_sizes_have_one_overtime_together() {
    let folder = scratch();
    let text = "int cubic(const int *a, int n) { int c = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n\
        for (int k = 0; k < n; k++) if (a[i] > a[j] + k) c++; return c; }\n";
    let file = write(&folder, "cubic.c", text);
    let call = ["--call", "cubic(a: i32[n], n)", "--sizes", "1..300", "--effort", "1e7"];
    let findings = json(&[&["analyze", &file], &call[..]].concat());
    let steps = findings["spent"]["steps"].as_u64().expect("steps are counted");
    assert!(steps < 200_000_000, "{steps}");
    assert!(limits(&findings).contains("were not analysed"), "{}", limits(&findings));
}

/// Whatever the solver makes of its floats, a program can be run.
#[test]
fn every_strategy_has_results_for_a_program_of_floats() {
    for strategy in
        ["auto", "exhaustive", "memo", "wise", "history", "dfs", "random", "evolve", "mutate", "pump", "synthesize"]
    {
        for call in ["newton(x: f64)", "signs(x: f64, step: f64, n)"] {
            let options = ["--call", call, "--sizes", "1,10", "--strategy", strategy, "--effort", "1e6"];
            let (_, findings) = spent("limits/floats.c", &options);
            let all = results(&findings);
            assert!(
                !all.is_empty() && all.iter().all(|result| result["verified"] == true),
                "{call} {strategy}: {findings}"
            );
        }
    }
}

/// wasmtime likes to have four gigabytes of addresses for each memory.
#[cfg(target_os = "linux")]
#[test]
fn with_little_address_space_inputs_are_verified_all_the_same() {
    let args = ["analyze", &program("isort.c"), "--call", "isort(a: i32[n], n)", "--sizes", "1..4", "--effort", "1e6"];
    let analysis = slowpath(&args);
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 4000000 && exec \"$0\" \"$@\""]).arg(analysis.get_program());
    limited.args(analysis.get_args()).args(["--format", "json"]);
    let ran = Ran::from(limited.output().expect("sh runs"));
    let findings: Value = serde_json::from_str(&ran.stdout).expect("a document");
    assert_eq!(results(&findings).len(), 4, "{}", ran.stderr);
    assert!(results(&findings).iter().all(|result| result["verified"] == true), "{}", limits(&findings));
}
