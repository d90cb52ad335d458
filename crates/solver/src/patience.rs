//! How long a question may take: by the clock, or by the work it is.

use std::time::{Duration, Instant};

/// Z3's units of work that stand for a millisecond: 1,400 to 3,500 were measured on hash tables and union-find.
const UNITS_PER_MS: u64 = 2_000;
/// Steps of work that one of them stands for, of which 100,000 are a millisecond.
pub(crate) const STEPS_PER_UNIT: u64 = 50;

/// What a question to Z3 may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// So many milliseconds.
    Time(u32),
    /// So much work in Z3's own units, however long it takes.
    Work(u32),
}

/// What a step of work stands for, and how many a millisecond has.
const NANOS_PER_STEP: u64 = 10;
pub(crate) const STEPS_PER_MS: u64 = 100_000;

/// Gates that Z3 makes of conditions in a millisecond: 220 to 540 were measured on chains of 16 to 256 multiplications, fewer of longer ones.
const GATES_PER_MS: u64 = 200;
/// Steps of work that a gate stands for. Chains of multiplications take ten times as much; hashes, whose conditions share most of theirs, less.
const STEPS_PER_GATE: u64 = 50;
/// So many may be made however little is left, and are not counted as work.
const LEAST_GATES: u64 = 20_000;

/// The longest that a question may take which is limited by its work.
const LAST_RESORT: Duration = Duration::from_secs(300);

impl Patience {
    /// What a question took, in steps: by its work, or by the time where that is the limit and work is not counted.
    pub(crate) fn steps(self, took: Duration, work: u64) -> u64 {
        match self {
            Patience::Time(_) => u64::try_from(took.as_nanos()).unwrap_or(u64::MAX) / NANOS_PER_STEP,
            Patience::Work(_) => work,
        }
    }

    /// The time after which it must be over, one way or another.
    pub(crate) fn longest(self) -> Duration {
        match self {
            Patience::Time(ms) => Duration::from_millis(u64::from(ms)),
            Patience::Work(_) => LAST_RESORT,
        }
    }

    /// The most gates that a question may be made of: more could not even be told to Z3 in that time.
    pub(crate) fn most_gates(self) -> u64 {
        let ms = match self {
            Patience::Time(ms) => u64::from(ms),
            Patience::Work(units) => u64::from(units) / UNITS_PER_MS,
        };
        LEAST_GATES.max(ms * GATES_PER_MS)
    }

    /// Steps of work that taking so many gates apart stands for.
    pub(crate) fn work_of(gates: u64) -> u64 {
        gates.saturating_sub(LEAST_GATES) * STEPS_PER_GATE
    }

    /// The limit, in words that go on with what was done or not done because of it.
    pub(crate) fn in_words(self, what: &str) -> String {
        match self {
            Patience::Time(_) => format!("{what} its time limit (--solver-timeout)"),
            Patience::Work(_) => format!("{what} the limit of its work (--effort)"),
        }
    }

    /// What is usual, or what is left of the time or the work if that is less; none if nothing is.
    pub(crate) fn left(
        usual_ms: u32,
        deadline: Option<Instant>,
        work_limit: Option<u64>,
        done: u64,
    ) -> Option<Patience> {
        if let Some(limit) = work_limit {
            let usual = u64::from(usual_ms.max(1)) * UNITS_PER_MS;
            let left = limit.saturating_sub(done) / STEPS_PER_UNIT;
            return (left > 0).then(|| Patience::Work(u32::try_from(usual.min(left)).unwrap_or(u32::MAX)));
        }
        let Some(deadline) = deadline else { return Some(Patience::Time(usual_ms.max(1))) };
        let left = deadline.saturating_duration_since(Instant::now()).as_millis();
        (left > 0).then(|| Patience::Time(usual_ms.max(1).min(u32::try_from(left).unwrap_or(u32::MAX))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_told_to_z3_in_time_is_too_much() {
        assert_eq!(Patience::Time(1).most_gates(), LEAST_GATES);
        assert_eq!(Patience::Time(2_000).most_gates(), 400_000);
        assert_eq!(Patience::Work(4_000_000).most_gates(), 400_000);
        assert_eq!((Patience::work_of(500), Patience::work_of(LEAST_GATES + 200)), (0, 10_000));
    }

    #[test]
    fn a_question_is_counted_in_steps_by_either_limit() {
        assert_eq!(Patience::Time(5).steps(Duration::from_millis(2), 0), 2 * STEPS_PER_MS);
        assert_eq!(Patience::Work(5).steps(Duration::from_millis(2), 7), 7);
    }

    #[test]
    fn no_question_may_use_more_than_is_left() {
        assert_eq!(Patience::left(100, None, Some(1000), 400), Some(Patience::Work(12)));
        assert_eq!(Patience::left(100, None, Some(1000), 1000), None);
        assert_eq!(Patience::left(2, None, Some(u64::MAX), 0), Some(Patience::Work(4_000)));
        assert_eq!(Patience::left(2, None, None, 77), Some(Patience::Time(2)));
        let over = Instant::now().checked_sub(Duration::from_millis(1));
        assert_eq!(Patience::left(2, over, None, 0), None);
    }
}
