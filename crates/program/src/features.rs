//! Which WebAssembly proposals a module may use, and the names under which the others are refused.

use wasmparser::WasmFeatures;

/// What the machine executes: MVP and the proposals compilers emit by default.
pub fn supported() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::EXTENDED_CONST
        | WasmFeatures::FLOATS
        | WasmFeatures::GC_TYPES
        | WasmFeatures::SIMD
}

/// Proposals we know of and refuse, with the name a user would look for.
const REFUSED: &[(WasmFeatures, &str)] = &[
    (WasmFeatures::RELAXED_SIMD, "relaxed SIMD"),
    (WasmFeatures::THREADS, "threads (atomics and shared memory)"),
    (WasmFeatures::MEMORY64, "memory64 (64-bit memories)"),
    (WasmFeatures::MULTI_MEMORY, "multiple memories"),
    (WasmFeatures::EXCEPTIONS, "exceptions"),
    (WasmFeatures::LEGACY_EXCEPTIONS, "exceptions (legacy form)"),
    (WasmFeatures::FUNCTION_REFERENCES, "typed function references"),
    (WasmFeatures::GC, "garbage-collected types (GC)"),
    (WasmFeatures::CUSTOM_PAGE_SIZES, "custom page sizes"),
    (WasmFeatures::STACK_SWITCHING, "stack switching"),
    (WasmFeatures::WIDE_ARITHMETIC, "wide arithmetic"),
    (WasmFeatures::COMPACT_IMPORTS, "compact import sections"),
    (WasmFeatures::MEMORY_CONTROL, "memory control"),
    (WasmFeatures::SHARED_EVERYTHING_THREADS, "shared-everything threads"),
    (WasmFeatures::ACQUIRE_RELEASE_ATOMICS, "acquire-release atomics"),
    (WasmFeatures::CUSTOM_DESCRIPTORS, "custom descriptors"),
    (WasmFeatures::MULTIBYTE_ARRAY_ACCESS, "multibyte array access"),
];

/// The names under which proposals are refused.
pub fn refused() -> impl Iterator<Item = &'static str> {
    REFUSED.iter().map(|(_, name)| *name)
}

/// The proposal that would make `bytes` valid, if a single known one (with what it builds on) does.
pub fn name_of_missing(bytes: &[u8]) -> Option<&'static str> {
    let valid = |features| wasmparser::Validator::new_with_features(features).validate_all(bytes).is_ok();
    let all = REFUSED.iter().fold(supported(), |all, (feature, _)| all | *feature);
    if !valid(all) {
        return None;
    }
    let mut wide = supported();
    for (feature, name) in REFUSED {
        if valid(supported() | *feature) {
            return Some(name);
        }
        wide |= *feature;
        if valid(wide) {
            return Some(name);
        }
    }
    None
}
