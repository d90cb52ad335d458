//! A fitted law: shapes with non-negative coefficients, how well it fits, and what it predicts.

use super::linear::{Column, dot, residual, symmetric_pseudo_inverse, triangle};
use super::nnls::nnls;
use super::shape::{ONE, Shape};
use super::special::students_reach;
use crate::class::Class;
use crate::notation;
use crate::points::Point;

/// Residuals below this share of a cost count as none: beyond it, laws are told apart by simplicity.
const NEGLIGIBLE: f64 = 1e-5;

/// The logarithm of the length of a shape's column, its values divided by the spread of the costs.
fn ln_length(shape: Shape, points: &[Point]) -> f64 {
    let logs: Vec<f64> = points.iter().map(|p| shape.ln(p.size) - spread(p.cost as f64).ln()).collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + logs.iter().map(|ln| (2.0 * (ln - largest)).exp()).sum::<f64>().ln() / 2.0
}

/// The part of the largest cost that the class-giving shape must account for; less will do where it stands out of the
/// errors by this factor: a small square beside a large line. Higher powers than cubes would then stand in for anything.
const LEAST_SHARE: f64 = 0.15;
const STANDS_OUT: f64 = 40.0;
const HIGHEST_BESIDE: Class = Class::CUBIC;

#[derive(Clone, Debug)]
pub struct Law {
    shapes: Vec<Shape>,
    /// Of each shape, divided by its scale.
    coefficients: Vec<f64>,
    ln_scales: Vec<f64>,
    /// Whether a base or exponent was fitted too, which counts as a coefficient.
    profiled: bool,
    points: usize,
    /// The sum of squared relative errors.
    pub rss: f64,
    /// Turns the gradient of a prediction into its variance; empty before `calibrate`.
    covariance: Vec<Column>,
}

/// How far off a cost is expected to be, up to a factor: in proportion, but small costs are rounded.
pub fn spread(cost: f64) -> f64 {
    cost.hypot(5.0)
}

impl Law {
    /// Fits the shapes to the points, the last shape being the one that gives the class; `less` is subtracted. None if
    /// there are too few points, the class-giving shape is hardly seen, or costs would be negative.
    pub fn fit(shapes: &[Shape], less: Option<Shape>, profiled: bool, points: &[Point]) -> Option<Law> {
        let shapes: Vec<Shape> = less.into_iter().chain(shapes.iter().copied()).collect();
        let last = points.last()?;
        if points.len() <= shapes.len() + usize::from(profiled) {
            return None;
        }
        // Columns of one length, or a column that is small everywhere would be taken for rounding.
        let ln_scales: Vec<f64> = shapes.iter().map(|shape| ln_length(*shape, points)).collect();
        // What is subtracted is a negative column with, again, a non-negative coefficient.
        let sign = |j: usize| if j == 0 && less.is_some() { -1.0 } else { 1.0 };
        let at = |i: usize, j: usize| {
            sign(j) * (shapes[j].ln(points[i].size) - ln_scales[j]).exp() / spread(points[i].cost as f64)
        };
        let width = shapes.len();
        let cost = |i: usize| points[i].cost as f64;
        let columns = (0..width).map(|j| (0..points.len()).map(|i| at(i, j)).collect());
        let costs: Column = (0..points.len()).map(|i| cost(i) / spread(cost(i))).collect();
        let with_target: Vec<Column> = columns.chain([costs]).collect();
        if with_target.iter().flatten().any(|value| !value.is_finite()) {
            return None;
        }
        // Rotated so that only a small triangle is left: the same problem, for any number of points.
        let mut design = triangle(with_target);
        let target = design.pop()?;
        let found = nnls(&design, &target);
        if found[width - 1] <= 0.0 {
            return None;
        }
        let left = residual(&design, &found, &target);
        let rss = dot(&left, &left);
        let used: Vec<usize> = (0..width).filter(|j| found[*j] > 0.0).collect();
        let law = Law {
            shapes: used.iter().map(|j| shapes[*j]).collect(),
            coefficients: used.iter().map(|j| sign(*j) * found[*j]).collect(),
            ln_scales: used.iter().map(|j| ln_scales[*j]).collect(),
            profiled,
            points: points.len(),
            rss,
            covariance: Vec::new(),
        };
        let sound = less.is_none() || law.rises_over(points);
        let stands_out = STANDS_OUT * law.error().max(NEGLIGIBLE);
        let least_share = if law.class() <= HIGHEST_BESIDE { LEAST_SHARE.min(stands_out) } else { LEAST_SHARE };
        (law.rss.is_finite() && sound && law.share_of_lead(last.size) >= least_share).then_some(law)
    }

