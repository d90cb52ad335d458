//! Host functions do the same on the machine as in the replayer: results, traps, memory, and everything that is counted.

use std::rc::Rc;
use std::sync::Arc;

use slowpath_machine::{Concrete, Event, InputSource, Limits, Mode, Outcome, Symbolic, start};
use slowpath_program::call::{ElemType, Entry, Expr};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_program::world::{Answer, Content, ImportStub};
use slowpath_program::{Probes, Trap, World, load};
use slowpath_replay::{ReplayLimits, Replayer};
use slowpath_term::Terms;

/// The whole host, names of inputs in memory, and a function that reduces memory to a number. `f` runs the body given, which
/// leaves an i32, and adds that number.
fn module(body: &str) -> String {
    let scalars = ["i8", "u8", "i16", "u16", "i32", "u32", "bool", "char"];
    let scalars: String = scalars
        .iter()
        .map(|t| format!("(import \"slowpath\" \"{t}\" (func ${t} (param i32) (result i32)))\n"))
        .collect();
    let arrays = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "bool", "char"];
    let arrays: String = arrays
        .iter()
        .map(|t| format!("(import \"env\" \"slowpath_{t}_array\" (func ${t}_array (param i32 i32 i32)))\n"))
        .collect();
    format!(
        r#"(module {scalars} {arrays}
        (import "slowpath" "make_symbolic" (func $make_symbolic (param i32 i32 i32)))
        (import "slowpath" "i64" (func $i64 (param i32) (result i64)))
        (import "slowpath" "u64" (func $u64 (param i32) (result i64)))
        (import "slowpath" "f32" (func $f32 (param i32) (result f32)))
        (import "slowpath" "f64" (func $f64 (param i32) (result f64)))
        (import "env" "slowpath_assume" (func $assume (param i32)))
        (import "slowpath" "cost" (func $cost (param i32)))
        (import "slowpath" "begin" (func $begin))
        (import "slowpath" "end" (func $end))
        (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_seek" (func $fd_seek (param i32 i64 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_fdstat_get" (func $fd_fdstat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_prestat_get" (func $fd_prestat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_prestat_dir_name" (func $fd_prestat_dir_name (param i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_res_get" (func $clock_res_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "sched_yield" (func $sched_yield (result i32)))
        (import "wasi_snapshot_preview1" "fd_sync" (func $fd_sync (param i32) (result i32)))
        (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_filestat_get" (func $fd_filestat_get (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_open"
          (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "env" "now" (func $now (result i32)))
        (import "env" "height" (func $height (param i32) (result f64)))
        (import "env" "lost" (func $lost))
        (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
        (memory (export "memory") 1 4)
        (data (i32.const 16) "x\00") (data (i32.const 20) "list\00") (data (i32.const 30) "x.1\00") (data (i32.const 40) "\ff\fe\00")
        (data (i32.const 50) "./data.txt")
        (data (i32.const 65530) "endles")
        ;; Two pieces to write: 5 bytes at 16, 7 bytes at 0.
        (data (i32.const 64) "\10\00\00\00\05\00\00\00\00\00\00\00\07\00\00\00")
        ;; One that lies outside.
        (data (i32.const 96) "\fc\ff\00\00\05\00\00\00")
        (func $reduce (result i32) (local i32 i32)
          (loop
            (local.set 1 (i32.add (i32.mul (local.get 1) (i32.const 31)) (i32.load (local.get 0))))
            (br_if 0 (i32.lt_u (local.tee 0 (i32.add (local.get 0) (i32.const 4))) (i32.const 65536))))
          (local.get 1))
        (func (export "f") (param i32) (result i32) {body} (i32.add (call $reduce))))"#
    )
}

fn inputs() -> InputValues {
    let scalar = |name: &str, ty, bits| NamedInput { name: name.to_owned(), ty, scalar: true, bits: vec![bits] };
    InputValues(vec![
        scalar("x", ElemType::I32, 0xffff_fff1),
        scalar("x.1", ElemType::I64, 0x1234_5678_9abc_def0),
        scalar("x.2", ElemType::F64, 2.5f64.to_bits()),
        NamedInput { name: "list".into(), ty: ElemType::U8, scalar: false, bits: vec![1, 2, 250, 0, 9] },
        NamedInput { name: "stdin".into(), ty: ElemType::U8, scalar: false, bits: (60..69).collect() },
        NamedInput { name: "argument2".into(), ty: ElemType::U8, scalar: false, bits: vec![7, 8, 9] },
        scalar("now", ElemType::I32, 77),
        NamedInput { name: "input".into(), ty: ElemType::I16, scalar: false, bits: vec![0xfffe, 7] },
    ])
}

/// Foreign imports that are answered for, and nothing else.
fn answers() -> World {
    let stub = |name: &str, answer| ImportStub { module: "env".to_owned(), name: name.to_owned(), answer };
    let height = Answer::Float(1.75f64.to_bits());
    World {
        imports: vec![stub("now", Answer::Unknown), stub("height", height), stub("lost", Answer::Trap)],
        ..World::default()
    }
}

/// Something to read, known and unknown.
fn furnished() -> World {
    World {
        stdin: Some(Content::Unknown(Expr::int(9))),
        files: vec![("data.txt".to_owned(), Content::Given(b"0123456789".to_vec()))],
        arguments: vec![Content::Given(b"-v".to_vec()), Content::Unknown(Expr::size())],
        environment: vec![("HOME".to_owned(), "/".to_owned())],
        ..answers()
    }
}

/// What can be compared of a run.
#[derive(PartialEq, Debug)]
struct Run {
    results: Vec<u64>,
    trap: Option<Trap>,
    instructions: u64,
    output: u64,
    custom: u64,
    memory_pages: u64,
}

fn on_the_machine<M: Mode>(wasm: &[u8], world: &World) -> Run {
    let mut program = load(wasm, &Probes::default()).expect("it is valid");
    program.world = world.clone();
    let program = Arc::new(program);
    let mut terms = Terms::new();
    let source = InputSource::Given(Rc::new(inputs()));
    let entry = Entry::Harness { name: "f".to_owned() };
    let function = program.find_function("f").expect("there is an f");
    let started = start::<M>(&mut terms, &program, function, &entry, 3, source, Limits::default());
    let mut state = started.unwrap_or_else(|e| panic!("{e}")).state;
    let trap = match state.run(&mut terms) {
        Event::Done(Outcome::Returned) => None,
        Event::Done(Outcome::Trapped(trap)) => Some(trap),
        other => panic!("{other:?}"),
    };
    let results = state.results().iter().map(|v| M::bits(*v).expect("plain")).collect();
    let costs = state.meter.costs();
    Run {
        results: if trap.is_none() { results } else { Vec::new() },
        instructions: if trap.is_none() { costs.instructions } else { state.meter.saved_instructions() },
        trap,
        output: costs.output,
        custom: costs.custom,
        memory_pages: costs.memory / 65_536,
    }
}

fn check(body: &str) {
    check_in(answers(), body);
}

fn check_in(world: World, body: &str) {
    let wasm = wat::parse_str(module(body)).unwrap_or_else(|e| panic!("{body}: {e}"));
    let function = load(&wasm, &Probes::default()).expect("it is valid").find_function("f").expect("there is an f");
    let replayer =
        Replayer::in_world(&wasm, function.0, world.clone(), ReplayLimits::default()).unwrap_or_else(|e| panic!("{e}"));
    let replayed = replayer.run(&Entry::Harness { name: "f".to_owned() }, 3, &inputs());
    let replayed = replayed.unwrap_or_else(|e| panic!("{body}: {e}"));
    let expected = Run {
        results: replayed.results,
        trap: replayed.trap,
        instructions: replayed.instructions,
        output: replayed.output,
        custom: replayed.custom,
        memory_pages: u64::from(replayed.memory_pages),
    };
    assert_eq!(on_the_machine::<Concrete>(&wasm, &world), expected, "{body}");
    assert_eq!(on_the_machine::<Symbolic>(&wasm, &world), expected, "symbolic: {body}");
}

#[test]
fn numbers_are_made_by_name() {
    for ty in ["i8", "u8", "i16", "u16", "i32", "u32", "bool", "char"] {
        check(&format!("(call ${ty} (i32.const 16))"));
        // The second of the same name, the third, and one really called x.1 in between.
        check(&format!(
            "(call ${ty} (i32.const 16)) (call ${ty} (i32.const 16)) (i32.sub) (call ${ty} (i32.const 30)) (i32.xor)"
        ));
        check(&format!(
            "(call ${ty} (i32.const 30)) (call ${ty} (i32.const 16)) (i32.sub) (call ${ty} (i32.const 16)) (i32.xor)"
        ));
    }
    check("(i32.wrap_i64 (i64.rem_u (call $u64 (i32.const 30)) (i64.const 1000007)))");
    check("(i32.wrap_i64 (i64.shr_s (call $i64 (i32.const 16)) (i64.const 3)))");
    check("(i32.reinterpret_f32 (call $f32 (i32.const 16)))");
    check("(i64.store (i32.const 200) (i64.reinterpret_f64 (call $f64 (i32.const 16)))) (i32.const 0)");
}

#[test]
fn names_may_be_missing_strange_or_outside_memory() {
    for name in [0, 17, 40, 65_530, 65_536, -1, 100] {
        check(&format!("(call $i16 (i32.const {name}))"));
        check(&format!("(call $i16_array (i32.const 300) (i32.const 3) (i32.const {name})) (i32.const 1)"));
    }
}

#[test]
fn arrays_are_written_to_memory() {
    for ty in ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "bool", "char"] {
        check(&format!("(call ${ty}_array (i32.const 301) (i32.const 7) (i32.const 20)) (i32.const 1)"));
        for (at, count) in [(65_530, 6), (65_530, 7), (65_536, 0), (65_537, 0), (-8, 2), (0, -1)] {
            check(&format!("(call ${ty}_array (i32.const {at}) (i32.const {count}) (i32.const 16)) (i32.const 1)"));
        }
    }
    check("(call $make_symbolic (i32.const 400) (i32.const 5) (i32.const 20)) (i32.const 1)");
    check("(call $make_symbolic (i32.const 65535) (i32.const 2) (i32.const 20)) (call $i32 (i32.const 20))");
}

#[test]
fn costs_regions_and_assumptions_are_counted_alike() {
    check("(call $cost (i32.const 5)) (call $cost (i32.const -1)) (i32.const 0)");
    check("(call $begin) (drop (i32.const 1)) (call $end) (i32.const 0)");
    check(
        "(call $cost (i32.const 3)) (call $begin) (call $cost (i32.const 4)) (call $end) (call $cost (i32.const 5)) (i32.const 0)",
    );
    check(
        "(call $end) (call $begin) (call $begin) (drop (i32.const 1)) (call $end) (call $end) (call $begin) (i32.const 2)",
    );
    check("(call $begin) (call $end) (unreachable)");
    check("(call $begin) (drop (i32.const 1)) (unreachable)");
    check("(call $end) (drop (i32.const 1)) (unreachable)");
    check("(call $assume (i32.const 1)) (i32.const 0)");
    check("(drop (i32.const 1)) (call $assume (i32.const 0)) (i32.const 0)");
    check("(call $begin) (drop (i32.const 1)) (call $assume (i32.const 0)) (i32.const 0)");
    check("(call $begin) (drop (i32.div_u (i32.const 1) (i32.const 0))) (i32.const 0)");
    check("(call $begin) (call $end) (drop (i32.div_u (i32.const 1) (i32.const 0))) (i32.const 0)");
    check("(drop (i32.const 1)) (call $proc_exit (i32.const 3)) (i32.const 0)");
    check("(call $proc_exit (i32.const -1)) (i32.const 0)");
    check("(drop (memory.grow (i32.const 2))) (drop (memory.grow (i32.const 9))) (i32.const 0)");
}

#[test]
fn system_calls_answer_alike() {
    for (a, b) in [(200, 204), (65_532, 200), (65_533, 200), (200, 65_533), (-4, 200)] {
        check(&format!("(call $args_sizes_get (i32.const {a}) (i32.const {b}))"));
        check(&format!("(call $environ_sizes_get (i32.const {a}) (i32.const {b}))"));
        check(&format!("(call $args_get (i32.const {a}) (i32.const {b}))"));
    }
    for fd in [-1, 0, 1, 2, 3] {
        for (vectors, count, written) in [
            (64, 2, 200),
            (64, 0, 200),
            (64, 1, 65_533),
            (96, 1, 200),
            (64, 1024, 200),
            (64, 1025, 200),
            (65_530, 1, 200),
            (64, -1, 200),
        ] {
            check(&format!(
                "(call $fd_write (i32.const {fd}) (i32.const {vectors}) (i32.const {count}) (i32.const {written}))"
            ));
            check(&format!(
                "(call $fd_read (i32.const {fd}) (i32.const {vectors}) (i32.const {count}) (i32.const {written}))"
            ));
        }
        check(&format!("(call $fd_close (i32.const {fd}))"));
        check(&format!("(call $fd_seek (i32.const {fd}) (i64.const 1) (i32.const 0) (i32.const 200))"));
        check(&format!("(call $fd_prestat_get (i32.const {fd}) (i32.const 200))"));
        check(&format!("(call $fd_prestat_dir_name (i32.const {fd}) (i32.const 200) (i32.const 4))"));
        check(&format!("(call $fd_sync (i32.const {fd}))"));
        for at in [200, 65_512, 65_513] {
            check(&format!("(call $fd_fdstat_get (i32.const {fd}) (i32.const {at}))"));
        }
    }
    check(
        "(call $poll_oneoff (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 200)) (call $sched_yield) (i32.add)",
    );
}

#[test]
fn output_counts_in_regions_only() {
    let write = "(drop (call $fd_write (i32.const 1) (i32.const 64) (i32.const 2) (i32.const 200)))";
    check(&format!("{write} {write} (i32.const 0)"));
    check(&format!("{write} (call $begin) {write} (call $end) {write} (i32.const 0)"));
}

#[test]
fn time_and_chance_run_alike() {
    check(
        "(call $clock_time_get (i32.const 0) (i64.const 1) (i32.const 200)) (call $clock_time_get (i32.const 9) (i64.const 1) (i32.const 65535))
         (i32.mul (i32.const 3)) (i32.add) (call $clock_time_get (i32.const 1) (i64.const 1) (i32.const 208)) (i32.add)",
    );
    check("(call $clock_res_get (i32.const 0) (i32.const 201))");
    check("(call $clock_res_get (i32.const 0) (i32.const 65529))");
    check(
        "(call $random_get (i32.const 200) (i32.const 13)) (call $random_get (i32.const 65530) (i32.const 7)) (i32.mul (i32.const 3)) (i32.add)
         (call $random_get (i32.const 300) (i32.const 8)) (i32.add) (call $random_get (i32.const 65536) (i32.const 0)) (i32.add)",
    );
}

#[test]
fn foreign_imports_are_answered_as_the_world_says() {
    check("(call $now) (call $now) (i32.sub)");
    check("(i32.trunc_f64_s (f64.mul (call $height (i32.const 3)) (f64.const 100)))");
    check("(call $lost) (i32.const 1)");
}

#[test]
fn what_there_is_to_read_is_read_alike() {
    let open = "(call $path_open (i32.const 3) (i32.const 0) (i32.const 50) (i32.const 10) (i32.const 0) (i64.const 0) (i64.const 0) \
                (i32.const 0) (i32.const 400))";
    let lost = "(call $path_open (i32.const 3) (i32.const 0) (i32.const 20) (i32.const 4) (i32.const 0) (i64.const 0) (i64.const 0) \
                (i32.const 0) (i32.const 400))";
    let read = |fd: u32| format!("(call $fd_read (i32.const {fd}) (i32.const 64) (i32.const 2) (i32.const 300))");
    let seek = |offset: i64, whence: u32| {
        format!("(call $fd_seek (i32.const 4) (i64.const {offset}) (i32.const {whence}) (i32.const 304))")
    };
    for body in [
        read(0),
        format!("{} {} (i32.add) {} (i32.add)", read(0), read(0), read(0)),
        "(call $fd_read (i32.const 0) (i32.const 96) (i32.const 1) (i32.const 300))".to_owned(),
        "(call $fd_read (i32.const 0) (i32.const 64) (i32.const 2) (i32.const 65535))".to_owned(),
        format!("{open} {} (i32.add)", read(4)),
        format!("{open} {} (i32.add) {} (i32.add)", seek(-4, 2), read(4)),
        format!("{open} {} (i32.add) {} (i32.add)", seek(3, 1), read(4)),
        format!("{open} {} (i32.add) {} (i32.add)", seek(-1, 0), seek(1, 7)),
        format!("{open} (call $fd_close (i32.const 4)) (i32.add) {} (i32.add)", read(4)),
        format!("{lost} {} (i32.add)", read(9)),
        "(call $fd_filestat_get (i32.const 0) (i32.const 500))".to_owned(),
        format!("{open} (call $fd_filestat_get (i32.const 4) (i32.const 500)) (i32.add)"),
        "(call $fd_fdstat_get (i32.const 3) (i32.const 500))".to_owned(),
        "(call $fd_prestat_get (i32.const 3) (i32.const 500))".to_owned(),
        "(call $fd_prestat_dir_name (i32.const 3) (i32.const 500) (i32.const 1))".to_owned(),
        "(call $args_sizes_get (i32.const 500) (i32.const 504))".to_owned(),
        "(call $args_sizes_get (i32.const 500) (i32.const 65534))".to_owned(),
        "(call $args_get (i32.const 500) (i32.const 600))".to_owned(),
        "(call $args_get (i32.const 500) (i32.const 65530))".to_owned(),
        "(call $environ_get (i32.const 500) (i32.const 600))".to_owned(),
    ] {
        check_in(furnished(), &body);
    }
}
