//! Random paths over all operators: the layers never contradict Z3, and every model satisfies its path.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, TermId, Terms, UnOp};

const INT_BIN: [BinOp; 15] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::LShr,
    BinOp::AShr,
    BinOp::RotL,
    BinOp::RotR,
    BinOp::Mul,
    BinOp::UDiv,
    BinOp::SDiv,
    BinOp::URem,
    BinOp::SRem,
];
const FLOAT_BIN: [BinOp; 5] = [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FMin, BinOp::FMax];
const ORDERS: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];

/// A term of `width` bits over the inputs.
fn term(
    random: &mut Random,
    terms: &mut Terms,
    inputs: &[(TermId, u8)],
    width: u8,
    depth: u32,
    floats: bool,
) -> TermId {
    let fitting: Vec<TermId> = inputs.iter().filter(|i| i.1 == width).map(|i| i.0).collect();
    if depth == 0 || random.below(3) == 0 {
        if !fitting.is_empty() && random.below(5) > 0 {
            return random.pick(&fitting);
        }
        let (t, from) = random.pick(inputs);
        if from < width && width > 1 {
            return terms.conv(random.pick(&[ConvOp::ZExt, ConvOp::SExt]), width, t);
        }
        if from > width {
            return terms.extract(t, random.below(u64::from(from - width) + 1) as u8, width);
        }
        let c = random.constant(width);
        return terms.constant(width, c);
    }
    match random.below(12) {
        0..=6 => {
            // Wide products and quotients take Z3 too long to serve as an oracle.
            let op = random.pick(&INT_BIN[..if width <= 8 { 15 } else { 10 }]);
            let a = term(random, terms, inputs, width, depth - 1, floats);
            let b = if random.below(2) == 0 {
                let c = random.constant(width);
                terms.constant(width, c)
            } else {
                term(random, terms, inputs, width, depth - 1, floats)
            };
            terms.bin(op, a, b)
        }
        7 => {
            let a = term(random, terms, inputs, width, depth - 1, floats);
            terms.un(random.pick(&[UnOp::Not, UnOp::Clz, UnOp::Ctz, UnOp::Popcnt]), a)
        }
        8 if width > 8 => {
            let high = term(random, terms, inputs, width - 8, depth - 1, floats);
            let low = term(random, terms, inputs, 8, depth - 1, floats);
            terms.concat(high, low)
        }
        9 if width == 32 && floats => {
            let a = term(random, terms, inputs, width, depth - 1, floats);
            let b = term(random, terms, inputs, width, depth - 1, floats);
            terms.bin(random.pick(&FLOAT_BIN), a, b)
        }
        _ => {
            let cond = condition(random, terms, inputs, depth - 1, floats);
            let a = term(random, terms, inputs, width, depth - 1, floats);
            let b = term(random, terms, inputs, width, depth - 1, floats);
            terms.ite(cond, a, b, 1)
        }
    }
}

fn condition(random: &mut Random, terms: &mut Terms, inputs: &[(TermId, u8)], depth: u32, floats: bool) -> TermId {
    if depth > 0 && random.below(5) == 0 {
        let a = condition(random, terms, inputs, depth - 1, floats);
        let b = condition(random, terms, inputs, depth - 1, floats);
        return terms.bin(random.pick(&[BinOp::And, BinOp::Or, BinOp::Xor]), a, b);
    }
    let width = random.pick(inputs).1;
    let a = term(random, terms, inputs, width, depth, floats);
    let b = if random.below(2) == 0 {
        let c = random.constant(width);
        terms.constant(width, c)
    } else {
        term(random, terms, inputs, width, depth, floats)
    };
    let op = if floats && width == 32 && random.below(3) == 0 {
        random.pick(&[CmpOp::FEq, CmpOp::FLt, CmpOp::FLe])
    } else {
        random.pick(&ORDERS)
    };
    let t = terms.cmp(op, a, b);
    if random.below(4) == 0 { terms.not(t) } else { t }
}

#[test]
fn layers_agree_with_z3_on_all_operators() {
    common::run(common::rounds(16_000), 1, |random, terms| {
        let count = 1 + random.below(8) as u32;
        let inputs: Vec<(TermId, u8)> = (0..count)
            .map(|i| {
                let width = random.pick(&[8, 8, 16, 32, 64]);
                (terms.var(InputId(i), width), width)
            })
            .collect();
        let depth = random.below(4) as u32;
        // Float arithmetic takes Z3 long, too; a few worlds have it.
        let floats = random.below(24) == 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| condition(random, terms, &inputs, depth, floats))
    });
}
