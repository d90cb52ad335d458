//! Beyond the sizes asked for: what tests a growth law before it is stated.

use super::attempts::Turns;
use crate::claim::FoundBy;
use crate::technique::Session;
use crate::thresholds::beyond_constants;

/// How many times the largest size growth is looked at beyond it, and what a run there may cost.
const BEYOND: [i64; 3] = [2, 4, 8];
const LONGEST_BEYOND: u64 = 100_000_000;
/// The part of what is left that running what is known takes there.
const KNOWN_SHARE: f64 = 0.06;
/// The part of what is left that making up an input of such a size takes.
const BEYOND_SHARE: f64 = 0.1;

impl Turns {
    /// Looks at growth beyond the sizes asked for, with the best inputs known, so that no law is stated which these refute.
    pub(super) fn beyond(&mut self, sizes: &[i64], session: &mut Session<'_>) {
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
            let share = session.budget.part(KNOWN_SHARE);
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
}
