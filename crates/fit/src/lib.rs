//! Growth laws from sizes and costs. Pure numbers: no I/O, no knowledge of where they come from.
//!
//! ```
//! let costs: Vec<(u64, u64)> = (1..=8).map(|n| (n, n * (n - 1) / 2)).collect();
//! let fit = slowpath_fit::fit(&costs);
//! assert_eq!(fit.formula, "n²/2 - n/2");
//! assert_eq!(fit.class, Some(slowpath_fit::Class::QUADRATIC));
//! ```

mod choose;
mod class;
mod exact;
mod fit;
mod model;
mod notation;
mod parse;
mod points;
mod steps;

pub use class::Class;
pub use fit::{Candidate, Fit, Prediction, fit};
pub use parse::ParseClassError;
