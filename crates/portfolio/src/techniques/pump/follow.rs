//! Following patterns: the inputs that the best of them give at a size, and the law that the very best is.

use std::time::Duration;

use slowpath_search::{Budget, Provenance, SearchError, SizeFinding};

use crate::claim::FoundBy;
use crate::domain::Domain;
use crate::patterns::{self, KnownPattern};
use crate::runner::Ran;
use crate::runs::{Best, Runs};
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that running the inputs of patterns may take.
const SHARE: f64 = 0.5;
/// A pattern is run where it may cost this part of the most promising one, and of what is known: growth at small sizes is not known better than
/// that.
const PROMISING: f64 = 0.5;
/// A pattern is the law of the worst inputs where it costs this part of them: evolution finds a few per cent more by changing single
/// elements, which nobody could read.
const AS_BAD: f64 = 0.95;

/// Instructions that surely run in a second of the budget's clock, and the part of the whole budget that a run to the limit may take.
const PER_SECOND: f64 = 7e8;
const SETTLING_SHARE: f64 = 0.5;

/// Halves of the largest size that a pattern's growth is read from, the least size, and the part of the time for each.
const HALVES: u32 = 6;
const LEAST_TRACED: i64 = 8;
const TRACE_SHARE: f64 = 0.2;
/// Doublings beyond the largest size, while each adds more than the one before: a large linear part hides a square for long.
const MOST_AHEAD: usize = 4;
/// By how much the power of n has to rise for growth to be still on its way, and how far below a whole one it is settled.
const RISING: f64 = 0.02;
const SETTLED: f64 = 0.1;
/// Sizes of which each is run, where a pattern explodes.
const LEAST_DENSE: i64 = 4;
const MOST_DENSE: i64 = 128;
/// Up to this size all smaller ones are run: each costs next to nothing.
const SMALL: i64 = 32;

pub struct FollowPatterns;

impl Technique for FollowPatterns {
    fn name(&self) -> FoundBy {
        FoundBy::Pump
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let settled = session.ledger.row(n).is_some_and(|row| row.is_settled());
        (!settled && !promising(session, n).is_empty()).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let Some(domain) = Domain::of(session.target, n, budget) else { return Ok(None) };
        let known = session.ledger.cost(n);
        let order = promising(session, n);
        let explodes = order.first().is_some_and(|at| session.knowledge.patterns.known[*at].explodes);
        let budget = &if explodes { enough_to_settle(session, budget) } else { budget.clone() };
        let mut runs = Runs::new(session.target, n, &mut *session.runner, budget);
        for at in order {
            // The first one is run however little time there is.
            if runs.leader().is_some() && runs.expired().is_some() {
                break;
            }
            let pattern = &mut session.knowledge.patterns.known[at];
            if let Some(ran) = runs.run(&pattern.pattern.input(&domain)) {
                pattern.costs.insert(n, ran);
                if ran.at_least {
                    break;
                }
            }
        }
        // What is no worse than what is known need not be looked at more closely.
        let worse = runs.leader().is_some_and(|(_, ran)| known.is_none_or(|known| ran.cost > known));
        let (worst, paths) = if worse {
            let Best { worst, tried, .. } = runs.best();
            (worst, tried)
        } else {
            (None, runs.tried())
        };
        Ok(Some(SizeFinding {
            size: n,
            provenance: Provenance::Mutated { generations: 0 },
            paths,
            worst_paths: u64::from(worst.is_some()),
            worst,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        }))
    }
}

/// Time for a run to the limit of all runs, where the whole budget allows for it: a run that is cut there settles a size, and spares what
/// all others would spend on it. A run that ends before that with its time shows nothing.
fn enough_to_settle(session: &Session<'_>, budget: &Budget) -> Budget {
    let settling = Duration::from_secs_f64(session.target.limits.instructions as f64 / PER_SECOND);
    let affordable = settling < session.budget.left().mul_f64(SETTLING_SHARE);
    if affordable && budget.left() < settling { session.budget.within(settling) } else { budget.clone() }
}

/// Patterns that were not run at this size yet, and may be among the worst there; the most promising first.
fn promising(session: &Session<'_>, n: i64) -> Vec<usize> {
    let known = &session.knowledge.patterns.known;
    let most = known.iter().map(|one| one.predicted(n)).fold(session.ledger.cost(n).unwrap_or(0) as f64, f64::max);
    let promises = |one: &KnownPattern| one.explodes || one.predicted(n) >= PROMISING * most;
    let open = |one: &KnownPattern| !one.costs.contains_key(&n) && promises(one);
    let mut order: Vec<usize> = (0..known.len()).filter(|at| open(&known[*at])).collect();
    order.sort_by(|a, b| known[*b].predicted(n).total_cmp(&known[*a].predicted(n)));
    order
}

