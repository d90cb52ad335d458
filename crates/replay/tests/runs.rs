//! What goes into a run and what comes out: arrays, harness inputs, traps, WASI, limits and refusals.

mod common;

use common::{call, harness, replayer, replayer_within, try_harness};
use serde_json::json;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use slowpath_replay::{ReplayError, ReplayLimits};

#[test]
fn arrays_are_passed_by_address_and_scalars_extended() {
    let module = "(module (memory 1)
        (func $f (param $a i32) (param $n i32) (param $x i32) (param $y i64) (param $z f32) (result i32 i32 i64 f32 i32) (local $sum i32)
            (block $done (loop $again
                (br_if $done (i32.eqz (local.get $n)))
                (local.set $n (i32.sub (local.get $n) (i32.const 1)))
                (local.set $sum (i32.add (local.get $sum)
                    (i32.load16_s (i32.add (local.get $a) (i32.shl (local.get $n) (i32.const 1))))))
                (br $again)))
            (local.get $sum) (local.get $x) (local.get $y) (local.get $z) (local.get $a)))";
    let inputs = json!({"a": [5, -7, 1], "x": -1, "y": -2, "z": 1.5});
    let replayed = call(module, "f(a: i16[n], n, x: i8, y: i64, z: f32)", 3, inputs);
    let bits = [(-1i32) as u32 as u64, u64::from(u32::MAX), (-2i64) as u64, u64::from(1.5f32.to_bits()), 65_536];
    assert_eq!(replayed.results, bits);
    assert_eq!((replayed.trap, replayed.memory_pages), (None, 2));
}

#[test]
fn the_allocator_is_warmed_up_before_arrays_are_placed() {
    // Takes everything up to the end of memory when first called, as some C libraries do.
    let module = "(module (memory 1) (global $end (mut i32) (i32.const 0))
        (func $malloc (param i32) (result i32)
            (if (i32.eqz (global.get $end)) (then (global.set $end (i32.shl (memory.size) (i32.const 16)))))
            (global.get $end))
        (func $f (param i32) (result i32 i32) (call $malloc (i32.const 4)) (local.get 0)))";
    let replayed = call(module, "f(a: u8[n])", 10, json!({"a": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}));
    assert_eq!(replayed.results, [65_536, 65_536]);
}

#[test]
fn a_harness_gets_its_inputs_by_name() {
    let module = r#"(module
        (import "slowpath" "i8" (func $i8 (param i32) (result i32)))
        (import "env" "slowpath_u64" (func $u64 (param i32) (result i64)))
        (import "slowpath" "f32" (func $f32 (param i32) (result f32)))
        (import "slowpath" "bool" (func $bool (param i32) (result i32)))
        (import "slowpath" "i16_array" (func $i16_array (param i32 i32 i32)))
        (import "slowpath" "make_symbolic" (func $make (param i32 i32 i32)))
        (memory 1) (data (i32.const 16) "x\00") (data (i32.const 32) "a\00")
        (func $f (param i32) (result i32 i64 f32 i32 i64 i32)
            (call $i16_array (i32.const 64) (local.get 0) (i32.const 32))
            (call $make (i32.const 80) (i32.const 3) (i32.const 32))
            (call $i8 (i32.const 16)) (call $u64 (i32.const 16)) (call $f32 (i32.const 16)) (call $bool (i32.const 0))
            (i64.load (i32.const 64)) (i32.load (i32.const 80))))"#;
    let inputs = json!({"x": -3, "x.1": 7, "x.2": 0.25, "input": true, "a": [-1, 2], "a.1": "xyzzy", "unused": 5});
    let replayed = harness(module, 3, inputs);
    assert_eq!(replayed.results[..4], [u64::from(-3i32 as u32), 7, u64::from(0.25f32.to_bits()), 1]);
    assert_eq!(replayed.results[4..], [0x0002_ffff, 0x007a_7978]);
    let missing = harness(module, 3, json!({}));
    assert_eq!(missing.results, [0; 6]);
}