    pub fn class(&self) -> Class {
        self.shapes.last().map_or(Class::CONSTANT, |shape| shape.class())
    }

    /// The exponent of the class-giving power, 0 for other shapes.
    pub fn exponent(&self) -> f64 {
        match self.lead() {
            Shape::Power { exponent, .. } => exponent,
            _ => 0.0,
        }
    }

    fn lead(&self) -> Shape {
        self.shapes.last().copied().unwrap_or(ONE)
    }

    /// Coefficients, bases and exponents that were fitted.
    pub fn parameters(&self) -> usize {
        self.shapes.len() + usize::from(self.profiled)
    }

    /// Whether the law is nowhere negative or falling between the sizes.
    fn rises_over(&self, points: &[Point]) -> bool {
        let values: Vec<f64> = points.iter().map(|point| self.value(point.size)).collect();
        values[0] >= 0.0 && values.windows(2).all(|pair| pair[0] <= pair[1])
    }

    /// The part of the prediction that the class-giving shape makes up.
    fn share_of_lead(&self, n: u64) -> f64 {
        let lead = self.coefficients.last().zip(self.ln_scales.last());
        lead.map_or(0.0, |(c, scale)| c * (self.lead().ln(n) - scale).exp() / self.value(n))
    }

    /// The number of terms below the lead that are not constant.
    pub fn varying_lower_terms(&self) -> usize {
        self.shapes.iter().filter(|shape| **shape != ONE).count().saturating_sub(1)
    }

    /// Whether something is subtracted.
    pub fn subtracts(&self) -> bool {
        self.coefficients.iter().any(|c| *c < 0.0)
    }

    /// The usual relative error.
    pub fn error(&self) -> f64 {
        (self.rss / self.points as f64).sqrt()
    }

    /// Akaike's criterion with its correction for few points: less is better.
    pub fn aicc(&self) -> f64 {
        // The spread of the errors is a parameter too.
        let (n, k) = (self.points as f64, self.parameters() as f64 + 1.0);
        let mean = (self.rss / n).max(NEGLIGIBLE * NEGLIGIBLE);
        // With no point to spare the correction has a pole; a large value keeps such laws last.
        let correction = if n - k - 1.0 > 0.0 { 2.0 * k * (k + 1.0) / (n - k - 1.0) } else { 1e3 * k };
        n * mean.ln() + 2.0 * k + correction
    }

    /// The share of the costs' variation that the law explains, errors in proportion to costs.
    pub fn r2(&self, points: &[Point]) -> f64 {
        let weight = |point: &Point| spread(point.cost as f64).powi(-2);
        let sum: f64 = points.iter().map(weight).sum();
        let mean = points.iter().map(|p| weight(p) * p.cost as f64).sum::<f64>() / sum;
        let total: f64 = points.iter().map(|p| weight(p) * (p.cost as f64 - mean).powi(2)).sum();
        let share = if total > 0.0 { 1.0 - self.rss / total } else { 1.0 };
        if share.is_finite() { share.max(0.0) } else { 0.0 }
    }

    /// The relative errors on other points than those fitted, squared and averaged, and the root of it.
    pub fn error_on(&self, points: &[Point]) -> f64 {
        let square = |point: &Point| {
            let cost = point.cost as f64;
            // Far off is far off: the bound keeps one overflow from hiding all differences.
            ((self.value(point.size) - cost) / spread(cost)).powi(2).min(1e6)
        };
        (points.iter().map(square).sum::<f64>() / points.len().max(1) as f64).sqrt()
    }

    /// Whether costs bend away from the law: all of these are above what it predicts, or all below, or each is further to one side than the
    /// one before.
    pub fn bends_away_on(&self, points: &[Point]) -> bool {
        let above = |point: &Point| point.cost as f64 / self.value(point.size) - 1.0;
        let errors: Vec<f64> = points.iter().map(above).collect();
        let falls = |errors: &[f64]| errors.windows(2).all(|pair| pair[0] > pair[1]);
        let rises = |errors: &[f64]| errors.windows(2).all(|pair| pair[0] < pair[1]);
        errors.iter().all(|error| *error > 0.0)
            || errors.iter().all(|error| *error <= 0.0)
            || falls(&errors)
            || rises(&errors)
    }

