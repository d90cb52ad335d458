//! What happens, as it happens, for whoever waits: a terminal, a library's user, a test.

use crate::claim::FoundBy;

/// Something that happened. Costs of a size only ever rise from one event to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A technique begins at a size, with so many seconds of the whole budget left.
    Trying { size: i64, technique: FoundBy, seconds_left: f64 },
    /// A technique has ended at a size, having tried so many paths or inputs.
    Tried { size: i64, technique: FoundBy, tried: u64 },
    /// The worst input known of a size costs more than before.
    Worse { size: i64, technique: FoundBy, cost: u64 },
}
