//! The functions of n that closed forms are made of, each with whole values.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::field::Modular;
use crate::class::Class;
use crate::notation;

/// Which whole-numbered logarithm to base two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// ⌊log₂ n⌋
    Floor,
    /// ⌈log₂ n⌉
    Ceil,
    /// ⌊log₂(n + 1)⌋
    FloorNext,
}

impl Log {
    pub const ALL: [Log; 3] = [Log::Floor, Log::Ceil, Log::FloorNext];

    /// The value; sizes start at 1 wherever logarithms are used.
    pub(super) fn of(self, n: u64) -> u32 {
        let n = n.max(1);
        match self {
            Log::Floor => n.ilog2(),
            Log::Ceil if n == 1 => 0,
            Log::Ceil => (n - 1).ilog2() + 1,
            Log::FloorNext => n.checked_add(1).map_or(64, u64::ilog2),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Log::Floor => "⌊log₂ n⌋",
            Log::Ceil => "⌈log₂ n⌉",
            Log::FloorNext => "⌊log₂(n + 1)⌋",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// nᵏ
    Power(u32),
    /// nᵏ where n leaves `residue` when divided by `modulus`, else 0.
    Residue { modulus: u64, residue: u64, power: u32 },
    /// nᵏ times a whole logarithm to the power of `logs`.
    Log { log: Log, power: u32, logs: u8 },
    /// Two to the power of a whole logarithm: n, rounded to a power of two.
    Rounded(Log),
    /// nᵏ times baseⁿ
    Exponential { base: u64, power: u32 },
    /// A base to the power of ⌊(n + more) / step⌋: what divides every few sizes.
    Stepped { base: u64, step: u64, more: u64 },
    /// (n - less)!
    Factorial { less: u64 },
}

impl Term {
    /// The largest size at which the exact value is still of a sensible length.
    pub fn largest_size(self) -> u64 {
        match self {
            Term::Exponential { .. } | Term::Factorial { .. } | Term::Stepped { .. } => 1000,
            _ => u64::MAX,
        }
    }

    pub fn smallest_size(self) -> u64 {
        match self {
            Term::Log { .. } | Term::Rounded(_) => 1,
            Term::Factorial { less } => less,
            _ => 0,
        }
    }

    pub fn exact(self, n: u64) -> BigInt {
        let big = BigInt::from(n);
        match self {
            Term::Power(k) => big.pow(k),
            Term::Residue { modulus, residue, power } if n % modulus == residue => big.pow(power),
            Term::Residue { .. } => BigInt::zero(),
            Term::Log { log, power, logs } => big.pow(power) * BigInt::from(log.of(n)).pow(u32::from(logs)),
            Term::Rounded(log) => BigInt::one() << log.of(n),
            Term::Exponential { base, power } => big.pow(power) * BigInt::from(base).pow(n as u32),
            Term::Stepped { base, step, more } => BigInt::from(base).pow((n.saturating_add(more) / step) as u32),
            Term::Factorial { less } => (1..=n.saturating_sub(less)).map(BigInt::from).product(),
        }
    }

    /// The value modulo a prime: wrong hypotheses are dismissed by it without long numbers.
    pub fn modular(self, n: u64) -> Modular {
        let small = Modular::from(n);
        match self {
            Term::Power(k) => small.power(u64::from(k)),
            Term::Residue { modulus, residue, power } if n % modulus == residue => small.power(u64::from(power)),
            Term::Residue { .. } => Modular::from(0),
            Term::Log { log, power, logs } => {
                small.power(u64::from(power)).times(Modular::from(u64::from(log.of(n))).power(u64::from(logs)))
            }
            Term::Rounded(log) => Modular::from(2).power(u64::from(log.of(n))),
            Term::Exponential { base, power } => small.power(u64::from(power)).times(Modular::from(base).power(n)),
            Term::Stepped { base, step, more } => Modular::from(base).power(n.saturating_add(more) / step),
            Term::Factorial { less } => {
                (1..=n.saturating_sub(less)).map(Modular::from).fold(Modular::from(1), Modular::times)
            }
        }
    }

    pub fn class(self) -> Class {
        match self {
            Term::Power(k) | Term::Residue { power: k, .. } => Class::power(k),
            Term::Log { power, logs, .. } => Class::power(power).times_log(logs),
            Term::Rounded(_) => Class::LINEAR,
            Term::Exponential { base, .. } => Class::exponential(base as f64),
            Term::Stepped { base, step, .. } => Class::exponential((base as f64).powf(1.0 / step as f64)),
            Term::Factorial { .. } => Class::Factorial,
        }
    }

    /// Ranks terms within a sum, the fastest growing highest.
    pub fn rank(self) -> (Class, u32) {
        let within = match self {
            Term::Exponential { power, .. } => power + 1,
            Term::Factorial { less: 0 } | Term::Power(_) => 1,
            _ => 0,
        };
        (self.class(), within)
    }

    /// The term without a coefficient; the constant is empty.
    pub fn text(self) -> String {
        match self {
            Term::Power(k) | Term::Residue { power: k, .. } => notation::power_of_n(k),
            Term::Log { log, power, logs: 1 } => notation::power_of_n(power) + log.text(),
            Term::Log { log, power, logs } => {
                notation::power_of_n(power) + log.text() + &notation::raised(&logs.to_string())
            }
            Term::Rounded(log) => format!("2^{}", log.text()),
            Term::Exponential { base, power: 0 } => format!("{base}ⁿ"),
            Term::Exponential { base, power } => format!("{}·{base}ⁿ", notation::power_of_n(power)),
            Term::Stepped { base, step, more: 0 } => format!("{base}^⌊n/{step}⌋"),
            Term::Stepped { base, step, more } if more + 1 == step => format!("{base}^⌈n/{step}⌉"),
            Term::Stepped { base, step, more } => format!("{base}^⌊(n + {more})/{step}⌋"),
            Term::Factorial { less: 0 } => "n!".to_owned(),
            Term::Factorial { less } => format!("(n - {less})!"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_logarithms_are_right_around_powers_of_two() {
        let all = |n| Log::ALL.map(|log| log.of(n));
        assert_eq!(all(1), [0, 0, 1]);
        assert_eq!(all(2), [1, 1, 1]);
        assert_eq!(all(3), [1, 2, 2]);
        assert_eq!(all(4), [2, 2, 2]);
        assert_eq!(all(5), [2, 3, 2]);
        assert_eq!(all(7), [2, 3, 3]);
        assert_eq!(all(u64::MAX), [63, 64, 64]);
    }
}
