//! Exhaustive path counts of known programs.

use std::path::Path;
use std::sync::Arc;

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{Budget, CostModel, SizeFinding, Stop, Target, exhaustive};
use slowpath_solver::SolverConfig;

fn target(file: &str, entry: Entry, optimize: Option<&str>) -> Target {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(file);
    let options = slowpath_source::Options { optimize: optimize.map(|o| vec![o.to_owned()]), ..Default::default() };
    let compiled = slowpath_source::load(&path, &options).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let function = program.find_function(entry.function()).expect("function");
    Target {
        program,
        function,
        entry,
        cost: CostModel::Instructions,
        limits: Limits::default(),
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}

fn call(sig: &str) -> Entry {
    Entry::Call(CallSpec::parse(sig).expect("signature"))
}

fn explore(t: &Target, n: i64, jobs: usize) -> SizeFinding {
    let f = exhaustive(t, n, jobs, &Budget::default()).expect("explores");
    assert!(f.complete, "n = {n}: {:?} {:?}", f.stop, f.limits);
    f
}

fn counts(t: &Target, sizes: std::ops::RangeInclusive<i64>) -> Vec<u64> {
    sizes.map(|n| explore(t, n, 1).paths).collect()
}

#[test]
fn insertion_sort_has_n_factorial_paths() {
    for optimize in [None, Some("-O2")] {
        let t = target("isort.c", call("isort(a: i32[n], n)"), optimize);
        let f = explore(&t, 4, 1);
        println!("{optimize:?} {:?}", f);
        assert_eq!(counts(&t, 1..=5), [1, 2, 6, 24, 120], "{optimize:?}");
    }
}

#[test]
fn bottom_up_merge_sort_has_n_factorial_paths() {
    for optimize in [None, Some("-O2")] {
        let t = target("merge_bottom_up.c", call("merge_sort(a: i32[n], n)"), optimize);
        assert_eq!(counts(&t, 1..=5), [1, 2, 6, 24, 120], "{optimize:?}");
    }
}

#[test]
fn binary_search_tree_paths_are_the_ordered_bell_numbers() {
    let t = target("bst.c", Entry::Harness { name: "bst_search".into() }, None);
    assert_eq!(counts(&t, 1..=4), [1, 3, 13, 75]);
}

#[test]
fn dijkstra_paths() {
    let t = target("dijkstra.c", Entry::Harness { name: "dijkstra".into() }, None);
    assert_eq!(counts(&t, 1..=4), [1, 1, 4, 56]);
}

#[test]
fn whatever_ends_for_want_of_memory_is_remembered_by_the_whole() {
    let t = target("isort.c", call("isort(a: i32[n], n)"), None);
    let budget = Budget { terms: 100, ..Budget::default() };
    assert!(!budget.ran_out_of_memory());
    // A part of it, as techniques have.
    let part = budget.within(std::time::Duration::from_secs(3600));
    let found = exhaustive(&t, 9, 1, &part).expect("explores");
    assert!(found.stop == Some(Stop::Memory) && budget.ran_out_of_memory(), "{:?}", found.stop);
}
