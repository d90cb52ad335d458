//! The translation of what is tricky, by running it: results and cost, in both modes.
//!
//! Costs are counted by hand: 1 for entering the function, 1 for each operator but those that generate no code.

mod common;

use common::Machine;
use slowpath_machine::{Concrete, Mode, Symbolic};

/// Runs `f`, whose text from its parameters on is given, and compares results and cost.
fn check(function: &str, args: &[u64], results: &[u64], cost: u64) {
    check_module(&format!("(module (func $f (export \"f\") {function}))"), args, results, cost);
}

fn check_module(text: &str, args: &[u64], results: &[u64], cost: u64) {
    fn run<M: Mode>(text: &str, args: &[u64]) -> (Vec<u64>, u64) {
        let mut machine = Machine::<M>::new(text);
        let args: Vec<M::Value> = args.iter().map(|bits| M::value(*bits)).collect();
        machine.call(&args);
        let results = machine.finish().expect("it returns");
        let bits = results.into_iter().map(|v| M::bits(v).expect("a plain value")).collect();
        (bits, machine.state.meter.raw.instructions)
    }
    assert_eq!(run::<Concrete>(text, args), (results.to_vec(), cost), "concrete: {text}");
    assert_eq!(run::<Symbolic>(text, args), (results.to_vec(), cost), "symbolic: {text}");
}

#[test]
fn a_local_set_while_its_old_value_waits_on_the_stack_leaves_that_value() {
    check("(param i32) (result i32) local.get 0 (local.set 0 (i32.const 5)) local.get 0 i32.sub", &[9], &[4], 6);
    check(
        "(param i32) (result i32) local.get 0 (local.tee 0 (i32.add (local.get 0) (i32.const 1))) i32.mul",
        &[6],
        &[42],
        7,
    );
}

#[test]
fn a_local_set_in_one_side_of_an_if_does_not_change_what_waits_below() {
    let text = "(param i32 i32) (result i32) local.get 0 (if (local.get 1) (then (local.set 0 (i32.const 100)))) local.get 0 i32.add";
    check(text, &[1, 1], &[101], 8);
    check(text, &[1, 0], &[2], 6);
}

#[test]
fn a_local_set_in_a_loop_does_not_change_what_waits_below() {
    check(
        "(param i32) (result i32) local.get 0
         (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) local.get 0 i32.sub",
        &[3],
        &[3],
        1 + 1 + 3 * 5 + 2,
    );
}

#[test]
fn a_local_copied_to_itself_or_exchanged_keeps_its_value() {
    check("(param i32) (result i32) (local.set 0 (local.get 0)) local.get 0", &[7], &[7], 4);
    check(
        "(param i32 i32) (result i32) local.get 0 local.get 1 local.set 0 local.set 1 (i32.sub (local.get 0) (local.get 1))",
        &[10, 3],
        &[u64::from(-7i32 as u32)],
        8,
    );
}

#[test]
fn a_comparison_kept_in_a_local_can_be_branched_on_twice() {
    let text = "(param i32) (result i32) (local i32)
        (local.set 1 (i32.lt_s (local.get 0) (i32.const 5)))
        (if (local.get 1) (then (if (local.get 1) (then (return (i32.const 1))))))
        local.get 1";
    check(text, &[4], &[1], 10);
    check(text, &[5], &[0], 8);
}

#[test]
fn br_if_with_values_moves_them_only_when_it_jumps() {
    let text = "(param i32) (result i32)
        (block (result i32) (i32.const 1) (i32.const 2) (br_if 0 (local.get 0)) (i32.add))";
    check(text, &[1], &[2], 5);
    check(text, &[0], &[3], 6);
}

#[test]
fn br_if_out_of_the_function_returns_its_values() {
    let text = "(param i32) (result i32 i32) (i32.const 7) (i32.const 8) (br_if 0 (local.get 0)) drop drop (i32.const 1) (i32.const 2)";
    check(text, &[1], &[7, 8], 5);
    check(text, &[0], &[1, 2], 7);
}

