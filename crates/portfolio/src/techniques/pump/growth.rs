//! How the cost of a pattern grows: its inputs run at sizes that double, and the power of n that their costs follow.

use slowpath_search::{Budget, Target};

use crate::domain::Domain;
use crate::patterns::JointPattern;
use crate::runner::{Ran, Runner};

/// The smallest size of the ladder, and how many elements the inputs of its largest have.
const SMALLEST: i64 = 16;
const MOST_ELEMENTS: usize = 512;
/// Where fewer sizes than this fit, larger inputs are run as well.
const FEWEST_RUNGS: usize = 4;
const MOST_ELEMENTS_OF_FEW: usize = 16_384;
/// Sizes below the ladder, for patterns whose cost explodes on it.
const BELOW: [i64; 3] = [2, 4, 8];
/// The rung at which a pattern shows whether it does anything new.
pub const SCREEN: usize = 2;
/// Powers beyond this are all the same: no polynomial anybody would write.
const HIGHEST: f64 = 12.0;
/// Powers closer than this are as good as equal, and the cost decides: at these sizes lower terms still show.
const SAME: f64 = 0.25;

/// Sizes that double, and what inputs look like at each.
pub struct Ladder {
    pub rungs: Vec<(i64, Domain)>,
    pub below: Vec<(i64, Domain)>,
}

impl Ladder {
    /// The sizes to measure growth at. None where no array grows with n, or there are too few sizes to see anything grow.
    pub fn of(target: &Target, budget: &Budget) -> Option<Ladder> {
        let at = |n: i64| target.check_size(n).is_ok().then(|| Domain::of(target, n, budget)).flatten();
        let mut rungs: Vec<(i64, Domain)> = Vec::new();
        let mut n = SMALLEST;
        while let Some(domain) = at(n) {
            let most = if rungs.len() < FEWEST_RUNGS { MOST_ELEMENTS_OF_FEW } else { MOST_ELEMENTS };
            if elements(&domain) > most {
                break;
            }
            if rungs.last().is_some_and(|(_, last)| elements(last) == elements(&domain)) {
                return None;
            }
            rungs.push((n, domain));
            n *= 2;
        }
        let below = BELOW.iter().filter_map(|n| Some((*n, at(*n)?))).collect();
        (rungs.len() >= FEWEST_RUNGS).then_some(Ladder { rungs, below })
    }

    /// The sizes.
    pub fn sizes(&self) -> Vec<i64> {
        self.rungs.iter().map(|(n, _)| *n).collect()
    }
}

fn elements(domain: &Domain) -> usize {
    domain.template.0.iter().map(|input| input.bits.len()).sum()
}

/// Where patterns are run.
pub struct Lab<'l, 's> {
    pub target: &'l Target,
    pub runner: &'l mut (dyn Runner + 's),
    pub budget: &'l Budget,
    pub ladder: &'l Ladder,
    /// Instructions that one run may take.
    pub fuel: u64,
}

impl Lab<'_, '_> {
    /// Runs the input that a pattern gives at a rung.
    pub fn run(&mut self, (n, domain): &(i64, Domain), pattern: &JointPattern) -> Option<Ran> {
        self.runner.run_for(self.fuel, self.target, *n, &pattern.input(domain), self.budget)
    }

    /// How the cost of a pattern grows on the whole ladder.
    pub fn growth(&mut self, pattern: &JointPattern) -> Option<Growth> {
        let ladder = self.ladder;
        let mut costs = Vec::new();
        for rung in &ladder.rungs {
            let ran = self.run(rung, pattern)?;
            if ran.at_least {
                break;
            }
            costs.push(ran.cost);
        }
        self.growth_from(pattern, costs)
    }

    /// How the cost of a pattern grows that came to this on the first rungs, and was cut on the next if there are more.
    pub fn growth_from(&mut self, pattern: &JointPattern, mut costs: Vec<u64>) -> Option<Growth> {
        let cut = (self.ladder.rungs.len() - costs.len()) as u64;
        if costs.len() <= SCREEN {
            let below = self.run_below(pattern)?;
            costs.splice(0..0, below.into_iter().take_while(|cost| *cost < self.fuel));
        }
        Some(Growth::of(&costs, cut, self.fuel))
    }

    /// Costs at sizes below the ladder.
    fn run_below(&mut self, pattern: &JointPattern) -> Option<Vec<u64>> {
        let ladder = self.ladder;
        ladder.below.iter().map(|rung| Some(self.run(rung, pattern)?.cost)).collect()
    }
}

/// What running a pattern at the sizes of the ladder showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    pub exponent: f64,
    /// The cost at the largest size; of a run that was cut, what it was cut at.
    pub largest: u64,
    /// Of all sizes together.
    total: u64,
}

impl Growth {
    /// From the costs of runs that ended, at sizes that double, and of so many runs at larger sizes that were cut at a limit.
    pub fn of(costs: &[u64], cut: u64, limit: u64) -> Growth {
        let exponent = exponent(costs).unwrap_or(if cut > 0 { HIGHEST } else { 0.0 });
        let largest = if cut > 0 { limit } else { costs.last().copied().unwrap_or(0) };
        let total = costs.iter().fold(cut.saturating_mul(limit), |sum, cost| sum.saturating_add(*cost));
        Growth { exponent, largest, total }
    }

    /// What decides between patterns: growth first, and where it is about the same, cost at the largest size, then everywhere.
    pub fn rank(&self) -> (u32, u64, u64) {
        ((self.exponent / SAME).round() as u32, self.largest, self.total)
    }
}

/// The power of n that costs at doubling sizes follow: by what each doubling adds, so that what every run costs does not count. Of the
/// last two doublings the slower one: a single jump is no growth.
fn exponent(costs: &[u64]) -> Option<f64> {
    let added: Vec<f64> = costs.windows(2).map(|pair| pair[1] as f64 - pair[0] as f64).collect();
    let powers = added.windows(2).rev().take(2).map(|pair| {
        if pair[0] <= 0.0 || pair[1] <= 0.0 { 0.0 } else { (pair[1] / pair[0]).log2().clamp(0.0, HIGHEST) }
    });
    powers.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::Growth;

    fn exponent(cost: impl Fn(u64) -> u64) -> f64 {
        let costs: Vec<u64> = (4..=9).map(|k| cost(1 << k)).collect();
        Growth::of(&costs, 0, u64::MAX).exponent
    }

    #[test]
    fn growth_is_the_power_of_n_whatever_a_run_costs_at_least() {
        assert!((exponent(|n| 1_000_000 + 7 * n) - 1.0).abs() < 0.01);
        assert!((exponent(|n| 50_000 + n * n) - 2.0).abs() < 0.01);
        assert!((exponent(|n| n * n * n) - 3.0).abs() < 0.01);
        assert!(exponent(|_| 5) == 0.0);
    }

    #[test]
    fn one_jump_is_no_growth() {
        assert!(exponent(|n| if n > 300 { 100_000 } else { 7 * n }) < 1.1);
        assert!(exponent(|n| if n > 100 { 100_000 + 7 * n } else { 7 * n }) < 1.1);
    }

    #[test]
    fn costs_that_explode_come_first() {
        let costs: Vec<u64> = (4..=9).map(|k| 1 << (2 * k)).collect();
        let square = Growth::of(&costs, 0, 5_000_000);
        let explodes = Growth::of(&[10, 100, 2_000_000], 3, 5_000_000);
        assert!(explodes.rank() > square.rank());
        assert!(Growth::of(&[], 6, 5_000_000).rank() > explodes.rank());
    }
}
