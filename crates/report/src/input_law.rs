//! The member `input_law`: the worst inputs of all sizes as formulas.

use serde::{Deserialize, Serialize};

/// A formula for each input of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputLawReport {
    pub inputs: Vec<InputFormula>,
    /// Sizes it was inferred from.
    #[serde(default)]
    pub inferred_at: Vec<i64>,
    /// Larger sizes at which its inputs cost what a search found.
    #[serde(default)]
    pub checked_at: Vec<i64>,
}

/// One input by formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InputFormula {
    pub name: String,
    /// `a[i] = n - i`
    pub law: String,
    /// How many elements it has.
    pub length: String,
    /// An element as an expression over `i` and `n`.
    pub c: String,
    pub rust: String,
}