#[test]
fn a_harness_that_points_outside_memory_traps() {
    let module = |call: &str| {
        format!(
            r#"(module (import "slowpath" "u8" (func $u8 (param i32) (result i32)))
            (import "slowpath" "f64_array" (func $array (param i32 i32 i32)))
            (memory 1) (data (i32.const 65532) "abcd") (func $f {call}))"#
        )
    };
    for call in [
        "(drop (call $u8 (i32.const 65536)))",
        "(drop (call $u8 (i32.const 65532)))",
        "(drop (call $u8 (i32.const -1)))",
        "(call $array (i32.const 65529) (i32.const 1) (i32.const 0))",
        "(call $array (i32.const 0) (i32.const -1) (i32.const 0))",
    ] {
        let replayed = harness(&module(call), 0, json!({}));
        assert_eq!((replayed.trap, replayed.exact), (Some(Trap::MemoryOutOfBounds), true), "{call}");
    }
    assert_eq!(
        harness(&module("(call $array (i32.const 65528) (i32.const 1) (i32.const 0))"), 0, json!({})).trap,
        None
    );
}

#[test]
fn traps_have_their_names() {
    let trap = |body: &str| {
        let module = format!("(module (memory 1) (table 1 funcref) (func $f (param i32) (result i32) {body}))");
        harness(&module, 0, json!({})).trap.map(|trap| trap.to_string())
    };
    for (body, text) in [
        ("unreachable", "unreachable"),
        ("(i32.div_s (i32.const 1) (local.get 0))", "integer divide by zero"),
        ("(i32.div_s (i32.const 0x80000000) (i32.sub (local.get 0) (i32.const 1)))", "integer overflow"),
        ("(i32.trunc_f32_s (f32.const nan))", "invalid conversion to integer"),
        ("(i32.load (i32.const 65533))", "out of bounds memory access"),
        ("(call_indirect (param i32) (result i32) (local.get 0) (i32.const 9))", "undefined element"),
        ("(call_indirect (param i32) (result i32) (local.get 0) (i32.const 0))", "uninitialized element"),
        ("(call $f (local.get 0))", "call stack exhausted"),
    ] {
        assert_eq!(trap(body).as_deref(), Some(text));
    }
}

#[test]
fn deep_recursion_is_no_stack_overflow() {
    let module = "(module (func $f (param i32) (result i32)
        (if (result i32) (local.get 0) (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1))))) (else (i32.const 0)))))";
    let replayed = call(module, "f(n)", 1_000_000, json!({}));
    assert_eq!((replayed.trap, replayed.results), (None, vec![1_000_000]));
}

#[test]
fn nan_results_are_canonical() {
    let module = "(module (func $f (param f32) (result f32) (f32.add (local.get 0) (f32.const 1))))";
    assert_eq!(call(module, "f(x: f32)", 0, json!({"x": "nan:0xffc01234"})).results, [0x7fc0_0000]);
}

fn wasi(imports: &str, body: &str) -> slowpath_replay::Replayed {
    let imports: String = imports
        .split(' ')
        .map(|name| {
            let ty = match name {
                "proc_exit" => "(param i32)",
                "clock_time_get" => "(param i32 i64 i32) (result i32)",
                "path_open" => "(param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)",
                "sched_yield" => "(result i32)",
                "fd_close" => "(param i32) (result i32)",
                "fd_write" | "fd_read" => "(param i32 i32 i32 i32) (result i32)",
                "fd_seek" => "(param i32 i64 i32 i32) (result i32)",
                _ => "(param i32 i32) (result i32)",
            };
            format!(r#"(import "wasi_snapshot_preview1" "{name}" (func ${name} {ty}))"#)
        })
        .collect();
    // Two buffers, of 5 and 7 bytes.
    let vectors = r#"(data (i32.const 8) "\40\00\00\00\05\00\00\00\50\00\00\00\07\00\00\00")"#;
    harness(&format!("(module {imports} (memory 1) {vectors} {body})"), 0, json!({}))
}

#[test]
fn output_is_counted() {
    let write = |fd: i32, count: i32| {
        format!("(call $fd_write (i32.const {fd}) (i32.const 8) (i32.const {count}) (i32.const 32))")
    };
    let body = format!("(func $f (result i32 i32 i32) {} {} (i32.load (i32.const 32)))", write(1, 2), write(3, 1));
    let replayed = wasi("fd_write", &body);
    assert_eq!((replayed.output, replayed.results), (12, vec![0, 8, 12]));
    let outside = wasi(
        "fd_write",
        "(func $f (result i32 i32)
        (call $fd_write (i32.const 2) (i32.const 65532) (i32.const 1) (i32.const 32))
        (call $fd_write (i32.const 2) (i32.const 8) (i32.const 2000) (i32.const 32)))",
    );
    assert_eq!((outside.output, outside.results), (0, vec![21, 28]));
}

