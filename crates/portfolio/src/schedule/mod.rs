//! The schedule: who is next, at which size, and for how much. Nothing else decides that.

mod ahead;
mod alone;
mod attempts;
mod beyond;
mod doublings;
mod search;

use std::collections::BTreeMap;

use slowpath_search::SearchError;

pub use ahead::PREDICTED;
use alone::last_resort;
use attempts::Turns;
pub use attempts::{Schedule, Z3Share};
use beyond::grows_faster_beyond;

use crate::claim::FoundBy;
use crate::plan::Plan;
use crate::strategy::Strategy;
use crate::technique::{Session, Stage};
use crate::techniques::concrete_evolution::ConcreteEvolution;
use crate::techniques::first_inputs::FirstInputs;
use crate::techniques::{law, pump, small_sizes};

/// The part of the budget that is kept for looking beyond the sizes asked for, and for the report.
const KEPT: f64 = 0.06;
/// The part of what is left that the largest size gets in the search; the next gets as much of the rest.
const LARGEST_SHARE: f64 = 0.5;
/// The part of what is left that what leads straight to inputs may take, of all sizes together: as much for each as for the search after it, but small
/// sizes, which have their turn first, are not to take everything. Tried: a half, by which sizes were no longer exact that had been.
const LEAD_SHARE: f64 = 0.7;
/// The part of the budget that one run of every size may take together, where runs explode: so all are cut at the same, and there is time to find them.
const LONG_RUNS: f64 = 0.5;
/// The part of a size's time that a policy learned from the search's own results may take.
const AGAIN_SHARE: f64 = 0.1;
/// The part of what was kept that trying the worst inputs of all sizes at each other takes: a few runs, for which there was no time left before.
const LAST_SHARE: f64 = 0.3;
/// Sizes of patterns without `--sizes`, and the part of the time that looking for them takes where they are all there is.
const PUMPED: [i64; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
const PUMP_SHARE: f64 = 0.6;

/// Runs the techniques of a strategy over the sizes of a plan.
pub fn run(session: &mut Session<'_>, strategy: &Strategy, plan: &Plan) -> Schedule {
    let refuter = ConcreteEvolution::default();
    let mut turns = Turns {
        techniques: strategy.techniques().without(&session.settings.left_out),
        first_inputs: FirstInputs::default(),
        refuter,
        schedule: Schedule::default(),
        momentum: BTreeMap::new(),
        looked_for_patterns: false,
    };
    if strategy.is_portfolio() && session.settings.compares_policies {
        turns.policies(session, plan);
    } else if strategy.is_portfolio() {
        turns.portfolio(session, plan);
    } else if strategy.pumps_only() {
        turns.pump(session, plan);
    } else {
        turns.in_turn(session, strategy, plan);
    }
    turns.schedule
}

impl Turns {
    /// All techniques together: inputs for every size, what small sizes teach, what leads straight to each size, then search from the
    /// largest size down until the budget is used.
    fn portfolio(&mut self, session: &mut Session<'_>, plan: &Plan) {
        let whole = session.budget.clone();
        let mut sizes = plan.sizes().to_vec();
        session.budget = whole.part(1.0 - KEPT);
        if let Ok(count) = u32::try_from(sizes.len())
            && count > 1
        {
            session.budget.one_run = Some(whole.left().mul_f64(LONG_RUNS) / count);
        }
        session.sizes_left = sizes.len();
        for n in &sizes {
            self.stage(Stage::First, *n, session);
        }
        // Sizes nobody asked for begin with the smallest; what the call refuses there is no failure.
        if *plan == Plan::Doubling && session.target.check_size(1).is_ok() {
            self.stage(Stage::First, 1, session);
            self.schedule.failure = None;
        }
        if self.schedule.failure.is_none()
            && let Err(error) = small_sizes::explore(session)
        {
            self.failed(1, FoundBy::SmallSizes, error, session);
        }
        session.budget.recover_memory();
        // A program that cannot be started will not be by trying again.
        if matches!(self.schedule.failure, Some(SearchError::Start(_)))
            && session.ledger.rows().all(|row| row.cost().is_none())
        {
            self.schedule.sizes = sizes;
            return;
        }
        if *plan == Plan::Doubling {
            sizes = self.doublings(session);
        } else {
            let all = session.budget.clone();
            let even = sizes.len() as f64 / (sizes.len() + 1) as f64;
            session.budget = all.part(even.min(LEAD_SHARE));
            for (i, n) in sizes.iter().enumerate() {
                session.sizes_left = sizes.len() - i;
                self.stage(Stage::First, *n, session);
                self.lead(*n, session);
            }
            session.budget = all;
        }
        for n in sizes.iter().rev() {
            self.patterns_first(*n, session, &session.budget.clone());
            self.search(*n, LARGEST_SHARE, session);
        }
        if let Err(error) = small_sizes::learn_from_inputs(session) {
            self.failed(1, FoundBy::SmallSizes, error, session);
        }
        for (i, n) in sizes.iter().enumerate() {
            session.sizes_left = sizes.len() - i + 1;
            self.stage(Stage::First, *n, session);
            let share = session.share().part(AGAIN_SHARE);
            self.attempt(FoundBy::Policy, *n, session, &share);
        }
        self.rest(&sizes, session);
        // What was found last, at smaller sizes, may be worse at larger ones too, at the largest above all; and what was found at larger ones, cut, at smaller ones.
        session.budget = whole.part(LAST_SHARE);
        for n in sizes.last().into_iter().chain(&sizes).chain(sizes.iter().rev()) {
            self.stage(Stage::First, *n, session);
        }
        session.budget = whole;
        session.knowledge.recipes.is_final = true;
        self.patterns(&sizes, session);
        let larger = self.beyond(&sizes, session);
        if *plan == Plan::Doubling && grows_faster_beyond(&sizes, &larger, session) {
            sizes.extend(larger);
        }
        pump::trace(session);
        self.report(&sizes, session);
    }

    /// Patterns alone: they are looked for once, then followed to every size.
    fn pump(&mut self, session: &mut Session<'_>, plan: &Plan) {
        let whole = session.budget.clone();
        let sizes = match plan {
            Plan::Given(sizes) => sizes.clone(),
            Plan::Growing | Plan::Doubling => {
                PUMPED.iter().copied().take_while(|n| session.target.check_size(*n).is_ok()).collect()
            }
        };
        if let Some(largest) = sizes.last() {
            let share = whole.part(PUMP_SHARE);
            self.attempt(FoundBy::PumpSearch, *largest, session, &share);
        }
        session.budget = whole.part(1.0 - KEPT);
        self.patterns(&sizes, session);
        for n in &sizes {
            if session.ledger.cost(*n).is_none() || session.ledger.falls_short(*n) {
                self.stage(Stage::First, *n, session);
            }
            last_resort(*n, session);
        }
        if session.knowledge.patterns.known.is_empty() {
            self.schedule.limits.push("there are no patterns: no array is known that grows with n".to_owned());
        }
        session.budget = whole;
        let _ = self.beyond(&sizes, session);
        pump::trace(session);
        self.report(&sizes, session);
    }

    /// The best patterns and recipes known, at every size where they have not been run.
    fn patterns(&mut self, sizes: &[i64], session: &mut Session<'_>) {
        for (i, n) in sizes.iter().enumerate() {
            session.sizes_left = sizes.len() - i;
            let share = session.share();
            self.attempt(FoundBy::Pump, *n, session, &share);
            self.attempt(FoundBy::Insertion, *n, session, &share);
        }
    }

    /// What policies find by themselves, and how many paths they leave; then search, which may find worse.
    fn policies(&mut self, session: &mut Session<'_>, plan: &Plan) {
        let sizes = plan.sizes().to_vec();
        if let Err(error) = small_sizes::explore(session) {
            self.failed(1, FoundBy::SmallSizes, error, session);
        }
        for (i, n) in sizes.iter().enumerate() {
            session.sizes_left = sizes.len() - i + 1;
            self.lead(*n, session);
        }
        for n in sizes.iter().rev() {
            if session.ledger.row(*n).is_some_and(|row| row.is_exact()) {
                continue;
            }
            if session.ledger.cost(*n).is_none() {
                self.stage(Stage::First, *n, session);
            }
            self.search(*n, LARGEST_SHARE, session);
        }
        self.report(&sizes, session);
    }
}

/// The law of the inputs, for the report, where there is time to look for it: a formula, or the pattern that is worse than any.
pub fn input_law(session: &mut Session<'_>, strategy: &Strategy, sizes: &[i64]) {
    if session.budget.expired().is_none() && strategy.is_portfolio() {
        law::infer(session);
    }
    pump::find_law(session, sizes);
    ahead::run_law(session, sizes);
}
