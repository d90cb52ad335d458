//! What a search may use, and why it stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A limit that ended a search before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stop {
    Time,
    Paths,
    Memory,
    Interrupted,
    /// A policy leaves more paths open than it is followed for.
    OpenPaths,
    /// The evolution has had its generations.
    Generations,
    /// The cost that was said to be the worst was reached.
    KnownOptimum,
    /// The evolution finds no further path.
    NothingNew,
    /// The evolution has found nothing costlier for as long again as before.
    NothingCostlier,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time budget was used up (--budget)",
            Stop::Paths => "the limit of paths was reached (--max-paths)",
            Stop::OpenPaths => "the policy leaves too many paths open to follow all of them",
            Stop::Memory => "the limit of memory for the search was reached (--max-search-memory)",
            Stop::Interrupted => "interrupted",
            Stop::Generations => "the limit of generations was reached (--generations)",
            Stop::KnownOptimum => "the known optimum was reached (--known-optimum)",
            Stop::NothingNew => "twenty generations found no new path",
            Stop::NothingCostlier => "nothing costlier was found for as long again",
        })
    }
}

/// Limits of a search as a whole.
#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Paths to explore at one size (default: no limit).
    pub paths: u64,
    /// Terms a worker may hold, which bounds its memory (default 20,000,000, about 2 GiB).
    pub terms: usize,
    /// Set from outside to end the search with what it has.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { deadline: None, paths: u64::MAX, terms: 20_000_000, interrupt: Arc::default() }
    }
}

impl Budget {
    /// Why the search must stop now, as far as the clock and the user are concerned.
    pub fn expired(&self) -> Option<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        self.deadline.filter(|d| Instant::now() >= *d).map(|_| Stop::Time)
    }
}
