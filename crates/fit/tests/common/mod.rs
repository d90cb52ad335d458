//! Random growth laws with a fixed seed, and the costs they give.

use slowpath_fit::Class;

/// A small generator of fixed quality (splitmix64): tests must not depend on a crate's version.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A function of the size and of a parameter.
type Term = fn(f64, f64) -> f64;

/// A law drawn at random: a lead, the next lower term and a constant, all with positive coefficients.
pub struct Drawn {
    pub class: Class,
    terms: Vec<(f64, Term, f64)>,
}

impl Drawn {
    pub fn value(&self, n: u64) -> f64 {
        self.terms.iter().map(|(coefficient, term, parameter)| coefficient * term(n as f64, *parameter)).sum()
    }
}

fn power(n: f64, exponent: f64) -> f64 {
    n.powf(exponent)
}

fn power_log(n: f64, exponent: f64) -> f64 {
    n.powf(exponent) * n.log2()
}

fn exponential(n: f64, base: f64) -> f64 {
    base.powf(n)
}

fn factorial(n: f64, _: f64) -> f64 {
    (1..=n as u64).map(|k| k as f64).product()
}

/// The number of classes that are drawn from.
pub const CLASSES: u64 = 13;

/// One law of the class with this number. The lead's coefficient spans two orders of magnitude; the constant and the
/// linear term have up to twice that coefficient.
pub fn draw(number: u64, rng: &mut Rng) -> Drawn {
    let lead = 10f64.powf(rng.between(0.5, 2.5));
    let base = [1.5, 2.0, 2.5, 3.0, 4.0][rng.below(5) as usize];
    let (class, term, parameter): (Class, Term, f64) = match number {
        0 => (Class::CONSTANT, power, 0.0),
        1 => (Class::LOG, power_log, 0.0),
        2 => (Class::SQRT, power, 0.5),
        3 => (Class::LINEAR, power, 1.0),
        4 => (Class::N_LOG_N, power_log, 1.0),
        5 => (Class::QUADRATIC, power, 2.0),
        6 => (Class::N2_LOG_N, power_log, 2.0),
        7 => (Class::CUBIC, power, 3.0),
        8 => (Class::power(4), power, 4.0),
        9 => (Class::power(5), power, 5.0),
        10 => (Class::power(6), power, 6.0),
        11 => (Class::exponential(base), exponential, base),
        _ => (Class::Factorial, factorial, 0.0),
    };
    let mut terms = vec![(lead, term, parameter)];
    if number > 0 {
        terms.push((lead * rng.between(0.0, 2.0), power, 0.0));
    }
    // A linear term under the leads that grow a good deal faster.
    if number >= 5 {
        terms.push((lead * rng.between(0.0, 2.0), power, 1.0));
    }
    Drawn { class, terms }
}

/// The costs at sizes 1 to 30, rounded, each off by up to `noise` of itself.
#[allow(dead_code)] // Not every test that shares this file uses it.
pub fn costs(law: &Drawn, noise: f64, rng: &mut Rng) -> Vec<(u64, u64)> {
    (1..=30).map(|n| (n, (law.value(n) * (1.0 + rng.between(-noise, noise))).round() as u64)).collect()
}
