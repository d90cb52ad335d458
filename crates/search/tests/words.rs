//! Inputs declared as bytes, and read as words in several ways, are explored as typed inputs are.

use std::path::PathBuf;
use std::sync::Arc;

use slowpath_machine::{InputSource, Limits};
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{Budget, CostModel, Rng, SizeFinding, Target, depth_first, follow_input, memo, run_concrete};
use slowpath_solver::SolverConfig;

fn target(signature: &str) -> Target {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/bytes_as_words.c");
    let options = slowpath_source::Options::default();
    let compiled = slowpath_source::load(&path, &options).expect("compiles");
    let program = Arc::new(load(&compiled.wasm, &Probes::default()).expect("loads"));
    let entry = Entry::Call(CallSpec::parse(signature).expect("signature"));
    let function = program.find_function(entry.function()).expect("function");
    let (cost, limits, solver) = (CostModel::Instructions, Limits::default(), SolverConfig::default());
    Target {
        program,
        function,
        entry,
        cost,
        limits,
        solver,
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}

fn explored(signature: &str, n: i64) -> SizeFinding {
    depth_first(&target(signature), n, &Budget::default()).expect("explores")
}

/// No random input costs more than the worst one, and that is the input it says.
fn holds(signature: &str, n: i64, finding: &SizeFinding) {
    let target = target(signature);
    let worst = finding.worst.as_ref().expect("a worst path");
    assert!(finding.complete);
    let run = |source| run_concrete(&target, n, source, &Budget::default()).expect("runs");
    assert_eq!(run(InputSource::Given(worst.input.clone().into())).cost, worst.cost);
    for stream in 0..50 {
        assert!(run(InputSource::Random(Rng::new(7, stream).next())).cost <= worst.cost);
    }
    let path = follow_input(&target, n, &worst.input, &Budget::default()).expect("follows").expect("it ends");
    assert_eq!((path.cost, path.input), (worst.cost, worst.input.clone()));
}

#[test]
fn words_made_of_bytes_need_no_question_to_z3() {
    for function in ["sort_cast", "sort_copied", "sort_pairs", "sort_split"] {
        let call = format!("{function}(bytes: u8[4*n], n)");
        let n = if function == "sort_pairs" { 6 } else { 5 };
        let finding = explored(&call, n);
        let paths = (1..=n as u64).product();
        assert_eq!((finding.paths, finding.stats.smt_queries), (paths, 0), "{function}");
        holds(&call, n, &finding);
    }
}

/// The compiler loads such words as they lie and turns them round by rotations and masks, which is left to Z3.
#[test]
fn words_with_the_highest_byte_first_are_told_exactly() {
    let call = "sort_big_endian(bytes: u8[4*n], n)";
    let finding = explored(call, 3);
    assert_eq!(finding.paths, 6);
    holds(call, 3, &finding);
}

#[test]
fn fields_of_records_are_words_of_their_own() {
    let call = "sort_records(bytes: u8[8*n], n)";
    let finding = explored(call, 3);
    assert_eq!(finding.stats.smt_queries, 0);
    holds(call, 3, &finding);
}

#[test]
fn what_is_read_both_ways_is_told_exactly() {
    let call = "both(bytes: u8[4*n], n)";
    let finding = explored(call, 1);
    assert!(finding.complete);
    holds(call, 1, &finding);
    let worst = finding.worst.expect("a worst path");
    assert!(finding.paths <= 6, "no path that cannot be: {}", finding.paths);
    assert_eq!(worst.input.0[0].bits.len(), 4);
}

#[test]
fn memory_of_futures_agrees_on_words() {
    let target = target("sort_cast(bytes: u8[4*n], n)");
    let plain = depth_first(&target, 5, &Budget::default()).expect("explores");
    let remembered = memo(&target, 5, &Budget::default()).expect("explores");
    let cost = |worst: &Option<slowpath_search::PathFinding>| worst.as_ref().map(|path| path.cost);
    assert_eq!(cost(&remembered.finding.worst), cost(&plain.worst));
}
