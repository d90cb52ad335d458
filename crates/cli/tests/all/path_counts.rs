//! Every path of known programs is found, and their worst inputs are verified.

use crate::common::{analyze, column, program, results};

/// Analyses sizes 1 to as many as there are counts, and compares.
fn check(file: &str, entry: [&str; 2], flags: &[&str], paths: &[u64]) {
    let (file, sizes) = (program(file), format!("1..{}", paths.len()));
    let args = [&[file.as_str(), entry[0], entry[1], "--sizes", &sizes, "--effort", "6e10"], flags].concat();
    let findings = analyze(&args);
    assert_eq!(column(&findings, "paths"), paths, "{args:?}\n{}", findings["limits"]);
    for result in results(&findings) {
        assert_eq!(result["complete"], true, "{args:?}\n{}", findings["limits"]);
        assert_eq!(result["confidence"], "exact");
    }
}

const FACTORIALS: [u64; 7] = [1, 2, 6, 24, 120, 720, 5040];

#[test]
fn insertion_sort_has_n_factorial_paths() {
    check("isort.c", ["--call", "isort(a: i32[n], n)"], &[], &FACTORIALS);
}

#[test]
fn optimized_insertion_sort_has_n_factorial_paths() {
    check("isort.c", ["--call", "isort(a: i32[n], n)"], &["--optimize=-O2"], &FACTORIALS);
}

#[test]
fn bottom_up_merge_sort_has_n_factorial_paths() {
    check("merge_bottom_up.c", ["--call", "merge_sort(a: i32[n], n)"], &[], &FACTORIALS[..6]);
}

#[test]
fn optimized_bottom_up_merge_sort_has_n_factorial_paths() {
    check("merge_bottom_up.c", ["--call", "merge_sort(a: i32[n], n)"], &["--optimize"], &FACTORIALS[..6]);
}

#[test]
fn quicksort_has_n_factorial_paths() {
    check("quicksort.c", ["--call", "quicksort(a: i32[n], n)"], &[], &FACTORIALS[..6]);
}

#[test]
fn searching_a_tree_has_as_many_paths_as_there_are_weak_orders() {
    check("bst.c", ["--harness", "bst_search"], &[], &[1, 3, 13, 75, 541]);
}

#[test]
fn dijkstra_on_complete_graphs() {
    check("dijkstra.c", ["--harness", "dijkstra"], &[], &[1, 1, 4, 56]);
}

#[test]
fn heap_insertion_stops_at_any_level() {
    check("heap.c", ["--call", "heap_insert(keys: i32[n], n)"], &[], &[1, 2, 4, 12, 36, 108]);
}

#[test]
fn small_programs() {
    check("bits.c", ["--call", "tokens(s: u8[n], n)"], &[], &[7, 43, 265]);
    check("recursion.c", ["--call", "explore(flags: u8[n], n)"], &[], &[2, 4, 8, 16]);
    check("table_lookup.c", ["--call", "chained_lookups(s: u8[n], n)"], &[], &[2, 4, 8]);
    check("fp.c", ["--call", "ascents(a: f32[n], n)"], &[], &[1, 2, 4, 8]);
    check("libc_user.c", ["--call", "count_negative(a: i32[n], n)"], &[], &[2, 4, 8]);
    check("cost_begin_end.c", ["--harness", "measured"], &[], &[2, 4, 8]);
    check("recursion.c", ["--call", "descend(n)"], &[], &[1, 1, 1]);
}

#[test]
fn the_solver_alone_finds_the_same_paths() {
    check("isort.c", ["--call", "isort(a: i32[n], n)"], &["--solver", "z3"], &FACTORIALS[..4]);
    check("bst.c", ["--harness", "bst_search"], &["--solver", "z3"], &[1, 3, 13]);
}
