//! Instructions are counted as we think they are: each figure here was worked out by hand.

mod common;

use common::{call, harness};
use serde_json::json;
use slowpath_program::trap::Trap;

/// Runs a body without parameters in a module that has a memory, a table and a function `$g` that costs 1 to enter.
fn count(body: &str) -> u64 {
    let module = format!(
        r#"(module (memory 1) (table $t 10 funcref) (elem declare func $g) (data $d "abcdefgh") (elem $e func $g $g)
            (type $void (func)) (func $g) (func $h (return_call $g)) (func $f {body}))"#
    );
    let replayed = harness(&module, 0, json!({}));
    assert_eq!((replayed.trap, replayed.exact), (None, true));
    replayed.instructions
}

#[test]
fn entering_a_function_costs_one_and_so_does_each_operator() {
    assert_eq!(count(""), 1);
    assert_eq!(count("i32.const 1 i32.const 2 i32.add drop"), 1 + 3);
    assert_eq!(count("nop nop"), 1);
    assert_eq!(count("(block (loop (nop)))"), 1);
    assert_eq!(count("return"), 1);
    assert_eq!(count("i32.const 1 i32.const 2 i32.const 0 select drop"), 1 + 4);
    assert_eq!(count("(local i32) i32.const 1 local.tee 0 local.set 0 local.get 0 drop"), 1 + 4);
}

#[test]
fn branches_cost_one_and_the_structure_around_them_nothing() {
    assert_eq!(count("(if (i32.const 1) (then (drop (i32.const 1))) (else (nop)))"), 1 + 3);
    assert_eq!(count("(if (i32.const 0) (then (drop (i32.const 1))) (else (nop)))"), 1 + 2);
    assert_eq!(count("(block (br 0))"), 1 + 1);
    assert_eq!(count("(block (br_if 0 (i32.const 1)) (drop (i32.const 1)))"), 1 + 2);
    assert_eq!(count("(block (br_if 0 (i32.const 0)) (drop (i32.const 1)))"), 1 + 3);
    assert_eq!(count("(block (block (br_table 0 1 (i32.const 7))) (drop (i32.const 1)))"), 1 + 2);
    assert_eq!(count("(block (br 0) (drop (i32.const 1)) (drop (i32.const 1)))"), 1 + 1);
}

#[test]
fn calls_cost_one_and_what_they_call() {
    assert_eq!(count("(call $g)"), 1 + 1 + 1);
    assert_eq!(count("(call $h)"), 1 + 1 + (1 + 1) + 1);
    assert_eq!(
        count("(table.set $t (i32.const 0) (ref.func $g)) (call_indirect $t (type $void) (i32.const 0))"),
        1 + 3 + 2 + 1
    );
}

#[test]
fn bulk_operations_add_their_length() {
    assert_eq!(count("(memory.fill (i32.const 0) (i32.const 7) (i32.const 100))"), 1 + 4 + 100);
    assert_eq!(count("(memory.copy (i32.const 0) (i32.const 7) (i32.const 1000))"), 1 + 4 + 1000);
    assert_eq!(count("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 8)) (data.drop $d)"), 1 + 4 + 8 + 1);
    assert_eq!(count("(table.fill $t (i32.const 0) (ref.null func) (i32.const 5))"), 1 + 4 + 5);
    assert_eq!(count("(table.copy $t $t (i32.const 0) (i32.const 1) (i32.const 5))"), 1 + 4 + 5);
    assert_eq!(count("(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 2)) (elem.drop $e)"), 1 + 4 + 2 + 1);
    assert_eq!(count("(drop (table.grow $t (ref.null func) (i32.const 3)))"), 1 + 3 + 3);
    assert_eq!(count("(drop (table.grow $t (ref.null func) (i32.const 2000000000)))"), 1 + 3 + 2_000_000_000);
    assert_eq!(count("(drop (memory.grow (i32.const 3)))"), 1 + 2);
    assert_eq!(
        count("(local i32) (local.set 0 (i32.const 9)) (memory.fill (i32.const 0) (i32.const 7) (local.get 0))"),
        1 + 2 + 4 + 9
    );
}

#[test]
fn a_loop_costs_its_iterations() {
    let module = "(module (func $f (param $n i32) (result i32) (local $i i32)
        (block $done (loop $again
            (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $again)))
        (local.get $i)))";
    for n in [0, 1, 10, 1000] {
        let replayed = call(module, "f(n)", n, json!({}));
        assert_eq!((replayed.instructions, replayed.results), (1 + n as u64 * 9 + 4 + 1, vec![n as u64]));
    }
}

