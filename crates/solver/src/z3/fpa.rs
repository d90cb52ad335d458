//! Float constructors that the safe bindings of Z3 lack: bits to float, integers to float.

#![allow(unsafe_code, reason = "the safe bindings have no way to make these")]

use z3::ast::{Ast, BV, Float, RoundingMode};
use z3::{Context, Sort};
use z3_sys::{Z3_ast, Z3_context, Z3_mk_fpa_to_fp_bv, Z3_mk_fpa_to_fp_signed, Z3_mk_fpa_to_fp_unsigned};

/// The float sort of 32 or 64 bits.
pub(super) fn sort(width: u8) -> Sort {
    if width == 32 { Sort::float32() } else { Sort::double() }
}

fn wrap(context: &Context, ast: Option<Z3_ast>) -> Float {
    let ast = ast.expect("Z3 builds a float from operands of the right sorts");
    // SAFETY: `ast` was made in this context just now, and is a float as all three constructors below return floats.
    unsafe { Float::wrap(context, ast) }
}

fn raw(context: &Context) -> Z3_context {
    context.get_z3_context()
}

/// The float with these bits; their number is 32 or 64.
pub(super) fn from_bits(bits: &BV, width: u8) -> Float {
    let context = bits.get_ctx();
    let sort = sort(width);
    // SAFETY: operand and sort live in `context` and outlive the call; the sort is a float sort of the operand's size.
    let ast = unsafe { Z3_mk_fpa_to_fp_bv(raw(context), bits.get_z3_ast(), sort.get_z3_sort()) };
    wrap(context, ast)
}

/// The float nearest to a signed or unsigned number.
pub(super) fn from_integer(number: &BV, width: u8, signed: bool) -> Float {
    let context = number.get_ctx();
    let (sort, mode) = (sort(width), RoundingMode::round_nearest_ties_to_even());
    let make = if signed { Z3_mk_fpa_to_fp_signed } else { Z3_mk_fpa_to_fp_unsigned };
    // SAFETY: all operands live in `context` and outlive the call, and have the sorts the constructor asks for.
    let ast = unsafe { make(raw(context), mode.get_z3_ast(), number.get_z3_ast(), sort.get_z3_sort()) };
    wrap(context, ast)
}
