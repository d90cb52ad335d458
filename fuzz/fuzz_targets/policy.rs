//! See `crates/conformance/src/fuzzing/policy.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::policy::body(data);
});
