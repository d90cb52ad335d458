//! How long a task may take, and how many workers it may cost, before somebody does something about it.

use std::time::Duration;

/// A task is late when it takes longer than this, and so many times longer than half of them do.
const LATE: Duration = Duration::from_secs(10);
const TIMES_MEDIAN: u32 = 20;
/// Workers that a task may cost.
pub const MOST_DEATHS: u32 = 3;
/// Times of tasks that are remembered.
const REMEMBERED: usize = 64;

/// How long tasks took so far.
#[derive(Default)]
pub struct Patience {
    took: Vec<Duration>,
}

impl Patience {
    /// Notes how long one took.
    pub fn note(&mut self, took: Duration) {
        if self.took.len() >= REMEMBERED {
            self.took.remove(0);
        }
        self.took.push(took);
    }

    /// Whether there is anything to judge by.
    pub fn is_new(&self) -> bool {
        self.took.is_empty()
    }

    /// When a task is late.
    pub fn late(&self) -> Duration {
        let mut took = self.took.clone();
        took.sort_unstable();
        let median = took.get(took.len() / 2).copied().unwrap_or_default();
        LATE.max(median * TIMES_MEDIAN)
    }
}

/// What is said of a task that is given up.
pub fn given_up(last: &str) -> String {
    format!("{MOST_DEATHS} workers ended with it, the last: {last}")
}
