//! What people see.

mod common;

use common::{program, run};

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
