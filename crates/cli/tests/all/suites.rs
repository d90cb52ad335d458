//! The benchmark suites are what they say, and no cell of their tables is missed that is not stated.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use slowpath::{AnalyzeRequest, Strategy, analyze};
use slowpath_suites::{BenchRequest, Depth, Program, Statistic, Suite, Suites, Verdict, bench, run_worst_inputs};

/// Exhaustive counts are checked up to this.
const MOST_PATHS: u64 = 5000;

fn suites() -> (Suites, Vec<Suite>) {
    let suites = Suites::built_in().expect("a temporary folder");
    let read = |name: &String| {
        let file = suites.description(name).expect("it is there");
        Suite::read(name, &file).unwrap_or_else(|error| panic!("{error}"))
    };
    let all = suites.names().iter().map(read).collect();
    (suites, all)
}

/// Every program once: those a suite has from another are checked there.
fn programs(all: &[Suite]) -> impl Iterator<Item = (&Suite, &Program)> {
    let each = all.iter().flat_map(|suite| suite.programs.iter().map(move |program| (suite, program)));
    each.filter(|(_, program)| program.worst_from.is_none())
}

fn quick(suite: &str) {
    let ran = crate::common::run(&["bench", suite, "--quick", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("output is JSON");
    assert_eq!(report["missed"], 0, "{report:#}");
    assert!(report["met"].as_u64().is_some_and(|met| met > 100), "{report:#}");
}

#[test]
fn wise_is_met_at_small_sizes() {
    quick("wise");
}

#[test]
fn spf_wca_is_met_at_small_sizes() {
    quick("spf-wca");
}

/// Of what a technique found, by its statistic, the cells that are missed.
fn missed(report: &serde_json::Value, statistics: &[&str]) -> (usize, Vec<String>) {
    let programs = report["programs"].as_array().expect("programs");
    let cells = programs.iter().flat_map(|program| program["cells"].as_array().expect("cells"));
    let judged = cells.filter(|cell| statistics.iter().any(|statistic| cell["statistic"] == *statistic));
    let judged: Vec<_> = judged.collect();
    let missed = judged.iter().filter(|cell| cell["verdict"] == "missed").map(ToString::to_string).collect();
    (judged.len(), missed)
}

#[test]
fn ese_floors_are_met_at_small_sizes() {
    // Enough for a busy machine; evolutions end where the known worst cost is reached.
    let ran = crate::common::run(&["bench", "ese", "--quick", "--sizes", "10", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("output is JSON");
    let (judged, missed) = missed(&report, &["evolve_ratio", "auto_ratio"]);
    assert_eq!((judged, missed), (16, vec![]), "{}", ran.stderr);
}

#[test]
fn worst_inputs_of_xstressor_are_found_at_its_smallest_size() {
    let ran = crate::common::run(&["bench", "xstressor", "--sizes", "10", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("output is JSON");
    // Not the seconds: a test that goes by the clock fails on a busy machine.
    let (judged, missed) = missed(&report, &["worst"]);
    assert_eq!((judged, missed), (9, vec![]), "{}", ran.stderr);
}

/// The worst paths of these are regular up to their last decisions, which no policy of one path can tell apart.
#[test]
fn what_only_the_end_of_a_path_shows_is_found_at_large_sizes() {
    let args = ["--program", "boyer_moore", "--program", "merge_sorted_arrays", "--sizes", "100", "--format", "json"];
    let ran = crate::common::run(&[&["bench", "xstressor"][..], &args].concat());
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("output is JSON");
    assert_eq!(missed(&report, &["worst"]), (2, vec![]), "{}", ran.stderr);
}

#[test]
fn path_counts_are_those_of_the_suites() {
    let (_folder, all) = suites();
    let mut checked = 0;
    for (suite, program) in programs(&all) {
        let counts: Vec<(i64, u64)> =
            program.paths.iter().filter(|(_, paths)| **paths <= MOST_PATHS).map(|(n, paths)| (*n, *paths)).collect();
        let request = AnalyzeRequest {
            sizes: Some(counts.iter().map(|(n, _)| *n).collect()),
            strategy: Strategy::Exhaustive,
            cost: program.cost.parse().expect("a cost model"),
            effort: Some(100_000_000_000),
            ..AnalyzeRequest::new(&program.file, program.entry())
        };
        let findings = analyze(&request, &mut |_| ()).unwrap_or_else(|error| panic!("{}: {error}", program.name));
        let found: Vec<(i64, u64)> = findings.results.iter().map(|r| (r.size, r.paths)).collect();
        assert_eq!(found, counts, "{} of {}", program.name, suite.name);
        assert!(findings.results.iter().all(|r| r.complete && r.verified), "{}: {:?}", program.name, findings.limits);
        checked += counts.len();
    }
    assert!(checked > 60, "only {checked} counts were checked");
}

#[test]
fn published_counts_are_the_measured_ones() {
    let (_folder, all) = suites();
    for (suite, program) in all.iter().flat_map(|suite| suite.programs.iter().map(move |program| (suite, program))) {
        for (n, published) in &program.published.exhaustive_paths {
            if *published <= 200_000.0 {
                let measured = program.paths.get(n).map(|paths| *paths as f64);
                assert_eq!(measured, Some(*published), "{} of {} at {n}", program.name, suite.name);
            }
        }
    }
}

#[test]
fn known_worst_inputs_cost_what_the_suites_say() {
    let (_folder, all) = suites();
    let mut ran = 0;
    for (suite, program) in programs(&all) {
        ran += run_worst_inputs(suite, program, 50).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(ran > 150, "only {ran} inputs were run");
}

#[test]
fn auto_finds_the_known_worst_case() {
    let (folder, all) = suites();
    let mut found = 0;
    for (suite, program) in programs(&all) {
        // Where auto follows many paths, how far it comes is a matter of time.
        if program.stated.at(Statistic::GuidedPaths, 10).is_some() {
            continue;
        }
        let sizes = program
            .worst_branches_at
            .keys()
            .copied()
            .filter(|n| [8, 10, 20].contains(n) && *n <= program.largest_size());
        let request = BenchRequest {
            suite: suite.name.clone(),
            programs: vec![program.name.clone()],
            sizes: Some(sizes.collect()),
            strategy: None,
            depth: Depth::Usual,
            budget: None,
            jobs: 2,
            seed: 0,
            seeds: None,
            engine: None,
            interrupt: Arc::new(AtomicBool::new(false)),
        };
        let report = bench(&request, &folder, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        for (_, cell) in report.cells().filter(|(_, cell)| cell.statistic == Statistic::Worst) {
            let good = matches!(cell.verdict, Verdict::Met | Verdict::Beyond | Verdict::Missed { stated: true });
            assert!(good, "{} n={}: {:?}", program.name, cell.size, cell.why);
            found += 1;
        }
    }
    assert!(found > 25, "only {found} worst cases were compared");
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    for (args, part) in [
        (&["bench", "wize"][..], "there are"),
        (&["bench"], "spf-wca"),
        (&["bench", "wise", "--program", "bogosort"], "insertion_sort"),
        (&["bench", "wise", "--strategy", "random"], "auto, wise or history"),
        (&["bench", "wise", "--suites", "/nowhere"], "suite.toml"),
        (&["bench", "wise", "--sizes", "0"], "--sizes"),
    ] {
        let ran = crate::common::run(args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.contains(part), "{args:?}\n{}", ran.stderr);
    }
}

#[test]
fn a_missed_cell_is_an_exit_code_and_a_reason() {
    let folder = crate::common::scratch();
    let suite = folder.path().join("mine");
    std::fs::create_dir(&suite).expect("a folder");
    std::fs::copy(crate::common::program("isort.c"), suite.join("isort.c")).expect("a copy");
    let text = "[[program]]\nname = 'isort'\nfile = 'isort.c'\ncall = 'isort(a: i32[n], n)'\ncost = 'branches'\n\
        [program.published]\nexhaustive_paths = { 1 = 1, 2 = 2, 3 = 7 }\nguided_paths = { 1 = 1, 2 = 1, 3 = 1 }\n";
    std::fs::write(suite.join("suite.toml"), text).expect("it can be written");
    let ran = crate::common::run(&["bench", "mine", "--suites", &folder.path().to_string_lossy()]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("missed: isort n=3, all paths: 6, published 7"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mine: 5 cells met, 1 missed, 0 beyond"), "{}", ran.stdout);
}
