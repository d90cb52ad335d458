//! Sprints against the flat code: the same run in a mode that sprints, and in one that counts single instructions and so cannot.

mod common;

use common::Machine;
use slowpath_machine::{Concrete, Event, Mode, Outcome, Profiled};
use slowpath_program::dense::Op;

/// Times a run is looked at.
const LOOKS: usize = 20_000;

/// Everything that can be seen of a run that is looked at after every so many instructions.
fn history<M: Mode<Value = u64>>(text: &str, args: &[u64], every: u64) -> (Vec<String>, Outcome) {
    let mut machine = Machine::<M>::new(text);
    machine.call(args);
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        machine.state.check_at = machine.state.meter.raw.instructions + every;
        let event = machine.state.run(&mut machine.terms);
        let meter = &machine.state.meter;
        seen.push(format!("{:?}, {} at a trap", meter.costs(), meter.saved_instructions()));
        match event {
            Event::Poll => {}
            Event::Done(outcome) => {
                seen.push(format!("{:?}", machine.state.results()));
                return (seen, outcome);
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("it does not end: {text}");
}

/// Runs `f`, whose text from its parameters on is given, beside a memory of one page.
fn agree(function: &str, args: &[u64]) -> Outcome {
    let text = format!("(module (memory 1) (func $f (export \"f\") {function}))");
    let whole = history::<Profiled>(&text, args, 1 << 40);
    assert_eq!(history::<Concrete>(&text, args, 1 << 40), whole, "{text}");
    // A stretch between two branches has to fit, or nothing is ever charged.
    for every in [40, 41, 42, 43, 57, 80] {
        assert_eq!(history::<Concrete>(&text, args, every), history::<Profiled>(&text, args, every), "{text}");
    }
    whole.1
}

/// The dense operators of `f`.
fn operators(function: &str) -> Vec<Op> {
    let machine = Machine::<Concrete>::new(&format!("(module (memory 1) (func (export \"f\") {function}))"));
    let body = machine.program.funcs[0].body.as_ref().expect("it has code");
    body.dense().iter().map(|instr| instr.op).collect()
}

/// Fills 64 words with numbers that look random, sorts them by insertion and hashes them byte by byte.
const SORT_AND_HASH: &str = "(param $n i32) (result i32) (local $i i32) (local $j i32) (local $x i32) (local $h i32)
    (loop $fill
      (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store offset=16 (i32.shl (local.get $i) (i32.const 2)) (i32.shr_u (local.get $x) (i32.const 8)))
      (br_if $fill (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.set $i (i32.const 1))
    (block $sorted
      (loop $outer
        (br_if $sorted (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $x (i32.load offset=16 (i32.add (i32.shl (local.get $i) (i32.const 2)) (i32.const 0))))
        (local.set $j (local.get $i))
        (block $placed
          (loop $inner
            (br_if $placed (i32.lt_s (local.get $j) (i32.const 1)))
            (br_if $placed (i32.le_s (i32.load offset=12 (i32.shl (local.get $j) (i32.const 2))) (local.get $x)))
            (i32.store offset=16 (i32.shl (local.get $j) (i32.const 2)) (i32.load offset=12 (i32.shl (local.get $j) (i32.const 2))))
            (local.set $j (i32.add (local.get $j) (i32.const -1)))
            (br $inner)))
        (i32.store (i32.add (i32.shl (local.get $j) (i32.const 2)) (i32.const 16)) (local.get $x))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $outer)))
    (local.set $i (i32.const 0))
    (local.set $h (i32.const -2128831035))
    (loop $hash
      (local.set $h (i32.mul (i32.xor (local.get $h) (i32.load8_u offset=16 (local.get $i))) (i32.const 16777619)))
      (br_if $hash (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.shl (local.get $n) (i32.const 2)))))
    (local.get $h)";

#[test]
fn a_sprint_ends_where_the_flat_code_ends_and_costs_the_same() {
    for n in [1, 2, 17, 64] {
        assert_eq!(agree(SORT_AND_HASH, &[n]), Outcome::Returned);
    }
    let ops = operators(SORT_AND_HASH);
    for fused in [Op::XorMulI, Op::AddIBr, Op::LoadElement32, Op::StoreElement32, Op::MulIAddI, Op::AddILtS] {
        assert!(ops.contains(&fused), "{fused:?} is not in {ops:?}");
    }
}

#[test]
fn a_trap_in_the_middle_of_a_pair_leaves_what_was_done_before_it() {
    // The second word is beyond the page.
    let loads = "(param i32) (result i32) (i32.add (i32.load (local.get 0)) (i32.load offset=4 (local.get 0)))";
    assert_eq!(agree(loads, &[65_528]), Outcome::Returned);
    assert!(matches!(agree(loads, &[65_532]), Outcome::Trapped(_)));
    let element = "(param i32) (result i32) (i32.load (i32.add (i32.shl (local.get 0) (i32.const 2)) (i32.const 8)))";
    assert_eq!(agree(element, &[16_381]), Outcome::Returned);
    assert!(matches!(agree(element, &[16_382]), Outcome::Trapped(_)));
    // What is shifted out of 32 bits is no part of the address, and neither is what the sum carries.
    assert_eq!(agree(element, &[0x4000_0001]), Outcome::Returned);
    assert_eq!(agree(element, &[0x3fff_ffff]), Outcome::Returned);
    for (a, b) in [(7, 0), (1 << 31, u64::from(u32::MAX))] {
        assert!(matches!(
            agree("(param i32 i32) (result i32) (i32.div_s (local.get 0) (local.get 1))", &[a, b]),
            Outcome::Trapped(_)
        ));
    }
}

#[test]
fn three_and_four_at_once_do_what_one_after_the_other_does() {
    let hash = "(param $x i32) (result i32) (local $shift i32) (local $h i32) (local $t i32)
        (local.set $h (i32.const -2128831035))
        (block $out (loop $again
          (br_if $out (i32.eqz (i32.lt_s (local.get $shift) (i32.const 32))))
          (local.set $h (i32.mul (i32.xor (local.get $h) (i32.and (i32.shr_u (local.get $x) (local.get $shift)) (i32.const 255))) (i32.const 16777619)))
          (local.set $shift (i32.add (local.get $shift) (i32.const 8)))
          (br $again)))
        (local.get $h)";
    let count = "(param $n i32) (result i32) (local $i i32) (local $sum i32)
        (block $out (loop $again
          (if (i32.lt_s (local.get $i) (i32.const 1000)) (then) (else (br $out)))
          (local.set $sum (i32.add (i32.mul (local.get $sum) (local.get $n)) (local.get $i)))
          (local.set $i (i32.add (local.get $i) (i32.const 7)))
          (br $again)))
        (local.get $sum)";
    for text in [hash, count] {
        for x in [0, 1, 0xdead_beef, u64::from(u32::MAX)] {
            assert_eq!(agree(text, &[x]), Outcome::Returned);
        }
    }
    assert!(operators(hash).contains(&Op::ShrUAndIXorMulI), "{:?}", operators(hash));
    // An element behind a copy: the copy is done, and the load may trap.
    let element = "(param i32) (result i32) (local i32)
        (local.set 1 (local.get 0))
        (i32.add (i32.load (i32.add (i32.shl (local.get 1) (i32.const 2)) (i32.const 8))) (local.get 1))";
    assert_eq!(agree(element, &[16_381]), Outcome::Returned);
    assert!(matches!(agree(element, &[16_382]), Outcome::Trapped(_)));
    // Two copies and a test, which may have to wait for a poll.
    let swap = "(param i32 i32 i32) (result i32) (local i32)
        (loop $again
          (local.set 3 (local.get 0))
          (local.set 0 (local.get 1))
          (local.set 1 (local.get 3))
          (local.set 2 (i32.add (local.get 2) (i32.const -1)))
          (local.set 3 (local.get 1))
          (local.set 1 (local.get 0))
          (br_if $again (i32.eqz (i32.eqz (local.get 2)))))
        (i32.sub (local.get 0) (local.get 1))";
    assert_eq!(agree(swap, &[5, 9, 20]), Outcome::Returned);
}

#[test]
fn a_second_part_takes_the_result_of_the_first_on_either_side() {
    for compare in ["lt_s", "gt_s", "le_s", "ge_s", "eq", "ne"] {
        for text in [
            format!("(i32.{compare} (i32.load (i32.const 0)) (local.get 0))"),
            format!("(i32.{compare} (local.get 0) (i32.load (i32.const 0)))"),
        ] {
            let text = format!(
                "(param i32) (result i32) (i32.store (i32.const 0) (i32.const 5))
                 (if (result i32) {text} (then (i32.const 1)) (else (i32.const 2)))"
            );
            for a in [4, 5, 6, u64::from(u32::MAX)] {
                agree(&text, &[a]);
            }
        }
    }
}

#[test]
fn jumps_into_the_middle_of_a_pair_do_its_second_half() {
    // The increment and the jump back are fused; `continue` jumps between them.
    let text = "(param i32) (result i32) (local i32 i32)
        (block $out (loop $again
          (br_if $out (i32.ge_s (local.get 1) (local.get 0)))
          (block $skip
            (local.set 1 (i32.add (local.get 1) (i32.const 1)))
            (br_if $skip (i32.and (local.get 1) (i32.const 1)))
            (local.set 2 (i32.add (local.get 2) (local.get 1))))
          (local.set 2 (i32.xor (local.get 2) (i32.const 3)))
          (br $again)))
        (local.get 2)";
    assert_eq!(agree(text, &[100]), Outcome::Returned);
}

#[test]
fn wide_numbers_signs_tables_and_selects_are_the_same() {
    let text = "(param i64 i32) (result i64) (local i64)
        (i64.store (i32.const 8) (local.get 0))
        (local.set 2 (i64.load8_s (i32.const 8)))
        (local.set 2 (i64.add (local.get 2) (i64.load16_s (i32.const 9))))
        (local.set 2 (i64.xor (local.get 2) (i64.load32_s (i32.const 12))))
        (local.set 2 (i64.rotl (local.get 2) (i64.extend_i32_u (local.get 1))))
        (local.set 2 (i64.add (local.get 2) (i64.extend8_s (local.get 0))))
        (block $a (block $b (block $c (br_table $a $b $c (local.get 1)))
            (local.set 2 (i64.sub (local.get 2) (i64.const -7))))
          (local.set 2 (i64.mul (local.get 2) (i64.const 0x123456789))))
        (select (local.get 2) (i64.const 1) (i64.lt_u (local.get 2) (i64.const 0x7000000000000000)))";
    for bits in [0, 0x80, 0xffff_ffff_ffff_ff85, 0x8070_6050_4030_2010] {
        for case in [0, 1, 2, 99] {
            assert_eq!(agree(text, &[bits, case]), Outcome::Returned);
        }
    }
}

#[test]
fn floats_are_the_same() {
    let text = "(param f64 f64) (result f64) (local f64)
        (local.set 2 (f64.div (f64.add (local.get 0) (local.get 1)) (f64.sub (local.get 0) (local.get 1))))
        (if (f64.lt (local.get 2) (local.get 0)) (then (local.set 2 (f64.sqrt (f64.neg (local.get 2))))))
        (f64.promote_f32 (f32.demote_f64 (f64.min (local.get 2) (f64.convert_i32_s (i32.trunc_sat_f64_s (local.get 1))))))";
    for (a, b) in [(1.5, 1.5), (-3.0, 2.0), (f64::NAN, 1.0), (1e300, -1e300), (0.0, -0.0)] {
        assert_eq!(agree(text, &[f64::to_bits(a), f64::to_bits(b)]), Outcome::Returned);
    }
}

#[test]
fn a_frame_with_more_registers_than_dense_code_can_name_runs_all_the_same() {
    let locals = "i32 ".repeat(300);
    let text = format!(
        "(param $n i32) (result i32) (local {locals}) (local $sum i32)
         (loop $again
           (local.set $sum (i32.add (local.get $sum) (local.get $n)))
           (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
         (local.get $sum)"
    );
    assert_eq!(agree(&text, &[10]), Outcome::Returned);
    assert!(operators(&text).is_empty());
}
