//! Arithmetic that elimination needs: over the rationals, and modulo a prime for speed.

use num_rational::BigRational;
use num_traits::Zero;

/// A field, as far as solving linear equations goes.
pub trait Field: Clone {
    fn is_zero(&self) -> bool;
    /// `self - a·b`
    fn minus_product(&self, a: &Self, b: &Self) -> Self;
    fn times(&self, by: &Self) -> Self;
    /// One over a number that is not zero.
    fn inverse(&self) -> Self;
}

impl Field for BigRational {
    fn is_zero(&self) -> bool {
        Zero::is_zero(self)
    }

    fn minus_product(&self, a: &Self, b: &Self) -> Self {
        self - a * b
    }

    fn times(&self, by: &Self) -> Self {
        self * by
    }

    fn inverse(&self) -> Self {
        self.recip()
    }
}

/// The prime 2⁶¹ - 1.
const PRIME: u64 = (1 << 61) - 1;

/// A number modulo 2⁶¹ - 1. What holds among rationals holds here too, unless the prime divides a denominator; what
/// holds here is checked again among rationals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modular(u64);

impl From<u64> for Modular {
    fn from(value: u64) -> Modular {
        Modular(value % PRIME)
    }
}

impl Modular {
    pub fn times(self, other: Modular) -> Modular {
        let product = u128::from(self.0) * u128::from(other.0);
        let folded = (product & u128::from(PRIME)) as u64 + (product >> 61) as u64;
        Modular(folded % PRIME)
    }

    pub fn power(self, mut exponent: u64) -> Modular {
        let (mut square, mut out) = (self, Modular(1));
        while exponent > 0 {
            if exponent & 1 == 1 {
                out = out.times(square);
            }
            square = square.times(square);
            exponent >>= 1;
        }
        out
    }
}

impl Field for Modular {
    fn is_zero(&self) -> bool {
        self.0 == 0
    }

    fn minus_product(&self, a: &Self, b: &Self) -> Self {
        Modular((self.0 + PRIME - Modular::times(*a, *b).0) % PRIME)
    }

    fn times(&self, by: &Self) -> Self {
        Modular::times(*self, *by)
    }

    fn inverse(&self) -> Self {
        // By Fermat's little theorem.
        self.power(PRIME - 2)
    }
}
