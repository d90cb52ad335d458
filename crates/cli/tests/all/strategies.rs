//! The strategies, and that results depend on nothing but the request.

use crate::common::{analyze, column, json, program, results, run, scratch, without_measurements, write};

const ISORT: [&str; 2] = ["--call", "isort(a: i32[n], n)"];

fn isort(more: &[&str]) -> Vec<String> {
    let file = program("isort.c");
    let args = [&["analyze", file.as_str()], &ISORT[..], more].concat();
    args.into_iter().map(str::to_owned).collect()
}

fn document(args: &[String]) -> serde_json::Value {
    without_measurements(json(&args.iter().map(String::as_str).collect::<Vec<_>>()))
}

#[test]
fn depth_first_is_exhaustive_if_nothing_stops_it() {
    let findings = analyze(&[&program("isort.c"), ISORT[0], ISORT[1], "--sizes", "1..5", "--strategy", "dfs"]);
    assert_eq!(column(&findings, "paths"), [1, 2, 6, 24, 120]);
    assert!(results(&findings).iter().all(|result| result["complete"] == true));
}

#[test]
fn a_random_sample_is_never_exact() {
    let args = [&program("isort.c"), ISORT[0], ISORT[1], "--sizes", "6", "--strategy", "random", "--paths", "30"];
    let findings = analyze(&args);
    let result = &results(&findings)[0];
    assert_eq!(result["paths"], 30);
    assert_eq!(result["complete"], false);
    assert_eq!(result["confidence"], "best-found");
    assert_eq!(result["stopped"], "a sample of 30 random paths");
}

#[test]
fn a_long_text_is_laid_out_in_time_that_grows_with_its_length() {
    let directory = scratch();
    let source = "int length(const char *s) { int n = 0; while (s[n]) n++; return n; }";
    let file = write(&directory, "length.c", source);
    let args =
        [&file, "--call", "length(s: cstr[n])", "--strategy", "random", "--paths", "1", "--effort", "1e10", "--sizes"];
    let steps = |n: &str| analyze(&[&args[..], &[n]].concat())["spent"]["steps"].as_u64().expect("steps");
    let (short, long) = (steps("2000"), steps("20000"));
    assert!(long < 20 * short, "{short} and {long}: every letter has a condition of its own");
}

#[test]
fn the_same_seed_gives_the_same_sample_and_another_seed_another() {
    let sample = |seed: &str| {
        document(&isort(&[
            "--sizes",
            "5..7",
            "--strategy",
            "random",
            "--paths",
            "5",
            "--average",
            "20",
            "--seed",
            seed,
        ]))
    };
    let (first, again, other) = (sample("1"), sample("1"), sample("2"));
    assert_eq!(first, again);
    assert_ne!(first["results"], other["results"]);
}

#[test]
fn a_technique_that_is_left_out_finds_nothing_and_that_is_said() {
    let file = program("memo/words.c");
    let args = [&file, "--call", "words(s: u8[n], n)", "--sizes", "200", "--effort", "1e8"];
    let found = |more: &[&str]| analyze(&[&args[..], more].concat());
    assert_eq!(results(&found(&[]))[0]["found_by"], "memo");
    let without = found(&["--without", "memo,pump"]);
    let result = &results(&without)[0];
    assert!(result["found_by"] != "memo" && result["confidence"] != "exact", "{result}");
    assert!(result["verified"] == true, "every size has an input all the same");
    let limits = without["limits"].to_string();
    assert!(limits.contains("left out: memo, pump, pump search (--without)"), "{limits}");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let entries: [(&str, [&str; 2], &str); 4] = [
        ("isort.c", ISORT, "1..6"),
        ("bst.c", ["--harness", "bst_search"], "1..4"),
        ("div_trap.c", ["--call", "divide_by_all(a: i32[n], n)"], "1..4"),
        ("bits.c", ["--call", "tokens(s: u8[n], n)"], "1..3"),
    ];
    for (file, [flag, entry], sizes) in entries {
        let with = |jobs: &str| {
            let file = program(file);
            let args = ["analyze", &file, flag, entry, "--sizes", sizes, "--average", "10", "--jobs", jobs];
            without_measurements(json(&args))
        };
        let one = with("1");
        assert_eq!(one, with("2"), "{file}");
        assert_eq!(one, with("4"), "{file}");
    }
}