#[test]
fn time_and_randomness_are_deterministic() {
    let replayed = wasi(
        "clock_time_get random_get",
        "(func $f (result i32 i32 i64 i64 i32 i64 i64)
            (call $clock_time_get (i32.const 0) (i64.const 0) (i32.const 64)) (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 72))
            (i64.load (i32.const 64)) (i64.load (i32.const 72))
            (call $random_get (i32.const 80) (i32.const 11)) (i64.load (i32.const 80)) (i64.load (i32.const 88)))",
    );
    let mut x: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut draw = || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    assert_eq!(replayed.results, [0, 0, 0, 1_000_000, 0, draw(), draw() & 0xff_ffff]);
}

#[test]
fn the_rest_of_wasi_is_a_terminal_without_files() {
    let replayed = wasi(
        "fd_read fd_close fd_seek fd_fdstat_get fd_prestat_get args_sizes_get args_get sched_yield path_open",
        "(func $f (result i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i64 i64)
            (call $fd_read (i32.const 0) (i32.const 8) (i32.const 1) (i32.const 32)) (call $fd_close (i32.const 9))
            (call $fd_seek (i32.const 1) (i64.const 0) (i32.const 0) (i32.const 64)) (call $fd_fdstat_get (i32.const 1) (i32.const 128))
            (call $fd_prestat_get (i32.const 3) (i32.const 64)) (call $args_sizes_get (i32.const 40) (i32.const 65535))
            (call $args_sizes_get (i32.const 40) (i32.const 44)) (call $args_get (i32.const 40) (i32.const 44)) (call $sched_yield)
            (call $path_open (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 0))
            (i64.load (i32.const 128)) (i64.load (i32.const 136)))",
    );
    assert_eq!(replayed.results, [0, 8, 70, 0, 8, 21, 0, 0, 0, 8, 2, 64]);
}

#[test]
fn runs_are_independent_of_each_other() {
    let module = "(module (memory 1) (global $g (mut i32) (i32.const 0))
        (func $f (param i32) (result i32) (global.set $g (i32.add (global.get $g) (i32.const 1)))
            (i32.store8 (i32.const 0) (i32.const 1)) (i32.add (global.get $g) (i32.load8_u (local.get 0)))))";
    let spec = CallSpec::parse("f(a: u8[n])").unwrap();
    let inputs = InputValues::from_json(&json!({"a": [9]}), &spec.layout(1, 0).unwrap()).unwrap();
    let (replayer, entry) = (replayer(module).unwrap(), Entry::Call(spec));
    let first = replayer.run(&entry, 1, &inputs).unwrap();
    assert_eq!(first.results, [10]);
    assert_eq!(replayer.run(&entry, 1, &inputs).unwrap(), first);
}

