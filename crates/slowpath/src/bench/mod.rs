//! Published benchmark suites: the figures of the papers beside ours, cell by cell.

mod cells;
mod error;
mod files;
mod formula;
mod json;
mod judge;
mod oracle;
mod run;
mod suite;
mod table;

pub use cells::{BenchReport, Cell, ProgramReport, Skipped, Statistic, Verdict};
pub use error::BenchError;
pub use files::{Suites, suite_names};
pub use oracle::run_worst_inputs;
pub use run::{BenchProgress, BenchRequest, Depth, bench};
pub use suite::{Program, Published, Suite};
