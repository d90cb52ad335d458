//! The schedule: who is next, at which size, and for how much. Nothing else decides that.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_fit::fit;
use slowpath_search::{Budget, SearchError};

use crate::claim::{Evidence, FoundBy};
use crate::event::Event;
use crate::judge::ENOUGH_RUNS;
use crate::plan::{MOST_GROWN, Pace, Plan};
use crate::strategy::{Strategy, Techniques};
use crate::technique::{Session, Stage, Technique};
use crate::techniques::concrete_evolution::ConcreteEvolution;
use crate::techniques::law::LAW_FROM;
use crate::techniques::{few_paths, law, pump, small_sizes, synthesis};
use crate::thresholds::beyond_constants;

/// The part of the budget that is kept for looking beyond the sizes asked for, and for the report.
const KEPT: f64 = 0.06;
/// The part of what is left that the largest size gets in the search; the next gets as much of the rest.
const LARGEST_SHARE: f64 = 0.5;
/// The part of a size's time that a policy learned from the search's own results may take.
const AGAIN_SHARE: f64 = 0.1;
/// The part of what is left that one slice of the rest of the budget takes.
const SLICE: f64 = 0.2;
/// What finds something worse in a slice of the rest gets so many times more of the next, what does not so many times less; the least
/// that is left of a bid, and the most of a slice that one technique gets.
const MOMENTUM: f64 = 2.0;
const LEAST_MOMENTUM: f64 = 0.125;
const MOST_OF_SLICE: f64 = 0.9;
/// Below this, a technique has its turn in every so-manieth slice only: beginning costs some of them more than such a part.
const LITTLE_MOMENTUM: f64 = 0.3;
const SELDOM: u64 = 4;
/// The least part of all the rest that a slice is.
const LEAST_SLICE: f64 = 0.06;
/// Slices in a row that may bring nothing and take no time, before a size is left alone.
const IDLE: u64 = 3;
/// What is believed is challenged for this part of what it took, and at most this long where that is less.
const CHALLENGE_SHARE: f64 = 0.2;
const LONGEST_CHALLENGE: Duration = Duration::from_secs(2);
const SHORTEST_CHALLENGE: Duration = Duration::from_millis(20);
/// Sizes without `--sizes`: as many at least, and where a run of the worst input costs this much, no larger ones: on our own machine it
/// takes a tenth of a second.
const FEWEST_SIZES: usize = 8;
const LONG_RUN: u64 = 10_000_000;
/// Doublings that a growth law must have been the same for, and the most there are.
const STABLE: usize = 3;
const MOST_DOUBLINGS: usize = 16;
/// The part of what is left that one doubling takes.
const DOUBLING_SHARE: f64 = 0.12;
/// Sizes of patterns without `--sizes`, and the part of the time that looking for them takes where they are all there is.
const PUMPED: [i64; 9] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
const PUMP_SHARE: f64 = 0.6;
/// How many times the largest size growth is looked at beyond it, and what a run there may cost.
const BEYOND: [i64; 3] = [2, 4, 8];
const LONGEST_BEYOND: u64 = 100_000_000;
/// The part of what is left that making up an input of such a size takes.
const BEYOND_SHARE: f64 = 0.1;

/// What was asked for, and what came in between.
#[derive(Debug, Default)]
pub struct Schedule {
    /// The sizes to report, ascending.
    pub sizes: Vec<i64>,
    /// What makes the result less than what was asked for.
    pub limits: Vec<String>,
    /// Why nothing could be found at all, if that is so.
    pub failure: Option<SearchError>,
}

