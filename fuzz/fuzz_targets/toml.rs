//! See `crates/conformance/src/fuzzing/toml.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    slowpath_conformance::fuzzing::toml::body(data);
});
