//! See `crates/conformance/src/fuzzing/layers.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::layers::body(data);
});
