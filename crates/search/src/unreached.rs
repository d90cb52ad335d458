//! Constants that a run compares something with and never gets past: a counter that would have to go on, a buffer that has not filled.

use std::collections::{BTreeSet, HashSet};

use slowpath_machine::Counts;
use slowpath_program::input::InputValues;
use slowpath_program::{Program, SiteId};

use crate::budget::Budget;
use crate::profiled_run::profiled_run;
use crate::target::{SearchError, Target};

/// Smaller ones than this are no thresholds.
const LEAST: i64 = 4;

/// The constants of comparisons that a run of the input came to and that always went the same way, ascending; without those at sites where inputs
/// decide, which are not a matter of how many there are. None where the budget ends first.
pub fn unreached_constants(
    target: &Target,
    n: i64,
    input: &InputValues,
    decided: &HashSet<SiteId>,
    budget: &Budget,
) -> Result<Option<Vec<i64>>, SearchError> {
    let state = profiled_run(target, n, input, budget)?;
    budget.charge(state.as_ref().map_or(0, |state| state.meter.raw.instructions));
    Ok(state.map(|state| one_sided(&target.program, &state.profile.counts, decided)))
}

fn one_sided(program: &Program, counts: &Counts, decided: &HashSet<SiteId>) -> Vec<i64> {
    let mut constants = BTreeSet::new();
    for func in counts.funcs() {
        let Some(body) = program.funcs.get(func.index()).and_then(|func| func.body.as_ref()) else { continue };
        for (pc, instruction) in body.code.iter().enumerate() {
            let Some(constant) = instruction.compared_with().map(i64::from) else { continue };
            let count = counts.of(func, pc);
            let by_input = decided.contains(&body.site(pc as u32).0);
            if constant >= LEAST && !by_input && (count.jumps == 0) != (count.stays == 0) {
                constants.insert(constant);
            }
        }
    }
    constants.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::target;

    #[test]
    fn what_a_counter_does_not_reach_is_named() {
        let target = target(
            r#"(module (memory (export "memory") 1)
            (func (export "f") (param $p i32) (param $n i32) (local $i i32)
              (loop $next
                (if (i32.gt_s (local.get $i) (i32.const 100)) (then (nop)))
                (if (i32.gt_s (local.get $i) (i32.const 5)) (then (nop)))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $next (i32.lt_s (local.get $i) (local.get $n))))))"#,
        );
        let of = |n: i64| {
            let input = crate::concrete::draw_input(&target, n, 0, &Budget::default()).unwrap().unwrap();
            unreached_constants(&target, n, &input, &HashSet::new(), &Budget::default()).unwrap().unwrap()
        };
        assert_eq!((of(4), of(20), of(200)), (vec![5, 100], vec![100], vec![]));
    }
}
