//! Insertion sort, explored path by path as the driver does it: how many paths, how fast, and without Z3.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

use std::time::Instant;

use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig, SolverKind};
use slowpath_term::{CmpOp, Evaluator, InputId, Model, TermId, Terms};

/// Where insertion sort stands: the array as inputs, the element being inserted, and where it is.
#[derive(Clone)]
struct State {
    array: Vec<TermId>,
    i: usize,
    j: usize,
    path: PathCondition,
    model: Model,
}

/// Explores all paths for `n` elements; returns their number.
fn explore(n: u32, solver: &mut Solver) -> u64 {
    let mut terms = Terms::new();
    let mut evaluator = Evaluator::new();
    let array: Vec<TermId> = (0..n).map(|i| terms.var(InputId(i), 32)).collect();
    let mut stack =
        vec![State { array, i: 1, j: 1, path: PathCondition::new(), model: Model::from_values(vec![0; n as usize]) }];
    let mut paths = 0;
    while let Some(mut state) = stack.pop() {
        loop {
            if state.i >= state.array.len() {
                paths += 1;
                break;
            }
            if state.j == 0 {
                state.i += 1;
                state.j = state.i;
                continue;
            }
            // while (j > 0 && a[j - 1] > key)
            let swap = terms.cmp(CmpOp::Slt, state.array[state.j], state.array[state.j - 1]);
            let stay = terms.not(swap);
            let swaps = evaluator.holds(&terms, &state.model, swap);
            let (here, there) = if swaps { (swap, stay) } else { (stay, swap) };
            if let Answer::Sat(model) = solver.check(&mut terms, &state.path, &state.model, there) {
                let mut other = State { path: state.path.push(there), model, ..state.clone() };
                step(&mut other, !swaps);
                stack.push(other);
            }
            state.path = state.path.push(here);
            step(&mut state, swaps);
        }
    }
    paths
}

fn step(state: &mut State, swap: bool) {
    if swap {
        state.array.swap(state.j, state.j - 1);
        state.j -= 1;
    } else {
        state.i += 1;
        state.j = state.i;
    }
}

#[test]
fn every_permutation_is_one_path_and_none_needs_z3() {
    for (n, paths) in [(1, 1), (4, 24), (6, 720), (7, 5040)] {
        let mut solver = Solver::new(SolverConfig::default());
        assert_eq!(explore(n, &mut solver), paths);
        assert_eq!(solver.stats().smt_queries, 0);
    }
}

#[test]
fn z3_alone_finds_the_same_paths() {
    let mut solver = Solver::new(SolverConfig { kind: SolverKind::Z3, ..SolverConfig::default() });
    let start = Instant::now();
    assert_eq!(explore(5, &mut solver), 120);
    println!("{} queries of Z3 in {:?}", solver.stats().smt_queries, start.elapsed());
}

#[test]
fn exploring_eight_elements_is_fast() {
    let mut solver = Solver::new(SolverConfig::default());
    let start = Instant::now();
    let paths = explore(8, &mut solver);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{paths} paths, {:.0} a second, {:.2} us a query",
        paths as f64 / seconds,
        seconds * 1e6 / solver.stats().queries as f64
    );
    for layer in solver.stats().layers {
        println!("{layer:?}");
    }
    assert_eq!(paths, 40_320);
    // A generous floor, for machines that are busy with other tests; measured figures are ten times that.
    assert!(cfg!(debug_assertions) || paths as f64 / seconds > 5_000.0);
}

/// The costly side always: half a million conditions on one path, pushed without a question, then one question.
#[test]
fn a_path_of_half_a_million_conditions_is_followed_quickly() {
    let n = 1000u32;
    let mut terms = Terms::new();
    let inputs: Vec<TermId> = (0..n).map(|i| terms.var(InputId(i), 32)).collect();
    let model = Model::from_values((0..n).map(|i| u64::from(n - i)).collect());
    let start = Instant::now();
    let mut path = PathCondition::new();
    for i in 1..n as usize {
        for j in 0..i {
            path = path.push(terms.cmp(CmpOp::Slt, inputs[i], inputs[j]));
        }
    }
    let built = start.elapsed();
    let mut solver = Solver::new(SolverConfig::default());
    let back = terms.cmp(CmpOp::Slt, inputs[10], inputs[900]);
    assert!(solver.check(&mut terms, &path, &model, back).is_unsat());
    let followed = start.elapsed() - built;
    let start = Instant::now();
    let zero = terms.constant(32, 0);
    let negative = terms.cmp(CmpOp::Slt, inputs[500], zero);
    assert!(solver.check(&mut terms, &path, &model, negative).is_sat());
    let asked = start.elapsed();
    let count = path.len() as u128;
    println!(
        "{count} conditions: built {} ns each, followed {} ns each, second question {asked:?}",
        built.as_nanos() / count,
        followed.as_nanos() / count
    );
    assert_eq!(solver.stats().smt_queries, 0);
    let readable = solver.readable(&mut terms, &path, &model.with(InputId(999), 0x8000_0000), &|_| true);
    assert_eq!(readable.get(InputId(999)), 0);
    assert_eq!(readable.get(InputId(0)), 999);
}