#[test]
fn br_table_moves_values_for_each_target_on_its_own() {
    let text = "(param i32) (result i32)
        (block (result i32)
          (block (result i32)
            (i32.const 100)
            (block (result i32) (i32.const 5) (local.get 0) (br_table 0 1 2 3 1))
            (i32.add))
          (i32.const 1000) (i32.add))
        (i32.const 10000) (i32.add)";
    check(text, &[0], &[11105], 10);
    check(text, &[1], &[11005], 9);
    check(text, &[2], &[10005], 7);
    check(text, &[3], &[5], 5);
    check(text, &[4], &[11005], 9);
    check(text, &[u64::from(u32::MAX)], &[11005], 9);
}

#[test]
fn br_table_with_only_a_default_goes_there() {
    check("(param i32) (result i32) (block (br_table 0 (local.get 0))) (i32.const 3)", &[77], &[3], 4);
}

#[test]
fn blocks_take_parameters_and_give_several_results() {
    check(
        "(param i32 i32) (result i32 i32) local.get 0 local.get 1
         (block (param i32 i32) (result i32 i32) (local.set 0) (local.set 1) (local.get 0) (local.get 1))",
        &[1, 2],
        &[2, 1],
        7,
    );
    let text = "(param i32) (result i32 i32) (i32.const 1) (i32.const 2) local.get 0
         (if (param i32 i32) (result i32 i32) (then (drop) (i32.const 9)) (else (i32.add) (i32.const 4)))";
    check(text, &[1], &[1, 9], 6);
    check(text, &[0], &[3, 4], 7);
}

#[test]
fn an_if_without_else_passes_its_parameters_on() {
    let text = "(param i32) (result i32) (i32.const 5) local.get 0 (if (param i32) (result i32) (then (i32.const 1) (i32.add)))";
    check(text, &[1], &[6], 6);
    check(text, &[0], &[5], 4);
}

