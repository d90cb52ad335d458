//! Conditions whose parts share parts have more paths from the top to the bottom than atoms in the world: every layer looks at a part once, or gives up.

// What the layers pass on is for Z3, which takes shared parts as they are.
#![cfg(feature = "z3")]

mod common;

use common::INT_BIN;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
use slowpath_term::{BinOp, CmpOp, Evaluator, InputId, Model, TermId, Terms, UnOp};

/// Asks whether this can be so; a model has to make it so.
fn ask(terms: &mut Terms, path: &PathCondition, question: TermId) -> Answer {
    let mut solver = Solver::new(SolverConfig { z3_timeout_ms: 20, ..SolverConfig::default() });
    let answer = solver.check(terms, path, &Model::new(), question);
    if let Answer::Sat(model) = &answer {
        assert_eq!(Evaluator::new().eval(terms, model, question), 1);
    }
    answer
}

#[test]
fn sums_that_share_parts_are_read_part_by_part() {
    for levels in [20, 28, 60] {
        let mut terms = Terms::new();
        let mut path = PathCondition::new();
        let inputs: Vec<TermId> = (0..12).map(|i| terms.var(InputId(i), 32)).collect();
        let three = terms.constant(32, 3);
        for input in &inputs {
            path.add(terms.cmp(CmpOp::Ult, *input, three));
        }
        // Each sum is twice the one before, and one input more.
        let mut sum = inputs[0];
        for level in 1..levels {
            let more = terms.bin(BinOp::Add, inputs[level % 12], sum);
            sum = terms.bin(BinOp::Add, sum, more);
        }
        let limit = terms.constant(32, 1 << 20);
        let question = terms.cmp(CmpOp::Slt, limit, sum);
        assert!(!matches!(ask(&mut terms, &path, question), Answer::Unsat), "{levels}");
    }
}

#[test]
fn differences_that_share_parts_are_read_or_given_up() {
    let mut terms = Terms::new();
    let one = terms.constant(32, 1);
    let first = terms.var(InputId(0), 32);
    let mut difference = first;
    for level in 1..90 {
        let input = terms.var(InputId(level), 32);
        let (more, less) = (terms.bin(BinOp::Add, difference, one), terms.bin(BinOp::Sub, difference, input));
        difference = terms.bin(BinOp::Sub, more, less);
    }
    let question = terms.cmp(CmpOp::Slt, difference, first);
    assert!(!matches!(ask(&mut terms, &PathCondition::new(), question), Answer::Unsat));
}

#[test]
fn conditions_on_one_input_that_share_parts_are_read_or_given_up() {
    let mut terms = Terms::new();
    let x = terms.var(InputId(0), 32);
    let mut holds = terms.boolean(true);
    for level in 0..60 {
        let (low, high) = (terms.constant(32, level * 7), terms.constant(32, level * 11 + 1000));
        let (above, below) = (terms.cmp(CmpOp::Ult, low, x), terms.cmp(CmpOp::Ult, x, high));
        let fails = terms.un(UnOp::Not, holds);
        let (either, or_not) = (terms.bin(BinOp::Or, holds, below), terms.bin(BinOp::Or, fails, above));
        holds = terms.bin(BinOp::And, either, or_not);
    }
    assert!(!matches!(ask(&mut terms, &PathCondition::new(), holds), Answer::Unsat));
}

#[test]
fn whatever_shares_parts_is_asked_about_in_no_time() {
    for first in INT_BIN {
        for second in INT_BIN {
            for inputs in [1, 3] {
                let mut terms = Terms::new();
                let mut path = PathCondition::new();
                let inputs: Vec<TermId> = (0..inputs).map(|i| terms.var(InputId(i), 32)).collect();
                let limit = terms.constant(32, 9);
                inputs.iter().for_each(|input| path.add(terms.cmp(CmpOp::Ult, *input, limit)));
                let mut shared = inputs[0];
                for level in 0..48 {
                    let more = terms.bin(second, shared, inputs[level % inputs.len()]);
                    shared = terms.bin(first, shared, more);
                }
                let limit = terms.constant(32, 77);
                let question = terms.cmp(CmpOp::Ult, limit, shared);
                ask(&mut terms, &path, question);
                let choice = terms.cmp(CmpOp::Eq, shared, limit);
                let chosen = terms.ite(choice, shared, limit, 0);
                let question = terms.cmp(CmpOp::Slt, inputs[0], chosen);
                ask(&mut terms, &path, question);
            }
        }
    }
}
