//! The functions that fitted laws are sums of, handled by their logarithms so that nothing overflows.

use super::special::ln_gamma;
use crate::class::Class;
use crate::notation;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// n to a power, times log₂ n if `log` is set.
    Power { exponent: f64, log: bool },
    /// log₂(n + more): heights of trees, which are logarithms only from there on.
    LogOfMore(u32),
    /// baseⁿ · nᵏ
    Exponential { base: f64, power: u32 },
    /// (n + more)!
    Factorial { more: i32 },
}

pub const ONE: Shape = Shape::power(0.0);

impl Shape {
    pub const fn power(exponent: f64) -> Shape {
        Shape::Power { exponent, log: false }
    }

    pub const fn power_log(exponent: f64) -> Shape {
        Shape::Power { exponent, log: true }
    }

    /// The natural logarithm of the value; minus infinity for zero.
    pub fn ln(self, n: u64) -> f64 {
        let n = n as f64;
        let ln_power = |exponent: f64| if exponent == 0.0 { 0.0 } else { exponent * n.ln() };
        match self {
            Shape::Power { exponent, log: false } => ln_power(exponent),
            // Below 1 the logarithm is taken as that of 1.
            Shape::Power { exponent, log: true } => ln_power(exponent) + n.max(1.0).log2().ln(),
            Shape::LogOfMore(more) => (n + f64::from(more)).max(1.0).log2().ln(),
            Shape::Exponential { base, power } => n * base.ln() + ln_power(f64::from(power)),
            Shape::Factorial { more } => ln_gamma((n + f64::from(more) + 1.0).max(1.0)),
        }
    }

    pub fn class(self) -> Class {
        match self {
            Shape::Power { exponent, log: false } => Class::real_power(exponent),
            Shape::Power { exponent, log: true } => Class::power_log(exponent.round() as u32),
            Shape::LogOfMore(_) => Class::LOG,
            Shape::Exponential { base, .. } => Class::exponential(base),
            Shape::Factorial { .. } => Class::Factorial,
        }
    }

    pub fn text(self) -> String {
        let power = |exponent: f64| {
            if exponent == 0.5 {
                "√n".to_owned()
            } else if exponent.fract() == 0.0 {
                notation::power_of_n(exponent as u32)
            } else {
                format!("n^{}", notation::digits(exponent))
            }
        };
        match self {
            Shape::Power { exponent, log: false } => power(exponent),
            Shape::Power { exponent: 0.0, log: true } => "log₂ n".to_owned(),
            Shape::Power { exponent, log: true } => format!("{} log₂ n", power(exponent)),
            Shape::LogOfMore(more) => format!("log₂(n + {more})"),
            Shape::Exponential { base, power: 0 } => format!("{}ⁿ", notation::digits(base)),
            Shape::Exponential { base, power } => {
                format!("{}·{}ⁿ", notation::power_of_n(power), notation::digits(base))
            }
            Shape::Factorial { more: 0 } => "n!".to_owned(),
            Shape::Factorial { more } if more < 0 => format!("(n - {})!", -more),
            Shape::Factorial { more } => format!("(n + {more})!"),
        }
    }
}
