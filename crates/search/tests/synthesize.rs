//! Synthesis of path conditions, from what exhaustive exploration of small sizes taught.

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{
    Budget, CostModel, Example, Family, HistoryLength, Learned, Synthesis, Target, explore, learn, reproduce,
};
use slowpath_solver::SolverConfig;
use std::path::Path;
use std::sync::Arc;

fn target(file: &str, signature: &str, cost: CostModel) -> Target {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let compiled = slowpath_source::load(&path, &slowpath_source::Options::default()).expect("it compiles");
    let program = load(&compiled.wasm, &Probes::default()).expect("it loads");
    let probes = cost.probes(&program).expect("the line exists");
    let program = Arc::new(load(&compiled.wasm, &probes).expect("it loads"));
    let entry = Entry::Call(CallSpec::parse(signature).expect("good signature"));
    let function = program.find_function(entry.function()).expect("exported");
    Target {
        program,
        function,
        entry,
        cost,
        limits: Limits::default(),
        solver: SolverConfig::default(),
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}

/// Sizes up to `largest`, explored completely until policies are settled.
fn explored(target: &Target, largest: i64) -> Learned {
    learn(target, Family::Wise, HistoryLength::Adaptive, largest, 1, &Budget::default(), &Budget::default())
        .expect("it starts")
}

#[test]
fn a_policy_whose_judging_was_cut_short_is_not_validated() {
    let target = target("tests/programs/isort.c", "isort(a: i32[n], n)", CostModel::Instructions);
    let (family, history) = (Family::Either, HistoryLength::Adaptive);
    let policies = |judging: &Budget| {
        let learned = learn(&target, family, history, 5, 1, judging, &Budget::default()).expect("it starts");
        learned.policies.candidates
    };
    assert!(policies(&Budget::default()).iter().any(|candidate| candidate.is_validated()));
    assert!(!policies(&Budget::of_effort(0)).iter().any(|candidate| candidate.is_validated()));
}

/// Every worst input of every size.
fn worst_of_each(target: &Target, learned: &Learned) -> Vec<Vec<Example>> {
    let of_size = |(found, summary): (&slowpath_search::SizeFinding, &slowpath_search::policy::SizeSummary)| {
        let paths = summary
            .worst_paths
            .iter()
            .map(|path| reproduce(target, found.size, path, &Budget::default()).expect("the same path"));
        paths.map(|path| Example { size: found.size, input: path.input, cost: path.cost, sure: true }).collect()
    };
    learned.explored.iter().zip(&learned.summaries).map(of_size).collect()
}

#[test]
fn a_recursive_merge_sort_is_put_together_from_its_activations() {
    for (cost, at_500) in [(CostModel::Instructions, 399_969), (CostModel::Branches, 20_947)] {
        let target = target("tests/programs/merge_recursive.c", "merge_recursive(a: i32[n], n)", cost);
        let learned = explore(&target, 8, 1e6, 1, &Budget::default()).expect("it starts");
        let examples = worst_of_each(&target, &learned);
        let synthesis = Synthesis::infer_recursive(&target, &examples, &Budget::default()).expect("no bug");
        let synthesis = synthesis.unwrap_or_else(|why| panic!("{why:?}"));
        for exact in &learned.explored[1..] {
            let found = synthesis.at(&target, exact.size, &Budget::default()).expect("a model");
            assert_eq!(found.worst.map(|w| w.cost), exact.worst.as_ref().map(|w| w.cost), "size {}", exact.size);
        }
        assert_eq!(synthesis.predicted(500), Some(at_500));
        let found = synthesis.at(&target, 500, &Budget::default()).expect("a model");
        assert_eq!(found.worst.map(|w| w.cost), Some(at_500));
        assert!(found.limits.is_empty(), "{:?}", found.limits);
    }
}

/// The worst inputs of sizes 1 to `largest` by the best policy.
fn guided(target: &Target, learned: &Learned, largest: i64) -> Vec<Example> {
    let at = |n: i64| {
        let (found, _) = learned.policies.run(target, n, &Budget::default()).expect("it starts").expect("a policy");
        let worst = found.worst.expect("a path");
        Example { size: n, input: worst.input, cost: worst.cost, sure: true }
    };
    (1..=largest).map(at).collect()
}

fn inferred(target: &Target, examples: &[Example]) -> Synthesis {
    let synthesis = Synthesis::infer(target, examples, &Budget::default()).expect("no bug");
    synthesis.unwrap_or_else(|why| panic!("{why:?}"))
}

#[test]
fn two_loops_are_synthesised_together() {
    let target = target("tests/programs/two_loops.c", "two_loops(a: i32[n], n)", CostModel::Instructions);
    let learned = explored(&target, 6);
    let synthesis = inferred(&target, &guided(&target, &learned, 12));
    assert!(!synthesis.is_recursive());
    for exact in learned.explored.iter().filter(|found| found.size as u64 >= synthesis.from()) {
        let found = synthesis.at(&target, exact.size, &Budget::default()).expect("a model");
        assert_eq!(found.worst.map(|w| w.cost), exact.worst.as_ref().map(|w| w.cost), "size {}", exact.size);
    }
    let found = synthesis.at(&target, 500, &Budget::default()).expect("a model");
    assert_eq!(synthesis.predicted(500), Some(3_391_191));
    assert_eq!(found.worst.map(|w| w.cost), Some(3_391_191));
    assert!(found.limits.is_empty(), "{:?}", found.limits);
    assert_eq!(found.stats.queries, 0, "orders of inputs are solved at once");
}

#[test]
fn distances_that_grow_from_round_to_round_are_definitions_of_their_own() {
    let cost = CostModel::Site { file: "dijkstra.c".into(), line: 34 };
    let call = "dijkstra(weight: i32[n*n] in 0..=1000, n)";
    let target = target("benchmarks/xstressor/dijkstra.c", call, cost);
    let synthesis = inferred(&target, &guided(&target, &explored(&target, 4), 13));
    let found = synthesis.at(&target, 60, &Budget::default()).expect("a model");
    assert_eq!(found.worst.map(|w| w.cost), Some(60 * 59 / 2));
}

#[test]
fn too_few_sizes_teach_nothing_and_that_is_said() {
    let target = target("tests/programs/two_loops.c", "two_loops(a: i32[n], n)", CostModel::Instructions);
    let learned = explored(&target, 3);
    let synthesis = Synthesis::infer(&target, &guided(&target, &learned, 3), &Budget::default()).expect("no bug");
    let why = synthesis.expect_err("three sizes are not enough");
    assert!(why[0].why.contains("too few"), "{why:?}");
}

#[test]
fn a_path_condition_longer_than_allowed_is_refused() {
    let target = target("tests/programs/two_loops.c", "two_loops(a: i32[n], n)", CostModel::Instructions);
    let synthesis = inferred(&target, &guided(&target, &explored(&target, 5), 12));
    let why = synthesis.at(&target, 500, &Budget { terms: 1000, ..Budget::default() }).expect_err("too long");
    assert!(why.contains("--max-search-memory"), "{why}");
    assert!(synthesis.at(&target, 0, &Budget::default()).is_err());
    assert!(synthesis.at(&target, -5, &Budget::default()).is_err());
}