#[test]
fn limits_stop_what_runs_away() {
    let forever = "(module (func $f (loop $l (br $l))))";
    let entry = Entry::Harness { name: "f".to_owned() };
    let mut endless = replayer_within(forever, ReplayLimits { fuel: 10_000, ..ReplayLimits::default() }).unwrap();
    assert_eq!(endless.run(&entry, 0, &InputValues::default()), Err(ReplayError::OutOfFuel(10_000)));
    endless.set_fuel(500);
    assert_eq!(endless.run(&entry, 0, &InputValues::default()), Err(ReplayError::OutOfFuel(500)));

    let grow = "(module (memory 1) (func $f (result i32 i32) (memory.grow (i32.const 2)) (memory.grow (i32.const 1))))";
    let limits = ReplayLimits { memory_bytes: 3 << 16, ..ReplayLimits::default() };
    let replayed = replayer_within(grow, limits.clone()).unwrap().run(&entry, 0, &InputValues::default()).unwrap();
    assert_eq!((replayed.results, replayed.memory_pages), (vec![1, u64::from(u32::MAX)], 3));

    let spec = CallSpec::parse("f(a: u8[n])").unwrap();
    let inputs = InputValues::zeros(&spec.layout(200_000, 0).unwrap());
    let array = replayer_within("(module (memory 1) (func $f (param i32)))", limits).unwrap();
    let refused = array.run(&Entry::Call(spec), 200_000, &inputs);
    assert_eq!(refused, Err(ReplayError::CannotGrow { pages: 4, limit: 3 << 16 }));
}

#[test]
fn modules_that_cannot_run_are_refused_by_name() {
    let refused = |module: &str| try_harness(module, 0, json!({})).unwrap_err().to_string();
    assert!(refused(r#"(module (import "env" "puts" (func)) (func $f))"#).contains("`env.puts` (a function)"));
    assert!(refused(r#"(module (import "slowpath" "i33" (func)) (func $f))"#).contains("`slowpath.i33`"));
    assert!(refused(r#"(module (import "env" "memory" (memory 1)) (func $f))"#).contains("`env.memory` (a memory)"));
    assert!(refused(r#"(module (import "slowpath" "begin" (func (param i32))) (func $f))"#).contains("another type"));
    assert!(refused("(module (func $s unreachable) (start $s) (func $f))").contains("failed in its start function"));
    assert!(
        refused(r#"(module (func (export "_initialize") unreachable) (func $f))"#).contains("failed in _initialize")
    );
    assert!(refused("(module (func $f (param i32 i32)))").contains("takes 2 parameters"));
}

#[test]
fn calls_that_do_not_fit_are_refused() {
    let refused = |module: &str, call: &str, n: i64| {
        let spec = CallSpec::parse(call).unwrap();
        let inputs = spec.layout(n.max(0), 0).map(|layout| InputValues::zeros(&layout)).unwrap();
        replayer(module).unwrap().run(&Entry::Call(spec), n, &inputs).unwrap_err().to_string()
    };
    assert!(refused("(module (func $f (param i32)))", "f(u8[n])", 3).contains("no memory"));
    assert!(refused("(module (func $f (param i32)))", "f(n, n)", 3).contains("takes 1 parameter"));
    assert!(refused("(module (func $f (param i32)))", "f(n^10)", 10).contains("does not fit"));
    assert!(refused("(module (memory 1) (func $f (param i32)))", "f(u8[n])", -1).contains("must not be negative"));
    let spec = CallSpec::parse("f(a: u8)").unwrap();
    let missing =
        replayer("(module (func $f (param i32)))").unwrap().run(&Entry::Call(spec), 0, &InputValues::default());
    assert_eq!(missing.unwrap_err().to_string(), "the input `a` is missing");
}

/// Nothing but the word of whoever waits ends this run.
#[cfg(feature = "wasmtime")]
#[test]
fn a_run_ends_when_there_is_no_time_left_for_it() {
    let endless = "(module (func $f (loop $l (br $l))))";
    let replayer = replayer(endless).expect("it compiles");
    let entry = Entry::Harness { name: "f".to_owned() };
    let begun = std::time::Instant::now();
    let is_over = || begun.elapsed() > std::time::Duration::from_millis(50);
    let none = InputValues::default();
    assert_eq!(replayer.run_unless(&entry, 1, &none, u64::MAX / 2, is_over), Err(ReplayError::Stopped));
    // The next one has its own time.
    let ended = replayer.run_unless(&entry, 1, &none, 1000, || false);
    assert_eq!(ended, Err(ReplayError::OutOfFuel(1000)));
}
