//! The one law that costs follow from small sizes to large, or why there is none.

use crate::class::Class;
use crate::fit::{Candidate, Fit, fit};
use crate::model::{NO_TRACE, spread};
use crate::notation::digits;
use crate::pieces;
use crate::points::Point;
use crate::steps;

/// Fewer sizes than this are no ground for a fitted law; a closed form is content with less.
const FEWEST: usize = 6;
/// A law that is not a closed form needs sizes up to this one: below, constants and rounding hide what grows.
const LEAST_REACH: u64 = 16;
/// The relative error above which costs scatter too much about a power: worst costs are no measurements. Exponentials are far enough
/// apart.
const SCATTERED: f64 = 0.06;
/// How many times larger the error of every other class must be on the largest sizes, and the error that is close.
const NEARLY: f64 = 2.0;
const CLOSELY: f64 = 0.005;
/// Likewise on all sizes.
const NEARLY_FITTED: f64 = 1.5;
const CLOSELY_FITTED: f64 = 0.001;
/// Powers above this are hard to tell from exponentials.
const HIGHEST_POWER: Class = Class::power(4);
/// How far sizes must reach for a higher power than that, and by what factor they must differ.
const FAR: u64 = 32;
const WIDE: u64 = 8;

/// The law of the points, tested beyond what `fit` does: high powers, two pieces.
pub(crate) fn one_law(points: &[Point]) -> Result<Fit, String> {
    let raw: Vec<(u64, u64)> = points.iter().map(|point| (point.size, point.cost)).collect();
    let law = fit(&raw);
    let Some(class) = law.class else { return Err(law.why) };
    if law.exact {
        return Ok(law);
    }
    let covered: Vec<Point> = points.iter().filter(|point| point.size >= law.from).copied().collect();
    if covered.len() < FEWEST {
        return Err(format!("{} sizes are too few for a law that is not exact: try more sizes", covered.len()));
    }
    let (first, last) = (covered[0].size, covered[covered.len() - 1].size);
    let is_power = matches!(class, Class::Polynomial { .. });
    if is_power && last < LEAST_REACH {
        return Err(format!("{class} is nearest, but sizes up to {last} are too small for a law that is not exact"));
    }
    if is_power && class > HIGHEST_POWER && (last < FAR || last / first.max(1) < WIDE) {
        let sizes = format!("over the sizes {first} to {last}");
        return Err(format!("{class} fits {sizes}, where it cannot be told from an exponential: try larger sizes"));
    }
    let error = error(&law, &covered);
    if is_power && error > SCATTERED {
        return Err(format!("costs are off {class}, the nearest law, by {} %", digits(error * 100.0)));
    }
    if let Some(rival) = rival(&law, class) {
        return Err(format!("{class} fits and predicts best, but {rival} nearly as well: try larger sizes"));
    }
    let shown = steps::rises(&covered).unwrap_or(covered);
    if let Some(turn) = pieces::turn(&shown, error, law.parameters()) {
        return Err(format!("not one law: costs up to size {turn} and from there on follow different ones"));
    }
    Ok(law)
}

/// Another class that does nearly as well where neither does so closely: in predicting the largest sizes from the others; or, if it is faster and
/// the others show no trace of it, in fitting all of them: a square that is cheap at first.
fn rival(law: &Fit, class: Class) -> Option<Class> {
    let best = law.candidates.iter().find(|candidate| candidate.class == class)?;
    let named = |class: Class| !matches!(class, Class::Polynomial { hundredths, .. } if hundredths % 50 != 0);
    let others = || law.candidates.iter().filter(|other| other.class != class && named(other.class));
    let predicts =
        |other: &&Candidate| best.held_out_error > CLOSELY && other.held_out_error < NEARLY * best.held_out_error;
    // What is left of the variation is the squared error, up to one factor for all.
    let left = |candidate: &Candidate| (1.0 - candidate.r2).max(0.0).sqrt();
    let fits = |other: &&Candidate| {
        // Whether a constant drifts is tested by itself.
        let late = class > Class::CONSTANT && other.class > class && other.held_out_error >= NO_TRACE;
        late && law.error() > CLOSELY_FITTED && left(other) < NEARLY_FITTED * left(best)
    };
    others().find(|other| predicts(other) || fits(other)).map(|other| other.class)
}

/// The usual relative error; of a staircase that where it rises, which is where it shows its law.
pub(crate) fn error(law: &Fit, points: &[Point]) -> f64 {
    let rises = steps::rises(points);
    let points = rises.as_deref().unwrap_or(points);
    let square = |point: &Point| {
        let cost = point.cost as f64;
        law.predict(point.size).map_or(0.0, |prediction| ((prediction.value - cost) / spread(cost)).powi(2))
    };
    (points.iter().map(square).sum::<f64>() / points.len().max(1) as f64).sqrt()
}
