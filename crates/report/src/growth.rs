//! The member `fit`: how the worst cost grows, and how far that can be relied on.

use serde::{Deserialize, Serialize};
use slowpath_fit::{Candidate, Class, Growth, Verdict};

/// The growth law of the costs found, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthReport {
    pub verdict: Verdict,
    /// None: not sure.
    pub class: Option<Class>,
    /// The law as people write it, empty if not sure.
    pub formula: String,
    /// Whether the verdict is `exact`; documents had this before they had verdicts.
    pub exact: bool,
    /// The smallest size the law was found to hold for.
    pub from: u64,
    /// The sizes that were predicted rather than fitted, and agree.
    pub checked_on: Vec<u64>,
    pub r2: f64,
    pub aicc: f64,
    /// The laws that were compared, best first.
    pub candidates: Vec<Candidate>,
    /// What the verdict rests on.
    pub why: String,
    /// What the law says at the sizes analysed, and at larger ones.
    #[serde(default)]
    pub predictions: Vec<PredictedCost>,
}

/// The law at one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedCost {
    pub size: u64,
    pub value: f64,
    pub low: f64,
    /// None: the cost is `value` at least.
    pub high: Option<f64>,
}

impl GrowthReport {
    /// What is reported of a law, with what it says at these sizes.
    pub fn new(growth: &Growth, sizes: impl IntoIterator<Item = u64>) -> GrowthReport {
        let predicted = |size: u64| {
            let p = growth.predict(size)?;
            let high = (growth.verdict != Verdict::AtLeast).then_some(p.high);
            Some(PredictedCost { size, value: p.value, low: p.low, high })
        };
        GrowthReport {
            verdict: growth.verdict,
            class: growth.class,
            formula: growth.formula.clone(),
            exact: growth.verdict == Verdict::Exact,
            from: growth.from,
            checked_on: growth.checked_on.clone(),
            r2: growth.r2,
            aicc: growth.aicc,
            candidates: growth.candidates.clone(),
            why: growth.why.clone(),
            predictions: sizes.into_iter().filter_map(predicted).collect(),
        }
    }

    /// The law in words: `grows exactly like n²/2`. Where there is none, the reason.
    pub fn words(&self) -> String {
        match self.verdict {
            Verdict::Exact => format!("grows exactly like {}", self.formula),
            Verdict::Fitted => format!("grows like {}", self.formula),
            Verdict::AtLeast => format!("grows at least like {}", self.formula),
            Verdict::NotSure => format!("not sure: {}", self.why),
        }
    }
}
