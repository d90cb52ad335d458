//! Small programs for the tests of this folder.

use std::sync::Arc;

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_solver::SolverConfig;

use crate::cost::CostModel;
use crate::target::Target;

/// Costs more for every element that is zero.
pub(crate) const ZEROS: &str = r#"(module (memory 1)
    (func (export "f") (param $a i32) (param $n i32) (local $sum i32)
        (loop $next
            (if (i32.eqz (i32.load (local.get $a)))
                (then (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 3)) (i32.const 1)))))
            (local.set $a (i32.add (local.get $a) (i32.const 4)))
            (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))))"#;

/// Costs more for every element that is greater than the one after it.
pub(crate) const DESCENTS: &str = r#"(module (memory 1)
    (func (export "f") (param $a i32) (param $n i32) (local $sum i32)
        (block $done
            (loop $next
                (br_if $done (i32.lt_s (local.get $n) (i32.const 2)))
                (if (i32.gt_s (i32.load (local.get $a)) (i32.load offset=4 (local.get $a)))
                    (then (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 3)) (i32.const 1)))))
                (local.set $a (i32.add (local.get $a) (i32.const 4)))
                (local.set $n (i32.sub (local.get $n) (i32.const 1)))
                (br $next)))))"#;

/// A target that calls `f` with an array of n numbers.
pub(crate) fn target(wat: &str) -> Target {
    let wasm = wat::parse_str(wat).expect("parses");
    let program = Arc::new(load(&wasm, &Probes::default()).expect("loads"));
    let entry = Entry::Call(CallSpec::parse("f(a: i32[n], n)").expect("a signature"));
    let function = program.find_function("f").expect("a function");
    let (limits, solver) = (Limits::default(), SolverConfig::default());
    Target {
        program,
        function,
        entry,
        cost: CostModel::Instructions,
        limits,
        solver,
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}
