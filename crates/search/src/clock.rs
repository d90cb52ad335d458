//! What time is measured with: the wall clock, or the work that was done.
//!
//! Work is counted in steps, about as many as an interpreter does in ten nanoseconds each. By the clock of work a run is the same on
//! every machine; by the wall clock work is counted all the same, to be reported.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Steps that stand for a second: what the interpreter does in one on an ordinary machine, to the nearest power of ten.
pub const STEPS_PER_SECOND: u64 = 100_000_000;

/// Time since it was made. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    begun: Instant,
    by_work: bool,
    steps: AtomicU64,
    runs: AtomicU64,
}

impl Clock {
    /// Goes by itself.
    pub fn wall() -> Clock {
        Clock(Arc::new(Inner {
            begun: Instant::now(),
            by_work: false,
            steps: AtomicU64::new(0),
            runs: AtomicU64::new(0),
        }))
    }

    /// Goes on only when work is charged to it.
    pub fn work() -> Clock {
        Clock(Arc::new(Inner {
            begun: Instant::now(),
            by_work: true,
            steps: AtomicU64::new(0),
            runs: AtomicU64::new(0),
        }))
    }

    /// Time since the clock was made; in steps of ten nanoseconds where it goes by work.
    pub fn now(&self) -> Duration {
        if self.0.by_work { time_of(self.steps()) } else { self.0.begun.elapsed() }
    }

    /// Counts work that was done.
    pub fn charge(&self, steps: u64) {
        self.0.steps.fetch_add(steps, Ordering::Relaxed);
    }

    /// Counts a path that was followed, or an input that was run: for whoever watches, never to decide by.
    pub fn count_run(&self) {
        self.0.runs.fetch_add(1, Ordering::Relaxed);
    }

    /// Paths and runs counted so far.
    pub fn runs(&self) -> u64 {
        self.0.runs.load(Ordering::Relaxed)
    }

    /// Work counted so far.
    pub fn steps(&self) -> u64 {
        self.0.steps.load(Ordering::Relaxed)
    }

    /// Whether it goes by work alone.
    pub fn is_by_work(&self) -> bool {
        self.0.by_work
    }

    /// The moment on the wall that a moment of this clock will be; none where work alone decides.
    pub fn on_the_wall(&self, moment: Duration) -> Option<Instant> {
        if self.0.by_work { None } else { self.0.begun.checked_add(moment) }
    }
}

/// The time that so many steps stand for.
pub fn time_of(steps: u64) -> Duration {
    let nanos = 1_000_000_000 / STEPS_PER_SECOND;
    Duration::from_nanos(steps.saturating_mul(nanos))
}

/// The steps that stand for a time.
pub fn steps_of(time: Duration) -> u64 {
    let nanos = 1_000_000_000 / STEPS_PER_SECOND;
    u64::try_from(time.as_nanos() / u128::from(nanos)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_work_stands_still_until_work_is_done() {
        let clock = Clock::work();
        assert_eq!(clock.now(), Duration::ZERO);
        clock.clone().charge(STEPS_PER_SECOND / 2);
        assert_eq!((clock.now(), clock.on_the_wall(Duration::ZERO)), (Duration::from_millis(500), None));
    }
}
