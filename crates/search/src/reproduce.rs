//! Follows recorded decisions again, to make a path's input in a way that does not depend on how it was found.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_machine::Answer;
use slowpath_solver::{Answer as Verdict, SolverStats};
use slowpath_term::{InputId, Model};

use crate::budget::{Budget, Stop};
use crate::driver::{Driver, Step};
use crate::findings::{PathFinding, Provenance, SizeFinding, TrapFinding};
use crate::node::{Decision, Node};
use crate::tally::{Found, Tally, cut_path};
use crate::target::{SearchError, Target};

/// How long an input may be made afresh, and how long the one that is known be followed, after the budget's end.
const AFRESH: Duration = Duration::from_millis(200);
/// By work it is as much as the search may have used until then, and at least and at most so much.
const AFRESH_BY_WORK: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(20)];
const FOLLOWED: Duration = Duration::from_millis(500);

/// Follows the decisions from the start; the node stands at the end of the path, or of the list.
pub(crate) fn follow(
    driver: &mut Driver<'_>,
    n: i64,
    decisions: &[Decision],
) -> Result<(Node, Option<Step>), SearchError> {
    driver.fixed = decisions.iter().filter_map(|d| fixed_value(d.answer)).collect();
    let mut node = driver.root(n)?;
    let mut recorded = decisions.iter().filter(|d| fixed_value(d.answer).is_none());
    loop {
        let choice = match driver.advance(&mut node) {
            Step::Decide(choice) => choice,
            Step::Stop(Stop::Memory) => return Err(SearchError::NoRoom),
            Step::Stop(_) => return Err(SearchError::GaveUp),
            end => return Ok((node, Some(end))),
        };
        let Some(decision) = recorded.next() else { return Ok((node, None)) };
        let Some(side) = choice.sides.iter().position(|s| s.answer == decision.answer) else {
            return Err(lost(driver, "a decision has no such answer".into()));
        };
        let model = if side == choice.current {
            None
        } else {
            match driver.verdict(&node, choice.sides[side]) {
                Verdict::Sat(model) => Some(model),
                // Z3 may need longer this time, since it has learned other things before.
                Verdict::Unknown(_) => return Err(SearchError::GaveUp),
                Verdict::Unsat => return Err(lost(driver, "the other side is no longer feasible".into())),
            }
        };
        driver.take(&mut node, &choice, side, model, decision.forced);
    }
}

fn fixed_value(answer: Answer) -> Option<u64> {
    match answer {
        Answer::Value(value) => Some(value),
        _ => None,
    }
}

/// Why a path cannot be followed: a bug, unless it rests on more than its decisions, which the solver need not answer twice in one way.
fn lost(driver: &Driver<'_>, why: String) -> SearchError {
    if driver.told_more { SearchError::GaveUp } else { SearchError::Diverged(why) }
}

/// A path by its decisions, with a readable input. Gives up when the budget ends.
pub fn reproduce(target: &Target, n: i64, decisions: &[Decision], budget: &Budget) -> Result<PathFinding, SearchError> {
    let mut driver = Driver::new(target, budget);
    let (mut node, end) = follow(&mut driver, n, decisions)?;
    let outcome = match end {
        Some(Step::Done(outcome)) => outcome,
        other => return Err(lost(&driver, format!("the path does not end where it did: {other:?}"))),
    };
    make_readable(&mut driver, &mut node);
    Ok(PathFinding::of_node(target, &node, outcome))
}

/// A path that was found, with its input. Made afresh, so that it does not depend on who found it; where the solver gives up on that, or no
/// time is left, the input is the one it was found with.
pub(crate) fn input_of(target: &Target, n: i64, found: &Found, budget: &Budget) -> Result<PathFinding, SearchError> {
    let afresh = budget.at_least(AFRESH);
    let afresh = if budget.clock.is_by_work() {
        let [least, most] = AFRESH_BY_WORK;
        afresh.within(budget.deadline.unwrap_or(most).clamp(least, most))
    } else {
        afresh
    };
    match reproduce(target, n, &found.decisions, &afresh) {
        Err(SearchError::GaveUp | SearchError::NoRoom) if !found.model.is_empty() => {}
        made => return made,
    }
    let mut driver = Driver::new(target, &budget.at_least(FOLLOWED));
    driver.keeps_model = true;
    let mut node = driver.root(n)?;
    node.model = Model::from_values(found.model.clone());
    loop {
        match driver.advance(&mut node) {
            Step::Decide(choice) => driver.take(&mut node, &choice, choice.current, None, false),
            Step::Done(outcome) => return Ok(PathFinding::of_node(target, &node, outcome)),
            Step::Stop(Stop::Memory) => return Err(SearchError::NoRoom),
            Step::Cut(_) | Step::Stop(_) => return Err(SearchError::GaveUp),
        }
    }
}

