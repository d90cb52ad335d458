//! The solver's layers against Z3: a path that the bytes describe, decided condition by condition. A model is evaluated, and what the
//! layers refute Z3 may not satisfy.

use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig, SolverKind};
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms};

use crate::fuzzing::Target;
use crate::fuzzing::data::Data;
use crate::rng::Rng;

pub const TARGET: Target = Target { name: "layers", body, seeds, dictionary: "" };

/// Longer paths take Z3 too long.
const MOST_CONDITIONS: usize = 8;
/// Those that Z3 decides quickly at any width.
const BIN: [BinOp; 8] =
    [BinOp::Add, BinOp::Sub, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::LShr, BinOp::AShr];
const CMP: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];

pub fn body(data: &[u8]) -> bool {
    let mut data = Data::new(data);
    let config = SolverConfig { z3_timeout_ms: 100, ..SolverConfig::default() };
    let mut layered = Solver::new(config.clone());
    let mut oracle = Solver::new(SolverConfig { kind: SolverKind::Z3, ..config });
    // By work, not by time: what is found is found again.
    layered.limit_work(u64::MAX);
    oracle.limit_work(u64::MAX);
    let mut terms = Terms::new();
    let width = data.pick(&[8, 8, 16, 32, 64]);
    let inputs: Vec<TermId> = (0..1 + u32::from(data.below(4))).map(|i| terms.var(InputId(i), width)).collect();
    let mut evaluator = Evaluator::new();
    let (mut path, mut model) = (PathCondition::new(), Model::new());
    let mut decided = false;
    for _ in 0..MOST_CONDITIONS {
        if data.is_empty() {
            break;
        }
        let extra = condition(&mut data, &mut terms, &inputs, width);
        let before = layered.stats().smt_queries;
        match layered.check(&mut terms, &path, &model, extra) {
            Answer::Sat(found) => {
                for condition in path.iter().chain([extra.into()]) {
                    assert!(evaluator.satisfies(&terms, &found, condition), "the model satisfies {condition:?}");
                }
                path.add(extra);
                model = found;
            }
            Answer::Unsat if layered.stats().smt_queries == before => {
                decided = true;
                let answer = oracle.check(&mut terms, &path, &model, extra);
                assert!(!answer.is_sat(), "layers refute what Z3 satisfies");
            }
            Answer::Unsat | Answer::Unknown(_) => {}
        }
    }
    assert_eq!(layered.stats().rejected_models, 0, "no layer offers a wrong model");
    decided
}

fn condition(data: &mut Data<'_>, terms: &mut Terms, inputs: &[TermId], width: u8) -> TermId {
    let a = term(data, terms, inputs, width, 2);
    let b = term(data, terms, inputs, width, 1);
    let compared = terms.cmp(data.pick(&CMP), a, b);
    if data.below(3) == 0 { terms.not(compared) } else { compared }
}

fn term(data: &mut Data<'_>, terms: &mut Terms, inputs: &[TermId], width: u8, depth: u32) -> TermId {
    match if depth == 0 { data.below(2) } else { data.below(6) } {
        0 => data.pick(inputs),
        1 => {
            let small = u64::from(data.byte());
            let value = if data.below(4) == 0 { data.u64() } else { small.wrapping_sub(16) };
            terms.constant(width, value & slowpath_term::ops::mask(width))
        }
        2..=3 => {
            let op = data.pick(&BIN);
            let a = term(data, terms, inputs, width, depth - 1);
            let b = term(data, terms, inputs, width, depth - 1);
            terms.bin(op, a, b)
        }
        4 => {
            let a = term(data, terms, inputs, width, depth - 1);
            let low = terms.extract(a, 0, width / 2);
            terms.conv(data.pick(&[ConvOp::ZExt, ConvOp::SExt]), width, low)
        }
        _ => {
            let a = term(data, terms, inputs, width, depth - 1);
            let b = term(data, terms, inputs, width, depth - 1);
            let cond = terms.cmp(data.pick(&CMP), a, b);
            terms.ite(cond, a, b, 1)
        }
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    (0..64).map(|seed| Rng::new(seed).bytes(60)).collect()
}
