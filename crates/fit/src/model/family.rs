//! Which laws are tried for each class.

use super::law::Law;
use super::shape::{ONE, Shape};
use crate::points::Point;

/// The shapes with nothing to profile, slowest growing first.
const LADDER: [Shape; 12] = [
    ONE,
    Shape::power_log(0.0),
    Shape::power(0.5),
    Shape::power(1.0),
    Shape::power_log(1.0),
    Shape::power(2.0),
    Shape::power_log(2.0),
    Shape::power(3.0),
    Shape::power(4.0),
    Shape::power(5.0),
    Shape::power(6.0),
    Shape::power(7.0),
];

/// An exponential must grow by e to this power over the sizes.
const LEAST_REACH: f64 = 2.0;
/// Bases above a thousand are jumps, not growth.
const LARGEST_LN_BASE: f64 = 7.0;

/// A set of laws that differ in one base or exponent at most.
#[derive(Clone, Debug)]
pub struct Family {
    /// What is added to the lead.
    lower: Vec<Shape>,
    /// What is subtracted from it.
    less: Option<Shape>,
    lead: Lead,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lead {
    Fixed(Shape),
    /// baseⁿ nᵏ, for any base.
    AnyBase(u32),
    /// n to this power, which is no usual one.
    Parts(f64),
    /// n to any power.
    AnyPower,
}

/// The families, one list for each class: a class is as good as the best law in its list.
pub fn classes() -> Vec<Vec<Family>> {
    let mut out = Vec::new();
    for (rung, &shape) in LADDER.iter().enumerate() {
        let lead = Lead::Fixed(shape);
        let mut laws = vec![Family::sum(vec![], lead)];
        if rung > 0 {
            laws.push(Family::sum(vec![ONE], lead));
        }
        for &lower in &LADDER[1.min(rung)..rung] {
            laws.push(Family::sum(vec![ONE, lower], lead));
            laws.push(Family { lower: vec![ONE], less: Some(lower), lead });
        }
        if rung > 0 {
            laws.push(Family { lower: vec![], less: Some(ONE), lead });
        }
        if rung == 1 {
            for more in 1..=2 {
                let lead = Lead::Fixed(Shape::LogOfMore(more));
                laws.push(Family::sum(vec![ONE], lead));
                laws.push(Family { lower: vec![], less: Some(ONE), lead });
            }
        }
        out.push(laws);
    }
    let any_base = |lower: &[Shape], power| Family::sum(lower.to_vec(), Lead::AnyBase(power));
    let n = Shape::power(1.0);
    out.push(vec![
        any_base(&[], 0),
        any_base(&[ONE], 0),
        any_base(&[ONE, n], 0),
        any_base(&[], 1),
        any_base(&[ONE], 1),
        any_base(&[], 2),
        any_base(&[ONE], 2),
        any_base(&[ONE, n], 2),
    ]);
    out.push(factorial());
    out.push(half_power(Shape::power(1.5), &[n]));
    out.push(half_power(Shape::power(2.5), &[n, Shape::power(2.0)]));
    for (exponent, logs) in [(1.5, 1), (2.0, 2), (3.0, 1), (3.5, 0)] {
        out.push(half_power(Shape::power_logs(exponent, logs), &[n]));
    }
    out.push(parts(3.0, n));
    out.push(parts(7.0, Shape::power(2.0)));
    out.push([vec![], vec![ONE]].into_iter().map(|lower| Family::sum(lower, Lead::AnyPower)).collect());
    out
}

/// Laws of a lead between two rungs, beside one of those below it: blocks of √n elements, pairs of divisors, sorting at every level.
fn half_power(lead: Shape, below: &[Shape]) -> Vec<Family> {
    beside(Lead::Fixed(lead), below)
}

/// Laws of a problem that is divided into so many of half its size, beside the work of dividing it: products by Karatsuba and Strassen. Their
/// powers are as near to others as any, and named with as much care.
fn parts(count: f64, work: Shape) -> Vec<Family> {
    beside(Lead::Parts(count.log2()), &[work])
}

fn beside(lead: Lead, below: &[Shape]) -> Vec<Family> {
    let mut out = vec![Family::sum(vec![], lead), Family::sum(vec![ONE], lead)];
    for &lower in below {
        out.push(Family::sum(vec![ONE, lower], lead));
        out.extend([vec![], vec![ONE]].into_iter().map(|add| Family { lower: add, less: Some(lower), lead }));
    }
    out
}

fn factorial() -> Vec<Family> {
    let mut out = Vec::new();
    for more in -2..=1 {
        let lead = Lead::Fixed(Shape::Factorial { more });
        let beside = Shape::Factorial { more: more - 1 };
        let lower = [vec![], vec![ONE], vec![ONE, Shape::power(1.0)], vec![ONE, beside]];
        out.extend(lower.into_iter().map(|lower| Family::sum(lower, lead)));
    }
    out
}

impl Family {
    fn sum(lower: Vec<Shape>, lead: Lead) -> Family {
        Family { lower, less: None, lead }
    }

