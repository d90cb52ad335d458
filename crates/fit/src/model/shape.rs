//! The functions that fitted laws are sums of, handled by their logarithms so that nothing overflows.

use super::special::ln_gamma;
use crate::class::Class;
use crate::notation;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// n to a power, times log₂ n to the power of `logs`.
    Power { exponent: f64, logs: u8 },
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
        Shape::power_logs(exponent, 0)
    }

    pub const fn power_log(exponent: f64) -> Shape {
        Shape::power_logs(exponent, 1)
    }

    pub const fn power_logs(exponent: f64, logs: u8) -> Shape {
        Shape::Power { exponent, logs }
    }

    /// The natural logarithm of the value; minus infinity for zero.
    pub fn ln(self, n: u64) -> f64 {
        let n = n as f64;
        let ln_power = |exponent: f64| if exponent == 0.0 { 0.0 } else { exponent * n.ln() };
        match self {
            Shape::Power { exponent, logs: 0 } => ln_power(exponent),
            // Below 1 the logarithm is taken as that of 1.
            Shape::Power { exponent, logs } => ln_power(exponent) + f64::from(logs) * n.max(1.0).log2().ln(),
            Shape::LogOfMore(more) => (n + f64::from(more)).max(1.0).log2().ln(),
            Shape::Exponential { base, power } => n * base.ln() + ln_power(f64::from(power)),
            Shape::Factorial { more } => ln_gamma((n + f64::from(more) + 1.0).max(1.0)),
        }
    }

    pub fn class(self) -> Class {
        match self {
            Shape::Power { exponent, logs } => Class::real_power(exponent).times_log(logs),
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
        let log = |logs: u8| match logs {
            1 => "log₂ n".to_owned(),
            _ => format!("log₂{} n", notation::raised(&logs.to_string())),
        };
        match self {
            Shape::Power { exponent, logs: 0 } => power(exponent),
            Shape::Power { exponent: 0.0, logs } => log(logs),
            Shape::Power { exponent, logs } => format!("{} {}", power(exponent), log(logs)),
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
