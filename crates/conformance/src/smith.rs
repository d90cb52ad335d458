//! Random valid modules that use only what slowpath supports.

use arbitrary::Unstructured;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_smith::{Config, Module};

use crate::rng::Rng;

/// The exports of modules that are to have much to decide on: functions with many numbers as parameters.
const SHAPE: &str = r#"(module
  (func (export "a") (param i32 i32 i32) (result i32) unreachable)
  (func (export "b") (param i64 i32 i64 i32) (result i64 i32) unreachable)
  (func (export "c") (param f32 f64 i32 i64) (result f64 f32 i32) unreachable)
  (memory (export "m") 1 8)
  (table (export "t") 10 20 funcref)
  (global (export "g") (mut i32) (i32.const 0))
  (global (export "h") (mut f64) (f64.const 0)))"#;

/// What the host offers.
const HOST: &str = r#"(module
  (import "slowpath" "make_symbolic" (func (param i32 i32 i32)))
  (import "slowpath" "u8" (func (param i32) (result i32)))
  (import "slowpath" "i64" (func (param i32) (result i64)))
  (import "env" "slowpath_i16_array" (func (param i32 i32 i32)))
  (import "slowpath" "assume" (func (param i32)))
  (import "slowpath" "cost" (func (param i32)))
  (import "slowpath" "begin" (func))
  (import "slowpath" "end" (func))
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func (param i32 i32) (result i32))))"#;

/// The module of a seed. Seeds come in four kinds: anything, many small functions, and twice functions of many parameters,
/// where traps are avoided, and where nesting is deep.
pub fn module(seed: u64) -> Vec<u8> {
    generate(config(seed), seed)
}

/// One like it that compiles in a moment.
pub fn small_module(seed: u64) -> Vec<u8> {
    generate(Config { max_funcs: 3, max_instructions: 40, max_nesting_depth: 12, ..config(seed) }, seed)
}

/// A random module with calls of the host: slowpath's own functions and some of WASI's.
pub fn module_with_host(seed: u64) -> Vec<u8> {
    let available_imports = Some(wat::parse_str(HOST).expect("the imports are text of ours"));
    // The shapes of the other two kinds leave no room for the types of imports.
    let base = config(seed & !2);
    generate(
        Config { available_imports, max_imports: 20, max_types: 40, max_type_size: 4000, min_memories: 1, ..base },
        seed,
    )
}

fn generate(config: Config, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    // Some bytes make no module, for want of names that differ.
    let module = (0..100).find_map(|_| {
        let bytes = rng.bytes(32 << 10);
        Module::new(config.clone(), &mut Unstructured::new(&bytes)).ok()
    });
    let module = module.expect("most bytes make a module");
    let mut out = wasm_encoder::Module::new();
    let parser = wasmparser::Parser::new(0);
    OnlyFunctions.parse_core_module(&mut out, parser, &module.to_bytes()).expect("wasm-smith makes valid modules");
    out.finish()
}

/// Makes every reference one to functions: wasmtime, built without a garbage collector, has no others. To merge two types keeps
/// a module valid.
struct OnlyFunctions;

impl Reencode for OnlyFunctions {
    type Error = std::convert::Infallible;

    fn abstract_heap_type(
        &mut self,
        _: wasmparser::AbstractHeapType,
    ) -> Result<wasm_encoder::AbstractHeapType, Error<Self::Error>> {
        Ok(wasm_encoder::AbstractHeapType::Func)
    }
}

/// Only supported features, no imports, everything exported. Of each kind every third has vectors: with them, most instructions are.
fn config(seed: u64) -> Config {
    let base = Config {
        max_imports: 0,
        export_everything: true,
        min_funcs: 1,
        max_funcs: 6,
        max_instructions: 120,
        max_memories: 1,
        max_tables: 3,
        max_globals: 8,
        max_types: 12,
        max_type_size: 400,
        max_memory32_bytes: 4 << 16,
        max_table_elements: 50,
        max_elements: 12,
        max_element_segments: 5,
        max_data_segments: 5,
        bulk_memory_enabled: true,
        multi_value_enabled: true,
        reference_types_enabled: true,
        saturating_float_to_int_enabled: true,
        sign_extension_ops_enabled: true,
        tail_call_enabled: true,
        extended_const_enabled: true,
        exceptions_enabled: false,
        gc_enabled: false,
        compact_imports_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        simd_enabled: seed / 4 % 3 == 1,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    };
    let shape = || Some(wat::parse_str(SHAPE).expect("the shape is text of ours"));
    match seed % 4 {
        0 => base,
        1 => Config { max_funcs: 20, max_instructions: 30, min_tables: 1, min_element_segments: 2, ..base },
        2 => Config {
            disallow_traps: true,
            max_instructions: 300,
            exports: shape(),
            export_everything: false,
            max_memories: 0,
            ..base
        },
        _ => Config {
            max_nesting_depth: 40,
            max_instructions: 400,
            exports: shape(),
            export_everything: false,
            max_memories: 0,
            ..base
        },
    }
}