#[test]
fn a_limit_on_paths_keeps_the_first_ones() {
    for jobs in ["1", "2"] {
        let few = ["--sizes", "5", "--max-paths", "10", "--strategy", "exhaustive", "--jobs", jobs];
        let findings = document(&isort(&few));
        let result = &results(&findings)[0];
        assert_eq!((result["paths"].as_u64(), result["complete"].as_bool()), (Some(10), Some(false)));
        assert!(result["stopped"].as_str().unwrap().contains("--max-paths"));
        assert!(findings["limits"][0].as_str().unwrap().contains("--max-paths"));
    }
}

#[test]
fn strategies_that_do_not_exist_are_refused_with_those_that_do() {
    let args = isort(&["--strategy", "divine"]);
    let ran = run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("wise, history, synthesize"), "{}", ran.stderr);
}

#[test]
fn without_sizes_the_analysis_grows_until_the_next_size_does_not_fit() {
    let findings = document(&isort(&["--effort", "1e8", "--strategy", "exhaustive"]));
    let sizes: Vec<i64> = results(&findings).iter().map(|result| result["size"].as_i64().unwrap()).collect();
    assert!(sizes.len() >= 4, "{sizes:?}");
    assert_eq!(sizes, (1..=sizes.len() as i64).collect::<Vec<_>>());
    assert!(!findings["limits"].as_array().unwrap().is_empty());
}

#[test]
fn learned_policies_find_the_worst_case_of_sizes_far_beyond_exhaustion() {
    // Entry, what it costs at n = 60 as a formula from the exact small sizes.
    let cases: [(&str, [&str; 2]); 4] = [
        ("isort.c", ISORT),
        ("bst.c", ["--harness", "bst_search"]),
        ("quicksort.c", ["--call", "quicksort(a: i32[n], n)"]),
        ("heap.c", ["--call", "heap_insert(keys: i32[n], n)"]),
    ];
    for (file, entry) in cases {
        for strategy in ["auto", "wise", "history"] {
            let args = [&program(file), entry[0], entry[1], "--sizes", "1..6,40", "--strategy", strategy];
            let findings = analyze(&[&args[..], &["--effort", "1e9"]].concat());
            let all = results(&findings);
            assert!(all[..6].iter().all(|r| r["confidence"] == "exact"), "{file} {strategy} {findings}");
            assert_eq!(all[6]["confidence"], "validated", "{file} {strategy} {}", findings["policy"]);
            assert_eq!(all[6]["paths"], 1, "{file} {strategy}");
            let explained = findings["policy"]["explained"].to_string();
            assert!(explained.contains(file), "{file} {strategy}: {explained}");
        }
    }
}

#[test]
fn guided_search_finds_the_known_worst_case_of_insertion_sort() {
    let found = analyze(&[&program("isort.c"), ISORT[0], ISORT[1], "--sizes", "50"]);
    let descending: Vec<i32> = (0..50).rev().collect();
    let input = serde_json::json!({ "a": descending }).to_string();
    let known = json(&["run", &program("isort.c"), ISORT[0], ISORT[1], "--size", "50", "--input", &input]);
    assert_eq!(results(&found)[0]["cost"], known["costs"]["instructions"]);
}

/// Whether two objects have the same members, in any order, as parsers of JSON compare them.
const OBJECTS: &str = "struct member { unsigned name; int kind; int value; };
struct object { int kind; struct member *members; int count; };
static const struct member *find(const struct object *o, unsigned name) {
    for (int i = 0; i < o->count; i++)
        if (o->members[i].name == name)
            return &o->members[i];
    return 0;
}
static int covers(const struct object *a, const struct object *b) {
    for (int i = 0; i < a->count; i++) {
        const struct member *other = find(b, a->members[i].name);
        if (!other || other->kind != a->members[i].kind || other->value != a->members[i].value)
            return 0;
    }
    return 1;
}
int equal(const struct object *a, const struct object *b) {
    if (a->kind != b->kind || a->kind != 7)
        return 0;
    return covers(a, b) && covers(b, a);
}
";

#[test]
fn two_structs_that_are_compared_are_made_equal() {
    let directory = crate::common::scratch();
    let file = crate::common::write(&directory, "objects.c", OBJECTS);
    let args = [file.as_str(), "--call", "equal", "--sizes", "24", "--strategy", "mutate", "--effort", "2e7"];
    let found = crate::common::analyze(&args);
    // By chance no two kinds are the same, and the run is over after 15 instructions.
    assert!(crate::common::results(&found)[0]["cost"].as_u64() > Some(10_000), "{found}");
}
