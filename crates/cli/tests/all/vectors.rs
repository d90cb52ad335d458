//! Vector instructions, as compilers make them of loops and as libraries write them by hand.

use crate::common::{analyze, column, results, scratch, write};

/// How `memchr` is written with vectors: blocks of sixteen bytes, a mask, its lowest bit; the rest byte by byte.
const FIND: &str = r"#include <wasm_simd128.h>
int find(const unsigned char *s, int n, int c) {
    int i = 0;
    v128_t wanted = wasm_i8x16_splat(c);
    for (; i + 16 <= n; i += 16) {
        unsigned mask = wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(s + i), wanted));
        if (mask) return i + __builtin_ctz(mask);
    }
    for (; i < n; i++)
        if (s[i] == c) return i;
    return -1;
}
int stops(const unsigned char *s, int n) {
    int at = find(s, n, '\n'), work = 0;
    for (int i = 0; i < at; i++) work += s[i] & 1;
    return work;
}
";

#[test]
fn a_search_with_vectors_is_explored_completely() {
    let directory = scratch();
    let file = write(&directory, "find.c", FIND);
    let found = analyze(&[&file, "--optimize=-O2 -msimd128", "--call", "stops(s: u8[n], n)", "--sizes", "4,16,19"]);
    for result in results(&found) {
        assert_eq!(result["confidence"], "exact", "{result} {}", found["limits"]);
    }
    // The line ends at the last byte; or no line ends, which is found without a second loop.
    assert!(column(&found, "paths").iter().all(|paths| *paths >= 4));
    let costs = column(&found, "cost");
    assert!(costs.is_sorted(), "{costs:?}");
}

/// A loop that the compiler makes vectors of, and one that goes as far as it says.
const COUNT: &str = r"
int count(const unsigned char *s, int n) {
    int spaces = 0;
    for (int i = 0; i < n; i++) spaces += s[i] == ' ';
    int work = 0;
    for (volatile int i = 0; i < spaces; i++) work += i;
    return work;
}
";

#[test]
fn a_loop_that_became_vectors_has_its_worst_input_verified() {
    let directory = scratch();
    let file = write(&directory, "count.c", COUNT);
    let found = analyze(&[&file, "--optimize=-O3 -msimd128", "--call", "count(s: u8[n], n)", "--sizes", "16,32"]);
    for result in results(&found) {
        let bytes = result["input"]["s"].as_array().expect("bytes");
        assert!(bytes.iter().all(|byte| byte == 32), "all of them count: {result}");
    }
}

const RUST: &str = r"
#[no_mangle]
pub extern fn spaces(s: &[u8; 16]) -> u32 {
    let count: u8 = s.iter().map(|b| u8::from(*b == b' ')).sum();
    let mut steps = 0;
    for _ in 0..count { steps += unsafe { std::ptr::read_volatile(&1) }; }
    steps
}
";

#[test]
fn rust_with_vectors_has_its_worst_input_verified() {
    let directory = scratch();
    let file = write(&directory, "spaces.rs", RUST);
    let flags = "--optimize=-Copt-level=3 -Ctarget-feature=+simd128";
    let found = analyze(&[&file, flags, "--call", "spaces(s: u8[16])", "--sizes", "1", "--effort", "1e8"]);
    let bytes = results(&found)[0]["input"]["s"].as_array().expect("bytes").clone();
    // The sum of sixteen comparisons is more than the solver decides; evolution comes close.
    assert!(bytes.iter().filter(|byte| **byte == 32).count() >= 12, "{bytes:?}");
}
