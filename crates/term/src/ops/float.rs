//! Float operators on bit patterns. A NaN result is always the canonical one, whatever NaN went in.

use crate::node::{BinOp, CmpOp, UnOp};

#[inline(always)]
pub(super) fn f32_of(a: u64) -> f32 {
    f32::from_bits(a as u32)
}

#[inline(always)]
pub(super) fn f64_of(a: u64) -> f64 {
    f64::from_bits(a)
}

#[inline(always)]
pub(super) fn bits32(v: f32) -> u64 {
    if v.is_nan() { 0x7fc0_0000 } else { u64::from(v.to_bits()) }
}

#[inline(always)]
pub(super) fn bits64(v: f64) -> u64 {
    if v.is_nan() { 0x7ff8_0000_0000_0000 } else { v.to_bits() }
}

macro_rules! binary {
    ($op:expr, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        match $op {
            BinOp::FAdd => a + b,
            BinOp::FSub => a - b,
            BinOp::FMul => a * b,
            BinOp::FDiv => a / b,
            // Of two zeros the negative one is the lesser; a NaN on either side wins.
            BinOp::FMin if a.is_nan() || b.is_nan() => a + b,
            BinOp::FMin if a == b => {
                if a.is_sign_negative() {
                    a
                } else {
                    b
                }
            }
            BinOp::FMin => {
                if a < b {
                    a
                } else {
                    b
                }
            }
            BinOp::FMax if a.is_nan() || b.is_nan() => a + b,
            BinOp::FMax if a == b => {
                if a.is_sign_positive() {
                    a
                } else {
                    b
                }
            }
            _ => {
                if a > b {
                    a
                } else {
                    b
                }
            }
        }
    }};
}

#[inline(always)]
pub(super) fn bin(op: BinOp, width: u8, a: u64, b: u64) -> u64 {
    if width == 32 { bits32(binary!(op, f32_of(a), f32_of(b))) } else { bits64(binary!(op, f64_of(a), f64_of(b))) }
}

macro_rules! unary {
    ($op:expr, $a:expr) => {{
        let a = $a;
        match $op {
            UnOp::FSqrt => a.sqrt(),
            UnOp::FCeil => a.ceil(),
            UnOp::FFloor => a.floor(),
            UnOp::FTrunc => a.trunc(),
            _ => a.round_ties_even(),
        }
    }};
}

#[inline(always)]
pub(super) fn un(op: UnOp, width: u8, a: u64) -> u64 {
    if width == 32 { bits32(unary!(op, f32_of(a))) } else { bits64(unary!(op, f64_of(a))) }
}

macro_rules! compare {
    ($op:expr, $a:expr, $b:expr) => {
        match $op {
            CmpOp::FEq => $a == $b,
            CmpOp::FLt => $a < $b,
            _ => $a <= $b,
        }
    };
}

#[inline(always)]
pub(super) fn cmp(op: CmpOp, width: u8, a: u64, b: u64) -> bool {
    if width == 32 { compare!(op, f32_of(a), f32_of(b)) } else { compare!(op, f64_of(a), f64_of(b)) }
}
