//! Exploration: solver layers against Z3, and one long guided path against the concrete run of its input.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use slowpath_machine::Answer;
use slowpath_program::SiteId;
use slowpath_search::policy::{BranchPolicy, Policy};
use slowpath_search::{Budget, ConcreteRun, Driver, GuidedOptions, Step, exhaustive, guided as guided_search};
use slowpath_solver::SolverKind;

use crate::{concrete, programs};

/// Times everything is run: machines are not always equally fast, and the best of several runs is what the code can do.
const ROUNDS: usize = 7;

const SIGNATURE: &str = "isort(a: i32[n], n)";

/// Insertion sort, every path of n = 7, one job, both solvers.
pub fn solver() -> bool {
    let mut seconds = [0.0; 2];
    for (i, kind) in [SolverKind::Layered, SolverKind::Z3].into_iter().enumerate() {
        let target = programs::target("isort.c", SIGNATURE, kind);
        let found = exhaustive(&target, 7, 1, &Budget::default()).expect("explores");
        assert_eq!((found.paths, found.complete), (5040, true));
        seconds[i] = found.seconds;
        println!(
            "  {kind:?}: {} paths in {:.3} s, {:.0} a second, {} queries, {} of them to Z3",
            found.paths,
            found.seconds,
            found.paths as f64 / found.seconds,
            found.stats.queries,
            found.stats.smt_queries
        );
    }
    let ratio = seconds[1] / seconds[0];
    println!("  ratio {ratio:.0}");
    let target = programs::target("isort.c", SIGNATURE, SolverKind::Layered);
    let found = exhaustive(&target, 8, 1, &Budget::default()).expect("explores");
    println!("  n = 8, one job: {:.0} paths a second", found.paths as f64 / found.seconds);
    ratio >= 100.0
}

/// One path of n = 1000 that takes at every site the side the worst path of n = 4 takes most.
pub fn guided() -> bool {
    const N: i64 = 1000;
    let target = programs::target("isort.c", SIGNATURE, SolverKind::Layered);
    let small = exhaustive(&target, 4, 1, &Budget::default()).expect("explores").worst.expect("has paths");
    let mut votes: BTreeMap<SiteId, i64> = BTreeMap::new();
    for d in &small.decisions {
        *votes.entry(d.site).or_default() += if d.answer == Answer::Bool(true) { 1 } else { -1 };
    }
    let (mut symbolic, mut concrete, mut search) = (Duration::MAX, Duration::MAX, Duration::MAX);
    // The policy that guided search proper would be led by: the least that generates the worst path of n = 4.
    let policy = Policy::Branch(BranchPolicy::least(&small.decisions));
    for round in 0..ROUNDS {
        let begun = Instant::now();
        let found =
            guided_search(&target, N, &policy, &GuidedOptions::default(), &Budget::default()).expect("searches");
        search = search.min(begun.elapsed());
        assert_eq!((found.paths, found.complete), (1, true), "one path");
        let begun = Instant::now();
        let mut driver = Driver::new(&target, &Budget::default());
        let mut node = driver.root(N).expect("starts");
        let mut decisions = 0u64;
        while let Step::Decide(choice) = driver.advance(&mut node) {
            decisions += 1;
            let costly = Answer::Bool(votes.get(&choice.site).copied().unwrap_or(0) > 0);
            let side = choice.sides.iter().position(|s| s.answer == costly).unwrap_or(choice.current);
            let model = if side == choice.current { None } else { driver.feasible_side(&node, choice.sides[side]) };
            let side = if side != choice.current && model.is_none() { choice.current } else { side };
            driver.take(&mut node, &choice, side, model, false);
        }
        symbolic = symbolic.min(begun.elapsed());
        let input = node.state.input_values(&node.model);
        let begun = Instant::now();
        let run = ConcreteRun::of(&target, N, &input, &Budget::default()).expect("runs");
        concrete = concrete.min(begun.elapsed());
        assert_eq!(run.costs.instructions, node.state.meter.costs().instructions, "the input follows its path");
        if round == 0 {
            println!("  {} terms, {} queries", driver.terms.len(), driver.solver_stats().queries);
            println!("  {decisions} decisions, {} instructions", run.costs.instructions);
        }
    }
    let [path, whole] = [symbolic, search].map(|time| time.as_secs_f64() / concrete.as_secs_f64());
    println!("  best of {ROUNDS}: concrete {concrete:.2?}");
    println!("    the path alone {symbolic:.2?}, {path:.1} times that");
    println!("    guided search, readable input included, {search:.2?}, {whole:.1} times");
    whole <= 4.0
}

const BELLMAN_FORD: (&str, &str) =
    ("../../benchmarks/wise/bellman_ford.c", "bellman_ford(weight: i32[n*n] in -1000..=1000, n)");
/// Paths of it at n = 4, as in the paper.
const BELLMAN_FORD_PATHS: u64 = 184_875;
/// What it took before the linear layer remembered refutations, in times that wasmi takes for `hashing` on the same machine: 62.7 s and 64.5 ms of
/// processor time (docs/performance.md).
const BELLMAN_FORD_BEFORE: f64 = 970.0;

/// All paths of Bellman-Ford at n = 4: two million questions about sums, most of them refuted.
pub fn sums() -> bool {
    let unit = concrete::wasmi_on_hashing().as_secs_f64();
    let target = programs::target(BELLMAN_FORD.0, BELLMAN_FORD.1, SolverKind::Layered);
    let found = exhaustive(&target, 4, 1, &Budget::default()).expect("explores");
    assert_eq!((found.paths, found.complete), (BELLMAN_FORD_PATHS, true));
    let times = found.seconds / unit;
    let faster = BELLMAN_FORD_BEFORE / times;
    println!(
        "  {} paths, {} queries, {} of them to Z3, in {:.2} s",
        found.paths, found.stats.queries, found.stats.smt_queries, found.seconds
    );
    println!(
        "  {times:.0} times wasmi on `hashing` ({:.1} ms), before {BELLMAN_FORD_BEFORE:.0}: {faster:.1} times faster",
        unit * 1e3
    );
    faster >= 4.0
}

/// The same paths by one job and by two, of a program that asks hard questions and of one that asks easy ones.
pub fn jobs() -> bool {
    let mut met = true;
    for ((file, signature), n) in [(BELLMAN_FORD, 4), (("isort.c", SIGNATURE), 10)] {
        let target = programs::target(file, signature, SolverKind::Layered);
        let [one, two] = [1, 2].map(|jobs| {
            let found = exhaustive(&target, n, jobs, &Budget::default()).expect("explores");
            assert!(found.complete, "all paths");
            found.seconds
        });
        let ratio = one / two;
        met &= ratio >= 1.8;
        println!("  {signature} n={n}: one job {one:.2} s, two {two:.2} s, ratio {ratio:.2}");
    }
    met
}
