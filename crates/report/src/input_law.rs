//! The member `input_law`: the worst inputs of all sizes as formulas.

use serde::{Deserialize, Serialize};

/// A formula for each input of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputLawReport {
    pub inputs: Vec<InputFormula>,
    /// Sizes it was inferred from; of a pattern, those that its growth was measured at.
    #[serde(default)]
    pub inferred_at: Vec<i64>,
    /// Larger sizes at which its inputs cost what a search found; of a pattern, those at which nothing found costs more.
    #[serde(default)]
    pub checked_at: Vec<i64>,
}

impl InputLawReport {
    /// Whether its inputs repeat something, and were found by how their cost grows.
    pub fn is_pattern(&self) -> bool {
        self.inputs.iter().any(|input| input.pattern.is_some())
    }
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
    /// What it repeats, where it is a pattern.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<PatternReport>,
}

/// `prefix · unit^k · suffix`, or `prefix · unit^k · middle · second^k · suffix`. The length decides k; what no whole repetition
/// fills goes on with the unit, or has the filler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PatternReport {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prefix: Vec<i64>,
    pub unit: Vec<i64>,
    /// What each repetition of the unit adds to the one before; those of the second take it away.
    #[serde(skip_serializing_if = "is_zero")]
    pub step: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub middle: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second: Vec<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suffix: Vec<i64>,
    /// The number of the repetition, written into the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter: Option<CounterReport>,
    /// What stands instead of a last repetition that would have to be cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filler: Option<i64>,
    /// Whether the second, not the unit, goes on where no whole repetition of both fits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub second_fills: bool,
}

/// How repetitions are numbered: as columns of a spreadsheet are named, all numbers of one digit first, then all of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CounterReport {
    /// Before which element of the unit the number stands.
    pub at: usize,
    /// The first digit; the others follow it.
    pub first: i64,
    /// How many digits there are.
    pub digits: i64,
}

fn is_zero(step: &i64) -> bool {
    *step == 0
}
