//! A runner says of every run what a fresh instance would, whatever the runs before it did.

mod common;

use common::{Both, both, both_within};
use serde_json::json;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use slowpath_replay::{ReplayError, ReplayLimits};

/// Numbers that look random.
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    std::iter::repeat_with(move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x >> 16
    })
}

const SORT: &str = "(module (memory 1)
    (func $f (param $a i32) (param $n i32) (local $i i32) (local $j i32) (local $x i32)
        (local.set $i (i32.const 1))
        (block $done (loop $outer
            (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
            (local.set $j (i32.add (local.get $a) (i32.shl (local.get $i) (i32.const 2))))
            (local.set $x (i32.load (local.get $j)))
            (block $placed (loop $inner
                (br_if $placed (i32.le_u (local.get $j) (local.get $a)))
                (br_if $placed (i32.le_s (i32.load (i32.sub (local.get $j) (i32.const 4))) (local.get $x)))
                (i32.store (local.get $j) (i32.load (i32.sub (local.get $j) (i32.const 4))))
                (local.set $j (i32.sub (local.get $j) (i32.const 4)))
                (br $inner)))
            (i32.store (local.get $j) (local.get $x))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $outer)))))";

#[test]
fn sorting_costs_what_it_costs_in_a_fresh_instance_at_every_size() {
    let mut both = both(SORT, "f(a: i32[n], n)");
    for (round, n) in [5, 5, 20, 3, 3, 40_000, 7, 0, 5].into_iter().enumerate() {
        let values: Vec<i32> = numbers(round as u64).take(n).map(|x| x as i32 % 1000).collect();
        let values = if n > 1000 { (0..n as i32).collect() } else { values };
        both.agree(n as i64, json!({ "a": values }));
    }
}

#[test]
fn each_branch_is_counted() {
    let mut both = both(SORT, "f(a: i32[n], n)");
    // Three elements and the end; they sink 1, 2 and 3 places, looking each time whether they are in front, and comparing if not.
    both.agree(4, json!({"a": [9, 8, 7, 6]}));
    let branches = |both: &Both| both.runner.hits().iter().copied().filter(|hits| *hits > 0).collect::<Vec<u32>>();
    assert_eq!(branches(&both), [4, 9, 6]);
    both.agree(3, json!({"a": [1, 2, 3]}));
    assert_eq!(branches(&both), [3, 2, 2]);
}

#[test]
fn globals_and_memory_start_from_the_same_values_each_time() {
    let module = r#"(module (memory 2) (data (i32.const 70000) "abc") (global $g (mut i32) (i32.const 3)) (global $h (mut f64) (f64.const 1.5))
        (func (export "_initialize") (global.set $g (i32.const 5)) (i32.store (i32.const 100000) (i32.const 7)))
        (func $f (param $at i32) (local $i i32)
            (global.set $g (i32.add (global.get $g) (i32.const 1)))
            (global.set $h (f64.mul (global.get $h) (f64.const 2)))
            (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
            (local.set $i (i32.add (i32.add (global.get $g) (i32.trunc_f64_s (global.get $h)))
                (i32.add (i32.load8_u (i32.const 70000)) (i32.add (i32.load8_u (i32.const 100000)) (i32.load8_u (local.get $at))))))
            (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))"#;
    let mut both = both(module, "f(at: i32)");
    for at in [70_000, 70_000, 100_000, 131_069, 4, 131_068, 100_000, 70_000] {
        both.agree(0, json!({ "at": at }));
    }
}

#[test]
fn a_run_that_grew_the_memory_leaves_nothing_to_the_next() {
    let module = "(module (memory 1)
        (func $f (param $pages i32) (local $i i32)
            (drop (memory.grow (local.get $pages)))
            (i32.store (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 4)) (i32.const 99))
            (local.set $i (i32.load (i32.const 65532)))
            (loop (br_if 0 (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) (i32.const 0))))))";
    let mut both = both_within(module, "f(pages: i32)", ReplayLimits { memory_bytes: 10 << 16, ..Default::default() });
    for pages in [0, 3, 0, 0, 9, 10, 1, 0] {
        both.agree(0, json!({ "pages": pages }));
    }
}

