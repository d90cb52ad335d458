//! Fitted laws: for each class the best of its laws, by how well they fit and how well they predict held-out sizes.

mod family;
mod law;
mod linear;
mod nnls;
mod shape;
mod special;

use crate::points::Point;
use family::Family;
pub use family::simplest_rss;
pub use law::{Law, spread};
pub use shape::Shape;

/// The best law of one class.
#[derive(Clone, Debug)]
pub struct Contender {
    pub law: Law,
    pub aicc: f64,
    /// The usual relative error on the largest sizes, predicted from the others.
    pub held_out_error: f64,
    /// Whether these are all to one side of the prediction, or ever further from it.
    pub bends_away: bool,
    /// By how much a base or exponent that was fitted differs from that of the smaller sizes alone, in proportion.
    pub drift: f64,
    /// Less is better: the criterion on all sizes and the errors on held-out ones, in the same unit.
    pub score: f64,
    /// Whether the exponent was free or is an unusual one.
    pub any_power: bool,
}

/// Errors on held-out sizes below this are as good as none.
const NEGLIGIBLE: f64 = 1e-4;

/// What a subtracted term costs in score, a third parameter, and a lower term that is not constant.
const SUBTRACTION: f64 = 4.0;
const THIRD_PARAMETER: f64 = 2.0;
const LOWER_TERM: f64 = 2.0;

/// The error of a class that the small sizes show no trace of: it predicts nothing.
pub const NO_TRACE: f64 = 1.0;

/// How many of the largest sizes are held out.
pub fn held_out(points: usize) -> usize {
    (points * 3 / 10).clamp(1, 40)
}

/// The contenders of all classes, best first.
pub fn contenders(points: &[Point]) -> Vec<Contender> {
    let mut out: Vec<Contender> = family::classes().iter().filter_map(|families| contender(families, points)).collect();
    out.sort_by(|a, b| a.score.total_cmp(&b.score));
    out
}

fn contender(families: &[Family], points: &[Point]) -> Option<Contender> {
    let fits = families.iter().filter_map(|family| Some((family, family.fit(points)?)));
    let (family, law) = fits.min_by(|(_, a), (_, b)| criterion(a).total_cmp(&criterion(b)))?;
    let held = held_out(points.len());
    let (small, large) = points.split_at(points.len() - held);
    let of_small = family.fit(small);
    let held_out_error = of_small.as_ref().map_or(NO_TRACE, |law| law.error_on(large));
    let bends_away = of_small.as_ref().is_some_and(|law| law.bends_away_on(large));
    let drift = of_small.as_ref().map_or(NO_TRACE, |small| law.drift_from(small));
    let aicc = law.aicc();
    let score = criterion(&law) + held as f64 * 2.0 * held_out_error.max(NEGLIGIBLE).ln();
    Some(Contender { aicc, held_out_error, bends_away, drift, score, any_power: family.is_any_power(), law })
}

/// Akaike's criterion, with charges for what brings neighbouring classes near to each other.
fn criterion(law: &Law) -> f64 {
    let subtraction = if law.subtracts() { SUBTRACTION } else { 0.0 };
    let third = law.parameters().saturating_sub(2) as f64 * THIRD_PARAMETER;
    law.aicc() + subtraction + third + law.varying_lower_terms() as f64 * LOWER_TERM
}
