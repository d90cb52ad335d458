//! Exploration as data: tasks that can be carried anywhere, and what came of them.
//!
//! A task is some path prefixes and an effort. [`slice`] follows them with a fresh driver for that effort and gives back what it found and the
//! prefixes that are left, its frontier; so whatever carries tasks (threads, processes, a cluster) comes to the same result, in any order, and
//! an exploration can be stopped at any time and gone on with elsewhere.

mod answers;
mod codec;
mod error;
mod explored;
mod fleet;
mod frontier;
mod jobs;
pub(crate) mod keep;
mod patience;
mod slice;
mod summary_codec;
mod tally_codec;
mod threads;
mod wire;

pub use crate::engine::{Engine, Failure, Report};
pub use crate::explorations::{Explorations, Key, Sink};
pub use codec::{
    ISLAND, RECORDS, Stamp, Task, TaskHeader, decode_explored, decode_task, encode_explored, encode_task, is_of_kind,
    seal, unseal,
};
pub use error::WorkError;
pub use explored::{Explored, finding_of};
pub use fleet::Fleet;
pub use frontier::Frontier;
pub use jobs::{Jobs, Outcome};
pub use slice::{DEFAULT_EFFORT, identity, settings_of, slice, stamp};
pub use threads::{Doing, Threads};
