//! Random paths over inputs with few values, through tables at unknown places: what going through them all decides.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
use slowpath_term::{BinOp, CmpOp, InputId, Model, TermId, Terms};

/// What a table of constants holds at an unknown place.
fn look_up(terms: &mut Terms, at: TermId, table: &[u64]) -> TermId {
    let mut out = terms.constant(8, table[0]);
    for (i, value) in table.iter().enumerate().skip(1) {
        let (here, value) = (terms.constant(8, i as u64), terms.constant(8, *value));
        let hit = terms.cmp(CmpOp::Eq, at, here);
        out = terms.ite(hit, value, out, 0);
    }
    out
}

fn sum(random: &mut Random, terms: &mut Terms, inputs: &[TermId]) -> TermId {
    let (a, b) = (random.pick(inputs), random.pick(inputs));
    let table: Vec<u64> = (0..5).map(|_| random.below(5)).collect();
    let first = look_up(terms, a, &table);
    let second = look_up(terms, first, &table);
    let product = terms.bin(BinOp::Mul, b, second);
    terms.bin(BinOp::Add, product, a)
}

#[test]
fn layers_agree_with_z3_on_inputs_with_few_values() {
    common::run(common::rounds(1_000), 4, |random, terms| {
        let count = 2 + random.below(3) as u32;
        let inputs: Vec<TermId> = (0..count).map(|i| terms.var(InputId(i), 8)).collect();
        let mut bounded = 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            // A range for each first.
            if bounded < inputs.len() {
                let limit = terms.constant(8, 5);
                bounded += 1;
                return terms.cmp(CmpOp::Ult, inputs[bounded - 1], limit);
            }
            let (a, b) = (sum(random, terms, &inputs), sum(random, terms, &inputs));
            let condition = terms.cmp(random.pick(&[CmpOp::Eq, CmpOp::Ult, CmpOp::Ule]), a, b);
            if random.below(2) == 0 { terms.not(condition) } else { condition }
        })
    });
}

#[test]
fn a_chain_of_links_needs_no_z3() {
    // parent[parent[x]] is a root for no x of four: every link leads on.
    let mut terms = Terms::new();
    let mut solver = Solver::new(SolverConfig::default());
    let (x, limit) = (terms.var(InputId(0), 8), terms.constant(8, 4));
    let path = PathCondition::new().push(terms.cmp(CmpOp::Ult, x, limit));
    let (mut at, table) = (x, [1, 2, 3, 0]);
    for _ in 0..6 {
        at = look_up(&mut terms, at, &table);
    }
    let mixed = terms.bin(BinOp::Mul, at, x);
    let seven = terms.constant(8, 7);
    let never = terms.cmp(CmpOp::Eq, mixed, seven);
    let answer = solver.check(&mut terms, &path, &Model::new(), never);
    assert!(matches!(answer, Answer::Unsat), "{answer:?}");
    assert_eq!(solver.stats().smt_queries, 0);
}