/// A path that the limit of instructions cut short, by its decisions.
pub(crate) fn reproduce_cut(target: &Target, n: i64, found: &Found, budget: &Budget) -> Option<PathFinding> {
    let mut driver = Driver::new(target, &budget.at_least(AFRESH));
    match follow(&mut driver, n, &found.decisions) {
        Ok((node, Some(Step::Cut(limit)))) => Some(cut_path(target, &node, limit)),
        _ => None,
    }
}

/// Replaces the node's model by one with small values, as far as the path condition allows.
pub(crate) fn make_readable(driver: &mut Driver<'_>, node: &mut Node) {
    let unknowns = node.state.unknowns();
    let is_signed = |id: InputId| unknowns.get(id.index()).is_none_or(|unknown| unknown.1);
    node.model = driver.solver.readable(&mut driver.terms, &node.path, &node.model, &is_signed);
}

/// A tally as a finding: the kept paths get their inputs.
pub(crate) fn finish(
    target: &Target,
    n: i64,
    budget: &Budget,
    tally: Tally,
    limits: BTreeMap<String, u64>,
    stats: SolverStats,
    begun: Duration,
) -> Result<SizeFinding, SearchError> {
    let input = |found: &Found| input_of(target, n, found, budget);
    let worst = tally.worst.as_ref().map(input).transpose()?;
    let mut traps = Vec::new();
    let mut limits = limits;
    for ((_, site), (trap, paths, examples)) in &tally.traps {
        // One example will do where there is no time for all.
        let late = budget.expired().is_some() && !budget.clock.is_by_work();
        let mut made = Vec::new();
        for example in examples.iter().take(if late { 1 } else { examples.len() }) {
            match input(example) {
                // An example that is lost takes nothing else with it.
                Err(SearchError::GaveUp | SearchError::NoRoom) => {
                    *limits
                        .entry(format!("no input could be made of a path that ends in a trap ({trap})"))
                        .or_insert(0) += 1
                }
                example => made.push(example?),
            }
        }
        traps.push(TrapFinding { trap: trap.clone(), site: *site, paths: *paths, examples: made });
    }
    let mut finding = SizeFinding {
        size: n,
        provenance: Provenance::Exhaustive,
        paths: tally.paths,
        path_count: None,
        worst,
        worst_paths: tally.worst_paths,
        worst_at: 0,
        traps,
        cut: tally.cut,
        cut_worst: tally.cut_worst,
        complete: tally.stop.is_none() && tally.cut == 0 && limits.is_empty(),
        stop: tally.stop,
        limits,
        stats,
        seconds: budget.seconds_since(begun),
    };
    finding.count_cut();
    Ok(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::test_target::target;

    /// Two factors of a product of primes, which no solver finds in a millisecond.
    const FACTORS: &str = r#"(module (memory 1) (func (export "f") (param i32 i32)
        (if (i64.eq (i64.mul (i64.load32_u (local.get 0)) (i64.load32_u offset=4 (local.get 0)))
            (i64.const -94489280427)) (then (nop) (drop (i32.const 1))))))"#;

    #[test]
    fn a_path_that_the_solver_gives_up_on_keeps_the_input_it_was_found_with() {
        let mut target = target(FACTORS);
        target.solver.z3_timeout_ms = 1;
        let (p, q) = (4_294_967_291_u64, 4_294_967_279_u64);
        assert_eq!(p.wrapping_mul(q) as i64, -94_489_280_427);
        let mut driver = Driver::new(&target, &Budget::default());
        driver.keeps_model = true;
        let mut node = driver.root(2).unwrap();
        node.model = Model::from_values(vec![p, q]);
        while let Step::Decide(choice) = driver.advance(&mut node) {
            driver.take(&mut node, &choice, choice.current, None, false);
        }
        let decisions = node.trail.decisions();
        // By work: a millisecond is more or less on a busy machine.
        let budget = Budget::of_effort(1_000_000_000);
        assert!(matches!(reproduce(&target, 2, &decisions, &budget), Err(SearchError::GaveUp)));
        let found = Found { cost: target.cost.of(&node.state), decisions, model: vec![p, q] };
        let path = input_of(&target, 2, &found, &budget).unwrap();
        assert_eq!((path.cost, path.input.0[0].bits.clone()), (found.cost, vec![p, q]));
    }

    #[test]
    fn a_trap_whose_input_is_lost_takes_nothing_else_with_it() {
        let trapping = FACTORS.replace("(nop) (drop (i32.const 1))", "(unreachable)");
        let mut target = target(&trapping);
        target.solver.z3_timeout_ms = 1;
        let path_of = |values: Vec<u64>| {
            let mut driver = Driver::new(&target, &Budget::default());
            driver.keeps_model = true;
            let mut node = driver.root(2).unwrap();
            node.model = Model::from_values(values);
            while let Step::Decide(choice) = driver.advance(&mut node) {
                driver.take(&mut node, &choice, choice.current, None, false);
            }
            Found { cost: target.cost.of(&node.state), decisions: node.trail.decisions(), model: Vec::new() }
        };
        let (worst, lost) = (path_of(vec![0, 0]), path_of(vec![4_294_967_291, 4_294_967_279]));
        let cost = worst.cost;
        let site = lost.decisions.last().map(|decision| decision.site);
        let traps = BTreeMap::from([((String::new(), site), (slowpath_program::Trap::Unreachable, 1, vec![lost]))]);
        let tally = Tally { paths: 2, worst: Some(worst), worst_paths: 1, traps, ..Tally::default() };
        let budget = Budget::of_effort(1_000_000_000);
        let found = finish(&target, 2, &budget, tally, BTreeMap::new(), SolverStats::default(), Duration::ZERO);
        let found = found.expect("the worst path is known");
        assert_eq!(found.worst.map(|path| path.cost), Some(cost));
        assert!(!found.complete && found.limits.keys().any(|limit| limit.contains("trap")), "{:?}", found.limits);
        assert!(found.traps[0].examples.is_empty());
    }

    /// Stores at an address that the input says, too many for all to be followed, and then looks at the input.
    const STORES: &str = r#"(module (memory 1) (func (export "f") (param i32 i32)
        (i32.store8 (i32.and (i32.load (local.get 0)) (i32.const 0x7fff)) (i32.const 1))
        (if (i32.gt_u (i32.load (local.get 0)) (i32.const 100)) (then (drop (i32.const 1)) (drop (i32.const 2))))))"#;

    #[test]
    fn a_value_that_was_fixed_is_fixed_again_where_a_path_is_followed_by_its_decisions() {
        let mut target = target(STORES);
        target.limits.cells = 4;
        let budget = Budget::of_effort(100_000_000);
        let mut driver = Driver::new(&target, &budget);
        driver.keeps_model = true;
        let mut node = driver.root(1).unwrap();
        node.model = Model::from_values(vec![5000]);
        while let Step::Decide(choice) = driver.advance(&mut node) {
            driver.take(&mut node, &choice, choice.current, None, false);
        }
        let (cost, decisions) = (target.cost.of(&node.state), node.trail.decisions());
        assert!(decisions.iter().any(|d| d.answer == Answer::Value(5000)), "{decisions:?}");
        // At the smallest address, the input is no longer one that the rest of the path allows.
        let path = reproduce(&target, 1, &decisions, &budget).expect("the same path");
        assert_eq!((path.cost, path.input.0[0].bits.clone()), (cost, vec![5000]));
    }

    /// The factors again, and then each by itself: only where both are right it costs most, and there the product is right too.
    const THEN_EACH: &str = r#"(module (memory 1) (func (export "f") (param i32 i32) (local i32)
        (if (i64.eq (i64.mul (i64.load32_u (local.get 0)) (i64.load32_u offset=4 (local.get 0)))
            (i64.const -94489280427)) (then (return)))
        (if (i32.eq (i32.load (local.get 0)) (i32.const -5)) (then (local.set 2 (i32.const 1)) (local.set 2 (i32.const 2))))
        (if (i32.eq (i32.load offset=4 (local.get 0)) (i32.const -17)) (then (local.set 2 (i32.const 3))))))"#;

    #[test]
    fn where_the_solver_gives_up_on_one_side_the_other_holds_from_then_on() {
        let mut target = target(THEN_EACH);
        target.solver.z3_timeout_ms = 1;
        let found = crate::depth_first(&target, 2, &Budget::of_effort(100_000_000)).unwrap();
        assert!(!found.complete && found.limits.keys().any(|limit| limit.contains("gave up")), "{:?}", found.limits);
        // A path on which both are right would leave at the product, which costs less than it was followed for.
        let worst = found.worst.expect("a path");
        let run = crate::ConcreteRun::of(&target, 2, &worst.input, &Budget::default()).unwrap();
        assert_eq!((run.cost, worst.input.0[0].bits.len()), (worst.cost, 2));
        assert!(worst.input.0[0].bits != [0xffff_fffb, 0xffff_ffef]);
    }
}
