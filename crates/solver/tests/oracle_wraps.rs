//! Random paths of sums that wrap around, quotients, remainders, masks, shifts, and words beside their bytes: the shapes of the layer of wraps.

// Z3 is the oracle here.
#![cfg(feature = "z3")]

mod common;

use common::Random;
use slowpath_term::{BinOp, CmpOp, ConvOp, InputId, TermId, Terms};

/// Up to four inputs added and subtracted, some times a constant, with a constant at a border now and then.
fn sum(random: &mut Random, terms: &mut Terms, inputs: &[TermId], width: u8) -> TermId {
    let mut total = random.pick(inputs);
    for _ in 0..random.below(4) {
        let mut part = random.pick(inputs);
        match random.below(8) {
            0 => {
                let factor = random.pick(&[2, 3, 5, 31, 33]);
                let factor = terms.constant(width, factor);
                part = terms.bin(BinOp::Mul, part, factor);
            }
            1 => {
                let border = random.constant(width);
                part = terms.constant(width, border);
            }
            _ => {}
        }
        total = terms.bin(if random.below(2) == 0 { BinOp::Sub } else { BinOp::Add }, total, part);
    }
    total
}

/// A sum, or what is left of it after a division, a mask or a shift.
fn side(random: &mut Random, terms: &mut Terms, inputs: &[TermId], width: u8) -> TermId {
    let total = sum(random, terms, inputs, width);
    let by = random.pick(&[2, 3, 7, 10, 16, 100]);
    let by = terms.constant(width, by);
    match random.below(10) {
        0 => terms.bin(BinOp::UDiv, total, by),
        1 => terms.bin(BinOp::URem, total, by),
        2 => {
            let op = random.pick(&[BinOp::SDiv, BinOp::SRem]);
            let kept = terms.constant(width, 0x3f);
            let small = terms.bin(BinOp::And, total, kept);
            terms.bin(op, small, by)
        }
        3 => {
            let (op, amount) = (random.pick(&[BinOp::LShr, BinOp::AShr, BinOp::Shl]), 1 + random.below(5));
            let amount = terms.constant(width, amount);
            terms.bin(op, total, amount)
        }
        4 => {
            let kept = random.pick(&[0xf, 0xff, 0xff00, 0xffff_fff0]);
            let kept = terms.constant(width, kept);
            terms.bin(BinOp::And, total, kept)
        }
        _ => total,
    }
}

fn compared(random: &mut Random, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let op = random.pick(&[CmpOp::Slt, CmpOp::Sle, CmpOp::Ult, CmpOp::Ule, CmpOp::Eq]);
    let t = terms.cmp(op, a, b);
    if random.below(3) == 0 { terms.not(t) } else { t }
}

#[test]
fn layers_agree_with_z3_on_sums_that_wrap() {
    for (seed, width) in [(5, 32u8), (6, 16), (7, 8)] {
        common::run(common::rounds(700), seed, |random, terms| {
            let inputs: Vec<TermId> = (0..2 + random.below(4) as u32).map(|i| terms.var(InputId(i), width)).collect();
            Box::new(move |random: &mut Random, terms: &mut Terms| {
                let a = side(random, terms, &inputs, width);
                let b = if random.below(3) == 0 {
                    let c = random.constant(width);
                    terms.constant(width, c)
                } else {
                    side(random, terms, &inputs, width)
                };
                compared(random, terms, a, b)
            })
        });
    }
}

#[test]
fn layers_agree_with_z3_on_words_beside_their_bytes() {
    common::run(common::rounds(700), 8, |random, terms| {
        // Words of bytes, in both orders, and the bytes of words.
        let bytes: Vec<TermId> = (0..8).map(|i| terms.var(InputId(i), 8)).collect();
        let join = |terms: &mut Terms, list: &[TermId]| {
            list.iter().copied().reduce(|low, high| terms.concat(high, low)).expect("bytes")
        };
        let mut reversed = bytes[..4].to_vec();
        reversed.reverse();
        let mut words = vec![join(terms, &bytes[..4]), join(terms, &bytes[4..]), join(terms, &reversed)];
        words.push(terms.var(InputId(8), 32));
        let mut parts = bytes;
        parts.extend((0..4).map(|i| terms.extract(words[3], 8 * i, 8)));
        let high = random.below(2) == 0;
        Box::new(move |random: &mut Random, terms: &mut Terms| {
            if random.below(2) == 0 {
                let (a, b) = (random.pick(&parts), random.pick(&parts));
                let op = if high { ConvOp::SExt } else { ConvOp::ZExt };
                let (a, b) = (terms.conv(op, 32, a), terms.conv(op, 32, b));
                let b = if random.below(2) == 0 {
                    let c = random.below(256);
                    terms.constant(32, c)
                } else {
                    b
                };
                return compared(random, terms, a, b);
            }
            let a = sum(random, terms, &words, 32);
            let b = random.pick(&words);
            compared(random, terms, a, b)
        })
    });
}