    /// By what part the base or exponent differs from that of another law of the family; 0 where it was given.
    pub fn drift_from(&self, other: &Law) -> f64 {
        match (self.lead(), other.lead()) {
            _ if !self.profiled => 0.0,
            (Shape::Exponential { base: mine, .. }, Shape::Exponential { base: its, .. }) => (mine / its - 1.0).abs(),
            (Shape::Power { exponent: mine, .. }, Shape::Power { exponent: its, .. }) => (mine / its - 1.0).abs(),
            _ => 0.0,
        }
    }

    /// The largest part of the class-giving term that a growing one takes away from it at size n.
    pub fn taken_away(&self, n: u64) -> f64 {
        let terms: Vec<f64> = self
            .shapes
            .iter()
            .zip(&self.coefficients)
            .zip(&self.ln_scales)
            .filter(|((shape, _), _)| **shape != ONE)
            .map(|((shape, c), scale)| c * (shape.ln(n) - scale).exp())
            .collect();
        let lead = terms.last().copied().unwrap_or(1.0);
        terms.iter().map(|term| -term / lead).fold(0.0, f64::max)
    }

    pub fn value(&self, n: u64) -> f64 {
        let terms = self.shapes.iter().zip(&self.coefficients).zip(&self.ln_scales);
        let sum = terms.map(|((shape, c), scale)| c * (shape.ln(n) - scale).exp()).sum::<f64>();
        if sum.is_nan() { f64::MAX } else { sum.min(f64::MAX) }
    }

    pub fn text(&self) -> String {
        let terms = self.shapes.iter().zip(&self.coefficients).zip(&self.ln_scales).rev();
        let shown: Vec<(f64, String)> = terms.map(|((shape, c), scale)| (c * (-scale).exp(), shape.text())).collect();
        notation::measured_sum(&shown)
    }

    /// The prediction at n with the bounds a next measurement stays within nineteen times in twenty.
    /// `least_error` is a relative error seen on held-out sizes, below which the bounds do not go.
    pub fn interval(&self, n: u64, least_error: f64) -> (f64, f64, f64) {
        let value = self.value(n);
        let freedom = u32::try_from(self.points.saturating_sub(self.parameters())).unwrap_or(u32::MAX).max(1);
        let variance = self.rss / f64::from(freedom);
        let gradient = self.gradient(n);
        let quantile = students_reach(freedom);
        // None of it where there is no covariance yet.
        let squares = self.covariance.iter().zip(&gradient).map(|(column, by)| by * dot(column, &gradient));
        let of_law = squares.sum::<f64>().max(0.0) * variance;
        let of_measurement = (variance.max(least_error * least_error)) * spread(value).powi(2);
        let half = quantile * (of_law + of_measurement).sqrt();
        let half = if half.is_finite() { half } else { f64::MAX };
        (value, (value - half).max(0.0), (value + half).min(f64::MAX))
    }

    /// How the prediction moves with each parameter.
    fn gradient(&self, n: u64) -> Column {
        let mut out: Vec<f64> =
            self.shapes.iter().zip(&self.ln_scales).map(|(shape, scale)| (shape.ln(n) - scale).exp()).collect();
        if self.profiled {
            let (lead, c) = (out.last().copied().unwrap_or(0.0), self.coefficients.last().copied().unwrap_or(0.0));
            let by = match self.lead() {
                Shape::Exponential { .. } => n as f64,
                _ => (n.max(1) as f64).ln(),
            };
            out.push(lead * c * by);
        }
        out
    }

    /// Prepares intervals; done for the chosen law only.
    pub fn calibrate(&mut self, points: &[Point]) {
        let size = self.parameters();
        let mut information = vec![vec![0.0; size]; size];
        for point in points {
            let gradient: Column = self.gradient(point.size).iter().map(|g| g / spread(point.cost as f64)).collect();
            for (column, by) in information.iter_mut().zip(&gradient) {
                column.iter_mut().zip(&gradient).for_each(|(entry, g)| *entry += g * by);
            }
        }
        let finite = information.iter().flatten().all(|entry| entry.is_finite());
        self.covariance =
            if finite { symmetric_pseudo_inverse(information, 1e-14) } else { vec![vec![0.0; size]; size] };
    }
}
