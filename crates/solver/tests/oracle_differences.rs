//! Random paths of orders, equalities and offsets, with constants next to overflow: the shapes of difference logic.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, TermId, Terms};

fn side(random: &mut Random, terms: &mut Terms, inputs: &[(TermId, u8)], width: u8) -> TermId {
    let (t, from) = random.pick(inputs);
    let t = if from < width { terms.conv(random.pick(&[ConvOp::ZExt, ConvOp::SExt]), width, t) } else { t };
    let t = if from > width { terms.extract(t, 0, width) } else { t };
    match random.below(6) {
        0 | 1 => {
            let c = random.constant(width);
            let c = terms.constant(width, c);
            terms.bin(BinOp::Add, t, c)
        }
        2 => {
            let (u, from) = random.pick(inputs);
            if from > width {
                return t;
            }
            let u = terms.conv(random.pick(&[ConvOp::ZExt, ConvOp::SExt]), width, u);
            terms.bin(BinOp::Sub, t, u)
        }
        _ => t,
    }
}

#[test]
fn layers_agree_with_z3_on_differences() {
    common::run(common::rounds(80_000), 2, |random, terms| {
        let count = 2 + random.below(7) as u32;
        let uniform = random.below(3) > 0;
        let width = random.pick(&[8, 8, 8, 16, 16, 32, 64]);
        let inputs: Vec<(TermId, u8)> = (0..count)
            .map(|i| {
                let width = if uniform { width } else { random.pick(&[8, 8, 8, 16, 16, 32, 64]) };
                (terms.var(InputId(i), width), width)
            })
            .collect();
        let orders: Vec<CmpOp> = match random.below(3) {
            0 => vec![CmpOp::Slt, CmpOp::Sle],
            1 => vec![CmpOp::Ult, CmpOp::Ule],
            _ => vec![CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule],
        };
        let plain = random.below(2) == 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            let width = random.pick(&inputs).1.max(if plain { 0 } else { 16 });
            let a = if plain { random.pick(&inputs).0 } else { side(random, terms, &inputs, width) };
            let width = terms.width(a);
            let b = if random.below(4) == 0 {
                let c = random.constant(width);
                terms.constant(width, c)
            } else if plain && uniform {
                random.pick(&inputs).0
            } else {
                side(random, terms, &inputs, width)
            };
            let op = if random.below(5) == 0 { CmpOp::Eq } else { random.pick(&orders) };
            let t = terms.cmp(op, a, b);
            if random.below(3) == 0 { terms.not(t) } else { t }
        })
    });
}
