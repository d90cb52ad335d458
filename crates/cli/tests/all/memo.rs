//! Exact worst cases at large sizes, where states come together: `--strategy memo`.

use serde_json::Value;

use crate::common::{analyze, column, json, program, results, run, without_measurements};

/// Programs of which only a few things matter that they have seen: file, call, the largest size, and what the worst input costs
/// there. Sizes below 1,000 are those that take long in all; docs/memo.md has the rest.
const PROGRAMS: [(&str, &str, &str, u64); 10] = [
    ("words.c", "words(s: u8[n], n)", "1000", 42_019),
    ("utf8.c", "utf8_errors(s: u8[n], n)", "1000", 68_029),
    ("runs.c", "encode_runs(s: u8[n], n)", "1000", 51_016),
    ("base64.c", "decode(s: u8[n], n)", "1000", 118_298),
    ("automaton.c", "matches(s: u8[n], n)", "1000", 376_979),
    ("scheduler.c", "schedule(s: u8[n], n)", "256", 25_465),
    ("distance.c", "distance(s: u8[n], n)", "100", 35_810),
    ("crc.c", "checksum(s: u8[n], n)", "64", 61_344),
    ("json.c", "tokens(s: u8[n], n)", "64", 10_380),
    ("move_to_front.c", "move_to_front(s: u8[n], n)", "100", 33_540),
];

/// Steps that each of them takes at most, and more.
const EFFORT: &str = "20e9";

fn memo(file: &str, call: &str, sizes: &str, more: &[&str]) -> Value {
    let file = program(&format!("memo/{file}"));
    let args = [&file, "--call", call, "--sizes", sizes, "--strategy", "memo", "--effort", EFFORT];
    analyze(&[&args[..], more].concat())
}

#[test]
fn large_sizes_are_exact_where_states_come_together() {
    for (file, call, size, cost) in PROGRAMS {
        let findings = memo(file, call, size, &[]);
        let result = &results(&findings)[0];
        assert_eq!(result["confidence"], "exact", "{file}: {result}");
        assert_eq!((&result["complete"], &result["verified"]), (&Value::from(true), &Value::from(true)), "{file}");
        assert_eq!((result["cost"].as_u64(), &result["found_by"]), (Some(cost), &Value::from("memo")), "{file}");
        let digits = result["path_count"].as_str().unwrap_or_default().len();
        assert!(digits > 20, "{file}: {} paths", result["paths"]);
    }
}

#[test]
fn small_sizes_are_as_exhaustive_search_finds_them() {
    for (file, call, ..) in PROGRAMS {
        let path = program(&format!("memo/{file}"));
        let sizes = if file == "crc.c" { "1..3" } else { "1..4" };
        let plain = analyze(&[&path, "--call", call, "--sizes", sizes, "--strategy", "exhaustive"]);
        let memo = memo(file, call, sizes, &[]);
        for name in ["cost", "paths", "worst_paths"] {
            assert_eq!(column(&plain, name), column(&memo, name), "{name} of {file}");
        }
        let inputs =
            |findings: &Value| results(findings).iter().map(|result| result["input"].clone()).collect::<Vec<_>>();
        assert_eq!(inputs(&plain), inputs(&memo), "worst inputs of {file}");
    }
}

#[test]
fn what_is_forgotten_takes_time_and_changes_nothing() {
    // A third of the limit is less than what there is to remember.
    let [all, some] = ["4GiB", "32MiB"].map(|limit| {
        let findings = memo("json.c", "tokens(s: u8[n], n)", "64", &["--max-search-memory", limit]);
        let steps = findings["spent"]["steps"].as_u64().expect("by effort");
        (steps, without_measurements(findings)["results"].clone())
    });
    assert_eq!((&all.1, &all.1[0]["confidence"]), (&some.1, &Value::from("exact")));
    assert!(some.0 > all.0, "{} steps, and {} without forgetting", some.0, all.0);
}

/// A limit that nothing fits into is said to be the reason.
#[test]
fn a_search_that_ends_for_want_of_memory_says_so() {
    let file = program("memo/distance.c");
    let args = ["analyze", &file, "--call", "distance(s: u8[n], n)", "--sizes", "60", "--strategy", "memo"];
    let findings = json(&[&args[..], &["--effort", EFFORT, "--max-search-memory", "2MiB"]].concat());
    let limits = findings["limits"].to_string();
    assert!(limits.contains("--max-search-memory") && !limits.contains("solver"), "{limits}");
    assert_ne!(results(&findings)[0]["confidence"], "exact", "{findings}");
}

#[test]
fn workers_change_nothing() {
    let document = |jobs: &str| {
        let findings = memo("scheduler.c", "schedule(s: u8[n], n)", "24", &["--jobs", jobs]);
        without_measurements(findings)["results"].clone()
    };
    assert_eq!(document("1"), document("2"));
}

/// Of paths that the limit of instructions cuts there are more than could be followed one by one.
#[test]
fn paths_that_are_cut_are_counted_through() {
    let limit = ["--max-instructions", "400"];
    let findings = memo("words.c", "words(s: u8[n], n)", "40", &limit);
    let result = &results(&findings)[0];
    assert_eq!((&result["complete"], &result["at_least"]), (&Value::from(false), &Value::from(true)), "{result}");
    let spent = findings["spent"]["steps"].as_u64().expect("by effort");
    assert!(spent < 50_000_000, "{spent} steps");
    // A small size as exhaustive search finds it.
    let file = program("memo/words.c");
    let args = [&file, "--call", "words(s: u8[n], n)", "--sizes", "6", "--strategy", "exhaustive"];
    let plain = analyze(&[&args[..], &["--max-instructions", "180"]].concat());
    let memo = memo("words.c", "words(s: u8[n], n)", "6", &["--max-instructions", "180"]);
    let (plain, memo) = (&results(&plain)[0], &results(&memo)[0]);
    for name in ["cost", "at_least", "paths", "worst_paths", "complete"] {
        assert_eq!(plain[name], memo[name], "{name}");
    }
    assert!(memo["cut"]["paths"].as_u64() > Some(0), "{memo}");
    assert_eq!(plain["cut"]["paths"], memo["cut"]["paths"]);
}

#[test]
fn the_published_figures_of_ese_are_exact() {
    let file = program("../../benchmarks/ese/kmp.c");
    let call = ["--call", "kmp(pattern: i32[3], text: i32[n], n)", "--sizes", "10,50,75,100"];
    let findings = analyze(&[&[file.as_str()], &call[..], &["--strategy", "memo", "--effort", EFFORT]].concat());
    assert_eq!(column(&findings, "cost"), [951, 4_351, 6_476, 8_601]);
    assert!(results(&findings).iter().all(|result| result["confidence"] == "exact"));
}

#[test]
fn auto_is_exact_where_states_come_together() {
    let file = program("memo/utf8.c");
    let args = ["analyze", &file, "--call", "utf8_errors(s: u8[n], n)", "--sizes", "1..3,100", "--effort", "5e9"];
    let findings = json(&args);
    let last = &results(&findings)[3];
    assert_eq!((&last["confidence"], &last["found_by"]), (&Value::from("exact"), &Value::from("memo")), "{last}");
    assert_eq!(last["cost"], 6_829);
}

#[test]
fn costs_that_do_not_add_up_are_refused() {
    let file = program("memo/words.c");
    let call =
        ["analyze", &file, "--call", "words(s: u8[n], n)", "--sizes", "3", "--strategy", "memo", "--cost", "stack"];
    let ran = run(&call);
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("'stack' do not add up"), "{}", ran.stderr);
}
