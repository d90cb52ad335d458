//! Operators on bits that Z3 does not have, or has with another meaning for large amounts.

use slowpath_term::{BinOp, UnOp};
use z3::ast::BV;

fn number(value: u64, width: u8) -> BV {
    BV::from_u64(value, u32::from(width))
}

/// The amount of a shift, modulo the width.
fn amount(b: &BV, width: u8) -> BV {
    let w = u64::from(width);
    if w.is_power_of_two() { b.bvand(number(w - 1, width)) } else { b.bvurem(number(w, width)) }
}

/// Shifts and rotations.
pub(super) fn shift(op: BinOp, a: &BV, b: &BV, width: u8) -> BV {
    let by = amount(b, width);
    // By the whole width Z3 shifts everything out, which is what a rotation by 0 needs of its other half.
    let back = number(u64::from(width), width).bvsub(&by);
    match op {
        BinOp::Shl => a.bvshl(&by),
        BinOp::LShr => a.bvlshr(&by),
        BinOp::AShr => a.bvashr(&by),
        BinOp::RotL => a.bvshl(&by).bvor(a.bvlshr(&back)),
        _ => a.bvlshr(&by).bvor(a.bvshl(&back)),
    }
}

/// Leading zeros, trailing zeros, ones.
pub(super) fn count(op: UnOp, a: &BV, width: u8) -> BV {
    let bit = |i: u32| a.extract(i, i);
    let last = u32::from(width) - 1;
    match op {
        UnOp::Clz => (0..=last).fold(number(u64::from(width), width), |rest, i| {
            bit(i).eq(1u64).ite(&number(u64::from(last - i), width), &rest)
        }),
        UnOp::Ctz => (0..=last)
            .rev()
            .fold(number(u64::from(width), width), |rest, i| bit(i).eq(1u64).ite(&number(u64::from(i), width), &rest)),
        _ => ones(a, width),
    }
}

/// Sums bits in a tree of adders that grow by one bit a level.
fn ones(a: &BV, width: u8) -> BV {
    let mut sums: Vec<BV> = (0..u32::from(width)).map(|i| a.extract(i, i)).collect();
    let mut size = 1;
    while sums.len() > 1 {
        sums = sums
            .chunks(2)
            .map(|pair| match pair {
                [x, y] => x.zero_ext(1).bvadd(y.zero_ext(1)),
                _ => pair[0].zero_ext(1),
            })
            .collect();
        size += 1;
    }
    let width = u32::from(width);
    if size < width { sums[0].zero_ext(width - size) } else { sums[0].extract(width - 1, 0) }
}