#[test]
fn a_run_that_needs_more_memory_than_there_is_room_for_is_given_up() {
    let module = "(module (memory 1) (func $f (param $pages i32) (drop (memory.grow (local.get $pages)))))";
    let room_bytes = 10 << 16;
    let mut both = both_within(module, "f(pages: i32)", ReplayLimits { room_bytes, ..Default::default() });
    for (asked, pages_after) in [(9, Some(10)), (10, None), (2, Some(3)), (60_000, Some(1))] {
        let input = both.inputs(0, json!({ "pages": asked }));
        let ran = both.runner.run(0, &input, 1000).map(|ran| ran.memory_pages);
        // What the program may not have in any case, it is refused as ever.
        assert_eq!(ran, pages_after.ok_or(ReplayError::NoRoom(room_bytes)), "{asked}");
    }
}

#[test]
fn memory_can_be_so_small_that_counters_alone_would_fill_it() {
    let module =
        "(module (memory 0) (func $f (param i32) (if (local.get 0) (then (drop (memory.grow (i32.const 1)))))))";
    let mut both = both_within(module, "f(x: i32)", ReplayLimits { memory_bytes: 0, ..Default::default() });
    both.agree(0, json!({"x": 1}));
    let module = "(module (memory 1) (func $f (param i32) (if (local.get 0) (then))))";
    let mut both = both_within(module, "f(x: i32)", ReplayLimits { memory_bytes: 0, ..Default::default() });
    both.agree(0, json!({"x": 1}));
}

#[test]
fn traps_are_the_same_and_so_is_what_was_counted_before_them() {
    let module = "(module (memory 1) (type $t (func (param i32))) (table 3 funcref) (elem (i32.const 0) $f $g) (func $g)
        (func $f (param $x i32)
            (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
            (call $g)
            (if (i32.eq (local.get $x) (i32.const 0)) (then (unreachable)))
            (if (i32.eq (local.get $x) (i32.const 1)) (then (drop (i32.div_u (i32.const 1) (i32.sub (local.get $x) (i32.const 1))))))
            (if (i32.eq (local.get $x) (i32.const 2)) (then (drop (i32.load (i32.const 65533)))))
            (if (i32.eq (local.get $x) (i32.const 3)) (then (call_indirect (type $t) (i32.const 3) (i32.const 3))))
            (if (i32.eq (local.get $x) (i32.const 4)) (then (call_indirect (type $t) (i32.const 4) (i32.const 2))))
            (if (i32.eq (local.get $x) (i32.const 5)) (then (call_indirect (type $t) (i32.const 5) (i32.const 1))))
            (if (i32.eq (local.get $x) (i32.const 6)) (then (drop (i32.trunc_f32_s (f32.const nan)))))))";
    let mut both = both(module, "f(x: i32)");
    for x in [0, 7, 1, 2, 2, 3, 4, 5, 6, 7, 0] {
        let ran = both.agree(0, json!({ "x": x })).expect("runs");
        assert_eq!(ran.trap.is_some(), x < 7);
    }
}

#[test]
fn a_run_is_out_of_fuel_exactly_if_it_takes_more() {
    let module = "(module (memory 1) (func $f (param $n i32) (local $i i32)
        (loop (i32.store (i32.const 8) (local.tee $i (i32.add (local.get $i) (i32.const 1))))
            (br_if 0 (i32.lt_s (local.get $i) (local.get $n)))) (drop (i32.load (i32.const 8)))))";
    let mut both = both(module, "f(x: i32)");
    let inputs = both.inputs(0, json!({"x": 10}));
    let all = both.agree(0, json!({"x": 10})).expect("runs");
    for fuel in (0..all.instructions + 5).chain([u64::MAX, u64::MAX / 2]) {
        let ran = both.runner.run(0, &inputs, fuel).expect("runs");
        assert_eq!(ran.out_of_fuel, all.instructions > fuel, "with {fuel}");
        if !ran.out_of_fuel {
            assert_eq!(ran, all);
        }
    }
    let forever = "(module (func $f (loop (br 0))))";
    let ran = common::both(forever, "f()").runner.run(0, &InputValues::default(), 1_000_000).expect("is ended");
    assert!(ran.out_of_fuel && ran.instructions >= 1_000_000);
}

