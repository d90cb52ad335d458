//! How the cost of a pattern grows: its inputs run at sizes that double, and the power of n that their costs follow.

use std::collections::BTreeMap;

use slowpath_search::{Budget, Target};

use crate::domain::Domain;
use crate::patterns::{JointPattern, KnownPattern};
use crate::runner::{Ran, Runner};

/// The smallest size of the ladder, and how many elements the inputs of its largest may have. Not powers of two: a unit of a few elements is to
/// end differently at each size.
const SMALLEST: i64 = 19;
const MOST_ELEMENTS: usize = 320;
/// Where fewer sizes than this fit, larger inputs are run as well.
const FEWEST_RUNGS: usize = 4;
const MOST_ELEMENTS_OF_FEW: usize = 16_384;
/// Sizes below the ladder, for patterns whose cost explodes on it.
const BELOW: [i64; 3] = [2, 5, 9];
/// Times as many instructions a run above the ladder may take: what a cubic pattern would at four times the size.
const MORE_FUEL: u64 = 64;
/// The rung at which a pattern shows whether it does anything new.
pub const SCREEN: usize = 2;
/// Sizes of the ladder at which a pattern is cut from which on it is said to explode.
pub const EXPLODES: usize = 3;
/// Powers beyond this are all the same: no polynomial anybody would write.
const HIGHEST: f64 = 12.0;
/// Powers closer than this are as good as equal, and the cost decides: at these sizes lower terms and fixed parts still show. Tried: a
/// quarter, by which fixed parts that fill small sizes pass for growth.
const SAME: f64 = 0.5;
/// The class of what grows like n.
pub const LINEAR: u32 = 2;

/// Sizes that double, and what inputs look like at each.
pub struct Ladder {
    pub rungs: Vec<(i64, Domain)>,
    pub below: Vec<(i64, Domain)>,
    /// Two sizes above it, at which faster growth than any before has to show too.
    above: Vec<(i64, Domain)>,
}

impl Ladder {
    /// The sizes to measure growth at. None where no array grows with n, there are too few sizes to see anything grow, or the time is over: the inputs
    /// of a harness are known only once it ran.
    pub fn of(target: &Target, budget: &Budget) -> Option<Ladder> {
        let may = |n: i64| target.check_size(n).is_ok() && budget.expired().is_none();
        let at = |n: i64| may(n).then(|| Domain::of(target, n, budget)).flatten();
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
        let above = [n, 2 * n].iter().filter_map(|n| Some((*n, at(*n)?))).collect();
        (rungs.len() >= FEWEST_RUNGS && budget.expired().is_none()).then_some(Ladder { rungs, below, above })
    }

    /// A pattern, and how its cost grows.
    pub fn known(&self, pattern: JointPattern, growth: &Growth) -> KnownPattern {
        let explodes = growth.cut >= EXPLODES;
        let exponent = if explodes { HIGHEST } else { growth.exponent };
        let measured = self.measured(growth);
        KnownPattern { pattern, exponent, explodes, measured, costs: BTreeMap::new() }
    }

    /// The largest size that a pattern was run at to its end, and its cost there.
    fn measured(&self, growth: &Growth) -> (i64, u64) {
        let at = self.rungs.len().checked_sub(1 + growth.cut);
        let smallest = self.below.last().or(self.rungs.first());
        (at.and_then(|at| self.rungs.get(at)).or(smallest).map_or(1, |(n, _)| *n), growth.cost)
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
        let cut = self.ladder.rungs.len() - costs.len();
        if costs.len() <= SCREEN {
            let below = self.run_below(pattern)?;
            costs.splice(0..0, below.into_iter().take_while(|cost| *cost < self.fuel));
        }
        Some(Growth::of(&costs, cut))
    }

    /// The growth of a pattern, no faster than it is above the ladder.
    pub fn confirmed(&mut self, pattern: &JointPattern, growth: Growth) -> Growth {
        let (ladder, fuel) = (self.ladder, self.fuel);
        self.fuel = fuel.saturating_mul(MORE_FUEL).min(self.target.limits.instructions);
        let mut costs = vec![growth.cost];
        for rung in &ladder.above {
            let ran = self.run(rung, pattern).filter(|ran| !ran.at_least);
            costs.extend(ran.map(|ran| ran.cost));
        }
        self.fuel = fuel;
        match exponent(&costs) {
            Some(above) => Growth { exponent: growth.exponent.min(above), ..growth },
            None => growth,
        }
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
    /// Sizes of the ladder, the largest ones, at which runs were cut.
    pub cut: usize,
    /// The cost at the largest size whose run ended.
    pub cost: u64,
    /// Of all sizes together.
    total: u64,
}

impl Growth {
    /// From the costs of runs that ended, at sizes that double, and of so many runs at larger sizes that were cut.
    pub fn of(costs: &[u64], cut: usize) -> Growth {
        let exponent = exponent(costs).unwrap_or(if cut > 0 { HIGHEST } else { 0.0 });
        let total = costs.iter().fold(0u64, |sum, cost| sum.saturating_add(*cost));
        Growth { exponent, cut, cost: costs.last().copied().unwrap_or(0), total }
    }

    /// The power of n, as far as small sizes tell. Of what explodes they tell nothing.
    pub fn class(&self) -> u32 {
        if self.cut > 0 { u32::MAX } else { (self.exponent / SAME).round() as u32 }
    }

    /// What decides between patterns: whose runs are cut first, then whose cost grows faster; where that is about the same, cost at the largest
    /// size, then everywhere.
    pub fn rank(&self) -> (usize, u32, u64, u64) {
        (self.cut, self.class(), self.cost, self.total)
    }

    /// Whether another pattern is as bad as this one, but for a part of its cost.
    pub fn is_reached_by(&self, other: &Growth, part: f64) -> bool {
        (other.cut, other.class()) >= (self.cut, self.class())
            && (other.cut > self.cut || other.cost as f64 >= part * self.cost as f64)
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

    fn growth(cost: impl Fn(u64) -> u64) -> Growth {
        let costs: Vec<u64> = (4..=8).map(|k| cost(1 << k)).collect();
        Growth::of(&costs, 0)
    }

    #[test]
    fn growth_is_the_power_of_n_whatever_a_run_costs_at_least() {
        assert!((growth(|n| 1_000_000 + 7 * n).exponent - 1.0).abs() < 0.01);
        assert!((growth(|n| 50_000 + n * n).exponent - 2.0).abs() < 0.01);
        assert!((growth(|n| n * n * n).exponent - 3.0).abs() < 0.01);
        assert!(growth(|_| 5).exponent == 0.0);
    }

    #[test]
    fn one_jump_is_no_growth() {
        assert!(growth(|n| if n > 200 { 100_000 } else { 7 * n }).exponent < 1.1);
        assert!(growth(|n| if n > 100 { 100_000 + 7 * n } else { 7 * n }).exponent < 1.1);
    }

    #[test]
    fn costs_that_explode_come_first_and_the_earlier_the_better() {
        let square = growth(|n| n * n);
        let late = Growth::of(&[10, 100, 2_000_000], 2);
        let early = Growth::of(&[10, 100, 1_000], 3);
        assert!(early.rank() > late.rank() && late.rank() > square.rank());
        assert!(square.is_reached_by(&growth(|n| n * n - 1), 0.9) && !square.is_reached_by(&growth(|n| n), 0.0));
        assert!(late.is_reached_by(&early, 0.9) && !early.is_reached_by(&late, 0.9));
    }
}
