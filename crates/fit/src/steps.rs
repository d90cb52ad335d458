//! Staircases: costs that stay the same for runs of sizes.

use crate::points::Point;

/// The points where a staircase rises, if the costs are one. Between them a rounded function hides its value, at them
/// it shows it. All steps must be equally high. The first point only counts at size 1 or below: elsewhere its step began before the sizes did.
pub fn rises(points: &[Point]) -> Option<Vec<Point>> {
    if points.windows(2).any(|pair| pair[0].cost > pair[1].cost) {
        return None;
    }
    let mut out: Vec<Point> = points.iter().take(1).filter(|first| first.size <= 1).copied().collect();
    out.extend(points.windows(2).filter(|pair| pair[0].cost < pair[1].cost).map(|pair| pair[1]));
    let flat = 10 * out.len() <= 7 * points.len();
    // Steps of different heights are a smooth function, rounded: there every point counts.
    let mut heights = out.windows(2).map(|pair| pair[1].cost - pair[0].cost);
    let height = heights.next();
    let even = heights.all(|other| Some(other) == height);
    (flat && even && out.len() >= 5).then_some(out)
}

/// Whether a law for the rises also holds on the steps: nowhere further from a cost than a step and a half.
pub fn stays_on(points: &[Point], rises: &[Point], law: impl Fn(u64) -> f64) -> bool {
    let height = rises.windows(2).map(|pair| pair[1].cost - pair[0].cost).max().unwrap_or(0) as f64;
    points.iter().all(|point| (law(point.size) - point.cost as f64).abs() <= 1.5 * height)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(cost: impl Fn(u64) -> u64) -> Vec<Point> {
        (1..=40).map(|size| Point { size, cost: cost(size) }).collect()
    }

    #[test]
    fn a_staircase_is_known_by_its_rises() {
        let sizes = rises(&points(|n| 3 * u64::from(n.ilog2()))).map(|rises| rises.iter().map(|p| p.size).collect());
        assert_eq!(sizes, Some(vec![1, 2, 4, 8, 16, 32]));
    }

    #[test]
    fn smooth_and_falling_costs_are_no_staircase() {
        assert_eq!(rises(&points(|n| n * n)), None);
        assert_eq!(rises(&points(|n| 100 - n / 8)), None);
    }

    #[test]
    fn a_law_that_leaves_a_long_last_step_is_noticed() {
        let points = points(|n| n.min(6));
        let rises = rises(&points).expect("a staircase");
        assert!(!stays_on(&points, &rises, |n| n as f64));
    }
}
