//! See `crates/conformance/src/fuzzing/terms.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::terms::body(data);
});