#[test]
fn harnesses_get_their_inputs_and_regions_count_as_ever() {
    let module = r#"(module
        (import "slowpath" "u8" (func $u8 (param i32) (result i32)))
        (import "slowpath" "i16_array" (func $array (param i32 i32 i32)))
        (import "env" "slowpath_assume" (func $assume (param i32)))
        (import "slowpath" "cost" (func $cost (param i32)))
        (import "slowpath" "begin" (func $begin)) (import "slowpath" "end" (func $end))
        (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
        (memory 1) (data (i32.const 16) "x\00") (data (i32.const 32) "a\00") (data (i32.const 48) "\40\00\00\00\05\00\00\00")
        (func (export "_initialize") (drop (call $random (i32.const 300) (i32.const 8))) (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 308))))
        (func $spin (param i32) (loop (br_if 0 (i32.gt_s (local.tee 0 (i32.sub (local.get 0) (i32.const 1))) (i32.const 0)))))
        (func $f (param $n i32) (local $x i32)
            (local.set $x (call $u8 (i32.const 16)))
            (call $assume (i32.ne (local.get $x) (i32.const 13)))
            (call $array (i32.const 64) (local.get $n) (i32.const 32))
            (drop (call $write (i32.const 1) (i32.const 48) (i32.const 1) (i32.const 60)))
            (call $spin (i32.load16_s (i32.const 64)))
            (if (i32.and (local.get $x) (i32.const 1)) (then
                (call $begin) (call $spin (i32.load16_s (i32.const 66))) (call $cost (local.get $x)) (call $end)
                (drop (call $random (i32.const 400) (i32.const 1)))
                (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 408)))
                (call $spin (i32.load8_u (i32.const 400)))
                (call $begin) (call $spin (call $u8 (i32.const 16))) (call $spin (i32.load8_u (i32.const 410)))))
            (if (i32.eq (local.get $x) (i32.const 14)) (then (call $exit (i32.const 3))))))"#;
    let mut both = both(module, "");
    for (round, x) in [1, 2, 13, 14, 15, 13, 2, 255].into_iter().enumerate() {
        let values: Vec<i16> = numbers(round as u64).take(4).map(|x| (x % 100) as i16).collect();
        let ran = both.agree(4, json!({"x": x, "x.1": round * 7, "a": values})).expect("runs");
        match x {
            13 => assert_eq!(ran.trap, Some(Trap::AssumeFailed)),
            14 => assert_eq!(ran.trap, Some(Trap::Exit(3))),
            _ => assert_eq!(ran.trap, None),
        }
    }
    assert_eq!(both.agree(i64::MAX, json!({"x": 1})), None, "n does not fit");
    both.agree(4, json!({}));
}

#[test]
fn inputs_that_a_program_takes_while_it_starts_are_those_of_the_run() {
    let module = r#"(module (import "slowpath" "u8" (func $u8 (param i32) (result i32))) (import "slowpath" "assume" (func $assume (param i32)))
        (memory 1) (start $begin)
        (func $begin (i32.store (i32.const 8) (call $u8 (i32.const 0))) (call $assume (i32.ne (i32.load (i32.const 8)) (i32.const 9))))
        (func $f (param i32) (local $i i32) (local.set $i (i32.add (i32.const 1) (i32.load (i32.const 8))))
            (loop (br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))))"#;
    let mut both = both(module, "");
    for x in [3, 9, 5, 0] {
        both.agree(1, json!({ "input": x }));
    }
}

#[test]
fn tables_that_change_and_segments_that_are_dropped_are_there_again() {
    let module = r#"(module (memory 1) (type $t (func)) (table $t 2 8 funcref) (elem (i32.const 0) $a) (elem $e func $b) (data $d "abcd")
        (func $a (drop (i32.const 1))) (func $b (drop (i32.const 1)) (drop (i32.const 2)))
        (func $f (param $x i32)
            (if (i32.eq (local.get $x) (i32.const 1)) (then (table.set $t (i32.const 0) (ref.func $b))))
            (if (i32.eq (local.get $x) (i32.const 2)) (then (elem.drop $e)))
            (if (i32.eq (local.get $x) (i32.const 3)) (then (data.drop $d)))
            (if (i32.eq (local.get $x) (i32.const 4)) (then (drop (table.grow $t (ref.null func) (i32.const 2)))))
            (call_indirect (type $t) (i32.const 0))
            (if (i32.eq (table.size $t) (i32.const 2)) (then (drop (i32.const 5))))
            (memory.init $d (i32.const 0) (i32.const 0) (i32.const 4))
            (table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1))))"#;
    let mut both = both(module, "f(x: i32)");
    for x in [0, 1, 0, 2, 0, 3, 0, 4, 0] {
        both.agree(0, json!({ "x": x }));
    }
}