#[test]
fn only_the_call_counts_not_what_comes_before() {
    let module = r#"(module (memory 1) (global $g (mut i32) (i32.const 0))
        (func $start (memory.fill (i32.const 0) (i32.const 0) (i32.const 1000)) (global.set $g (i32.const 1))) (start $start)
        (func (export "_initialize") (global.set $g (i32.add (global.get $g) (i32.const 10))))
        (func $f (result i32) (global.get $g)))"#;
    let replayed = harness(module, 0, json!({}));
    assert_eq!((replayed.instructions, replayed.results), (2, vec![11]));
}

const REGIONS: &str = r#"(import "slowpath" "begin" (func $begin)) (import "slowpath" "end" (func $end))
    (import "slowpath" "cost" (func $cost (param i32)))"#;

fn count_regions(body: &str) -> (u64, u64) {
    let replayed = harness(&format!("(module {REGIONS} (func $f {body}))"), 0, json!({}));
    (replayed.instructions, replayed.custom)
}

#[test]
fn a_region_counts_the_call_that_ends_it_but_not_the_one_that_begins_it() {
    let work = "(drop (i32.const 1))";
    assert_eq!(count_regions(&format!("{work} (call $begin) {work} (call $end) {work} {work}")).0, 2);
    assert_eq!(count_regions("(call $begin) (call $end)").0, 1);
    assert_eq!(
        count_regions(&format!("(call $begin) {work} (call $end) {work} (call $begin) {work} {work} (call $end)")).0,
        2 + 3
    );
}

#[test]
fn unbalanced_regions_do_something_sensible() {
    let work = "(drop (i32.const 1))";
    assert_eq!(count_regions(&format!("(call $end) {work}")).0, 3, "an end before any begin is ignored");
    assert_eq!(count_regions(&format!("{work} (call $begin) {work} {work}")).0, 2, "a region that is never ended");
    assert_eq!(count_regions(&format!("(call $begin) {work} (call $begin) {work} (call $end) (call $end)")).0, 4);
}

#[test]
fn custom_costs_count_only_inside_regions() {
    let cost = |amount: i32| format!("(call $cost (i32.const {amount}))");
    assert_eq!(count_regions(&format!("{} {}", cost(2), cost(3))).1, 5);
    assert_eq!(count_regions(&format!("{} (call $begin) {} (call $end) {}", cost(2), cost(3), cost(4))).1, 3);
    assert_eq!(count_regions(&cost(-1)).1, u64::from(u32::MAX));
}

#[test]
fn after_a_trap_the_count_is_exact_or_said_not_to_be() {
    let run = |body: &str| {
        let module = format!(
            r#"(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32))) (import "slowpath" "assume" (func $assume (param i32)))
                (memory 1) (table $t 2 funcref) (elem (i32.const 1) $g) (type $void (func)) (func $g (param i32)) (func $f {body}))"#
        );
        let replayed = harness(&module, 0, json!({}));
        (replayed.trap.unwrap(), replayed.exact, replayed.instructions)
    };
    assert_eq!(run("(drop (i32.const 1)) unreachable"), (Trap::Unreachable, true, 2));
    assert_eq!(run("(call $exit (i32.const 3))"), (Trap::Exit(3), true, 3));
    assert_eq!(run("(call $assume (i32.const 0))"), (Trap::AssumeFailed, true, 3));
    assert_eq!(run("(call_indirect $t (type $void) (i32.const 0))"), (Trap::NullFunction, true, 3));
    assert_eq!(run("(call_indirect $t (type $void) (i32.const 1))"), (Trap::IndirectCallMismatch, true, 3));
    let (trap, exact, _) = run("(call_indirect $t (type $void) (i32.const 2))");
    assert_eq!((trap, exact), (Trap::TableOutOfBounds, false));
    // The last thing the engine knows of is the return from $g: 1 to enter $f, 2 for the call, 1 to enter $g.
    let (trap, exact, count) = run("(call $g (i32.const 1)) (drop (i32.div_u (i32.const 1) (i32.const 0)))");
    assert_eq!((trap, exact, count), (Trap::DivisionByZero, false, 4));
}
