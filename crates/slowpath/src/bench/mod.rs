//! Published benchmark suites: the figures of the papers beside ours, cell by cell.

mod attempt;
mod cells;
mod error;
mod files;
mod formula;
mod json;
mod judge;
mod oracle;
mod ratios;
mod run;
mod suite;
mod table;
mod times;
mod tools;

pub use cells::{BenchReport, Cell, OtherRow, ProgramReport, Skipped, Statistic, Verdict};
pub use error::BenchError;
pub use files::{Suites, suite_names};
pub use oracle::run_worst_inputs;
pub use run::{BenchProgress, BenchRequest, Depth, bench};
pub use suite::{Program, Published, Suite};
pub use tools::Figure;
