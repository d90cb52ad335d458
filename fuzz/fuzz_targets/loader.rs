//! See `crates/conformance/src/fuzzing/loader.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::loader::body(data);
});
