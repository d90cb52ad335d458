//! The one law that costs follow from small sizes to large, or why there is none.

use crate::class::Class;
use crate::fit::{Candidate, Fit, fit};
use crate::model::{Contender, NO_TRACE, spread};
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
/// The relative error of an exponential above which its base is not certain: steps of several sizes are as high as they are wide.
const SCATTERED_BASE: f64 = 0.06;
/// The error on the largest sizes that must not be to one side, or ever larger: there costs bend away from the law.
const BENT: f64 = 0.03;
/// That of whole powers, which are further apart.
const BENT_OFF_A_POWER: f64 = 0.07;
/// By what part a base or exponent that was fitted may change with the largest sizes.
const DRIFT: f64 = 0.01;
/// The part of the class-giving term that a slower one may take away in the middle of the sizes: more, and it stands for a faster class.
const TAKEN_AWAY: f64 = 0.33;
/// How many times larger the error of every other class must be on the largest sizes, and the error that is close.
const NEARLY: f64 = 2.0;
/// As many where the best is n² log n: n^2.5 beside a square is next to it over any sizes that can be run.
const NEARLY_A_SQUARE: f64 = 3.0;
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
    // A factorial has no base, and nothing is near to it.
    if !is_power && class < Class::Factorial && error > SCATTERED_BASE {
        return Err(format!(
            "costs are off {class}, the nearest law, by {} %: its base is not certain",
            digits(error * 100.0)
        ));
    }
    if let Some(why) = law.contender().and_then(|best| undeserved(best, class, covered[covered.len() / 2].size)) {
        return Err(format!("{class} is nearest, but {why}: try larger sizes"));
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

/// Whether a class has a name of its own: powers of n by halves.
pub(crate) fn is_usual(class: Class) -> bool {
    !matches!(class, Class::Polynomial { hundredths, .. } if hundredths % 50 != 0)
}

/// The largest error of a law of this class. Where it is larger, the powers and logarithms next to an unusual one do as well.
fn closeness(class: Class) -> f64 {
    match class {
        Class::Polynomial { hundredths: 250, logs: 0 } => 0.02,
        Class::Polynomial { hundredths: 50 | 150, logs: 0 } => SCATTERED,
        Class::Polynomial { hundredths: 0 | 100 | 200, logs: 0 | 1 } => f64::INFINITY,
        Class::Polynomial { hundredths, logs: 0 } if hundredths % 100 == 0 => f64::INFINITY,
        Class::Polynomial { hundredths, .. } if hundredths % 50 == 0 => 0.003,
        Class::Polynomial { .. } => 0.01,
        _ => f64::INFINITY,
    }
}

/// Why a law that fits best is not the law of the costs all the same.
fn undeserved(best: &Contender, class: Class, middle: u64) -> Option<String> {
    let percent = |part: f64| format!("{} %", digits(part * 100.0));
    let off = percent(best.held_out_error);
    // Whether a constant drifts is tested by itself; and nothing else is near a factorial.
    let told = class > Class::CONSTANT && class < Class::Factorial;
    let is_whole = matches!(class, Class::Polynomial { hundredths, logs: 0 } if hundredths % 100 == 0);
    let bent = if is_whole { BENT_OFF_A_POWER } else { BENT };
    if told && best.bends_away && best.held_out_error > bent {
        return Some(format!("the largest sizes bend away from what the others predict, by {off}"));
    }
    if best.drift > DRIFT {
        return Some(format!("the larger the sizes, the more it would be another, by {}", percent(best.drift)));
    }
    let largest_error = best.law.error().max(best.held_out_error);
    if largest_error > closeness(class) {
        return Some(format!(
            "costs are off it by {}, and so near to other powers and logarithms",
            percent(largest_error)
        ));
    }
    let taken = best.law.taken_away(middle);
    let too_much = if best.held_out_error > BENT { TAKEN_AWAY / 3.0 } else { TAKEN_AWAY };
    if taken > too_much && best.law.error() > CLOSELY_FITTED {
        return Some(format!("at size {middle} a slower term takes {} of it away", percent(taken)));
    }
    None
}

/// Another class that does nearly as well where neither does so closely: in predicting the largest sizes from the others; or, if it is faster and
/// the others show no trace of it, in fitting all of them: a square that is cheap at first.
fn rival(law: &Fit, class: Class) -> Option<Class> {
    let best = law.candidates.iter().find(|candidate| candidate.class == class)?;
    let others = || law.candidates.iter().filter(|other| other.class != class && is_usual(other.class));
    let nearly = if class == Class::N2_LOG_N { NEARLY_A_SQUARE } else { NEARLY };
    let predicts =
        |other: &&Candidate| best.held_out_error > CLOSELY && other.held_out_error < nearly * best.held_out_error;
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