    /// Whether the exponent is free or an unusual one, so that it would come near to many classes.
    pub fn is_any_power(&self) -> bool {
        matches!(self.lead, Lead::AnyPower | Lead::Parts(_))
    }

    pub fn fit(&self, points: &[Point]) -> Option<Law> {
        match self.lead {
            Lead::Fixed(shape) => self.law(shape, false, points),
            Lead::Parts(exponent) => self.law(Shape::power(exponent), false, points),
            Lead::AnyBase(power) => {
                let rate = growth_rate(points)?;
                let width = points.last()?.size.saturating_sub(points.first()?.size) as f64;
                if 1.6 * rate * width < LEAST_REACH {
                    return None;
                }
                let ln_base = lowest(0.4 * rate, 1.6 * rate, |ln_base| self.rss(base(ln_base, power), points))?;
                // A slow exponential is no more than another way to bend a line.
                if width * ln_base < LEAST_REACH || ln_base > LARGEST_LN_BASE {
                    return None;
                }
                let free = self.law(base(ln_base, power), true, points)?;
                // A whole base that does as well is meant.
                let whole = ln_base.exp().round();
                let near = whole >= 2.0 && (whole.ln() - ln_base).abs() < 0.03;
                let whole = Shape::Exponential { base: whole, power };
                Some(prefer(free, near.then(|| self.law(whole, false, points)).flatten()))
            }
            Lead::AnyPower => {
                let exponent = lowest(0.05, 8.0, |exponent| self.rss(Shape::power(exponent), points))?;
                self.law(Shape::power((exponent * 100.0).round() / 100.0), true, points)
            }
        }
    }

    fn law(&self, lead: Shape, profiled: bool, points: &[Point]) -> Option<Law> {
        Law::fit(&[self.lower.as_slice(), &[lead]].concat(), self.less, profiled, points)
    }

    fn rss(&self, lead: Shape, points: &[Point]) -> f64 {
        self.law(lead, true, points).map_or(f64::INFINITY, |law| law.rss)
    }
}

/// The smallest sum of squared relative errors of the laws with one shape and a constant.
pub fn simplest_rss(points: &[Point]) -> Option<f64> {
    let level = Law::fit(&[ONE], None, false, points).into_iter();
    let rising = LADDER[1..].iter().flat_map(|&shape| {
        [Law::fit(&[ONE, shape], None, false, points), Law::fit(&[shape], Some(ONE), false, points)]
    });
    level.chain(rising.flatten()).map(|law| law.rss).min_by(f64::total_cmp)
}

/// How fast the logarithm of the cost rises over the upper half of the sizes.
fn growth_rate(points: &[Point]) -> Option<f64> {
    let (middle, last) = (points.get(points.len() / 2)?, points.last()?);
    let rise = (last.cost.max(1) as f64).ln() - (middle.cost.max(1) as f64).ln();
    let rate = rise / last.size.saturating_sub(middle.size) as f64;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

fn base(ln_base: f64, power: u32) -> Shape {
    Shape::Exponential { base: ln_base.exp(), power }
}

fn prefer(free: Law, whole: Option<Law>) -> Law {
    match whole {
        Some(whole) if whole.aicc() <= free.aicc() + 4.0 => whole,
        _ => free,
    }
}

/// Where a function is lowest between two bounds: a grid, then golden sections around its best.
fn lowest(from: f64, to: f64, of: impl Fn(f64) -> f64) -> Option<f64> {
    const STEPS: usize = 24;
    let at = |i: usize| from + (to - from) * i as f64 / STEPS as f64;
    let values: Vec<f64> = (0..=STEPS).map(|i| of(at(i))).collect();
    let best = (0..=STEPS).filter(|i| values[*i].is_finite()).min_by(|i, j| values[*i].total_cmp(&values[*j]))?;
    let (mut low, mut high) = (at(best.saturating_sub(1)), at((best + 1).min(STEPS)));
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut of_left, mut of_right) = (of(left), of(right));
    for _ in 0..24 {
        if of_left <= of_right {
            (high, right, of_right) = (right, left, of_left);
            left = high - golden * (high - low);
            of_left = of(left);
        } else {
            (low, left, of_left) = (left, right, of_right);
            right = low + golden * (high - low);
            of_right = of(right);
        }
    }
    Some((low + high) / 2.0)
}
