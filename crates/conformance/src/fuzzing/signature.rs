//! The `--call` signature under any text: refused, or read, printed, read again and laid out.

use slowpath_program::call::CallSpec;
use slowpath_program::call::fuzz::fuzz_call_parser;

use crate::fuzzing::Target;

pub const TARGET: Target =
    Target { name: "signature", body, seeds, dictionary: include_str!("../../data/signature.dict") };

pub fn body(data: &[u8]) -> bool {
    fuzz_call_parser(data);
    CallSpec::parse(&String::from_utf8_lossy(data)).is_ok()
}

pub fn seeds() -> Vec<Vec<u8>> {
    let calls = [
        "f(n)",
        "isort(a: i32[n], n)",
        "f(u8 in 0..=15, u8 in 0..=15)",
        "f(a: f64[2*n+1] in 0..=1, n - 1, 7)",
        "\"operator new\"(u32)",
        "f(s: cstr[n])",
        "f(a: i32[n] in -5..n, b: u64[n*n], 0)",
    ];
    calls.map(|call| call.as_bytes().to_vec()).into()
}