#[test]
fn deep_recursion_is_run_with_the_stack_it_needs() {
    let module = "(module (memory 1) (func $f (param i32) (result i32)
        (i32.store (i32.const 4) (i32.add (i32.load (i32.const 4)) (i32.const 1)))
        (if (result i32) (local.get 0) (then (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))
            (else (if (result i32) (i32.eq (i32.load (i32.const 4)) (i32.const 1)) (then (i32.const 7)) (else (i32.const 0)))))))";
    let limits = ReplayLimits { stack_bytes: 64 << 20, ..Default::default() };
    let mut both = both_within(module, "f(x: i32)", limits);
    for x in [5, 300_000, 0, 5, 300_000, -1, 3] {
        let ran = both.agree(0, json!({ "x": x })).expect("runs");
        assert_eq!(ran.trap, (x < 0).then_some(Trap::StackOverflow));
        let hits: u64 = both.runner.hits().iter().map(|hits| u64::from(*hits)).sum();
        assert!(x < 0 || hits == x as u64 + 2, "{hits}");
    }
    let starts_deep = r#"(module (memory 1) (func (export "_initialize") (i32.store (i32.const 0) (call $deep (i32.const 100000))))
        (func $deep (param i32) (result i32) (if (result i32) (local.get 0)
            (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1))))) (else (i32.const 0))))
        (func $f (param i32) (drop (call $deep (i32.and (i32.load (i32.const 0)) (local.get 0))))))"#;
    let mut deep = both_within(starts_deep, "f(x: i32)", ReplayLimits { stack_bytes: 64 << 20, ..Default::default() });
    deep.agree(0, json!({"x": 7})).expect("runs");
    let mut shallow = both_within(module, "f(x: i32)", ReplayLimits { stack_bytes: 256 << 10, ..Default::default() });
    for x in [5, 300_000, 3] {
        let (ran, _) = shallow.runs(0, json!({ "x": x }));
        assert_eq!(ran.expect("runs").trap, (x > 5).then_some(Trap::StackOverflow));
    }
}

#[test]
fn a_run_that_touched_much_memory_is_forgotten() {
    let module = "(module (memory 300) (func $f (param $pages i32) (local $i i32)
        (loop (i32.store (i32.shl (local.get $i) (i32.const 12)) (i32.add (i32.load (i32.shl (local.get $i) (i32.const 12))) (i32.const 1)))
            (if (i32.ne (i32.load (i32.shl (local.get $i) (i32.const 12))) (i32.const 1)) (then unreachable))
            (br_if 0 (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $pages))))))";
    let mut both = both(module, "f(pages: i32)");
    for round in 0..300 {
        let pages = if round % 100 == 50 { 4000 } else { 3 };
        let inputs = both.inputs(0, json!({ "pages": pages }));
        let ran = both.runner.run(0, &inputs, u64::MAX).expect("runs");
        assert_eq!((ran.trap, ran.memory_pages), (None, 300));
    }
}

#[test]
fn requests_that_make_no_sense_are_refused_alike_and_the_next_run_is_none_the_worse() {
    let mut both = both(SORT, "f(a: i32[n], n)");
    both.agree(2, json!({"a": [2, 1]})).expect("runs");
    let two = both.inputs(2, json!({"a": [2, 1]}));
    both.runner.run(3, &two, 1000).expect_err("too few values");
    both.runner.run(-1, &two, 1000).expect_err("no size");
    both.agree(2, json!({"a": [1, 2]})).expect("runs");
    both.agree(3, json!({"a": [3, 2, 1]})).expect("runs");
}
