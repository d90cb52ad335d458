//! How much may be remembered.

use std::sync::atomic::Ordering;

use crate::budget::Budget;

/// Bytes that a term of the budget stands for.
const BYTES_PER_TERM: usize = 100;
/// What is remembered takes at most this part of the memory there is, and where the process holds too much, this part at least.
const MOST_SHARE: usize = 3;
const LEAST_SHARE: usize = 16;
/// Decisions between two looks at what the process holds, once it holds much: each reads a file of the system.
const DECISIONS_PER_LOOK: u32 = 64;
/// Looks in a row at which it holds more than it may, and little is remembered, before the search ends: much is taken for a moment only.
const PATIENCE: u32 = 8;

/// How much may be remembered. That is counted, but what the process holds is more than what is counted: its caches, and what freed memory
/// leaves in pieces. So less may be remembered from the moment on at which it holds too much.
pub struct Room {
    /// Asked for what the process holds.
    budget: Budget,
    /// Bytes there are in all, and those for what is remembered.
    memory: usize,
    share: usize,
    /// Whether too much is held, and decisions since that was last looked at.
    is_short: bool,
    since_look: u32,
    /// Looks in a row at which nothing could be given back.
    in_vain: u32,
}

impl Room {
    /// Of a budget of which nothing was used; with `most`, no more than that is remembered.
    pub fn of(budget: &Budget, most: Option<usize>) -> Room {
        let memory = budget.terms.saturating_mul(BYTES_PER_TERM);
        let share = (memory / MOST_SHARE).min(most.unwrap_or(usize::MAX));
        Room { budget: budget.clone(), memory, share, is_short: false, since_look: 0, in_vain: 0 }
    }

    /// Bytes that are left beside those that the path at hand needs.
    pub fn left(&self, needed: usize) -> usize {
        self.memory.saturating_sub(needed)
    }

    /// Bytes that may be remembered beside those that the path at hand needs, where so many are now. None where what is needed
    /// does not fit.
    pub fn beside(&mut self, needed: usize, remembered: usize) -> Option<usize> {
        if !self.budget.memory_full.load(Ordering::Relaxed) {
            self.is_short = false;
        } else if !self.give_back(remembered) {
            return None;
        }
        Some(self.memory.checked_sub(needed)?.min(self.share))
    }

    /// The process holds too much: less may be remembered from now on. False if nothing was gained by that.
    fn give_back(&mut self, remembered: usize) -> bool {
        if !self.is_short {
            (self.is_short, self.since_look, self.in_vain) = (true, 0, 0);
            self.halve(remembered);
            return true;
        }
        self.since_look += 1;
        if self.since_look < DECISIONS_PER_LOOK {
            return true;
        }
        self.since_look = 0;
        // What was freed is used again before more is taken, but seldom goes back to the system: only what is held beyond the limit itself counts.
        if self.budget.has_room(0) || self.halve(remembered) {
            self.in_vain = 0;
        } else {
            self.in_vain += 1;
        }
        self.in_vain < PATIENCE
    }

    /// Half of what is remembered may be, from now on. False if that was little before.
    pub fn halve(&mut self, remembered: usize) -> bool {
        let least = self.memory / LEAST_SHARE;
        let before = self.share;
        self.share = (remembered.min(self.share) / 2).max(least);
        before > least
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::{BYTES_PER_TERM, Budget, DECISIONS_PER_LOOK, Room};
    use crate::budget::Gauge;

    #[derive(Debug)]
    struct Full;

    impl Gauge for Full {
        fn has_room(&self, _: u64) -> bool {
            false
        }
    }

    #[test]
    fn less_is_remembered_before_the_search_ends() {
        let budget =
            Budget { terms: 2400 / BYTES_PER_TERM, gauge: Some(std::sync::Arc::new(Full)), ..Budget::default() };
        let mut room = Room::of(&budget, None);
        assert_eq!([room.beside(0, 700), room.beside(1800, 700), room.beside(2401, 0)], [Some(800), Some(600), None]);
        budget.memory_full.store(true, Ordering::Relaxed);
        assert_eq!([room.beside(0, 700), room.beside(0, 350)], [Some(350); 2]);
        let mut shares: Vec<_> = (0..20 * DECISIONS_PER_LOOK).map_while(|_| room.beside(0, 800)).collect();
        assert!(shares.len() < 12 * DECISIONS_PER_LOOK as usize, "it ends");
        shares.dedup();
        assert_eq!(shares, [350, 175, 150]);
        let patient = Budget { gauge: None, ..budget };
        let mut room = Room::of(&patient, None);
        assert!((0..10 * DECISIONS_PER_LOOK).all(|_| room.beside(0, 800) == Some(400)), "it holds no more than it may");
    }
}
