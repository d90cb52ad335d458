//! Random paths of sums of bounded inputs, as in shortest routes: the shapes of the linear layer.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_term::{BinOp, CmpOp, InputId, TermId, Terms};

/// Up to four inputs added, each perhaps times a small constant, some subtracted.
fn sum(random: &mut Random, terms: &mut Terms, inputs: &[TermId]) -> TermId {
    let mut total = random.pick(inputs);
    for _ in 0..random.below(4) {
        let mut part = random.pick(inputs);
        if random.below(6) == 0 {
            let factor = random.below(6);
            let factor = terms.constant(32, factor);
            part = terms.bin(BinOp::Mul, part, factor);
        }
        total = terms.bin(if random.below(5) == 0 { BinOp::Sub } else { BinOp::Add }, total, part);
    }
    total
}

#[test]
fn layers_agree_with_z3_on_sums() {
    common::run(common::rounds(4_000), 3, |random, terms| {
        let inputs: Vec<TermId> = (0..3 + random.below(5) as u32).map(|i| terms.var(InputId(i), 32)).collect();
        let greatest = random.pick(&[5, 1000, 1 << 20]);
        let low = if random.below(3) == 0 { -20 } else { 0 };
        let (lo, hi) = (terms.constant(32, low as u64), terms.constant(32, greatest));
        // The first questions bound the inputs; what comes before that may wrap, and the layers must notice.
        let mut bounds: Vec<TermId> = Vec::new();
        for &x in &inputs {
            bounds.push(terms.cmp(CmpOp::Sle, lo, x));
            bounds.push(terms.cmp(CmpOp::Sle, x, hi));
        }
        let bounds = terms.and_all(&bounds);
        let mut asked = 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            asked += 1;
            if asked % 8 == 1 {
                return bounds;
            }
            let a = sum(random, terms, &inputs);
            let b = if random.below(4) == 0 {
                let c = random.below(40);
                terms.constant(32, c)
            } else {
                sum(random, terms, &inputs)
            };
            let op = random.pick(&[CmpOp::Slt, CmpOp::Sle, CmpOp::Slt, CmpOp::Sle, CmpOp::Eq]);
            let t = terms.cmp(op, a, b);
            if random.below(3) == 0 { terms.not(t) } else { t }
        })
    });
}
