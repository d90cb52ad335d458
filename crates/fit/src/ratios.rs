//! Steady ratios: costs that are multiplied by about the same number from each size to the next.

use crate::points::Point;

/// Rates that must be seen, and how many sizes apart costs are compared at most: some programs double every second size, and where a pattern
/// of two characters fills half of n, every fourth.
const FEWEST_RATES: usize = 3;
const LONGEST_STRIDE: usize = 4;
/// How much the smallest rate may be below the largest. The rates of a power fall like 1/n, by more over any window.
const STEADY: f64 = 0.8;
/// Slower exponentials are not told from powers by a handful of ratios: n to the power of k has the rate k/n.
const LEAST_RATE: f64 = 0.14;
const LEAST_POWER: f64 = 6.5;
/// Nor are any on sizes below this.
const LEAST_SIZE: u64 = 10;

/// A number that costs are multiplied by at least from size to size over the upper half of the sizes, if it is about the
/// same everywhere there, as for exponentials. Increments are compared, so that what is added to them does not matter.
pub(crate) fn steady_base(points: &[Point]) -> Option<f64> {
    let last = points.last().filter(|last| last.size >= LEAST_SIZE)?.size;
    let every = (1..=LONGEST_STRIDE).map(|stride| {
        let mut strided: Vec<Point> = points.iter().rev().step_by(stride).copied().collect();
        strided.reverse();
        strided
    });
    // Where not every size is known, so many points apart is not so many sizes.
    let of_same_kind = (2..=LONGEST_STRIDE as u64).map(|stride| {
        let same = |point: &&Point| (last - point.size).is_multiple_of(stride);
        points.iter().filter(same).copied().collect()
    });
    every.chain(of_same_kind).find_map(|strided| base_of(&strided, last))
}

fn base_of(strided: &[Point], last: u64) -> Option<f64> {
    let upper = strided.iter().filter(|point| point.size >= last / 2).count();
    // Two increments make a rate.
    let used = &strided[strided.len().saturating_sub(upper.max(FEWEST_RATES + 2))..];
    if used.len() < FEWEST_RATES + 2 {
        return None;
    }
    let increments: Vec<Increment> = used.windows(2).filter_map(Increment::of).collect();
    if increments.len() + 1 < used.len() {
        return None;
    }
    let rates = rates(&increments);
    let (low, high) = rates.iter().fold((f64::MAX, 0f64), |(low, high), &rate| (low.min(rate), high.max(rate)));
    let half = rates.len() / 2;
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / rates.len() as f64;
    let falls = mean(&rates[rates.len() - half..]) < 0.9 * mean(&rates[..half]);
    if low < LEAST_RATE || low * (last as f64) < LEAST_POWER || low < STEADY * high || falls {
        return None;
    }
    // Where sizes double, increments rise faster than costs do.
    let distant = |pair: &[Point]| pair[0].size <= pair[1].size / 2;
    let slowest = used.windows(2).filter(|pair| distant(pair)).map(rate_of_costs).fold(low, f64::min);
    // A factor n beside the exponential adds 1/n.
    let rate = slowest - 1.0 / last as f64;
    (rate >= LEAST_RATE).then(|| rate.exp())
}

fn rate_of_costs(pair: &[Point]) -> f64 {
    let rise = (pair[1].cost.max(1) as f64).ln() - (pair[0].cost.max(1) as f64).ln();
    rise / (pair[1].size - pair[0].size) as f64
}

/// What is added from one size to the next that is known.
struct Increment {
    from: f64,
    width: f64,
    /// The logarithm of what is added for each size between the two.
    ln: f64,
}

impl Increment {
    fn of(pair: &[Point]) -> Option<Increment> {
        let (width, rise) = ((pair[1].size - pair[0].size) as f64, pair[1].cost.checked_sub(pair[0].cost)?);
        (rise > 0).then(|| Increment { from: pair[0].size as f64, width, ln: (rise as f64 / width).ln() })
    }

    /// The size at which an exponential of this rate adds as much as it does on average over the width.
    fn position(&self, rate: f64) -> f64 {
        self.from + ((rate * self.width).exp_m1() / self.width).ln() / rate
    }
}

/// The rates from each increment to the next. Where sizes are far apart, where an increment stands depends on the rate.
fn rates(increments: &[Increment]) -> Vec<f64> {
    let between = |a: &Increment, b: &Increment, rate: f64| (b.ln - a.ln) / (b.position(rate) - a.position(rate));
    let (first, last) = (&increments[0], &increments[increments.len() - 1]);
    let rate = (0..8).fold(LEAST_RATE, |rate, _| between(first, last, rate).clamp(0.01, 5.0));
    increments.windows(2).map(|pair| between(&pair[0], &pair[1], rate)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(sizes: impl IntoIterator<Item = u64>, cost: impl Fn(u64) -> u64) -> Option<f64> {
        steady_base(&sizes.into_iter().map(|size| Point { size, cost: cost(size) }).collect::<Vec<_>>())
    }

    #[test]
    fn exponentials_are_steady_whatever_is_added() {
        let near = |base: Option<f64>, to: f64| base.is_some_and(|base| (0.85 * to..=to).contains(&base));
        assert!(near(base(1..=12, |n| 3 * 2u64.pow(n as u32) + 1000), 2.0));
        assert!(near(base(1..=21, |n| 5 * 2u64.pow(n as u32 / 2) + 90), 1.41));
        assert!(near(base([1, 2, 4, 8, 16], |n| 3 * 2u64.pow(n as u32)), 2.0));
    }

    #[test]
    fn what_multiplies_every_fourth_size_does_so_where_not_every_size_is_known() {
        // A matcher with "*?" for half of the text, which is longer by a whole repetition every fourth size.
        let cost = |n: u64| 5 * 85u64.pow(n as u32 / 4) / 10u64.pow(n as u32 / 4) * (2 + n % 4);
        let known = (8..=20).step_by(2).chain(21..=24);
        assert!(base(known, cost).is_some_and(|base| (1.5..=1.71).contains(&base)));
    }

    #[test]
    fn powers_are_not_steady() {
        for power in 1..=9 {
            for most in 8..=20 {
                for added in [0, 100, 1_000_000] {
                    assert_eq!(base(1..=most, |n| n.pow(power) + added), None, "n^{power} to {most}");
                }
            }
            assert_eq!(base([1, 2, 4, 8, 16, 32, 64], |n| n.pow(power)), None);
        }
    }
}