/// Runs the techniques of a strategy over the sizes of a plan.
pub fn run(session: &mut Session<'_>, strategy: &Strategy, plan: &Plan) -> Schedule {
    let refuter = ConcreteEvolution::default();
    let mut turns =
        Turns { techniques: strategy.techniques(), refuter, schedule: Schedule::default(), momentum: BTreeMap::new() };
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

struct Turns {
    techniques: Techniques,
    /// Tries to beat what a strategy by itself believes.
    refuter: ConcreteEvolution,
    schedule: Schedule,
    /// How much more, or less, than its bid each technique gets of the rest.
    momentum: BTreeMap<FoundBy, f64>,
}

impl Turns {
    /// All techniques together: inputs for every size, what small sizes teach, what leads straight to each size, then search from the
    /// largest size down until the budget is used.
    fn portfolio(&mut self, session: &mut Session<'_>, plan: &Plan) {
        let whole = session.budget.clone();
        session.budget = whole.part(1.0 - KEPT);
        let mut sizes = plan.sizes().to_vec();
        session.sizes_left = sizes.len();
        for n in &sizes {
            self.stage(Stage::First, *n, session);
        }
        if self.schedule.failure.is_none()
            && let Err(error) = small_sizes::explore(session)
        {
            self.failed(1, FoundBy::SmallSizes, error, session);
        }
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
            for (i, n) in sizes.iter().enumerate() {
                session.sizes_left = sizes.len() - i + 1;
                self.stage(Stage::First, *n, session);
                self.lead(*n, session);
            }
        }
        for n in sizes.iter().rev() {
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
        session.budget = whole;
        session.knowledge.recipes.is_final = true;
        self.patterns(&sizes, session);
        self.beyond(&sizes, session);
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
            if session.ledger.cost(*n).is_none() {
                self.stage(Stage::First, *n, session);
            }
        }
        if session.knowledge.patterns.known.is_empty() {
            self.schedule.limits.push("there are no patterns: no array is known that grows with n".to_owned());
        }
        session.budget = whole;
        self.beyond(&sizes, session);
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

    /// Sizes without a list: those explored completely, then doublings.
    fn doublings(&mut self, session: &mut Session<'_>) -> Vec<i64> {
        let complete = session.knowledge.explored().iter().filter(|found| found.complete).map(|found| found.size);
        let mut sizes: Vec<i64> = complete.collect();
        let unfinished = session.ledger.rows().map(|row| row.size).max().unwrap_or(0);
        let mut n = sizes.last().copied().unwrap_or(0).max(unfinished).max(1);
        if !sizes.contains(&n) {
            sizes.push(n);
            self.double_to(n, session);
        }
        for _ in 0..MOST_DOUBLINGS {
            let (cut, cost) = match session.ledger.row(n) {
                Some(row) => (row.best.as_ref().is_some_and(|best| best.is_at_least()), row.cost().unwrap_or(0)),
                None => (false, 0),
            };
            let enough = sizes.len() >= FEWEST_SIZES;
            if session.budget.expired().is_some() || (enough && (cut || cost > LONG_RUN || is_stable(&sizes, session)))
            {
                break;
            }
            // Where the last doubling went past the limit, what lies between still has something to say.
            n = match sizes.iter().rev().nth(1).filter(|_| cut || cost > LONG_RUN) {
                Some(before) if n - before > 1 => before + (n - before + 1) / 2,
                Some(_) => break,
                None => 2 * n,
            };
            if sizes.contains(&n) || session.target.check_size(n).is_err() {
                break;
            }
            session.settings.largest = session.settings.largest.max(n);
            self.double_to(n, session);
            sizes.push(n);
            sizes.sort_unstable();
            n = sizes.last().copied().unwrap_or(n);
        }
        sizes
    }

    fn double_to(&mut self, n: i64, session: &mut Session<'_>) {
        let whole = session.budget.clone();
        session.budget = whole.part(DOUBLING_SHARE);
        session.sizes_left = 2;
        self.stage(Stage::First, n, session);
        self.lead(n, session);
        self.search(n, 1.0, session);
        session.budget = whole;
    }

    /// What leads straight to an input of this size.
    fn lead(&mut self, n: i64, session: &mut Session<'_>) {
        for probe in few_paths::probes(session, n) {
            let (share, policy) = (session.share(), session.knowledge.policy(&session.ledger).is_some());
            if !policy || session.settings.compares_policies {
                break;
            }
            self.attempt(FoundBy::FewPaths, probe, session, &share);
            if !session.ledger.row(probe).is_some_and(|row| row.is_exact()) {
                break;
            }
            session.knowledge.probed = probe;
            self.attempt(FoundBy::Policy, probe, session, &share);
        }
        // What synthesis finds is as good to infer a law from as what a policy finds.
        let large = n >= LAW_FROM && self.techniques.has(FoundBy::InputLaw);
        if large && session.settings.synthesizes && session.knowledge.policy(&session.ledger).is_none() {
            synthesis::prepare(session);
        }
        if large {
            let share = session.share();
            self.attempt(FoundBy::InputLaw, n, session, &share);
        }
        self.stage(Stage::Lead, n, session);
    }

    /// What goes on from there: a share of the time that is left.
    fn search(&mut self, n: i64, share: f64, session: &mut Session<'_>) {
        let budget = session.budget.part(share);
        let trusted = session.ledger.caught_out(FoundBy::Policy).is_none();
        for technique in self.techniques.of(Stage::Search) {
            let before = session.ledger.cost(n);
            self.attempt(technique, n, session, &budget);
            self.note_momentum(technique, session.ledger.cost(n) > before);
        }
        // What was not tried on the word of a policy that has now been caught out.
        if trusted && session.ledger.caught_out(FoundBy::Policy).is_some() {
            self.stage(Stage::Lead, n, session);
        }
    }

    /// The rest of the budget goes to the largest size that may still get worse, and when nothing helps there, to the next.
    fn rest(&mut self, sizes: &[i64], session: &mut Session<'_>) {
        let least = session.budget.part(LEAST_SLICE).left().max(Duration::from_millis(200));
        for n in sizes.iter().rev() {
            let (mut idle, mut turn) = (0, 0);
            while idle < IDLE + SELDOM && session.budget.expired().is_none() {
                let open = session
                    .ledger
                    .row(*n)
                    .is_some_and(|row| !row.is_settled() && row.evidence() != Some(Evidence::Believed));
                if !open {
                    break;
                }
                let (begun, cost) = (session.budget.now(), session.ledger.cost(*n));
                let failures = |session: &Session<'_>| session.ledger.row(*n).map_or(0, |row| row.attempts_failed);
                let failed = failures(session);
                let slice = session.budget.part(SLICE).within(Duration::from_secs(10)).left();
                let slice = session.budget.within(slice.max(least));
                for technique in self.techniques.of(Stage::Search) {
                    let momentum = self.momentum.get(&technique).copied().unwrap_or(1.0);
                    if momentum >= LITTLE_MOMENTUM || turn % SELDOM == SELDOM - 1 {
                        self.attempt_by_momentum(technique, *n, session, &slice);
                    }
                }
                turn += 1;
                let used = session.budget.now().saturating_sub(begun);
                let idled = used < Duration::from_millis(1) || failures(session) > failed;
                let vain = session.ledger.cost(*n) == cost && idled;
                idle = if vain { idle + 1 } else { 0 };
            }
        }
    }

    /// Runs a technique for more than it bids where it has just found something worse, for less where it has not.
    fn attempt_by_momentum(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, slice: &Budget) {
        let Some(bid) = self.techniques.get(name).and_then(|technique| technique.bid(n, session)) else { return };
        let momentum = self.momentum.get(&name).copied().unwrap_or(1.0);
        let before = session.ledger.cost(n);
        self.attempt_for(name, n, session, slice, (bid * momentum).min(MOST_OF_SLICE));
        self.note_momentum(name, session.ledger.cost(n) > before);
    }

    fn note_momentum(&mut self, name: FoundBy, found: bool) {
        let momentum = self.momentum.entry(name).or_insert(1.0);
        *momentum = if found { *momentum * MOMENTUM } else { *momentum / MOMENTUM };
        *momentum = momentum.clamp(LEAST_MOMENTUM, 1.0 / LEAST_MOMENTUM);
    }

    /// Looks at growth beyond the sizes asked for, with the best inputs known, so that no law is stated which these refute.
    fn beyond(&mut self, sizes: &[i64], session: &mut Session<'_>) {
        let Some((largest, cost)) = sizes.iter().rev().find_map(|n| Some((*n, session.ledger.cost(*n)?))) else {
            return;
        };
        let mut last = cost;
        let mut larger = BEYOND.map(|times| largest.saturating_mul(times)).to_vec();
        // And where the code has constants that even these would not reach.
        let reached = larger.last().copied().unwrap_or(largest) / 2;
        larger.extend(beyond_constants(&session.target.program, reached));
        for n in larger {
            if last > LONGEST_BEYOND / 8 || session.budget.expired().is_some() || session.target.check_size(n).is_err()
            {
                break;
            }
            session.sizes_left = BEYOND.len();
            let share = session.budget.part(KEPT);
            for technique in [FoundBy::FirstInputs, FoundBy::InputLaw, FoundBy::Policy] {
                self.attempt_for(technique, n, session, &share, 0.3);
            }
            self.attempt(FoundBy::Pump, n, session, &share);
            // Each takes a few runs of its best, which tell whether growth goes on.
            let share = session.budget.part(BEYOND_SHARE);
            self.attempt_for(FoundBy::Insertion, n, session, &share, 0.5);
            self.attempt_for(FoundBy::Adversary, n, session, &share, 0.5);
            last = session.ledger.cost(n).unwrap_or(u64::MAX);
        }
    }

    /// One strategy by itself: each size in turn.
    fn in_turn(&mut self, session: &mut Session<'_>, strategy: &Strategy, plan: &Plan) {
        let given = plan.sizes();
        let grown: Vec<i64> = (1..=MOST_GROWN).collect();
        let sizes = if given.is_empty() { &grown[..] } else { given };
        let mut pace = Pace::default();
        for (i, n) in sizes.iter().enumerate() {
            if let Some(stop) = session.budget.expired() {
                let rest = if given.is_empty() { &[] } else { &sizes[i..] };
                self.schedule.limits.push(not_reached(*n, rest, &stop.to_string()));
                break;
            }
            session.sizes_left = if given.is_empty() { 1 } else { sizes.len() - i };
            if let Err(error) = self.one_size(*n, strategy, session) {
                self.failed(*n, FoundBy::SmallSizes, error, session);
            }
            self.schedule.sizes.push(*n);
            let Some(row) = session.ledger.row(*n).filter(|row| row.best.is_some()) else { break };
            let complete = row.best.as_ref().is_some_and(|best| best.finding.complete);
            let left = session.budget.left().as_secs_f64();
            if let Some(why) = pace.done(*n, complete, row.total_seconds(), left).filter(|_| given.is_empty()) {
                self.schedule.limits.push(why);
                break;
            }
        }
    }

    fn one_size(&mut self, n: i64, strategy: &Strategy, session: &mut Session<'_>) -> Result<(), SearchError> {
        if strategy.learns() {
            small_sizes::explore(session)?;
        }
        if strategy.synthesizes_only() {
            match synthesis::strict(n, session)? {
                synthesis::Strict::Found(found) => {
                    session.ledger.offer(FoundBy::Synthesis, *found);
                    return self.refute(n, session);
                }
                synthesis::Strict::Failed(why) => session.knowledge.note_unmodelled(n, vec![], why),
                synthesis::Strict::Unmodelled(why) => session.knowledge.note_unmodelled(n, why, String::new()),
            }
        }
        if n >= LAW_FROM && self.techniques.has(FoundBy::InputLaw) {
            let share = session.share();
            self.attempt(FoundBy::InputLaw, n, session, &share);
        }
        for stage in [Stage::Lead, Stage::Search] {
            for technique in self.techniques.of(stage) {
                let whole = session.budget.clone();
                let share = session.share();
                let budget = if stage == Stage::Lead { &whole } else { &share };
                self.attempt(technique, n, session, budget);
            }
        }
        self.refute(n, session)
    }

    /// Tries to beat what one strategy believes, by concrete inputs. What is found is none of the strategy's results, but it tells how
    /// much these are worth.
    fn refute(&mut self, n: i64, session: &mut Session<'_>) -> Result<(), SearchError> {
        let Some(row) = session.ledger.row(n).filter(|row| row.evidence() == Some(Evidence::Believed)) else {
            return Ok(());
        };
        let time = Duration::from_secs_f64(row.total_seconds() * CHALLENGE_SHARE);
        let time = time.clamp(SHORTEST_CHALLENGE, LONGEST_CHALLENGE);
        let enough = session.budget.left() >= time;
        let found = self.refuter.run(n, session, &session.budget.within(time))?;
        let row = session.ledger.row_mut(n);
        row.refuting_was_enough |= enough;
        if let Some(found) = found {
            row.refuting_was_enough |= found.paths >= ENOUGH_RUNS;
            row.refuted_at = row.refuted_at.max(found.cost());
        }
        Ok(())
    }

    fn stage(&mut self, stage: Stage, n: i64, session: &mut Session<'_>) {
        let share = session.share();
        for technique in self.techniques.of(stage) {
            self.attempt(technique, n, session, &share);
        }
    }

    /// Runs a technique at a size for the part of the share that it bids. What it finds, and that it failed, goes into the ledger.
    fn attempt(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, share: &Budget) {
        let Some(bid) = self.techniques.get(name).and_then(|technique| technique.bid(n, session)) else { return };
        self.attempt_for(name, n, session, share, bid);
    }

    fn attempt_for(&mut self, name: FoundBy, n: i64, session: &mut Session<'_>, share: &Budget, part: f64) {
        if session.budget.expired().is_some() && session.ledger.cost(n).is_some() {
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
        match technique.run(n, session, &budget) {
            Ok(Some(found)) => {
                (session.events)(Event::Tried { size: n, technique: name, tried: found.paths });
                if session.ledger.offer(name, found)
                    && let Some(cost) = session.ledger.cost(n)
                {
                    (session.events)(Event::Worse { size: n, technique: name, cost });
                }
            }
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
    fn failed(&mut self, n: i64, name: FoundBy, error: SearchError, session: &mut Session<'_>) {
        let row = session.ledger.row_mut(n);
        row.tried.entry(name).or_default();
        match &error {
            SearchError::Diverged(_) => row.contradictions.push(error.to_string()),
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

    /// Sizes that have a result, and what is to be said of those that have none.
    fn report(&mut self, sizes: &[i64], session: &Session<'_>) {
        let empty = |n: &&i64| session.ledger.cost(**n).is_none();
        let missing: Vec<i64> = sizes.iter().filter(empty).copied().collect();
        if let (Some(first), Some(stop)) = (missing.first(), session.budget.expired()) {
            self.schedule.limits.push(not_reached(*first, &missing, &stop.to_string()));
        }
        self.schedule.sizes = sizes.to_vec();
    }
}

/// Whether the class of growth has been the same for some doublings.
fn is_stable(sizes: &[i64], session: &Session<'_>) -> bool {
    let point = |n: &i64| Some((*n as u64, session.ledger.cost(*n)?));
    let points: Vec<(u64, u64)> = sizes.iter().filter_map(point).collect();
    let explored = session.knowledge.explored().last().map_or(0, |found| found.size as u64);
    let doublings = points.iter().filter(|(size, _)| *size > explored).count();
    if doublings < STABLE + 1 {
        return false;
    }
    let class = |less: usize| fit(&points[..points.len() - less]).class;
    let now = class(0);
    now.is_some() && (1..=STABLE).all(|less| class(less) == now)
}

fn not_reached(first: i64, rest: &[i64], why: &str) -> String {
    match rest.last().filter(|last| **last != first) {
        None => format!("size {first} was not analysed: {why}"),
        Some(last) => format!("sizes {first} to {last} were not analysed: {why}"),
    }
}

/// The law of the inputs, for the report, where there is time to look for it: a formula, or the pattern that is worse than any.
pub fn input_law(session: &mut Session<'_>, strategy: &Strategy, sizes: &[i64]) {
    if session.budget.expired().is_none() && strategy.is_portfolio() {
        law::infer(session);
    }
    pump::find_law(session, sizes);
}