/// Runs the costliest pattern at halves of the largest size it was run at: whatever else there is, the worst case grows no slower than the
/// inputs of one pattern do. Where it explodes there are few such halves, and every size is run that ends.
pub fn trace(session: &mut Session<'_>) {
    let Some((at, largest)) = session.knowledge.patterns.costliest() else { return };
    for n in (1..=HALVES).map(|half| largest >> half).take_while(|n| *n >= LEAST_TRACED) {
        run_at(n, at, session);
    }
    let largest = ahead(at, largest, session);
    let pattern = &session.knowledge.patterns.known[at];
    let cut = pattern.costs.range(largest..).find(|(_, ran)| ran.at_least).map(|(n, _)| *n);
    // Where it explodes and no run is cut, the sizes that were asked for are few, and may miss every other step of it.
    let end = cut.or(pattern.explodes.then_some(largest));
    let Some(end) = end.filter(|end| *end <= MOST_DENSE) else { return };
    let from = if end <= SMALL { LEAST_DENSE } else { (largest / 2).max(LEAST_DENSE) };
    for n in from..end {
        if run_at(n, at, session).is_some_and(|ran| ran.at_least) {
            break;
        }
    }
}

/// Doubles the size for as long as the power of n at which the costs of a pattern rise is still rising itself, and the next run is one that ends. The
/// largest size that was run.
fn ahead(at: usize, largest: i64, session: &mut Session<'_>) -> i64 {
    let mut largest = largest;
    for _ in 0..MOST_AHEAD {
        let costs = &session.knowledge.patterns.known[at].costs;
        let cost = |n: i64| Some(costs.get(&n).filter(|ran| !ran.at_least)?.cost.max(1) as f64);
        let power = |n: i64| Some((cost(n)? / cost(n / 2)?).log2());
        let Some((last, before)) = power(largest).zip(power(largest / 2)) else { break };
        let is_settled = last.ceil() - last <= SETTLED;
        let expected = cost(largest).unwrap_or(f64::INFINITY) * last.exp2();
        let ends = expected < session.target.limits.instructions as f64
            && Duration::from_secs_f64(expected / PER_SECOND) < session.budget.left().mul_f64(TRACE_SHARE);
        let Some(n) = largest.checked_mul(2).filter(|n| session.target.check_size(*n).is_ok()) else { break };
        let goes_on = last > before + RISING && !is_settled && ends;
        if !goes_on || run_at(n, at, session).is_none_or(|ran| ran.at_least) {
            break;
        }
        largest = n;
    }
    largest
}

/// What the input of a pattern costs at a size; None where there is no time for it.
fn run_at(n: i64, at: usize, session: &mut Session<'_>) -> Option<Ran> {
    let pattern = &session.knowledge.patterns.known[at];
    if let Some(ran) = pattern.costs.get(&n) {
        return Some(*ran);
    }
    if session.budget.expired().is_some() {
        return None;
    }
    let domain = Domain::of(session.target, n, &session.budget)?;
    let input = pattern.pattern.input(&domain);
    let budget = session.budget.part(TRACE_SHARE);
    let ran = Runs::new(session.target, n, &mut *session.runner, &budget).run(&input)?;
    session.knowledge.patterns.known[at].costs.insert(n, ran);
    Some(ran)
}

/// Looks for the law of the worst inputs among the patterns: one that at the largest size costs about as much as anything known, and
/// more than the input that any other law gives there.
pub fn find_law(session: &mut Session<'_>, sizes: &[i64]) {
    let Some((largest, worst)) = sizes.iter().rev().find_map(|n| Some((*n, session.ledger.cost(*n)?))) else { return };
    let cost = |one: &KnownPattern, n: i64| one.costs.get(&n).map(|ran| ran.cost);
    let known = session.knowledge.patterns.known.iter();
    let as_bad = known.filter(|one| cost(one, largest).is_some_and(|cost| cost as f64 >= AS_BAD * worst as f64));
    let simplest = as_bad.min_by_key(|one| (one.pattern.weight(), std::cmp::Reverse(cost(one, largest))));
    let Some((best, reached)) = simplest.and_then(|one| Some((one, cost(one, largest)?))) else { return };
    let by_law = session.knowledge.law.as_ref().and_then(Option::as_ref);
    if by_law.and_then(|law| law.finding(session.target, largest, &session.budget)?.cost()) >= Some(reached) {
        return;
    }
    let as_bad = |n: &&i64| cost(best, **n).is_some_and(|cost| session.ledger.cost(**n) == Some(cost));
    let as_bad_at: Vec<i64> = sizes.iter().filter(as_bad).copied().collect();
    let measured_at = session.knowledge.patterns.measured_at.clone();
    let at = |n: &i64| Some((*n, Domain::of(session.target, *n, &session.budget)?));
    let domains: Vec<(i64, Domain)> = measured_at.iter().chain([&largest]).filter_map(at).collect();
    let law = patterns::law(&best.pattern, &domains, &measured_at, as_bad_at);
    session.knowledge.patterns.law = law;
}
