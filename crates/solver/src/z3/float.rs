//! Floats in Z3: operators on bit patterns, through its floating-point theory.
//!
//! Z3 knows one NaN whose bits it does not say, so every result that can be NaN is given the canonical bits.

use slowpath_term::{BinOp, CmpOp, ConvOp, UnOp, ops};
use z3::ast::{BV, Bool, Float, RoundingMode};

use super::fpa;

fn canonical_nan(width: u8) -> BV {
    if width == 32 { BV::from_u64(0x7fc0_0000, 32) } else { BV::from_u64(0x7ff8_0000_0000_0000, 64) }
}

fn to_bits(f: &Float, width: u8) -> BV {
    f.is_nan().ite(&canonical_nan(width), &f.to_ieee_bv())
}

fn number(value: f64, width: u8) -> Float {
    if width == 32 { Float::from_f32(value as f32) } else { Float::from_f64(value) }
}

pub(super) fn bin(op: BinOp, a: &BV, b: &BV, width: u8) -> BV {
    let (x, y) = (fpa::from_bits(a, width), fpa::from_bits(b, width));
    let nearest = RoundingMode::round_nearest_ties_to_even();
    let result = match op {
        BinOp::FAdd => x.add_with_rounding_mode(&y, &nearest),
        BinOp::FSub => x.sub_with_rounding_mode(&y, &nearest),
        BinOp::FMul => x.mul_with_rounding_mode(&y, &nearest),
        BinOp::FDiv => x.div_with_rounding_mode(&y, &nearest),
        _ => {
            // Equal operands have equal bits, but for the two zeros: there the signs decide.
            let (equal, first) = if op == BinOp::FMin { (a.bvor(b), x.lt(&y)) } else { (a.bvand(b), x.gt(&y)) };
            let chosen = x.eq_fpa(&y).ite(&equal, &first.ite(a, b));
            return Bool::or(&[x.is_nan(), y.is_nan()]).ite(&canonical_nan(width), &chosen);
        }
    };
    to_bits(&result, width)
}

pub(super) fn cmp(op: CmpOp, a: &BV, b: &BV, width: u8) -> Bool {
    let (x, y) = (fpa::from_bits(a, width), fpa::from_bits(b, width));
    match op {
        CmpOp::FEq => x.eq_fpa(&y),
        CmpOp::FLt => x.lt(&y),
        _ => x.le(&y),
    }
}

pub(super) fn un(op: UnOp, a: &BV, width: u8) -> BV {
    let x = fpa::from_bits(a, width);
    let mode = match op {
        UnOp::FSqrt => {
            return to_bits(&x.sqrt_with_rounding_mode(&RoundingMode::round_nearest_ties_to_even()), width);
        }
        UnOp::FCeil => RoundingMode::round_towards_positive(),
        UnOp::FFloor => RoundingMode::round_towards_negative(),
        UnOp::FTrunc => RoundingMode::round_towards_zero(),
        _ => RoundingMode::round_nearest_ties_to_even(),
    };
    to_bits(&x.round_to_integral_with_rounding_mode(&mode), width)
}

pub(super) fn conv(op: ConvOp, a: &BV, from: u8, to: u8) -> BV {
    match op {
        ConvOp::FPromote | ConvOp::FDemote => {
            let nearest = RoundingMode::round_nearest_ties_to_even();
            to_bits(&fpa::from_bits(a, from).to_fp_with_rounding_mode(&nearest, &fpa::sort(to)), to)
        }
        ConvOp::FFromS | ConvOp::FFromU => to_bits(&fpa::from_integer(a, to, op == ConvOp::FFromS), to),
        _ => saturate(op == ConvOp::FToS, &fpa::from_bits(a, from), from, to),
    }
}

/// Truncation to an integer; outside its range the nearest end, of NaN 0.
fn saturate(signed: bool, x: &Float, from: u8, to: u8) -> BV {
    let size = u32::from(to);
    let toward_zero = RoundingMode::round_towards_zero();
    let bits = |v: u64| BV::from_u64(v, size);
    let power = |k: u8| 2f64.powi(i32::from(k));
    let (too_low, least, too_high, greatest, inside) = if signed {
        let sign = ops::sign_bit(to);
        let (low, high) = (x.le(number(-power(to - 1), from)), x.ge(number(power(to - 1), from)));
        (low, bits(sign), high, bits(sign - 1), x.to_sbv_with_rounding_mode(&toward_zero, size))
    } else {
        // Between -1 and 0 truncation gives 0 as well.
        let (low, high) = (x.le(number(0.0, from)), x.ge(number(power(to), from)));
        (low, bits(0), high, bits(ops::mask(to)), x.to_ubv_with_rounding_mode(&toward_zero, size))
    };
    x.is_nan().ite(&bits(0), &too_low.ite(&least, &too_high.ite(&greatest, &inside)))
}
