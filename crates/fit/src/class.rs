//! Growth classes: what they are called, and which of two grows faster.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A growth class, up to a constant factor.
///
/// The order of the variants and of their fields is the order of growth, so that the derived comparison is the
/// mathematical one: `n < n log n < n^1.01 < n^2 < 1.01^n < n!`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// n to the power of `hundredths / 100`, times the logarithm of n to the power of `logs`.
    Polynomial { hundredths: u32, logs: u8 },
    /// `hundredths / 100` to the power of n. Factors that are polynomials in n are not told apart: n·2ⁿ is 2ⁿ.
    Exponential { hundredths: u32 },
    /// n!, also with polynomial or exponential factors.
    Factorial,
}

impl Class {
    pub const CONSTANT: Class = Class::power(0);
    pub const LOG: Class = Class::power_log(0);
    pub const SQRT: Class = Class::Polynomial { hundredths: 50, logs: 0 };
    pub const LINEAR: Class = Class::power(1);
    pub const N_LOG_N: Class = Class::power_log(1);
    pub const N_LOG2_N: Class = Class::Polynomial { hundredths: 100, logs: 2 };
    pub const QUADRATIC: Class = Class::power(2);
    pub const N2_LOG_N: Class = Class::power_log(2);
    pub const CUBIC: Class = Class::power(3);
    /// As a bound: any power of n.
    pub const ANY_POWER: Class = Class::Polynomial { hundredths: u32::MAX, logs: u8::MAX };
    /// As a bound: any constant to the power of n.
    pub const ANY_EXPONENTIAL: Class = Class::Exponential { hundredths: u32::MAX };

    /// nᵏ.
    pub const fn power(k: u32) -> Class {
        Class::Polynomial { hundredths: k.saturating_mul(100), logs: 0 }
    }

    /// nᵏ log n.
    pub const fn power_log(k: u32) -> Class {
        Class::Polynomial { hundredths: k.saturating_mul(100), logs: 1 }
    }

    /// This power of n times the logarithm of n to the power of `logs`.
    pub fn times_log(self, logs: u8) -> Class {
        match self {
            Class::Polynomial { hundredths, .. } => Class::Polynomial { hundredths, logs },
            other => other,
        }
    }

    /// baseⁿ; the base is kept to two digits after the point.
    pub fn exponential(base: f64) -> Class {
        Class::Exponential { hundredths: to_hundredths(base).max(101) }
    }

    /// n to a power that need not be whole, kept to two digits after the point.
    pub fn real_power(exponent: f64) -> Class {
        Class::Polynomial { hundredths: to_hundredths(exponent), logs: 0 }
    }

    /// Whether this grows faster than `bound`. Bases of exponentials are estimates in most fits, so one is only worse
    /// than another if it is so by more than a twentieth.
    pub fn is_worse_than(&self, bound: &Class) -> bool {
        match (self, bound) {
            (Class::Exponential { hundredths: mine }, Class::Exponential { hundredths: allowed }) => {
                u64::from(*mine) * 20 > u64::from(*allowed) * 21
            }
            _ => self > bound,
        }
    }
}

fn to_hundredths(value: f64) -> u32 {
    // `as` saturates, and turns what is not a number into 0.
    (value * 100.0).round() as u32
}

fn decimal(hundredths: u32) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Class::ANY_POWER => f.write_str("n^k"),
            Class::ANY_EXPONENTIAL => f.write_str("k^n"),
            Class::CONSTANT => f.write_str("1"),
            Class::SQRT => f.write_str("sqrt n"),
            Class::Factorial => f.write_str("n!"),
            Class::Exponential { hundredths } => write!(f, "{}^n", decimal(hundredths)),
            Class::Polynomial { hundredths, logs } => {
                let power = match hundredths {
                    0 => None,
                    50 => Some("sqrt n".to_owned()),
                    100 => Some("n".to_owned()),
                    _ => Some(format!("n^{}", decimal(hundredths))),
                };
                let log = match logs {
                    0 => None,
                    1 => Some("log n".to_owned()),
                    _ => Some(format!("log^{logs} n")),
                };
                f.write_str(&[power, log].into_iter().flatten().collect::<Vec<_>>().join(" "))
            }
        }
    }
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Class {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Class, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_ordered_by_growth() {
        let rising = [
            Class::CONSTANT,
            Class::LOG,
            Class::SQRT,
            Class::LINEAR,
            Class::N_LOG_N,
            Class::N_LOG2_N,
            Class::real_power(1.5),
            Class::QUADRATIC,
            Class::N2_LOG_N,
            Class::real_power(2.5),
            Class::CUBIC,
            Class::power(4),
            Class::ANY_POWER,
            Class::exponential(1.5),
            Class::exponential(2.0),
            Class::ANY_EXPONENTIAL,
            Class::Factorial,
        ];
        for (i, low) in rising.iter().enumerate() {
            for (j, high) in rising.iter().enumerate() {
                assert_eq!(high.is_worse_than(low), j > i, "{high} against {low}");
            }
        }
    }

    #[test]
    fn an_estimated_base_just_above_the_bound_is_not_worse() {
        assert!(!Class::exponential(2.05).is_worse_than(&Class::exponential(2.0)));
        assert!(Class::exponential(2.2).is_worse_than(&Class::exponential(2.0)));
    }

    #[test]
    fn names_are_the_usual_ones() {
        let name = |class: Class| class.to_string();
        assert_eq!(name(Class::CONSTANT), "1");
        assert_eq!(name(Class::LOG), "log n");
        assert_eq!(name(Class::SQRT), "sqrt n");
        assert_eq!(name(Class::N_LOG_N), "n log n");
        assert_eq!(name(Class::N2_LOG_N), "n^2 log n");
        assert_eq!(name(Class::real_power(1.5)), "n^1.5");
        assert_eq!(name(Class::exponential(1.618)), "1.62^n");
        assert_eq!(name(Class::N_LOG2_N), "n log^2 n");
        assert_eq!(name(Class::real_power(2.5)), "n^2.5");
    }
}
