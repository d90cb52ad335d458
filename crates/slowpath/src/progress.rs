//! What a caller hears of an analysis while it runs.

use std::time::Duration;

use slowpath_portfolio::Event;
use slowpath_report::SizeResult;
use slowpath_search::Clock;

/// What happens just now, for somebody who waits.
#[derive(Debug)]
pub enum Progress<'a> {
    Compiling,
    /// The search begins; the clock goes up to the limit.
    Begun {
        clock: Clock,
        limit: Duration,
    },
    /// Something happened in the search.
    Search(Event),
    Replaying {
        size: i64,
    },
    Averaging {
        size: i64,
    },
    Done(&'a SizeResult),
    /// Two engines disagree: a bug in slowpath that the user must hear of.
    Disagreement(&'a str),
}