#[test]
fn loops_pass_their_parameters_round() {
    // Fibonacci numbers, on the stack.
    let text = "(param i32) (result i32) (local i32 i32)
        (i32.const 0) (i32.const 1)
        (loop (param i32 i32) (result i32 i32)
          (local.set 2) (local.set 1)
          (local.get 2) (i32.add (local.get 1) (local.get 2))
          (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        drop";
    check(text, &[10], &[55], 3 + 10 * 11);
}

#[test]
fn a_branch_back_to_a_loop_from_inside_a_block_drops_what_lies_between() {
    let text = "(param i32) (result i32)
        (i32.const 0)
        (loop (param i32) (result i32)
          (i32.const 10) (i32.add)
          (block (param i32) (result i32)
            (i32.const 77) (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (drop)
            (i32.const 1) (i32.add)
            (br_if 1 (local.get 0))
            (i32.const 1000) (i32.add)))";
    check(text, &[3], &[1033], 2 + 3 * 11 + 2);
}

#[test]
fn select_takes_values_and_condition_from_anywhere() {
    check("(param i32) (result i32) (select (i32.const 1) (i32.const 2) (local.get 0))", &[0], &[2], 5);
    check("(param i32) (result i32) (select (local.get 0) (i32.const 2) (local.get 0))", &[3], &[3], 5);
    check("(param i32) (result i32) (select (i32.const 4) (local.get 0) (i32.const 0))", &[3], &[3], 5);
    check("(param i64) (result i64) (select (local.get 0) (i64.const 2) (i64.eqz (local.get 0)))", &[3], &[2], 6);
    check(
        "(param i32) (result i32) (local.get 0) (select (result i32) (local.get 0) (i32.const 2) (i32.const 1)) (i32.mul)",
        &[3],
        &[9],
        7,
    );
}

#[test]
fn results_that_exchange_locals_come_out_in_order() {
    check("(param i32 i32) (result i32 i32) local.get 1 local.get 0", &[1, 2], &[2, 1], 3);
    check(
        "(param i32 i32 i32) (result i32 i32 i32) local.get 2 local.get 0 local.get 1 return",
        &[1, 2, 3],
        &[3, 1, 2],
        4,
    );
    check(
        "(param i32 i32) (result i32 i32 i32 i32) local.get 1 local.get 1 local.get 0 local.get 0",
        &[1, 2],
        &[2, 2, 1, 1],
        5,
    );
    check("(param i32 i32) (result i32 i32) local.get 1 (i32.add (local.get 0) (local.get 1))", &[1, 2], &[2, 3], 5);
}

#[test]
fn calls_with_more_or_fewer_results_than_parameters_leave_the_stack_right() {
    let text = "(module
        (func $more (param i32) (result i32 i32 i32) local.get 0 (i32.const 2) (i32.const 3))
        (func $fewer (param i32 i32 i32) (result i32) (i32.sub (i32.sub (local.get 0) (local.get 1)) (local.get 2)))
        (func (export \"f\") (param i32) (result i32) (i32.const 1000) (call $fewer (call $more (local.get 0))) (i32.add)))";
    check_module(text, &[50], &[1045], 1 + 5 + (1 + 3) + (1 + 5));
}

#[test]
fn tail_calls_exchange_arguments_and_keep_no_frame() {
    let text = "(param i32 i32) (result i32)
        (if (result i32) (i32.eqz (local.get 0))
          (then (local.get 1))
          (else (return_call $f (i32.sub (local.get 0) (i32.const 1)) (i32.add (local.get 1) (local.get 0)))))";
    check(text, &[100_000, 0], &[(100_000u64 * 100_001 / 2) & 0xffff_ffff], 100_000 * 11 + 5);
    check(
        "(param i32 i32) (result i32)
         (if (result i32) (i32.eqz (local.get 0)) (then (local.get 1)) (else (return_call $f (local.get 1) (local.get 0))))",
        &[7, 0],
        &[7],
        7 + 5,
    );
}

#[test]
fn indirect_tail_calls_reach_functions_of_other_shapes() {
    let text = "(module (type $t (func (param i32 i32 i32) (result i32))) (table funcref (elem $g))
        (func $g (type $t) (local i32 i32) (local.set 4 (i32.sub (local.get 0) (local.get 2))) (i32.add (local.get 4) (local.get 3)))
        (func (export \"f\") (param i32) (result i32)
          (return_call_indirect (type $t) (local.get 0) (i32.const 1) (i32.const 2) (i32.const 0))))";
    check_module(text, &[44], &[42], 1 + 5 + 1 + 7);
}

#[test]
fn eqz_folds_into_comparisons_and_branches() {
    check("(param i32) (result i32) (i32.eqz (i32.lt_u (local.get 0) (i32.const 9)))", &[8], &[0], 5);
    check("(param i32) (result i32) (i32.eqz (i32.eqz (i32.lt_u (local.get 0) (i32.const 9))))", &[8], &[1], 6);
    check("(param i64) (result i32) (i32.eqz (i64.ge_s (local.get 0) (i64.const -1)))", &[u64::MAX - 1], &[1], 5);
    check("(param f32) (result i32) (i32.eqz (f32.lt (local.get 0) (f32.const 1)))", &[0x7fc0_0000], &[1], 5);
    let text = "(param i32) (result i32) (block (br_if 0 (i32.eqz (i32.ne (local.get 0) (i32.const 5)))) (return (i32.const 1))) (i32.const 2)";
    check(text, &[5], &[2], 7);
    check(text, &[6], &[1], 7);
    // The comparison is still wanted as a number by what is below it.
    check(
        "(param i32) (result i32) (local i32) (local.tee 1 (i32.eq (local.get 0) (i32.const 5))) (i32.eqz) (local.get 1) (i32.sub)",
        &[5],
        &[u64::from(u32::MAX)],
        8,
    );
}

#[test]
fn constants_on_either_side_mean_the_same() {
    check("(param i32) (result i32) (i32.sub (i32.const 10) (local.get 0))", &[3], &[7], 4);
    check("(param i32) (result i32) (i32.lt_s (i32.const 10) (local.get 0))", &[11], &[1], 4);
    check("(param i32) (result i32) (i32.ge_u (i32.const 10) (local.get 0))", &[10], &[1], 4);
    check("(param i64) (result i64) (i64.add (i64.const 0x123456789abc) (local.get 0))", &[1], &[0x1234_5678_9abd], 4);
    check(
        "(param i64) (result i64) (i64.and (local.get 0) (i64.const -2147483648))",
        &[u64::MAX],
        &[0xffff_ffff_8000_0000],
        4,
    );
    check("(result i32) (i32.shl (i32.const 1) (i32.const 33))", &[], &[2], 4);
    check(
        "(result i32) (i32.add (i32.reinterpret_f32 (f32.const 1)) (i32.reinterpret_f32 (f32.const 0)))",
        &[],
        &[0x3f80_0000],
        6,
    );
}

#[test]
fn code_after_an_unconditional_branch_costs_nothing_and_does_no_harm() {
    check(
        "(param i32) (result i32)
         (block (result i32) (br 0 (i32.const 3)) (i32.add (i32.const 1)) (if (result i32) (then (i32.const 4)) (else (unreachable))))",
        &[1],
        &[3],
        3,
    );
    check("(result i32) (return (i32.const 1)) (loop (br 0)) (unreachable)", &[], &[1], 2);
    check(
        "(param i32) (result i32) (if (result i32) (local.get 0) (then (br 0 (i32.const 1))) (else (return (i32.const 2))))",
        &[0],
        &[2],
        4,
    );
    check("(block (loop (br 1)) (unreachable)) (block (block (br 1)) (unreachable))", &[], &[], 3);
}

#[test]
fn straight_code_of_more_than_sixteen_bits_of_cost_is_charged_in_full() {
    let count = 70_000u64;
    let body = "(local.set 0 (i32.add (local.get 0) (i32.const 1)))".repeat(count as usize);
    check(&format!("(param i32) (result i32) {body} local.get 0"), &[0], &[count], 1 + 4 * count + 1);
    let text = format!(
        "(param i32) (result i32) (loop {body} (br_if 0 (i32.lt_u (local.get 0) (i32.const 200000)))) local.get 0"
    );
    check(&text, &[0], &[3 * count], 1 + 3 * (4 * count + 4) + 1);
    let text = format!("(param i32) (result i32) (if (local.get 0) (then {body}) (else (nop))) local.get 0");
    check(&text, &[1], &[count + 1], 1 + 2 + 4 * count + 1);
    check(&text, &[0], &[0], 4);
}

#[test]
fn a_stack_deeper_than_lazy_locals_reach_computes_the_same() {
    let gets = "(local.get 0)".repeat(400);
    let adds = "(i32.add)".repeat(400);
    let text = format!("(param i32) (result i32) {gets} (local.set 0 (i32.const 1000)) (local.get 0) {adds}");
    check(&text, &[3], &[400 * 3 + 1000], 1 + 400 + 2 + 1 + 400);
}

#[test]
fn bulk_operations_cost_what_they_move() {
    let text = "(module (memory 1) (data \"abcdefgh\") (table 9 funcref) (func (export \"f\") (param i32)
        (memory.init 0 (i32.const 8) (i32.const 0) (local.get 0))
        (memory.copy (i32.const 9) (i32.const 8) (local.get 0))
        (memory.fill (i32.const 0) (i32.const 1) (local.get 0))
        (table.fill (i32.const 0) (ref.null func) (local.get 0))
        (drop (table.grow (ref.null func) (local.get 0)))
        (drop (memory.grow (local.get 0)))))";
    check_module(text, &[5], &[], 1 + 4 * 4 + 3 + 2 + 5 * 5);
}
