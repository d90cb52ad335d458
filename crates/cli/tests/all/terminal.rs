//! What people see.

use std::process::Command;

use crate::common::{program, run, scratch};

#[test]
fn the_table_is_aligned_and_uncoloured_where_there_is_no_terminal() {
    let file = program("isort.c");
    let ran = run(&["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "1..4", "--average", "10"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(!ran.stdout.contains('\x1b'));
    let table: Vec<&str> = ran.stdout.lines().skip_while(|line| !line.contains("worst cost")).take(5).collect();
    let end_of = |line: &str, column: &str| line.find(column).map(|at| at + column.len());
    assert_eq!(end_of(table[0], "worst cost"), end_of(table[4], "327"), "{table:#?}");
    for row in &table[1..] {
        assert!(row.contains("exact") && row.contains("yes"), "{row}");
    }
    assert!(ran.stdout.contains("worst input at size 4\n  a = [3, 2, 1, 0]\n"), "{}", ran.stdout);
}

#[test]
fn averages_come_with_their_ratio_a_plot_and_what_to_do_next() {
    let file = program("isort.c");
    let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "1..4", "--average", "10"];
    let ran = run(&args);
    for words in ["ratio", "instructions against size: * worst, + average", "\nnext\n  … --out DIR "] {
        assert!(ran.stdout.contains(words), "{words} in\n{}", ran.stdout);
    }
    let directory = scratch();
    let out = directory.path().join("a b").to_string_lossy().into_owned();
    let ran = run(&[&args[..], &["--out", &out]].concat());
    // Each suggestion can be copied as it is.
    let quoted = format!("'{out}'");
    let suggested: Vec<&str> = ran.stdout.lines().filter_map(|line| line.strip_prefix("  slowpath ")).collect();
    assert_eq!(suggested.len(), 3, "{}", ran.stdout);
    for line in suggested {
        let (before, after) = line.split_once(&quoted).expect("it names the folder");
        let after = after.split("  ").next().unwrap_or_default();
        let mut words: Vec<&str> =
            before.split_whitespace().chain([out.as_str()]).chain(after.split_whitespace()).collect();
        let exported = directory.path().join("exported").to_string_lossy().into_owned();
        if words[0] == "export" {
            words.extend(["--out", &exported]);
        }
        assert_eq!(run(&words).code, 0, "{line}");
    }
}

#[test]
fn two_sizes_make_no_plot_and_a_search_cut_short_suggests_more() {
    let file = program("isort.c");
    let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "4..5", "--strategy", "exhaustive"];
    let ran = run(&[&args[..], &["--max-paths", "3"]].concat());
    assert!(!ran.stdout.contains("against size"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  … --max-paths 30 "), "{}", ran.stdout);
}

#[test]
fn traps_and_limits_are_shown() {
    let ran = run(&["analyze", &program("div_trap.c"), "--call", "ratio(a: i32, b: i32)"]);
    assert!(ran.stdout.contains("div_trap.c:3, from size 1 on (1 path): a = -2147483648, b = -1"), "{}", ran.stdout);
    let file = program("isort.c");
    let ran = run(&[
        "analyze",
        &file,
        "--call",
        "isort(a: i32[n], n)",
        "--sizes",
        "5",
        "--strategy",
        "exhaustive",
        "--max-paths",
        "3",
    ]);
    assert!(ran.stdout.contains("limits\n  size 5: the limit of paths was reached (--max-paths)"), "{}", ran.stdout);
}

#[test]
fn help_teaches() {
    let ran = run(&["--help"]);
    assert_eq!(ran.code, 0);
    for word in ["analyze", "run", "replay", "Examples:", "Exit codes:"] {
        assert!(ran.stdout.contains(word), "{word}");
    }
    let ran = run(&["analyze", "--help"]);
    for word in [
        "Signatures",
        "TYPE[LENGTH]",
        "--sizes",
        "--strategy",
        "--cost",
        "--budget",
        "--max-paths",
        "--max-instructions",
        "--max-depth",
        "--max-memory",
        "--max-cells",
        "--max-select-depth",
        "--max-search-memory",
        "--solver",
        "--solver-timeout",
        "--seed",
        "--jobs",
        "--average",
        "--optimize",
        "--cflags",
        "--format",
        "--out",
        "--stats",
        "--quiet",
        "--harness",
        "--call",
        "[default: 60s]",
        "[default: 1GiB]",
        "[default: 1e9]",
        "[default: 20000]",
    ] {
        assert!(ran.stdout.contains(word), "{word} in\n{}", ran.stdout);
    }
    assert!(run(&["--version"]).stdout.starts_with("slowpath "));
    assert_eq!(run(&[]).code, 2);
    assert_eq!(run(&["frobnicate"]).code, 2);
}

/// What a terminal of so many columns shows of a command, escapes and all.
fn on_a_terminal(columns: u32, args: &[&str]) -> String {
    let quoted: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
    let command = format!("stty cols {columns} rows 40; '{}' {}", env!("CARGO_BIN_EXE_slowpath"), quoted.join(" "));
    let ran = Command::new("script").args(["-qec", &command, "/dev/null"]).output().expect("script is installed");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Without escapes, and without what was overwritten.
fn seen(text: &str) -> Vec<String> {
    let page = text.rsplit("\x1b[J").next().unwrap_or(text);
    let mut out = String::new();
    let mut inside = false;
    for c in page.chars() {
        match c {
            '\x1b' => inside = true,
            'm' if inside => inside = false,
            '\r' => {}
            c if !inside => out.push(c),
            _ => {}
        }
    }
    out.lines().map(str::to_owned).collect()
}

#[test]
fn the_verdict_comes_first_and_every_width_holds_the_page() {
    let file = program("isort.c");
    let args =
        ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "1..20", "--effort", "4e7", "--average", "5"];
    for columns in [40, 200] {
        let shown = on_a_terminal(columns, &args);
        let lines = seen(&shown);
        assert!(lines[0].starts_with("O(n²) · worst 6,567 at n = 20"), "{lines:#?}");
        let wide: Vec<&String> = lines.iter().filter(|line| line.chars().count() > columns as usize).collect();
        assert!(wide.is_empty(), "{columns}: {wide:#?}");
        assert!(lines.iter().any(|line| line.contains("more sizes (--all)")), "{lines:#?}");
    }
}

#[test]
fn a_terminal_has_a_live_line_that_is_gone_at_the_end_unless_it_is_to_be_quiet() {
    let file = program("isort.c");
    let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "1..20", "--effort", "4e7"];
    let shown = on_a_terminal(100, &args);
    assert!(shown.contains("size ") && shown.contains(" of 40,000,000 steps"), "{shown}");
    assert!(shown.contains("  n = 20: 6,567 ("), "rows appear as they are done: {shown}");
    assert!(!seen(&shown).iter().any(|line| line.contains(" of 40,000,000 steps")));
    let quiet = on_a_terminal(100, &[&args[..], &["--quiet"]].concat());
    assert!(!quiet.contains("\x1b[J") && !quiet.contains("of 40,000,000"), "{quiet}");
}

#[test]
fn best_found_has_its_reason_among_the_limits() {
    let file = program("isort.c");
    for strategy in ["random", "dfs", "mutate", "evolve", "auto"] {
        let args = ["analyze", &file, "--call", "isort(a: i32[n], n)", "--sizes", "6,9", "--effort", "1e6"];
        let found = crate::common::json(&[&args[..], &["--strategy", strategy, "--max-paths", "20"]].concat());
        for result in found["results"].as_array().unwrap().iter().filter(|r| r["confidence"] == "best-found") {
            let begin = format!("size {}: ", result["size"]);
            let limits = found["limits"].as_array().unwrap();
            assert!(limits.iter().any(|l| l.as_str().unwrap().starts_with(&begin)), "{strategy} {begin} {limits:?}");
        }
    }
}
