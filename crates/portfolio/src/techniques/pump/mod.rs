//! Pump: inputs that repeat a short unit, found by how their cost grows.
//!
//! What is bad for parsers and matchers is short however long it is: `![[]()` a thousand times. So what evolves here is patterns, not
//! inputs, and what counts is the power of n that their cost follows, not what they cost at one size.

mod candidates;
mod change;
mod follow;
mod growth;
mod population;
mod race;
mod scout;
mod shorten;
mod trials;

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_search::{Budget, CostModel, Provenance, SearchError, SizeFinding};

use crate::claim::{Evidence, FoundBy};
use crate::dictionary::Dictionary;
use crate::patterns::{JointPattern, closing};
use crate::technique::{Session, Stage, Technique};
use growth::{Lab, Ladder};
use race::{level, race};
use shorten::shorten;
use trials::Trials;

pub use follow::{FollowPatterns, find_law, trace};

/// The share of a size's time where what is known is not believed: most where inputs are text, since what is bad for parsers is nearly always a
/// pattern, and their paths are too many for anything else to get far; little where inputs are wide numbers, for as long as patterns have not been worse
/// than everything else anywhere: sorts and trees seldom mind what repeats a short unit.
const TEXT_SHARE: f64 = 0.35;
const SHARE: f64 = 0.2;
const TRIAL_SHARE: f64 = 0.02;
/// The bytes of a character, at most.
const TEXT_BYTES: u32 = 2;
/// Where it is, the part of all time so far that looking for something worse may take: most such results are right, and are not to take
/// noticeably longer.
const BELIEVED_SHARE: f64 = 0.03;
/// Less than this is not worth beginning: one pattern takes as long.
const LEAST_ALLOWANCE: Duration = Duration::from_millis(2);
/// The least and the most instructions that one run may take, and how many runs a search should have time for at the least.
const FUEL: (u64, u64) = (200_000, 8_000_000);
const FEWEST_RUNS: f64 = 400.0;
/// Instructions that are run in a second of the budget's clock.
const PER_SECOND: f64 = 8e8;
/// Patterns that are compared at larger sizes for each reason there is to, and how many of the best are made shorter.
const LEADERS: usize = 6;
const SHORTENED: usize = 2;
/// Patterns of two units that are also tried the other way where sizes are no multiple of them.
const CLOSED: usize = 4;
/// How often the search begins again where nothing new is found for long: with what time is left, another beginning finds more than going on.
const MOST_RESTARTS: u32 = 8;
/// The part of the time that is kept for comparing the best at larger sizes and for making them shorter, and the part of this for the former.
const KEPT: f64 = 0.25;
const RACE_SHARE: f64 = 0.8;

/// The search for patterns. It goes on where it was, whatever the size it is called for.
#[derive(Default)]
pub struct Pump {
    /// Whether it is all there is: then it takes all the time.
    alone: bool,
    search: Option<Search>,
    /// No array grows with n, or no inputs of growing sizes are known.
    does_not_apply: bool,
    /// It found nothing new for long, when these were the costs of what others had found.
    exhausted: Option<BTreeMap<i64, u64>>,
    /// Time it has taken.
    used: Duration,
}

struct Search {
    ladder: Ladder,
    fuel: u64,
    trials: Trials,
    /// How often it began again.
    restarts: u32,
}

impl Pump {
    /// The whole search.
    pub fn alone() -> Pump {
        Pump { alone: true, ..Pump::default() }
    }

    /// Time that may go into what is believed.
    fn allowance(&self, session: &Session<'_>) -> Duration {
        session.budget.now().mul_f64(BELIEVED_SHARE).saturating_sub(self.used)
    }
}

