//! From points to a growth law, stage by stage.

use serde::{Deserialize, Serialize};

use crate::choose::choose;
use crate::class::Class;
use crate::exact::{self, Form};
use crate::model::{self, Contender};
use crate::points::{Point, clean};
use crate::steps;

/// Fewer sizes say nothing about growth.
pub const FEWEST_SIZES: usize = 4;
/// The most points looked at; of more, an even selection with the first and the last.
const MOST_POINTS: usize = 100;

/// A growth law, or why there is none.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    /// None: unsure.
    pub class: Option<Class>,
    /// The law as people write it, empty if unsure.
    pub formula: String,
    /// Whether the formula gives every cost from `from` on exactly.
    pub exact: bool,
    /// The smallest size the law was found to hold for.
    pub from: u64,
    /// The sizes that were predicted rather than fitted.
    pub checked_on: Vec<u64>,
    /// How much of the variation of the costs the law explains, at most 1.
    pub r2: f64,
    /// Akaike's corrected criterion of the fitted law; 0 for exact laws and when unsure.
    pub aicc: f64,
    /// The laws that were compared, best first; none if the law is exact.
    pub candidates: Vec<Candidate>,
    /// How the law was chosen, or why none was.
    pub why: String,
    #[serde(skip)]
    model: Model,
}

/// One class with its best law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    pub class: Class,
    pub formula: String,
    pub r2: f64,
    pub aicc: f64,
    /// The usual relative error on the largest sizes, predicted from the others.
    pub held_out_error: f64,
}

/// A cost predicted for a size, with the bounds it should be within nineteen times in twenty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug)]
enum Model {
    None,
    Exact(Form),
    Fitted(Box<Contender>),
}

/// The growth law of costs by size. Points may come in any order; of equal sizes the largest cost counts; costs of
/// `u64::MAX` are counters that ran over and are left out.
pub fn fit(points: &[(u64, u64)]) -> Fit {
    let points = thin(clean(points));
    if points.len() < FEWEST_SIZES {
        let why = format!("a growth law needs at least {FEWEST_SIZES} sizes, there are {}", points.len());
        return Fit::unsure(&points, why);
    }
    match exact::recognise(&points) {
        Some(form) => Fit::exact(form),
        None => fitted(&points),
    }
}

/// The best fitted law; where none will do for all sizes, for those past an irregular start.
fn fitted(points: &[Point]) -> Fit {
    let whole = fitted_on(points);
    if whole.class.is_some() {
        return whole;
    }
    let starts = [points.len() / 8, points.len() / 4];
    let tails = starts.into_iter().filter(|start| *start > 0 && points.len() - start >= FEWEST_TAIL);
    // A level end is no law: it may also be a search that found no worse.
    let is_law = |tail: &Fit| tail.class.is_some_and(|class| class != Class::CONSTANT);
    let better = tails.map(|start| fitted_on(&points[start..])).find(is_law);
    better.unwrap_or(whole)
}

/// Sizes that must remain when those at the start are left out.
const FEWEST_TAIL: usize = 10;

fn fitted_on(points: &[Point]) -> Fit {
    let rises = steps::rises(points);
    let used = rises.as_deref().unwrap_or(points);
    let contenders = model::contenders(used);
    let (chosen, why) = choose(&contenders, used);
    let candidates = contenders.iter().map(|contender| Candidate::new(contender, used)).collect();
    let Some(best) = chosen.and_then(|index| contenders.get(index)) else {
        return Fit { candidates, ..Fit::unsure(points, why) };
    };
    if !rises.as_ref().is_none_or(|rises| steps::stays_on(points, rises, |n| best.law.value(n))) {
        let why =
            "costs stay level for longer than any growth law: not one law, or no worse input was found".to_owned();
        return Fit { candidates, ..Fit::unsure(points, why) };
    }
    let mut law = best.law.clone();
    law.calibrate(used);
    Fit {
        class: Some(law.class()),
        formula: law.text(),
        exact: false,
        from: points.first().map_or(0, |point| point.size),
        checked_on: used[used.len() - model::held_out(used.len())..].iter().map(|point| point.size).collect(),
        r2: finite(law.r2(used)),
        aicc: finite(best.aicc),
        candidates,
        why,
        model: Model::Fitted(Box::new(Contender { law, ..best.clone() })),
    }
}

