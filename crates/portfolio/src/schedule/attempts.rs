//! One technique at one size: for how much it is run, and what becomes of what it finds.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_search::{Budget, SearchError};

use crate::claim::{Evidence, FoundBy};
use crate::event::Event;
use crate::ledger::Row;
use crate::strategy::Techniques;
use crate::technique::{Session, Stage};
use crate::techniques::concrete_evolution::ConcreteEvolution;
use crate::techniques::first_inputs::FirstInputs;
use crate::techniques::pump;

/// What finds something worse in a slice of the rest gets so many times more of the next, what does not so many times less; the least
/// that is left of a bid, and the most of a slice that one technique gets.
const MOMENTUM: f64 = 2.0;
const LEAST_MOMENTUM: f64 = 0.125;
const MOST_OF_SLICE: f64 = 0.9;
/// What is believed is challenged for this part of what it took, and at most this long where that is less.
pub(super) const CHALLENGE_SHARE: f64 = 0.2;
pub(super) const LONGEST_CHALLENGE: Duration = Duration::from_secs(2);

/// How long after the end of the analysis sizes still get their first input.
const OVERTIME: Duration = Duration::from_millis(500);
/// The part of the budget that looking for patterns gets at the beginning, where inputs are text.
const PATTERNS_FIRST: f64 = 0.15;

/// What a technique has come to at a size: the worst cost known, or of patterns, which are run by another, what they promise.
pub(super) fn progress(name: FoundBy, n: i64, session: &Session<'_>) -> u64 {
    let promised = session.knowledge.patterns.known.iter().map(|one| one.predicted(n)).fold(0.0, f64::max);
    if name == FoundBy::PumpSearch { promised as u64 } else { session.ledger.cost(n).unwrap_or(0) }
}

/// Whether it is too late even for a size without an input.
pub(super) fn is_over(session: &Session<'_>) -> bool {
    session.budget.now() > session.budget.latest(OVERTIME)
}

/// What was asked for, and what came in between.
#[derive(Debug, Default)]
pub struct Schedule {
    /// The sizes to report, ascending.
    pub sizes: Vec<i64>,
    /// What makes the result less than what was asked for.
    pub limits: Vec<String>,
    /// Why nothing could be found at all, if that is so.
    pub failure: Option<SearchError>,
    /// What each technique asked of Z3.
    pub z3: BTreeMap<FoundBy, Z3Share>,
}

/// What a technique took, and how much of that Z3 did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Z3Share {
    /// By the clock of the search.
    pub seconds: f64,
    pub smt_queries: u64,
    pub smt_nanos: u64,
}

/// What a schedule runs, and what it has come to.
pub(super) struct Turns {
    pub(super) techniques: Techniques,
    /// Looks beyond the sizes asked for, where that is no part of the strategy.
    pub(super) first_inputs: FirstInputs,
    /// Tries to beat what a strategy by itself believes.
    pub(super) refuter: ConcreteEvolution,
    pub(super) schedule: Schedule,
    /// How much more, or less, than its bid each technique gets of the rest.
    pub(super) momentum: BTreeMap<FoundBy, f64>,
    /// Whether patterns had their time at the beginning.
    pub(super) looked_for_patterns: bool,
}

impl Turns {
    pub(super) fn stage(&mut self, stage: Stage, n: i64, session: &mut Session<'_>) {
        let share = session.share();
        for technique in self.techniques.of(stage) {
            self.attempt(technique, n, session, &share);
        }
    }

    /// Runs a technique at a size for the part of the share that it bids. What it finds, and that it failed, goes into the ledger.
    pub(super) fn attempt(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, share: &Budget) {
        let Some(bid) = self.techniques.get(name).and_then(|technique| technique.bid(n, session)) else { return };
        self.attempt_for(name, n, session, share, bid);
    }

