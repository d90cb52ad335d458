//! See `crates/conformance/src/fuzzing/machine.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::machine::body(data);
});
