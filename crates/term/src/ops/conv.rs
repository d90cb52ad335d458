//! Conversions between widths, and between integers and floats.

use super::float::{bits32, bits64, f32_of, f64_of};
use super::int::{mask, sext, sign_bit};
use crate::node::ConvOp;

/// Converts a number of `from` bits to one of `to` bits.
#[inline(always)]
pub fn conv(op: ConvOp, from: u8, to: u8, a: u64) -> u64 {
    match op {
        ConvOp::ZExt => a,
        ConvOp::SExt => (sext(from, a) as u64) & mask(to),
        ConvOp::Trunc => a & mask(to),
        ConvOp::FPromote => bits64(f64::from(f32_of(a))),
        ConvOp::FDemote => bits32(f64_of(a) as f32),
        ConvOp::FFromS if to == 32 => bits32(sext(from, a) as f32),
        ConvOp::FFromS => bits64(sext(from, a) as f64),
        ConvOp::FFromU if to == 32 => bits32(a as f32),
        ConvOp::FFromU => bits64(a as f64),
        ConvOp::FToS => {
            // Widening to f64 is exact, and Rust's casts saturate with NaN to 0.
            let wide = if from == 32 { f64::from(f32_of(a)) } else { f64_of(a) } as i64;
            let top = (sign_bit(to) - 1) as i64;
            (wide.clamp(-top - 1, top) as u64) & mask(to)
        }
        ConvOp::FToU => {
            let wide = if from == 32 { f64::from(f32_of(a)) } else { f64_of(a) } as u64;
            wide.min(mask(to))
        }
    }
}