impl Technique for Pump {
    fn name(&self) -> FoundBy {
        FoundBy::PumpSearch
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        // Decisions are counted of unknown inputs only.
        if self.does_not_apply || session.target.cost == CostModel::Decisions || session.settings.compares_policies {
            return None;
        }
        if self.alone {
            return Some(1.0);
        }
        let row = session.ledger.row(n).filter(|row| !row.is_settled())?;
        let has_time = row.evidence() != Some(Evidence::Believed) || self.allowance(session) >= LEAST_ALLOWANCE;
        let nothing_new = self.exhausted.as_ref().is_some_and(|then| *then == found_by_others(session));
        let share = match (reads_text(session), is_worst_somewhere(session)) {
            (true, _) => TEXT_SHARE,
            (false, true) => SHARE,
            (false, false) => TRIAL_SHARE,
        };
        (has_time && !nothing_new && grows(session, n)).then_some(share)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let believed = session.ledger.row(n).is_some_and(|row| row.evidence() == Some(Evidence::Believed));
        let budget = &if believed && !self.alone { budget.within(self.allowance(session)) } else { budget.clone() };
        if self.search.is_none() && !self.alone && budget.left() < LEAST_ALLOWANCE {
            return Ok(None);
        }
        if self.search.is_none() {
            self.search = Search::begin(session, budget);
        }
        let Some(Search { ladder, fuel, trials, restarts }) = &mut self.search else {
            // What there was no time to find out may well apply.
            self.does_not_apply = budget.expired().is_none();
            self.used += budget.now().saturating_sub(begun);
            return Ok(None);
        };
        trials.seed(&session.ledger);
        let before = trials.population.evaluated;
        let search = budget.part(1.0 - KEPT);
        let target = session.target;
        let mut lab = Lab { target, runner: &mut *session.runner, budget: &search, ladder, fuel: *fuel };
        let mut nothing_left = trials.go_on(ladder, &mut lab);
        while nothing_left && *restarts < MOST_RESTARTS && search.expired().is_none() {
            *restarts += 1;
            trials.restart(ladder, LEADERS);
            nothing_left = trials.go_on(ladder, &mut lab);
        }
        *fuel = lab.fuel;
        let racing = budget.part(RACE_SHARE);
        lab.budget = &racing;
        trials.fill_up(LEADERS, &mut lab);
        let mut known = race(trials.leaders(LEADERS), &mut lab);
        trials.population.learn(&known);
        level(&mut known);
        lab.budget = budget;
        let best: Vec<JointPattern> = known.iter().take(SHORTENED).map(|known| known.pattern.clone()).collect();
        for pattern in best {
            if let Some(growth) = lab.growth(&pattern) {
                let (shorter, growth) = shorten(pattern, growth, &mut lab);
                if !known.iter().any(|known| known.pattern == shorter) {
                    known.push(ladder.known(shorter, &growth));
                }
            }
        }
        let closing: Vec<JointPattern> =
            known.iter().filter_map(|known| closing(&known.pattern)).take(CLOSED).collect();
        for pattern in closing {
            let is_known = known.iter().any(|known| known.pattern == pattern);
            if let Some(growth) = lab.growth(&pattern).filter(|_| !is_known) {
                known.push(ladder.known(pattern, &growth));
            }
        }
        let tried = trials.population.evaluated - before;
        session.knowledge.patterns.replace(known);
        session.knowledge.patterns.measured_at = ladder.sizes();
        self.exhausted = nothing_left.then(|| found_by_others(session));
        self.used += budget.now().saturating_sub(begun);
        Ok(Some(SizeFinding {
            size: n,
            provenance: Provenance::Mutated { generations: 0 },
            paths: tried,
            seconds: budget.seconds_since(begun),
            ..SizeFinding::default()
        }))
    }
}

impl Search {
    /// None where no array grows with n, or no inputs of growing sizes are known.
    fn begin(session: &Session<'_>, budget: &Budget) -> Option<Search> {
        let ladder = Ladder::of(session.target, budget)?;
        let fair = (budget.left().as_secs_f64() * PER_SECOND / FEWEST_RUNS) as u64;
        let fuel = fair.clamp(FUEL.0, FUEL.1).min(session.target.limits.instructions);
        let dictionary = Dictionary::of(&session.target.program, &session.settings.dictionary);
        let trials = Trials::new(&ladder, &dictionary, session.target.seed);
        Some(Search { ladder, fuel, trials, restarts: 0 })
    }
}

/// Whether some array of the call is longer at twice the size. A harness shows it only when it runs.
fn grows(session: &Session<'_>, n: i64) -> bool {
    let elements = |n: i64| {
        let inputs = session.target.inputs(n)?;
        Some(inputs.iter().filter(|input| !input.scalar).map(|input| u64::from(input.count)).sum::<u64>())
    };
    match (elements(n), elements(2 * n)) {
        (Some(now), Some(then)) => now < then,
        _ => session.target.inputs(n).is_none(),
    }
}

/// Whether some array of the inputs known has elements as narrow as characters are.
pub(crate) fn reads_text(session: &Session<'_>) -> bool {
    let inputs = session.ledger.rows().filter_map(|row| row.best.as_ref()?.finding.worst.as_ref());
    inputs.flat_map(|worst| &worst.input.0).any(|input| !input.scalar && input.ty.bytes() <= TEXT_BYTES)
}

/// Whether the worst input known at some size is of a pattern.
fn is_worst_somewhere(session: &Session<'_>) -> bool {
    session.ledger.rows().any(|row| row.best.as_ref().is_some_and(|best| best.found_by == FoundBy::Pump))
}

/// The worst costs known that are not of a pattern.
fn found_by_others(session: &Session<'_>) -> BTreeMap<i64, u64> {
    let others =
        session.ledger.rows().filter(|row| row.best.as_ref().is_some_and(|best| best.found_by != FoundBy::Pump));
    others.filter_map(|row| Some((row.size, row.cost()?))).collect()
}
