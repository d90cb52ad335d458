//! Published benchmark suites: the figures of the papers beside ours, cell by cell.

mod attempt;
mod cells;
mod depth;
mod error;
mod figure;
mod files;
mod formula;
mod json;
mod judge;
mod oracle;
mod paths;
mod ratios;
mod request;
mod run;
mod suite;
mod table;
mod times;
mod tools;
mod trial;

pub use cells::{BenchReport, Cell, OtherRow, ProgramReport, Skipped, Statistic, Verdict};
pub use depth::Depth;
pub use error::BenchError;
pub use figure::Figure;
pub use files::{Suites, suite_names};
pub use oracle::run_worst_inputs;
pub use request::{BenchProgress, BenchRequest};
pub use run::{bench, compare_program};
pub use suite::{Program, Published, Suite};
