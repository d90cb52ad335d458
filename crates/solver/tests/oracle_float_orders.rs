//! Random paths of orders between floats, NaNs, zeros and infinities included.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
use slowpath_term::{CmpOp, InputId, Model, TermId, Terms};

#[test]
fn layers_agree_with_z3_on_orders_of_floats() {
    common::run(common::rounds(3_000), 3, |random, terms| {
        let (count, width) = (2 + random.below(5) as u32, random.pick(&[32, 64]));
        let inputs: Vec<TermId> = (0..count).map(|i| terms.var(InputId(i), width)).collect();
        let constants = random.below(2) == 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            let a = random.pick(&inputs);
            let b = if constants && random.below(4) == 0 {
                let value = random.pick(&[0.0, -0.0, 1.0, -2.5, f64::INFINITY, f64::NEG_INFINITY]);
                let bits = if width == 64 { value.to_bits() } else { u64::from((value as f32).to_bits()) };
                terms.constant(width, bits)
            } else {
                random.pick(&inputs)
            };
            let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
            let condition = terms.cmp(random.pick(&[CmpOp::FLt, CmpOp::FLt, CmpOp::FLe, CmpOp::FEq]), a, b);
            if random.below(2) == 0 { terms.not(condition) } else { condition }
        })
    });
}

#[test]
fn a_long_order_of_floats_needs_no_z3() {
    let mut terms = Terms::new();
    let mut solver = Solver::new(SolverConfig::default());
    let mut path = PathCondition::new();
    let mut model = Model::new();
    let inputs: Vec<TermId> = (0..100).map(|i| terms.var(InputId(i), 64)).collect();
    // Each below the one before it, as sorting finds out in an array that falls.
    for pair in inputs.windows(2) {
        let falls = terms.cmp(CmpOp::FLt, pair[1], pair[0]);
        match solver.check(&mut terms, &path, &model, falls) {
            Answer::Sat(found) => model = found,
            other => panic!("{other:?}"),
        }
        path.add(falls);
    }
    let rises = terms.cmp(CmpOp::FLe, inputs[0], inputs[99]);
    assert!(matches!(solver.check(&mut terms, &path, &model, rises), Answer::Unsat));
    assert_eq!(solver.stats().smt_queries, 0);
}
