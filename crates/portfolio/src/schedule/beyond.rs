//! Beyond the sizes asked for: what tests a growth law before it is stated.

use std::time::Duration;

use super::attempts::{Turns, is_over};
use crate::claim::FoundBy;
use crate::technique::{Session, Technique};
use crate::thresholds::{beyond_constants, has_unreached_counter};

/// How many times the largest size growth is looked at beyond it, and what a run there may cost.
const BEYOND: [i64; 3] = [2, 4, 8];
const LONGEST_BEYOND: u64 = 100_000_000;
/// Doublings beyond these, while a counter has not come to what it is compared with.
const MORE_DOUBLINGS: usize = 3;
/// How much greater the power of n has to be for growth to be faster, and how much less for the best inputs known to have stopped being bad.
const FASTER: f64 = 0.25;
const SLOWER: f64 = 0.25;
/// The part of what is left that running what is known takes there.
const KNOWN_SHARE: f64 = 0.06;
/// The part that running the best pattern takes.
const PATTERN_SHARE: f64 = 0.5;
/// The part of what is left that making up an input of such a size takes.
const BEYOND_SHARE: f64 = 0.1;
/// The part that looking anew takes, where costs fall behind what they promised.
const ANEW_SHARE: f64 = 0.3;

/// What a strategy by itself spends on each size beyond, and how many elements inputs have there at most: such sizes are not asked for.
const MOMENT: Duration = Duration::from_millis(2);
const MOST_STRETCHED: u64 = 100_000;

impl Turns {
    /// Looks at growth beyond the sizes asked for, with the best inputs known, so that no law is stated which these refute. The sizes looked at.
    pub(super) fn beyond(&mut self, sizes: &[i64], session: &mut Session<'_>) -> Vec<i64> {
        let Some((largest, cost)) = sizes.iter().rev().find_map(|n| Some((*n, session.ledger.cost(*n)?))) else {
            return Vec::new();
        };
        let mut last = (largest, cost);
        let mut looked_at = Vec::new();
        let mut larger = BEYOND.map(|times| largest.saturating_mul(times)).to_vec();
        // And where the code has constants that even these would not reach.
        let reached = larger.last().copied().unwrap_or(largest) / 2;
        if self.techniques.has(FoundBy::FirstInputs) {
            larger.extend(beyond_constants(&session.target.program, reached));
        }
        for n in larger {
            if !self.look_at(n, &mut last, session) {
                return looked_at;
            }
            looked_at.push(n);
        }
        // More of a larger input, for as long as the program counts towards something that it has not come to.
        for _ in 0..MORE_DOUBLINGS {
            let n = last.0.saturating_mul(2);
            let goes_on = self.techniques.has(FoundBy::FirstInputs) && has_unreached_counter(last.0, session);
            if !goes_on || !self.look_at(n, &mut last, session) {
                break;
            }
            looked_at.push(n);
        }
        looked_at
    }

    /// Runs what is known at one size beyond, after the last with its cost. Whether there is something known of it now.
    fn look_at(&mut self, n: i64, last: &mut (i64, u64), session: &mut Session<'_>) -> bool {
        if last.1 > LONGEST_BEYOND / 8 || is_over(session) || session.target.check_size(n).is_err() {
            return false;
        }
        session.sizes_left = BEYOND.len();
        let share = session.budget.part(KNOWN_SHARE);
        for technique in [FoundBy::FirstInputs, FoundBy::InputLaw, FoundBy::Policy] {
            self.attempt_for(technique, n, session, &share, 0.3);
        }
        if !self.techniques.has(FoundBy::FirstInputs) {
            self.stretch_to(n, session);
        }
        // A pattern takes one run, but that has to end: what is cut with its time seems to grow more slowly than it does.
        self.attempt(FoundBy::Pump, n, session, &session.budget.part(PATTERN_SHARE));
        // Each takes a few runs of its best, which tell whether growth goes on.
        let share = session.budget.part(BEYOND_SHARE);
        self.attempt_for(FoundBy::Insertion, n, session, &share, 0.5);
        self.attempt_for(FoundBy::Adversary, n, session, &share, 0.5);
        // What is bad for another reason than its shape, keys that collide, cannot be stretched: it is looked for anew.
        if falls_behind(n, last.0, session) {
            self.attempt_for(FoundBy::ConcreteEvolution, n, session, &session.budget.part(ANEW_SHARE), 1.0);
        }
        let cost = session.ledger.cost(n);
        *last = (n, cost.unwrap_or(u64::MAX));
        cost.is_some()
    }

    /// A few inputs of smaller sizes, stretched, where a strategy by itself would look at none. What comes of it tests its law, and is none of
    /// its results.
    fn stretch_to(&mut self, n: i64, session: &mut Session<'_>) {
        let inputs = session.target.inputs(n).unwrap_or_default();
        let elements: u64 = inputs.iter().map(|input| u64::from(input.count)).sum();
        // Always as much, so that a run that was gone on with comes to the same law.
        let moment = session.budget.at_least(MOMENT).within(MOMENT);
        if elements <= MOST_STRETCHED
            && let Ok(Some(found)) = self.first_inputs.run(n, session, &moment)
        {
            session.offer(FoundBy::FirstInputs, found);
        }
    }
}

/// The power of n by which costs grow from one size to another, if both have one.
fn power(from: i64, to: i64, session: &Session<'_>) -> Option<f64> {
    let (less, more) = (session.ledger.cost(from)? as f64, session.ledger.cost(to)? as f64);
    Some((more / less.max(1.0)).ln() / (to as f64 / from as f64).ln())
}

/// Whether costs grow more slowly from the last size to this one than they did up to the last.
fn falls_behind(n: i64, last: i64, session: &Session<'_>) -> bool {
    let mut smaller = session.ledger.rows().map(|row| row.size).filter(|size| (1..=last / 2).contains(size));
    let Some(half) = smaller.next_back() else { return false };
    let (within, beyond) = (power(half, last, session), power(last, n, session));
    within.zip(beyond).is_some_and(|(within, beyond)| beyond < within - SLOWER)
}

/// Whether costs grow faster beyond the sizes than they do up to the largest: then the larger ones are what there is to see.
pub(super) fn grows_faster_beyond(sizes: &[i64], larger: &[i64], session: &Session<'_>) -> bool {
    let power = |from: i64, to: i64| power(from, to, session);
    let Some((largest, last)) = sizes.iter().max().zip(larger.iter().max()) else { return false };
    let Some(half) = sizes.iter().filter(|n| **n <= largest / 2).max() else { return false };
    let before_last = larger.iter().filter(|n| *n < last).max().unwrap_or(largest);
    let (within, beyond) = (power(*half, *largest), power(*before_last, *last));
    within.zip(beyond).is_some_and(|(within, beyond)| beyond > within + FASTER)
}
