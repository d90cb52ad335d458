//! Two pieces instead of one law: a switch of algorithm, a buffer that fills.

use crate::model::simplest_rss;
use crate::points::Point;

/// Sizes that each piece must have: three determine the laws that are tried.
const FEWEST: usize = 5;
/// Below this relative error one law is good enough, whatever two might do.
const GOOD: f64 = 0.004;
/// How many times smaller the variance about two laws must be than about one. Noise alone gives two to four on the sizes
/// 1 to 8 and their doublings, two straight lines thousands.
const GAIN: f64 = 12.0;
/// The most places that are tried.
const MOST_PLACES: usize = 24;

/// Where the second piece begins, if two simple laws describe the costs far better than the one with this relative error.
pub(crate) fn turn(points: &[Point], error_of_one: f64, parameters_of_one: usize) -> Option<u64> {
    let n = points.len();
    if n < 2 * FEWEST || error_of_one <= GOOD {
        return None;
    }
    let places = FEWEST..=n - FEWEST;
    let stride = places.clone().count().div_ceil(MOST_PLACES);
    let both = |place: usize| Some(simplest_rss(&points[..place])? + simplest_rss(&points[place..])?);
    let (place, rss) = places
        .step_by(stride)
        .filter_map(|place| Some((place, both(place)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    // Three parameters each: two coefficients and the class.
    let of_two = rss / (n - 6) as f64;
    let of_one = n as f64 * error_of_one.powi(2) / n.saturating_sub(parameters_of_one).max(1) as f64;
    (of_one > GAIN * of_two).then(|| points[place].size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(cost: impl Fn(u64) -> u64) -> Vec<Point> {
        (1..=30).map(|size| Point { size, cost: cost(size) }).collect()
    }

    #[test]
    fn two_lines_turn_where_they_meet() {
        let lines = points(|n| if n <= 16 { 24 * n + 16 } else { 33 * n + 132 });
        assert_eq!(turn(&lines, 0.03, 2), Some(17));
    }

    #[test]
    fn a_curve_does_not_turn() {
        let curve = points(|n| n * n + 3 * n + 7);
        assert_eq!(turn(&curve, 0.001, 3), None);
    }
}
