//! What one question may use outside Z3: a part of the work or the time that is left, and nothing once somebody asks to stop.

use std::sync::Arc;
use std::time::Instant;

use crate::halt::Halt;
use crate::patience::STEPS_PER_MS;

/// The part of what is left that one question may use, and the steps that it may use however little that is.
const SHARE: u64 = 4;
const LEAST: u64 = 50_000_000;
/// Steps between two looks at the clock.
const POLL: u64 = 2_000_000;

/// Steps that may be done, and those done.
pub(crate) struct Allowance {
    most: u64,
    spent: u64,
    /// When the clock is looked at next, in steps.
    poll: u64,
    deadline: Option<Instant>,
    halt: Arc<[Halt]>,
    over: bool,
}

impl Allowance {
    /// Of what is left: steps, or the time to a deadline. Without either there is no end but `halt`.
    pub(crate) fn new(left: Option<u64>, deadline: Option<Instant>, halt: &Arc<[Halt]>) -> Allowance {
        let by_time = || {
            let left = deadline?.saturating_duration_since(Instant::now()).as_millis();
            Some(u64::try_from(left).unwrap_or(u64::MAX).saturating_mul(STEPS_PER_MS))
        };
        let most = left.or_else(by_time).map_or(u64::MAX, |left| (left / SHARE).max(LEAST));
        Allowance { most, spent: 0, poll: POLL, deadline, halt: Arc::clone(halt), over: false }
    }

    /// Does some steps.
    pub(crate) fn spend(&mut self, steps: u64) {
        self.spent += steps;
        if self.spent < self.poll {
            return;
        }
        self.poll = self.spent + POLL;
        self.over |= self.spent > self.most
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.halt.iter().any(Halt::is_set);
    }

    /// Whether nothing more may be done.
    pub(crate) fn is_spent(&self) -> bool {
        self.over
    }

    /// The steps done.
    pub(crate) fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn a_question_ends_at_its_part_of_what_is_left_or_when_somebody_asks() {
        let halt: Arc<[Halt]> = Arc::new([Halt { flag: Arc::default(), why: String::new() }]);
        let mut of_much = Allowance::new(Some(8 * LEAST), None, &halt);
        of_much.spend(2 * LEAST);
        assert!(!of_much.is_spent());
        of_much.spend(POLL);
        assert!(of_much.is_spent());
        let mut endless = Allowance::new(None, None, &halt);
        endless.spend(u64::MAX / 2);
        assert!(!endless.is_spent());
        halt[0].flag.store(true, Ordering::Relaxed);
        endless.spend(POLL);
        assert!(endless.is_spent());
        let mut late = Allowance::new(None, Some(Instant::now()), &halt);
        late.spend(POLL);
        assert!(late.is_spent());
    }
}
