//! How much of a suite to try.

use std::time::Duration;

/// How much to try.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Small sizes only; seconds for a suite.
    Quick,
    /// What takes less than a minute.
    #[default]
    Usual,
    /// Everything the suite names; may take an hour.
    Full,
}

impl Depth {
    /// The largest size tried.
    pub fn largest(self) -> i64 {
        match self {
            // Where larger sizes are needed to learn from, time is too, and a busy machine has none.
            Depth::Quick => 5,
            Depth::Usual => 250,
            Depth::Full => i64::MAX,
        }
    }

    /// Published counts of paths up to this are checked by exploring them all.
    pub fn paths(self) -> f64 {
        match self {
            Depth::Quick => 2e3,
            Depth::Usual => 2e5,
            Depth::Full => 5e6,
        }
    }

    /// The time for each program unless said otherwise.
    pub fn budget(self) -> Duration {
        Duration::from_secs(match self {
            Depth::Quick => 5,
            Depth::Usual => 10,
            Depth::Full => 600,
        })
    }

    /// The largest size tried where tools are compared, each at sizes of its own.
    pub fn largest_of_tools(self) -> i64 {
        if self == Depth::Quick { 50 } else { i64::MAX }
    }

    /// The time of one run where tools are compared.
    pub fn run_budget(self) -> Duration {
        Duration::from_secs(match self {
            Depth::Quick => 3,
            Depth::Usual => 60,
            Depth::Full => 600,
        })
    }

    /// How many seeds what is random gets.
    pub fn seeds(self) -> u64 {
        if self == Depth::Quick { 2 } else { 10 }
    }
}
