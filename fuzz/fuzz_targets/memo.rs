//! See `crates/conformance/src/fuzzing/memo.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::memo::body(data);
});