    pub(super) fn attempt_for(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, share: &Budget, part: f64) {
        // Whatever time there is, a size has an input, and none that costs less than a smaller one if more input cannot cost less.
        let lacks_input =
            session.ledger.cost(n).is_none() || name == FoundBy::FirstInputs && session.ledger.falls_short(n);
        if is_over(session) || session.budget.expired().is_some() && !lacks_input {
            return;
        }
        let Some(technique) = self.techniques.get_mut(name) else { return };
        let known = session.settings.evolve.known_optimum;
        if technique.stage() == Stage::Search && known.is_some() && session.ledger.cost(n) >= known {
            return;
        }
        let mut budget = share.part(part);
        if technique.stage() == Stage::Search
            && let Some(row) = session.ledger.row(n).filter(|row| row.evidence() == Some(Evidence::Believed))
        {
            let least = Duration::from_secs_f64(row.total_seconds() * CHALLENGE_SHARE);
            budget = share.within(budget.left().min(LONGEST_CHALLENGE).max(least));
        }
        let seconds_left = session.budget.left().as_secs_f64();
        (session.events)(Event::Trying { size: n, technique: name, seconds_left });
        let begun = session.budget.now();
        let before = session.budget.solver_work();
        let result = technique.run(n, session, &budget);
        session.budget.recover_memory();
        let after = session.budget.solver_work();
        let share = self.schedule.z3.entry(name).or_default();
        share.seconds += session.budget.seconds_since(begun);
        share.smt_queries += after.smt_queries.saturating_sub(before.smt_queries);
        share.smt_nanos += after.smt_nanos().saturating_sub(before.smt_nanos());
        match result {
            Ok(Some(found)) => session.offer(name, found),
            Ok(None) => {
                let seconds = session.budget.seconds_since(begun);
                let row = session.ledger.row_mut(n);
                row.tried.entry(name).or_default();
                *row.seconds.entry(name).or_default() += seconds;
            }
            Err(error) => self.failed(n, name, error, session),
        }
        (session.after)(&session.ledger);
    }

    /// An attempt that failed costs its time and nothing else.
    pub(super) fn failed(&mut self, n: i64, name: FoundBy, error: SearchError, session: &mut Session<'_>) {
        let row = session.ledger.row_mut(n);
        row.tried.entry(name).or_default();
        match &error {
            SearchError::Diverged(what) => row.contradictions.push(format!("{name}: {what}")),
            _ => {
                row.attempts_failed += 1;
                let failure = format!("{name}: {error}");
                if !row.failures.contains(&failure) {
                    row.failures.push(failure);
                }
            }
        }
        self.schedule.failure.get_or_insert(error);
    }

    /// Runs a technique for more than it bids where it has just found something worse, for less where it has not.
    pub(super) fn attempt_by_momentum(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, slice: &Budget) {
        let Some(bid) = self.techniques.get(name).and_then(|technique| technique.bid(n, session)) else { return };
        let momentum = self.momentum.get(&name).copied().unwrap_or(1.0);
        let before = progress(name, n, session);
        self.attempt_for(name, n, session, slice, (bid * momentum).min(MOST_OF_SLICE));
        self.note_momentum(name, progress(name, n, session) > before);
    }

    pub(super) fn note_momentum(&mut self, name: FoundBy, found: bool) {
        let momentum = self.momentum.entry(name).or_insert(1.0);
        *momentum = if found { *momentum * MOMENTUM } else { *momentum / MOMENTUM };
        *momentum = momentum.clamp(LEAST_MOMENTUM, 1.0 / LEAST_MOMENTUM);
    }

    /// Looks for patterns before anything else goes on, once: what it finds is as good at every other size, and small shares never get it
    /// through the constructs of a language.
    pub(super) fn patterns_first(&mut self, n: i64, session: &mut Session<'_>, whole: &Budget) {
        let open = |row: &Row| !row.is_settled() && row.evidence() != Some(Evidence::Believed);
        let is_open = session.ledger.row(n).is_some_and(open);
        if self.looked_for_patterns || !is_open || !pump::reads_text(session) {
            return;
        }
        self.looked_for_patterns = true;
        let bids = self.techniques.get(FoundBy::PumpSearch).and_then(|technique| technique.bid(n, session));
        if bids.is_some() {
            self.attempt_for(FoundBy::PumpSearch, n, session, &whole.part(PATTERNS_FIRST), 1.0);
        }
    }

    /// Sizes that have a result, and what is to be said of those that have none.
    pub(super) fn report(&mut self, sizes: &[i64], session: &Session<'_>) {
        let empty = |n: &&i64| session.ledger.cost(**n).is_none();
        let missing: Vec<i64> = sizes.iter().filter(empty).copied().collect();
        if let (Some(first), Some(stop)) = (missing.first(), session.budget.expired()) {
            self.schedule.limits.push(not_reached(*first, &missing, &stop.to_string()));
        }
        self.schedule.sizes = sizes.to_vec();
    }
}

pub(super) fn not_reached(first: i64, rest: &[i64], why: &str) -> String {
    match rest.last().filter(|last| **last != first) {
        None => format!("size {first} was not analysed: {why}"),
        Some(last) => format!("sizes {first} to {last} were not analysed: {why}"),
    }
}
