//! See `crates/conformance/src/fuzzing/signature.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::signature::body(data);
});
