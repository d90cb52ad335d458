//! See `crates/conformance/src/fuzzing/findings.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::findings::body(data);
});
