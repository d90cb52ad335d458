//! Every operator as Z3 understands it, held to plain evaluation: with inputs fixed, a term equals its value and nothing else.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::INT_BIN;
use slowpath_solver::{Answer, PathCondition, Solver, SolverConfig, SolverKind};
use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms, UnOp, ops};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Values at borders are likelier than others.
    fn value(&mut self, width: u8) -> u64 {
        let v = match self.next() % 8 {
            0 => 0,
            1 => u64::MAX,
            2 => ops::sign_bit(width),
            3 => ops::sign_bit(width) - 1,
            4 => 1 << (self.next() % u64::from(width)),
            5 => self.next() % 70,
            _ => self.next(),
        };
        v & ops::mask(width)
    }

    fn float(&mut self, width: u8) -> u64 {
        let v: f64 = match self.next() % 16 {
            0 => 0.0,
            1 => -0.0,
            2 => f64::INFINITY,
            3 => f64::NEG_INFINITY,
            4 => f64::NAN,
            5 => return self.value(width),
            6 => 2147483648.0,
            7 => -2147483648.5,
            8 => 18446744073709551616.0,
            9 => 0.5,
            10 => -2.5,
            11 => 9223372036854775808.0,
            12 => -0.75,
            _ => (self.next() as i64 as f64) / ((1u64 << (self.next() % 60)) as f64),
        };
        if width == 32 { u64::from((v as f32).to_bits()) } else { v.to_bits() }
    }
}

/// Under `x = a` and `y = b`, `t = value` is satisfiable and its negation is not.
fn check(terms: &mut Terms, solver: &mut Solver, values: &[(TermId, u64)], t: TermId, what: &str) {
    let model = Model::from_values(values.iter().map(|v| v.1).collect());
    let value = Evaluator::new().eval(terms, &model, t);
    let mut path = PathCondition::new();
    for &(x, v) in values {
        let v = terms.constant(terms.width(x), v);
        path = path.push(terms.cmp(CmpOp::Eq, x, v));
    }
    let constant = terms.constant(terms.width(t), value);
    let equal = terms.cmp(CmpOp::Eq, t, constant);
    let differ = terms.not(equal);
    assert!(matches!(solver.check(terms, &path, &model, equal), Answer::Sat(_)), "{what} {values:x?} = {value:#x}");
    assert!(matches!(solver.check(terms, &path, &model, differ), Answer::Unsat), "{what} {values:x?} = {value:#x}");
}

fn solver() -> Solver {
    Solver::new(SolverConfig { kind: SolverKind::Z3, z3_timeout_ms: 20_000, ..SolverConfig::default() })
}

#[test]
fn integer_operators_mean_the_same_to_z3() {
    let (mut terms, mut solver, mut random) = (Terms::new(), solver(), Random(11));
    for width in [1, 3, 8, 16, 32, 64] {
        let x = terms.var(InputId(0), width);
        let y = terms.var(InputId(1), width);
        for _ in 0..4 {
            let values = [(x, random.value(width)), (y, random.value(width))];
            for op in INT_BIN {
                let t = terms.bin(op, x, y);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            for op in [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle] {
                let t = terms.cmp(op, x, y);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            for op in [UnOp::Not, UnOp::Clz, UnOp::Ctz, UnOp::Popcnt] {
                let t = terms.un(op, x);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            if width < 64 {
                for op in [ConvOp::ZExt, ConvOp::SExt] {
                    let t = terms.conv(op, width + 7.min(64 - width), x);
                    check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
                }
            }
            if width > 1 {
                let t = terms.extract(x, 1, width - 1);
                check(&mut terms, &mut solver, &values, t, "extract");
            }
            if width <= 32 {
                let t = terms.concat(x, y);
                check(&mut terms, &mut solver, &values, t, "concat");
            }
            let less = terms.cmp(CmpOp::Ult, x, y);
            let (sum, product) = (terms.bin(BinOp::Add, x, y), terms.bin(BinOp::Mul, x, y));
            let t = terms.ite(less, sum, product, 1);
            check(&mut terms, &mut solver, &values, t, "ite");
        }
    }
}

#[test]
fn float_operators_mean_the_same_to_z3() {
    let (mut terms, mut solver, mut random) = (Terms::new(), solver(), Random(7));
    for width in [32, 64] {
        let x = terms.var(InputId(0), width);
        let y = terms.var(InputId(1), width);
        for round in 0..24 {
            let values = [(x, random.float(width)), (y, random.float(width))];
            for op in [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FMin, BinOp::FMax] {
                let t = terms.bin(op, x, y);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            for op in [CmpOp::FEq, CmpOp::FLt, CmpOp::FLe] {
                let t = terms.cmp(op, x, y);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            for op in [UnOp::FCeil, UnOp::FFloor, UnOp::FTrunc, UnOp::FNearest] {
                let t = terms.un(op, x);
                check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width}"));
            }
            // Division and square root take Z3 long; a few are enough.
            if round < 6 {
                let t = terms.bin(BinOp::FDiv, x, y);
                check(&mut terms, &mut solver, &values, t, "FDiv");
                let t = terms.un(UnOp::FSqrt, x);
                check(&mut terms, &mut solver, &values, t, "FSqrt");
            }
            for to in [32, 64] {
                for op in [ConvOp::FToS, ConvOp::FToU, ConvOp::FFromS, ConvOp::FFromU] {
                    let t = terms.conv(op, to, x);
                    check(&mut terms, &mut solver, &values, t, &format!("{op:?} {width} to {to}"));
                }
            }
            let (op, to) = if width == 32 { (ConvOp::FPromote, 64) } else { (ConvOp::FDemote, 32) };
            let t = terms.conv(op, to, x);
            check(&mut terms, &mut solver, &values, t, &format!("{op:?}"));
        }
    }
}

#[test]
fn the_assertion_stack_follows_paths_that_fork() {
    let (mut terms, mut solver, mut random) = (Terms::new(), solver(), Random(3));
    let x: Vec<TermId> = (0..4).map(|i| terms.var(InputId(i), 8)).collect();
    let mut paths = vec![(PathCondition::new(), Model::new())];
    for _ in 0..300 {
        let (path, model) = paths[(random.next() % paths.len() as u64) as usize].clone();
        let (a, b) = (x[(random.next() % 4) as usize], x[(random.next() % 4) as usize]);
        let c = terms.constant(8, random.next());
        let b = terms.bin(BinOp::Add, b, c);
        let extra = terms.cmp(CmpOp::Ult, a, b);
        match solver.check(&mut terms, &path, &model, extra) {
            Answer::Sat(found) => paths.push((path.push(extra), found)),
            Answer::Unsat => {
                let opposite = terms.not(extra);
                let answer = solver.check(&mut terms, &path, &model, opposite);
                assert!(answer.is_sat(), "one side of a feasible path is feasible");
            }
            Answer::Unknown(why) => panic!("{why}"),
        }
    }
    assert_eq!(solver.stats().rejected_models, 0);
    assert!(paths.len() > 100);
}
