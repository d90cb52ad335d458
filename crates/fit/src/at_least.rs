//! Growth that the costs found force, though there may be worse.

use crate::class::Class;
use crate::fit::Fit;
use crate::model::Shape;
use crate::notation;
use crate::one_law::{error, is_usual, one_law};
use crate::points::Point;
use crate::ratios::steady_base;

/// A lower bound that goes on from the largest cost known.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub shape: Shape,
    pub at: Point,
    /// The smallest size of those that show it.
    pub from: u64,
    /// The smallest size from which on the costs known are as high: a bound that rises more slowly than they did lies above the smaller ones.
    pub holds_from: u64,
}

impl Floor {
    /// Goes on from the largest of these costs, of which the last are the largest.
    fn through(shape: Shape, points: &[Point]) -> Option<Floor> {
        let (at, from) = (*points.last()?, points.first()?.size);
        let mut floor = Floor { shape, at, from, holds_from: at.size };
        let known = points.iter().rev().take_while(|point| floor.value(point.size) <= point.cost as f64 * SLACK);
        floor.holds_from = known.last().map_or(at.size, |point| point.size);
        Some(floor)
    }

    pub fn value(&self, n: u64) -> f64 {
        let ln = (self.at.cost.max(1) as f64).ln() + self.shape.ln(n) - self.shape.ln(self.at.size);
        ln.exp().min(f64::MAX)
    }

    pub fn text(&self) -> String {
        let coefficient = self.at.cost as f64 * (-self.shape.ln(self.at.size)).exp();
        notation::measured_sum(&[(coefficient, self.shape.text())])
    }
}

/// What a lower bound is read from.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    /// Costs are multiplied by no less than a number from size to size.
    Ratios(Floor),
    /// The costs of the largest sizes follow a law.
    Law(Box<Fit>),
    /// Costs rise by no less than a power of two with each doubling of the size.
    Doublings(Floor),
}

/// Sizes that a law of the largest needs, and the factor they must span.
const FEWEST_OF_TAIL: usize = 6;
const SPAN_OF_TAIL: u64 = 8;
/// The most tails that are tried.
const MOST_TAILS: usize = 24;
/// The relative error that a law of the largest sizes may have. More, and a bend is hidden in it.
const CLOSE: f64 = 0.015;
/// Unless they multiply, costs must be known up to this size to say anything.
const LEAST_SIZE: u64 = 32;
/// Doublings that are looked at; the slowest of them counts.
const MOST_DOUBLINGS: usize = 3;
const FEWEST_DOUBLINGS: usize = 2;
/// Added constants keep the growth per doubling below that of the power that leads.
const TOLERANCE: f64 = 0.1;
/// Sizes from which on half a power is more than two logarithms.
const LEAST_OF_HALVES: u64 = 256;
/// A bound is not above a cost that it exceeds by less than this.
const SLACK: f64 = 1.01;
/// The most that the power may rise by from one doubling to the next: a line that a cube overtakes stays below. What rises faster is a pattern that is bad
/// at some sizes only, where whole repetitions fit.
const STEEPEST: f64 = 0.75;
/// Powers that differ by less are the same: sizes do not fit a pattern evenly.
const RISING: f64 = 0.02;

/// The fastest growth that is certain, costs being lower bounds.
pub(crate) fn at_least(points: &[Point]) -> Option<Bound> {
    let reaches_far = points.last().is_some_and(|last| last.size >= LEAST_SIZE);
    let law = last_law(points, SPAN_OF_TAIL).filter(|law| reaches_far || law.class > Some(Class::ANY_POWER));
    // An unusual power may be too high: the next lower one that doublings show is certain.
    let law = law.filter(|law| law.class.is_none_or(|class| is_usual(class) && logarithm_shows(class, points)));
    if law.as_ref().is_none_or(|law| law.class < Some(Class::ANY_POWER))
        && let Some(floor) = by_ratios(points)
    {
        return Some(Bound::Ratios(floor));
    }
    law.map(|law| Bound::Law(Box::new(law))).or_else(|| by_doublings(points).map(Bound::Doublings))
}

