//! See `crates/conformance/src/fuzzing/work.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::work::body(data);
});