/// At most `MOST_POINTS` of the points, so that time stays bounded.
fn thin(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= MOST_POINTS {
        return points;
    }
    let last = points.len() - 1;
    (0..MOST_POINTS).map(|i| points[i * last / (MOST_POINTS - 1)]).collect()
}

impl Fit {
    fn unsure(points: &[Point], why: String) -> Fit {
        Fit {
            class: None,
            formula: String::new(),
            exact: false,
            from: points.first().map_or(0, |point| point.size),
            checked_on: Vec::new(),
            r2: 0.0,
            aicc: 0.0,
            candidates: Vec::new(),
            why,
            model: Model::None,
        }
    }

    fn exact(form: Form) -> Fit {
        Fit {
            class: Some(form.class()),
            formula: form.text(),
            exact: true,
            from: form.from,
            checked_on: form.checked_on.clone(),
            r2: 1.0,
            aicc: 0.0,
            candidates: Vec::new(),
            why: format!("every cost from size {} on agrees, {} of them held out", form.from, form.checked_on.len()),
            model: Model::Exact(form),
        }
    }

    /// What was determined from the costs: coefficients, bases and exponents; 0 for closed forms.
    pub(crate) fn parameters(&self) -> usize {
        match &self.model {
            Model::Fitted(best) => best.law.parameters(),
            Model::None | Model::Exact(_) => 0,
        }
    }

    /// The usual relative error on what was fitted; 0 for closed forms.
    pub(crate) fn error(&self) -> f64 {
        match &self.model {
            Model::Fitted(best) => best.law.error(),
            Model::None | Model::Exact(_) => 0.0,
        }
    }

    /// The fitted law with how it did; none for closed forms.
    pub(crate) fn contender(&self) -> Option<&Contender> {
        match &self.model {
            Model::Fitted(best) => Some(best),
            Model::None | Model::Exact(_) => None,
        }
    }

    /// What the law would give at size n, also where it does not hold.
    pub(crate) fn extrapolate(&self, n: u64) -> Option<f64> {
        match &self.model {
            Model::None => None,
            Model::Exact(form) => Some(form.value(n)),
            Model::Fitted(best) => Some(best.law.value(n)),
        }
    }

    /// Whether a cost is above the interval at a size the law covers.
    pub(crate) fn is_exceeded_by(&self, size: u64, cost: u64) -> bool {
        // A closed form is whole where it holds, but its value is a float.
        self.predict(size).is_some_and(|prediction| cost as f64 > prediction.high * (1.0 + 1e-12))
    }

    /// The cost at size n, if there is a law and it holds there. All numbers are finite.
    pub fn predict(&self, n: u64) -> Option<Prediction> {
        if n < self.from {
            return None;
        }
        match &self.model {
            Model::None => None,
            Model::Exact(form) => {
                let value = form.value(n);
                Some(Prediction { value, low: value, high: value })
            }
            Model::Fitted(best) => {
                let (value, low, high) = best.law.interval(n, best.held_out_error);
                Some(Prediction { value, low, high })
            }
        }
    }
}

impl Candidate {
    fn new(contender: &Contender, points: &[Point]) -> Candidate {
        Candidate {
            class: contender.law.class(),
            formula: contender.law.text(),
            r2: finite(contender.law.r2(points)),
            aicc: finite(contender.aicc),
            held_out_error: finite(contender.held_out_error),
        }
    }
}

/// Documents hold no infinities.
fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::MAX }
}