/// Whether costs rise by as much as the logarithm of a class would have them, where its power is two or more. A sum of powers of which one is
/// taken away rises faster than its first one, too, and looks like a logarithm.
fn logarithm_shows(class: Class, points: &[Point]) -> bool {
    let Class::Polynomial { hundredths: hundredths @ 200.., logs: logs @ 1.. } = class else { return true };
    let Some((chain, slopes)) = doublings(points) else { return false };
    let ln = |size: u64| (size.max(2) as f64).ln();
    let (whole, half) = (ln(chain[0].size), ln(chain[1].size));
    let more = f64::from(logs) * (whole / half).ln() / (whole - half);
    slopes.first().is_some_and(|slope| slope + TOLERANCE / 2.0 >= f64::from(hundredths) / 100.0 + more)
}

/// The law of the largest sizes, as many of them as follow one, if they span that factor.
pub(crate) fn last_law(points: &[Point], span: u64) -> Option<Fit> {
    let last = points.last()?.size;
    let tails = (0..points.len()).step_by(points.len().div_ceil(MOST_TAILS)).map(|start| &points[start..]);
    let wide = |tail: &&[Point]| tail.len() >= FEWEST_OF_TAIL && last / tail[0].size.max(1) >= span;
    // A level end is no law: it may also be a search that found no worse.
    let rises = |law: &Fit| law.class.is_some_and(|class| class > Class::CONSTANT);
    // Exponentials are far enough apart.
    let close = |law: &Fit| law.class > Some(Class::ANY_POWER) || error(law, points) <= CLOSE;
    tails.filter(wide).find_map(|tail| one_law(tail).ok().filter(rises).filter(close))
}

/// Whether costs multiply steadily from size to size.
pub(crate) fn multiply(points: &[Point]) -> bool {
    steady_base(points).is_some()
}

fn by_ratios(points: &[Point]) -> Option<Floor> {
    let shape = Shape::Exponential { base: steady_base(points)?, power: 0 };
    let half = points.last()?.size / 2;
    Floor::through(shape, &points[points.iter().position(|point| point.size >= half)?..])
}

fn by_doublings(points: &[Point]) -> Option<Floor> {
    let (chain, slopes) = doublings(points)?;
    let slowest = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    floor(&chain, slowest)
}

/// Costs of one family of inputs, which no search found better or worse at some sizes: where each doubling adds more than the one before,
/// the last one counts.
pub(crate) fn by_rising_doublings(points: &[Point]) -> Option<Floor> {
    let (chain, slopes) = doublings(points)?;
    // Largest sizes first.
    let rises = slopes.windows(2).all(|pair| pair[0] + RISING >= pair[1] && pair[0] - pair[1] <= STEEPEST);
    floor(&chain, *slopes.first().filter(|_| rises)?)
}

fn floor(chain: &[Point], slope: f64) -> Option<Floor> {
    let mut power = (slope + TOLERANCE).floor();
    // Logarithms pass for half a power where sizes are small.
    if slope >= power + 0.5 && chain[0].size >= LEAST_OF_HALVES {
        power += 0.5;
    }
    let ascending: Vec<Point> = chain.iter().rev().copied().collect();
    Floor::through(Shape::power(power), &ascending).filter(|_| power >= 1.0)
}

/// The largest size and those that are each half of the one before, with the powers of n that costs rise by between them.
fn doublings(points: &[Point]) -> Option<(Vec<Point>, Vec<f64>)> {
    let at = *points.last().filter(|last| last.size >= LEAST_SIZE)?;
    let mut chain = vec![at];
    while let Some(half) = points.iter().rev().find(|point| point.size <= chain[chain.len() - 1].size / 2) {
        chain.push(*half);
        if chain.len() > MOST_DOUBLINGS {
            break;
        }
    }
    if chain.len() <= FEWEST_DOUBLINGS {
        return None;
    }
    let slope = |pair: &[Point]| {
        let ln = |value: u64| (value.max(1) as f64).ln();
        (ln(pair[0].cost) - ln(pair[1].cost)) / (ln(pair[0].size) - ln(pair[1].size))
    };
    let slopes = chain.windows(2).map(slope).collect();
    Some((chain, slopes))
}
