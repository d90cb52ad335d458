//! The official test suite: every file of every version and proposal, directive by directive.
//!
//! A directive passes, fails, or is not run because the module it is about needs a feature slowpath does not support; the
//! feature is then named and the directive counted under it. Nothing is skipped in any other way.

mod script;
mod table;
mod values;

pub use script::run;
pub use table::{Collection, collections, print_table};

use std::collections::BTreeMap;

/// What became of the directives of one file.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub name: String,
    pub passed: usize,
    /// One line for each directive that failed, with its place.
    pub failures: Vec<String>,
    /// Directives that were not run, by the feature they need.
    pub unsupported: BTreeMap<String, usize>,
}

impl Tally {
    /// How many directives the file has.
    pub fn directives(&self) -> usize {
        self.passed + self.failures.len() + self.unsupported.values().sum::<usize>()
    }
}
