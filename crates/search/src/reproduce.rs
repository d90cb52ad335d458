//! Follows recorded decisions again, to make a path's input in a way that does not depend on how it was found.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_machine::Answer;
use slowpath_solver::{Answer as Verdict, SolverStats};
use slowpath_term::InputId;

use crate::budget::Budget;
use crate::driver::{Driver, Step};
use crate::findings::{PathFinding, Provenance, SizeFinding, TrapFinding};
use crate::node::{Decision, Node};
use crate::tally::{Found, Tally};
use crate::target::{SearchError, Target};

/// Follows the decisions from the start; the node stands at the end of the path, or of the list.
pub(crate) fn follow(
    driver: &mut Driver<'_>,
    n: i64,
    decisions: &[Decision],
) -> Result<(Node, Option<Step>), SearchError> {
    let mut node = driver.root(n)?;
    let mut recorded = decisions.iter().filter(|d| !matches!(d.answer, Answer::Value(_)));
    loop {
        let choice = match driver.advance(&mut node) {
            Step::Decide(choice) => choice,
            end => return Ok((node, Some(end))),
        };
        let Some(decision) = recorded.next() else { return Ok((node, None)) };
        let Some(side) = choice.sides.iter().position(|s| s.answer == decision.answer) else {
            return Err(SearchError::Diverged("a decision has no such answer".into()));
        };
        let model = if side == choice.current {
            None
        } else {
            match driver.verdict(&node, choice.sides[side]) {
                Verdict::Sat(model) => Some(model),
                // Z3 may need longer this time, since it has learned other things before.
                Verdict::Unknown(_) => return Err(SearchError::GaveUp),
                Verdict::Unsat => return Err(SearchError::Diverged("the other side is no longer feasible".into())),
            }
        };
        driver.take(&mut node, &choice, side, model, decision.forced);
    }
}

/// A path by its decisions, with a readable input.
pub fn reproduce(target: &Target, n: i64, decisions: &[Decision]) -> Result<PathFinding, SearchError> {
    let mut driver = Driver::new(target, &Budget::default());
    let (mut node, end) = follow(&mut driver, n, decisions)?;
    let outcome = match end {
        Some(Step::Done(outcome)) => outcome,
        other => return Err(SearchError::Diverged(format!("the path does not end where it did: {other:?}"))),
    };
    make_readable(&mut driver, &mut node);
    Ok(PathFinding::of_node(target, &node, outcome))
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
    let input = |found: &Found| reproduce(target, n, &found.decisions);
    let worst = tally.worst.as_ref().map(input).transpose()?;
    let mut traps = Vec::new();
    for ((_, site), (trap, paths, examples)) in &tally.traps {
        let examples = examples.iter().map(input).collect::<Result<Vec<_>, _>>()?;
        traps.push(TrapFinding { trap: trap.clone(), site: *site, paths: *paths, examples });
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
