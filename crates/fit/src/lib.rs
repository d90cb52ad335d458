//! Growth laws from sizes and costs. Pure numbers: no I/O, no knowledge of where they come from.
//!
//! `growth` says how far a law can be relied on; `fit` below it takes all costs for the worst.
//!
//! ```
//! let costs: Vec<(u64, u64)> = (1..=8).map(|n| (n, n * (n - 1) / 2)).collect();
//! let fit = slowpath_fit::fit(&costs);
//! assert_eq!(fit.formula, "n²/2 - n/2");
//! assert_eq!(fit.class, Some(slowpath_fit::Class::QUADRATIC));
//! ```

mod at_least;
mod beside;
mod choose;
mod class;
mod exact;
mod fit;
mod growth;
mod known;
mod model;
pub mod notation;
mod one_law;
mod parse;
mod pieces;
mod points;
mod ratios;
mod stages;
mod steps;
mod verdict;

pub use beside::growth_beside;
pub use class::Class;
pub use fit::{Candidate, FEWEST_SIZES, Fit, Prediction, fit};
pub use growth::Growth;
pub use known::Known;
pub use parse::ParseClassError;
pub use stages::{growth, growth_of_family};
pub use verdict::Verdict;
