//! Terms against evaluation: a tree that the bytes describe is evaluated as it stands and built through the arena with all its rewriting;
//! both agree on every value of two small inputs.

use slowpath_term::{BinOp, CmpOp, ConvOp, Evaluator, InputId, Model, TermId, Terms, UnOp, ops};

use crate::fuzzing::Target;
use crate::fuzzing::data::Data;
use crate::rng::Rng;

pub const TARGET: Target = Target { name: "terms", body, seeds, dictionary: "" };

const BIN: [BinOp; 15] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::RotL,
    BinOp::RotR,
];
const CMP: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];
const UN: [UnOp; 4] = [UnOp::Not, UnOp::Clz, UnOp::Ctz, UnOp::Popcnt];
/// Bits of the two inputs.
const WIDTHS: [u8; 2] = [4, 3];
const DEEPEST: u32 = 7;

/// A term with its value for every input.
struct Both {
    term: TermId,
    width: u8,
    values: Vec<u64>,
}

pub fn body(data: &[u8]) -> bool {
    let mut data = Data::new(data);
    let mut terms = Terms::new();
    let whole = tree(&mut data, &mut terms, DEEPEST);
    assert_eq!(terms.width(whole.term), whole.width);
    let mut evaluator = Evaluator::new();
    for (position, expected) in whole.values.iter().enumerate() {
        let model = Model::from_values(inputs(position));
        let value = evaluator.eval(&terms, &model, whole.term);
        assert_eq!(value, *expected, "inputs {:?}", inputs(position));
    }
    whole.values.iter().any(|value| *value != whole.values[0])
}

/// The values of both inputs, of which there are 128 pairs.
fn inputs(position: usize) -> Vec<u64> {
    vec![position as u64 & ops::mask(WIDTHS[0]), position as u64 >> WIDTHS[0]]
}

fn count() -> usize {
    1 << (WIDTHS[0] + WIDTHS[1])
}

fn tree(data: &mut Data<'_>, terms: &mut Terms, depth: u32) -> Both {
    let kind = if depth == 0 || data.is_empty() { data.below(2) } else { data.below(10) };
    match kind {
        0 => {
            let which = data.below(2);
            let width = WIDTHS[usize::from(which)];
            let values = (0..count()).map(|position| inputs(position)[usize::from(which)]).collect();
            Both { term: terms.var(InputId(u32::from(which)), width), width, values }
        }
        1 => {
            let width = 1 + data.below(8);
            let value = u64::from(data.byte()) & ops::mask(width);
            Both { term: terms.constant(width, value), width, values: vec![value; count()] }
        }
        2..=4 => {
            let op = data.pick(&BIN);
            let a = tree(data, terms, depth - 1);
            let b = tree(data, terms, depth - 1);
            let b = fitted(terms, b, a.width);
            let values = a.values.iter().zip(&b.values).map(|(x, y)| ops::bin(op, a.width, *x, *y)).collect();
            Both { term: terms.bin(op, a.term, b.term), width: a.width, values }
        }
        5 => {
            let op = data.pick(&UN);
            let a = tree(data, terms, depth - 1);
            let values = a.values.iter().map(|x| ops::un(op, a.width, *x)).collect();
            Both { term: terms.un(op, a.term), width: a.width, values }
        }
        6 => {
            let op = data.pick(&CMP);
            let a = tree(data, terms, depth - 1);
            let b = tree(data, terms, depth - 1);
            let b = fitted(terms, b, a.width);
            let holds = |(x, y): (&u64, &u64)| u64::from(ops::cmp(op, a.width, *x, *y));
            let values = a.values.iter().zip(&b.values).map(holds).collect();
            Both { term: terms.cmp(op, a.term, b.term), width: 1, values }
        }
        7 => {
            let (op, more) = (data.pick(&[ConvOp::ZExt, ConvOp::SExt]), 1 + data.below(20));
            let a = tree(data, terms, depth - 1);
            let width = (a.width + more).min(64);
            if width == a.width {
                return a;
            }
            let values = a.values.iter().map(|x| ops::conv(op, a.width, width, *x)).collect();
            Both { term: terms.conv(op, width, a.term), width, values }
        }
        8 => {
            let high = tree(data, terms, depth - 1);
            let low = tree(data, terms, depth - 1);
            let low = if high.width + low.width > 64 { fitted(terms, low, 64 - high.width.min(63)) } else { low };
            if high.width + low.width > 64 {
                return high;
            }
            let values = high.values.iter().zip(&low.values).map(|(x, y)| x << low.width | y).collect();
            Both { term: terms.concat(high.term, low.term), width: high.width + low.width, values }
        }
        _ => {
            let cond = tree(data, terms, depth - 1);
            let cond = fitted(terms, cond, 1);
            let a = tree(data, terms, depth - 1);
            let b = tree(data, terms, depth - 1);
            let b = fitted(terms, b, a.width);
            let side =
                |position: usize| if cond.values[position] == 1 { a.values[position] } else { b.values[position] };
            let values = (0..count()).map(side).collect();
            Both { term: terms.ite(cond.term, a.term, b.term, 7), width: a.width, values }
        }
    }
}

/// The low bits, or zeros before it: the same value in so many bits.
fn fitted(terms: &mut Terms, both: Both, width: u8) -> Both {
    if both.width == width {
        return both;
    }
    let values = both.values.iter().map(|value| value & ops::mask(width)).collect();
    let term = if both.width > width {
        terms.extract(both.term, 0, width)
    } else {
        terms.conv(ConvOp::ZExt, width, both.term)
    };
    Both { term, width, values }
}

pub fn seeds() -> Vec<Vec<u8>> {
    (0..64).map(|seed| Rng::new(seed).bytes(40)).collect()
}
