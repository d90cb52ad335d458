//! One strategy by itself: each size in turn.

use std::time::Duration;

use slowpath_search::SearchError;

use super::attempts::{CHALLENGE_SHARE, LONGEST_CHALLENGE, Turns, is_over, not_reached};
use crate::claim::{Evidence, FoundBy};
use crate::domain::Domain;
use crate::judge::ENOUGH_TIME;
use crate::plan::{MOST_GROWN, Pace, Plan};
use crate::runs::Runs;
use crate::shapes::shaped;
use crate::strategy::Strategy;
use crate::technique::{Session, Stage, Technique};
use crate::techniques::law::LAW_FROM;
use crate::techniques::{small_sizes, synthesis};

/// The least time in which somebody tries to beat a result.
const SHORTEST_CHALLENGE: Duration = Duration::from_millis(20);
/// Sizes from which on a law may be stated, which is then looked at beyond them.
const FEWEST_FOR_A_LAW: usize = 4;
/// How long plain inputs are run at most, until one has ended, where a strategy came to nothing at a size.
const LAST_RESORT: Duration = Duration::from_millis(200);
/// Instructions that one of them may take: there may be many sizes.
const LAST_FUEL: u64 = 20_000_000;

impl Turns {
    /// One strategy by itself: each size in turn.
    pub(super) fn in_turn(&mut self, session: &mut Session<'_>, strategy: &Strategy, plan: &Plan) {
        let given = plan.sizes();
        let grown: Vec<i64> = (1..=MOST_GROWN).collect();
        let sizes = if given.is_empty() { &grown[..] } else { given };
        let mut pace = Pace::default();
        for (i, n) in sizes.iter().enumerate() {
            if let Some(stop) = session.budget.expired() {
                let rest = if given.is_empty() { &[] } else { &sizes[i..] };
                self.schedule.limits.push(not_reached(*n, rest, &stop.to_string()));
                self.plain_inputs(rest, session);
                break;
            }
            session.sizes_left = if given.is_empty() { 1 } else { sizes.len() - i };
            if let Err(error) = self.one_size(*n, strategy, session) {
                self.failed(*n, FoundBy::SmallSizes, error, session);
            }
            // What the strategy refuses stays refused.
            if !self.schedule.failure.as_ref().is_some_and(SearchError::is_refusal) {
                last_resort(*n, session);
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
        let sizes = self.schedule.sizes.clone();
        if sizes.len() >= FEWEST_FOR_A_LAW {
            let _ = self.beyond(&sizes, session);
        }
    }

    /// Plain inputs for sizes that the strategy did not get to: none of its results, but no size is without one as far as there is overtime.
    fn plain_inputs(&mut self, sizes: &[i64], session: &mut Session<'_>) {
        for n in sizes {
            if is_over(session) {
                break;
            }
            last_resort(*n, session);
            if session.ledger.cost(*n).is_some() {
                self.schedule.sizes.push(*n);
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
                    session.offer(FoundBy::Synthesis, *found);
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
        let whole = Duration::from_secs_f64(row.total_seconds());
        let longest = LONGEST_CHALLENGE.max(whole.mul_f64(ENOUGH_TIME));
        let time = whole.mul_f64(CHALLENGE_SHARE).clamp(SHORTEST_CHALLENGE, longest);
        let enough = session.budget.left() >= time;
        let found = self.refuter.run(n, session, &session.budget.within(time))?;
        let row = session.ledger.row_mut(n);
        row.refuting_was_enough |= enough;
        if let Some(found) = found {
            row.refuted_at = row.refuted_at.max(found.cost());
        }
        Ok(())
    }
}

/// Some input of a size for which a strategy has none: the solver may give up on the first path there is, floats for one, but every
/// program can be run.
pub(super) fn last_resort(n: i64, session: &mut Session<'_>) {
    if session.ledger.cost(n).is_some() {
        return;
    }
    let budget = session.budget.at_least(LAST_RESORT).within(LAST_RESORT);
    let begun = budget.now();
    // What keeps it from being run was told by whoever tried before.
    let Some(domain) = Domain::of(session.target, n, &budget) else { return };
    let mut runs = Runs::new(session.target, n, &mut *session.runner, &budget);
    for input in shaped(&domain) {
        if runs.run_for(LAST_FUEL, &input).is_some() || runs.expired().is_some() {
            break;
        }
    }
    let found = runs.best().finding(n, budget.seconds_since(begun));
    session.offer(FoundBy::FirstInputs, found);
}
