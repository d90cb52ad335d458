//! What is asked for, and what is said meanwhile.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use slowpath::{SharedEngine, Strategy};

use crate::cells::ProgramReport;
use crate::depth::Depth;

/// Everything a comparison needs to know.
#[derive(Clone, Debug)]
pub struct BenchRequest {
    pub suite: String,
    /// Only these; empty: all.
    pub programs: Vec<String>,
    /// Only these sizes, ascending; none: those of the table and beyond.
    pub sizes: Option<Vec<i64>>,
    /// None: what the suite's tools are compared with by default.
    pub strategy: Option<Strategy>,
    pub depth: Depth,
    /// For each program; where tools are compared, for each run.
    pub budget: Option<Duration>,
    pub jobs: usize,
    pub seed: u64,
    /// How many seeds, from that on, evolutions get.
    pub seeds: Option<u64>,
    /// Workers that do [`compare_program`](crate::compare_program), as many programs at a time as there are. Default: one after the other, here.
    pub engine: Option<SharedEngine>,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

/// What happens just now.
#[derive(Debug)]
pub enum BenchProgress<'a> {
    Program(&'a str),
    Size { program: &'a str, size: i64 },
    Done(&'a ProgramReport),
}
