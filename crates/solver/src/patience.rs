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

/// The longest that a question may take which is limited by its work.
const LAST_RESORT: Duration = Duration::from_secs(300);

impl Patience {
    /// The time after which it must be over, one way or another.
    pub(crate) fn longest(self) -> Duration {
        match self {
            Patience::Time(ms) => Duration::from_millis(u64::from(ms)),
            Patience::Work(_) => LAST_RESORT,
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
    fn no_question_may_use_more_than_is_left() {
        assert_eq!(Patience::left(100, None, Some(1000), 400), Some(Patience::Work(12)));
        assert_eq!(Patience::left(100, None, Some(1000), 1000), None);
        assert_eq!(Patience::left(2, None, Some(u64::MAX), 0), Some(Patience::Work(4_000)));
        assert_eq!(Patience::left(2, None, None, 77), Some(Patience::Time(2)));
        let over = Instant::now().checked_sub(Duration::from_millis(1));
        assert_eq!(Patience::left(2, over, None, 0), None);
    }
}
