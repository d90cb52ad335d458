//! Arithmetic on a few unknown floats: held to Z3, and to inputs that are known to satisfy what is asked.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig};
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms, UnOp};

const VALUES: [f64; 14] =
    [0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -2.5, 1e10, 1e-10, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn bits(value: f64, width: u8) -> u64 {
    if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

fn float(random: &mut Random) -> f64 {
    if random.below(3) == 0 {
        random.pick(&VALUES)
    } else {
        (random.below(2001) as f64 - 1000.0) / random.pick(&[1.0, 7.0, 1000.0])
    }
}

fn arithmetic(random: &mut Random, terms: &mut Terms, inputs: &[TermId], width: u8, depth: u32) -> TermId {
    if depth == 0 {
        return if random.below(3) == 0 {
            let value = float(random);
            terms.constant(width, bits(value, width))
        } else {
            random.pick(inputs)
        };
    }
    let a = arithmetic(random, terms, inputs, width, depth - 1);
    match random.below(12) {
        0 => terms.un(random.pick(&[UnOp::FSqrt, UnOp::FCeil, UnOp::FFloor, UnOp::FTrunc, UnOp::FNearest]), a),
        1 => {
            let sign = terms.constant(width, 1 << (width - 1));
            terms.bin(BinOp::Xor, a, sign)
        }
        2 => {
            let magnitude = terms.constant(width, (1 << (width - 1)) - 1);
            terms.bin(BinOp::And, a, magnitude)
        }
        3 if width == 64 => {
            let single = terms.conv(ConvOp::FDemote, 32, a);
            terms.conv(ConvOp::FPromote, 64, single)
        }
        4 => {
            let b = arithmetic(random, terms, inputs, width, depth - 1);
            let less = terms.cmp(CmpOp::FLt, a, b);
            terms.ite(less, a, b, 0)
        }
        _ => {
            let b = arithmetic(random, terms, inputs, width, depth - 1);
            let op = random.pick(&[
                BinOp::FAdd,
                BinOp::FSub,
                BinOp::FMul,
                BinOp::FDiv,
                BinOp::FMin,
                BinOp::FMax,
                BinOp::FAdd,
                BinOp::FMul,
            ]);
            terms.bin(op, a, b)
        }
    }
}

fn condition(random: &mut Random, terms: &mut Terms, inputs: &[TermId], width: u8) -> TermId {
    let depth = random.below(4) as u32;
    let a = arithmetic(random, terms, inputs, width, depth);
    let b = arithmetic(random, terms, inputs, width, 0);
    let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
    let condition = terms.cmp(random.pick(&[CmpOp::FLt, CmpOp::FLe, CmpOp::FEq]), a, b);
    if random.below(2) == 0 { terms.not(condition) } else { condition }
}

#[test]
fn layers_agree_with_z3_on_arithmetic_of_floats() {
    common::run(common::rounds(100), 5, |random, terms| {
        let (count, width) = (1 + random.below(2) as u32, random.pick(&[32, 64]));
        let inputs: Vec<TermId> = (0..count).map(|i| terms.var(InputId(i), width)).collect();
        Box::new(move |random: &mut Random, terms: &mut Terms| condition(random, terms, &inputs, width))
    });
}

#[test]
fn what_some_input_satisfies_is_never_refuted() {
    let mut random = Random::new(9);
    let (mut refuted, mut found) = (0, 0);
    for _ in 0..common::rounds(1_500) {
        let mut terms = Terms::new();
        let mut solver = Solver::new(SolverConfig::default());
        solver.ask_z3(false);
        let width = random.pick(&[32, 64]);
        let inputs: Vec<TermId> = (0..1 + random.below(2) as u32).map(|i| terms.var(InputId(i), width)).collect();
        let known = Model::from_values(inputs.iter().map(|_| bits(float(&mut random), width)).collect());
        let mut path = PathCondition::new();
        let mut model = Model::new();
        for _ in 0..4 {
            let asked = condition(&mut random, &mut terms, &inputs, width);
            let holds = Evaluator::new().holds(&terms, &known, asked);
            let (asked, other) = if holds { (asked, terms.not(asked)) } else { (terms.not(asked), asked) };
            refuted += u32::from(matches!(solver.check(&mut terms, &path, &model, other), Answer::Unsat));
            match solver.check(&mut terms, &path, &model, asked) {
                Answer::Unsat => panic!("{} refuted, but {known:?} satisfies it", common::show(&terms, asked)),
                Answer::Sat(better) => (found, model) = (found + 1, better),
                Answer::Unknown(_) => break,
            }
            path.add(asked);
        }
    }
    assert!(refuted > 30 && found > 300, "{refuted} refuted, {found} models");
}

/// What Newton's square root asks in its first rounds, from bounds of the input alone.
#[test]
fn a_square_root_by_newton_needs_no_z3() {
    let mut terms = Terms::new();
    let mut solver = Solver::new(SolverConfig::default());
    solver.ask_z3(false);
    let x = terms.var(InputId(0), 64);
    let number = |terms: &mut Terms, value: f64| terms.constant(64, value.to_bits());
    let (one, four, half) = (number(&mut terms, 1.0), number(&mut terms, 4.0), number(&mut terms, 0.5));
    let path = [terms.cmp(CmpOp::FLe, one, x), terms.cmp(CmpOp::FLe, x, four)];
    let path = path.into_iter().fold(PathCondition::new(), |path, condition| path.push(condition));
    let model = Model::from_values(vec![2f64.to_bits()]);
    let quotient = terms.bin(BinOp::FDiv, x, x);
    let sum = terms.bin(BinOp::FAdd, x, quotient);
    let guess = terms.bin(BinOp::FMul, half, sum);
    let square = terms.bin(BinOp::FMul, guess, guess);
    let (low, high) = (number(&mut terms, 0.1), number(&mut terms, 6.0));
    let below = terms.cmp(CmpOp::FLt, square, low);
    assert!(matches!(solver.check(&mut terms, &path, &model, below), Answer::Unsat));
    let above = terms.cmp(CmpOp::FLt, high, square);
    assert!(matches!(solver.check(&mut terms, &path, &model, above), Answer::Sat(_)));
}
