//! The sizes that another look at a function should keep to: where costs rise faster than n though no law says so, since the larger sizes were too many
//! to be searched well, and hide it; small ones where not even these were explored.

use slowpath_report::Findings;

/// The end of the small sizes.
const SMALL: i64 = 32;
/// Sizes beyond 1 that have to be explored completely before larger ones are worth more time.
const EXPLORED: usize = 2;

/// Costs of smaller sizes are mostly what any input costs.
const SMALLEST: i64 = 4;
/// The least power of n that counts as faster than n; n·log n has about this between 4 and 64.
const POWER: f64 = 1.25;
/// Steps from size to size, one behind the other, that have to rise so fast.
const STEPS: usize = 2;

/// Sizes for another look; None where any will do.
pub(super) fn next_sizes(findings: &Findings) -> Option<Vec<i64>> {
    rising(findings).or_else(|| (!is_explored(findings)).then(|| around(SMALL)))
}

/// Whether some sizes are known completely, so that what is said of larger ones rests on something.
pub(super) fn is_explored(findings: &Findings) -> bool {
    findings.results.iter().filter(|result| result.complete && result.size > 1).count() >= EXPLORED
}

/// Sizes up to a little more than the last at which costs still rose faster than n; None where they did not.
pub(super) fn rising(findings: &Findings) -> Option<Vec<i64>> {
    sizes(findings.results.iter().filter_map(|result| Some((result.size, result.cost?))).collect())
}

fn sizes(mut costs: Vec<(i64, u64)>) -> Option<Vec<i64>> {
    costs.retain(|(size, cost)| *size >= SMALLEST && *cost > 0);
    costs.sort_unstable();
    // Sizes that lie close together say little about how costs rise from one to the other.
    costs.dedup_by(|next, before| next.0 < before.0 * 3 / 2);
    let rises = |step: &[(i64, u64)]| {
        let [(size, cost), (larger, more)] = [step[0], step[1]];
        (more as f64 / cost as f64).ln() / (larger as f64 / size as f64).ln() > POWER
    };
    let steps: Vec<bool> = costs.windows(2).map(rises).collect();
    let last = (STEPS..=steps.len()).rev().find(|end| steps[end - STEPS..*end].iter().all(|rises| *rises))?;
    costs.get(last).map(|(end, _)| around(*end))
}

/// A few sizes that double up to `end`, and one beyond.
fn around(end: i64) -> Vec<i64> {
    let halves = (0..=4).rev().map(|k| end >> k).filter(|size| *size > 0);
    halves.chain([end + end / 2]).collect()
}

#[cfg(test)]
mod tests {
    use super::sizes;

    #[test]
    fn a_rise_that_larger_sizes_hide_is_looked_at_again() {
        let costs = [(4, 9_598), (8, 26_866), (16, 90_114), (32, 296_482), (64, 600_000), (128, 1_200_000)];
        assert_eq!(sizes(costs.to_vec()), Some(vec![2, 4, 8, 16, 32, 48]));
    }

    #[test]
    fn what_grows_like_n_is_not() {
        let line = (2..9).map(|k| (1 << k, 100 + (10 << k))).collect();
        let one_step = vec![(4, 100), (8, 300), (16, 600), (32, 1200)];
        assert_eq!((sizes(line), sizes(one_step)), (None, None));
    }
}
