//! Whoever carries tasks: threads of this process, other processes, a cluster.

use std::time::Duration;

/// Carries tasks, as bytes, to somebody who does them, and brings back what they came to. It may lose tasks, do them twice and bring results in any order.
pub trait Engine: Send {
    /// Told of the program before the first of its tasks: bytes that a worker can open, where it has no sources of its own.
    fn program(&mut self, _parcel: &[u8]) {}

    /// How many tasks it can do at a time.
    fn slots(&self) -> usize;

    /// Takes a task. The same ticket may come again, where the first try is late.
    fn submit(&mut self, ticket: u64, task: Vec<u8>);

    /// The next result, waited for so long.
    fn next(&mut self, wait: Duration) -> Option<Report>;

    /// What is under way is to end soon, with what there is by then.
    fn halt(&mut self) {}
}

/// What became of a task.
#[derive(Clone, Debug)]
pub struct Report {
    pub ticket: u64,
    pub result: Result<Vec<u8>, Failure>,
}

/// Why a task has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Whoever did it is gone, which may or may not be the task's fault.
    Died(String),
    /// It was refused, and will be the next time.
    Refused(String),
}
