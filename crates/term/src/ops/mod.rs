//! What every operator means, on plain numbers. Upper bits beyond the width are zero on the way in and on the way out.
//!
//! Everything here is `#[inline(always)]`, so that a caller with a constant operator and width pays for that one only.

mod conv;
mod float;
mod int;

use crate::node::{BinOp, CmpOp, UnOp};

pub use conv::conv;
pub use int::{mask, sext, sign_bit};

/// `a op b` on two numbers of `width` bits.
#[inline(always)]
pub fn bin(op: BinOp, width: u8, a: u64, b: u64) -> u64 {
    use BinOp::*;
    match op {
        Add => a.wrapping_add(b) & mask(width),
        Sub => a.wrapping_sub(b) & mask(width),
        Mul => a.wrapping_mul(b) & mask(width),
        UDiv => int::udiv(width, a, b),
        SDiv => int::sdiv(width, a, b),
        URem => int::urem(a, b),
        SRem => int::srem(width, a, b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => (a << int::amount(width, b)) & mask(width),
        LShr => a >> int::amount(width, b),
        AShr => ((sext(width, a) >> int::amount(width, b)) as u64) & mask(width),
        RotL => int::rotl(width, a, int::amount(width, b)),
        RotR => int::rotl(width, a, int::opposite(width, int::amount(width, b))),
        FAdd | FSub | FMul | FDiv | FMin | FMax => float::bin(op, width, a, b),
    }
}

/// `a op b` on two numbers of `width` bits.
#[inline(always)]
pub fn cmp(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Slt => sext(width, a) < sext(width, b),
        CmpOp::Sle => sext(width, a) <= sext(width, b),
        CmpOp::FEq | CmpOp::FLt | CmpOp::FLe => float::cmp(op, width, a, b),
    }
}

/// `op a` on a number of `width` bits.
#[inline(always)]
pub fn un(op: UnOp, width: u8, a: u64) -> u64 {
    match op {
        UnOp::Not => !a & mask(width),
        UnOp::Clz => u64::from(a.leading_zeros()) - u64::from(64 - width),
        UnOp::Ctz => u64::from(a.trailing_zeros().min(u32::from(width))),
        UnOp::Popcnt => u64::from(a.count_ones()),
        UnOp::FSqrt | UnOp::FCeil | UnOp::FFloor | UnOp::FTrunc | UnOp::FNearest => float::un(op, width, a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::ConvOp;

    #[test]
    fn integer_borders_follow_smt_lib_and_wasm() {
        assert_eq!(bin(BinOp::UDiv, 8, 5, 0), 0xff);
        assert_eq!(bin(BinOp::URem, 8, 5, 0), 5);
        assert_eq!(bin(BinOp::SDiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(bin(BinOp::SRem, 8, 0x80, 0xff), 0);
        assert_eq!(bin(BinOp::SDiv, 8, 0xfb, 0), 1);
        assert_eq!(bin(BinOp::SDiv, 8, 5, 0), 0xff);
        assert_eq!(bin(BinOp::SRem, 8, 0xfb, 0), 0xfb);
        assert_eq!(bin(BinOp::SDiv, 64, 1 << 63, u64::MAX), 1 << 63);
        assert_eq!(bin(BinOp::SRem, 32, (-7i32) as u32 as u64, 2), u64::from(-1i32 as u32));
        assert_eq!(bin(BinOp::Shl, 32, 1, 33), 2);
        assert_eq!(bin(BinOp::AShr, 32, 0x8000_0000, 31), 0xffff_ffff);
        assert_eq!(bin(BinOp::AShr, 64, 1 << 63, 63), u64::MAX);
        assert_eq!(bin(BinOp::LShr, 64, 1 << 63, 63), 1);
        assert_eq!(bin(BinOp::RotL, 32, 0x8000_0001, 1), 3);
        assert_eq!(bin(BinOp::RotR, 32, 3, 1), 0x8000_0001);
        assert_eq!(bin(BinOp::RotL, 64, 3, 0), 3);
        assert_eq!(bin(BinOp::RotR, 64, 1, 64), 1);
        assert_eq!(un(UnOp::Clz, 32, 0), 32);
        assert_eq!(un(UnOp::Ctz, 32, 0), 32);
        assert_eq!(un(UnOp::Clz, 64, 0), 64);
        assert_eq!(un(UnOp::Popcnt, 8, 0xff), 8);
        assert!(cmp(CmpOp::Slt, 8, 0x80, 0x7f));
        assert!(!cmp(CmpOp::Ult, 8, 0x80, 0x7f));
    }

    #[test]
    fn float_borders_follow_wasm() {
        let nan = 0x7fc0_0000u64;
        let b = |v: f32| u64::from(v.to_bits());
        assert_eq!(bin(BinOp::FAdd, 32, b(f32::INFINITY), b(f32::NEG_INFINITY)), nan);
        assert_eq!(bin(BinOp::FDiv, 32, 0, 0), nan);
        assert_eq!(bin(BinOp::FMin, 32, b(0.0), b(-0.0)), b(-0.0));
        assert_eq!(bin(BinOp::FMax, 32, b(-0.0), b(0.0)), b(0.0));
        assert_eq!(bin(BinOp::FMin, 32, b(1.0), 0xffff_ffff), nan);
        assert_eq!(un(UnOp::FNearest, 32, b(2.5)), b(2.0));
        assert_eq!(un(UnOp::FNearest, 32, b(-0.4)), b(-0.0));
        assert_eq!(un(UnOp::FSqrt, 32, b(-1.0)), nan);
        assert_eq!(un(UnOp::FCeil, 64, (-0.5f64).to_bits()), (-0.0f64).to_bits());
        assert!(!cmp(CmpOp::FEq, 32, nan, nan));
        assert!(cmp(CmpOp::FEq, 32, b(0.0), b(-0.0)));
        assert!(cmp(CmpOp::FLe, 64, 0, (1.0f64).to_bits()));
    }

    #[test]
    fn conversions_saturate_and_canonicalise() {
        let b = |v: f32| u64::from(v.to_bits());
        assert_eq!(conv(ConvOp::FToS, 32, 32, b(3e9)), 0x7fff_ffff);
        assert_eq!(conv(ConvOp::FToU, 32, 32, b(-1.0)), 0);
        assert_eq!(conv(ConvOp::FToU, 32, 32, b(f32::NAN)), 0);
        assert_eq!(conv(ConvOp::FToS, 64, 64, (-1e300f64).to_bits()), 1 << 63);
        assert_eq!(conv(ConvOp::FFromS, 32, 32, 0xffff_ffff), b(-1.0));
        assert_eq!(conv(ConvOp::FFromU, 64, 32, u64::MAX), b(18_446_744_073_709_551_615.0));
        assert_eq!(conv(ConvOp::FDemote, 64, 32, 0x7ff0_0000_0000_0001), 0x7fc0_0000);
        assert_eq!(conv(ConvOp::FPromote, 32, 64, 0xffff_ffff), 0x7ff8_0000_0000_0000);
        assert_eq!(conv(ConvOp::SExt, 8, 32, 0x80), 0xffff_ff80);
        assert_eq!(conv(ConvOp::Trunc, 32, 8, 0x1234), 0x34);
    }
}
