//! A growth law with a verdict on how far it can be relied on, and what it predicts.

use serde::Serialize;

use crate::at_least::Floor;
use crate::class::Class;
use crate::fit::{Candidate, Fit, Prediction};
use crate::verdict::Verdict;

/// A growth law with its verdict, or why there is none.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    pub verdict: Verdict,
    /// None: not sure.
    pub class: Option<Class>,
    /// The law as people write it, empty if not sure.
    pub formula: String,
    /// The smallest size the law was found to hold for.
    pub from: u64,
    /// How much of the variation of the costs the law explains, at most 1.
    pub r2: f64,
    /// Akaike's corrected criterion of a fitted law; 0 for others.
    pub aicc: f64,
    /// The sizes that were predicted rather than fitted, and agree.
    pub checked_on: Vec<u64>,
    /// The laws that were compared, best first; none if the law is a closed form.
    pub candidates: Vec<Candidate>,
    /// What the verdict rests on.
    pub why: String,
    #[serde(skip)]
    model: Model,
}

#[derive(Clone, Debug)]
enum Model {
    None,
    Law(Box<Fit>),
    /// A lower bound.
    Floor(Floor),
}

impl Growth {
    pub(crate) fn of(verdict: Verdict, law: Fit, why: String, beyond: &[u64]) -> Growth {
        let mut checked_on: Vec<u64> = law.checked_on.iter().chain(beyond).copied().collect();
        checked_on.sort_unstable();
        checked_on.dedup();
        Growth {
            verdict,
            class: law.class,
            formula: law.formula.clone(),
            from: law.from,
            r2: law.r2,
            aicc: law.aicc,
            checked_on,
            candidates: law.candidates.clone(),
            why,
            model: Model::Law(Box::new(law)),
        }
    }

    pub(crate) fn fitted(law: Fit, note: String) -> Growth {
        let why = if note.is_empty() { law.why.clone() } else { format!("{}; {note}", law.why) };
        Growth::of(Verdict::Fitted, law, why, &[])
    }

    pub(crate) fn floor(floor: Floor, why: String) -> Growth {
        Growth {
            verdict: Verdict::AtLeast,
            class: Some(floor.shape.class()),
            formula: floor.text(),
            from: floor.holds_from,
            model: Model::Floor(floor),
            ..Growth::not_sure(why)
        }
    }

    pub(crate) fn not_sure(why: String) -> Growth {
        Growth {
            verdict: Verdict::NotSure,
            class: None,
            formula: String::new(),
            from: 0,
            r2: 0.0,
            aicc: 0.0,
            checked_on: Vec::new(),
            candidates: Vec::new(),
            why,
            model: Model::None,
        }
    }

    /// The cost at size n, if there is a law and it holds there. What grows at least so has no upper bound: it is
    /// `f64::MAX`, the largest number, as all numbers are finite.
    pub fn predict(&self, n: u64) -> Option<Prediction> {
        let at_least = |value: f64| Prediction { value, low: value, high: f64::MAX };
        match &self.model {
            Model::None => None,
            Model::Floor(floor) => (n >= self.from).then(|| at_least(floor.value(n))),
            Model::Law(law) if self.verdict == Verdict::AtLeast => law.predict(n).map(|p| at_least(p.value)),
            Model::Law(law) => law.predict(n),
        }
    }

    /// Whether a verified cost is above what the law allows at a size it covers.
    pub fn refuted_by(&self, size: u64, cost: u64) -> bool {
        matches!(self.verdict, Verdict::Exact | Verdict::Fitted)
            && matches!(&self.model, Model::Law(law) if law.is_exceeded_by(size, cost))
    }
}
