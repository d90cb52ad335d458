//! Exact fractions. Every operation that would overflow gives nothing, and the caller gives up.

use std::cmp::Ordering;

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    n: i128,
    d: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

impl Ratio {
    pub(crate) const ZERO: Ratio = Ratio { n: 0, d: 1 };
    pub(crate) const ONE: Ratio = Ratio { n: 1, d: 1 };

    pub(crate) fn whole(n: i128) -> Ratio {
        Ratio { n, d: 1 }
    }

    fn reduced(n: i128, d: i128) -> Ratio {
        if d == 1 {
            return Ratio { n, d };
        }
        let g = gcd(n, d).max(1) * d.signum();
        Ratio { n: n / g, d: d / g }
    }

    pub(crate) fn is_zero(self) -> bool {
        self.n == 0
    }

    pub(crate) fn is_positive(self) -> bool {
        self.n > 0
    }

    pub(crate) fn is_integer(self) -> bool {
        self.d == 1
    }

    /// The greatest whole number not above.
    pub(crate) fn floor(self) -> i128 {
        self.n.div_euclid(self.d)
    }

    pub(crate) fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.d == 1 && other.d == 1 {
            return Some(Ratio { n: self.n.checked_add(other.n)?, d: 1 });
        }
        let n = self.n.checked_mul(other.d)?.checked_add(other.n.checked_mul(self.d)?)?;
        Some(Ratio::reduced(n, self.d.checked_mul(other.d)?))
    }

    pub(crate) fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { n: other.n.checked_neg()?, d: other.d })
    }

    pub(crate) fn times(self, other: Ratio) -> Option<Ratio> {
        let n = self.n.checked_mul(other.n)?;
        if self.d == 1 && other.d == 1 {
            return Some(Ratio { n, d: 1 });
        }
        Some(Ratio::reduced(n, self.d.checked_mul(other.d)?))
    }

    /// Nothing also for a division by zero.
    pub(crate) fn over(self, other: Ratio) -> Option<Ratio> {
        if other.n == 0 {
            return None;
        }
        Some(Ratio::reduced(self.n.checked_mul(other.d)?, self.d.checked_mul(other.n)?))
    }

    pub(crate) fn compare(self, other: Ratio) -> Option<Ordering> {
        if self.d == other.d {
            return Some(self.n.cmp(&other.n));
        }
        Some(self.n.checked_mul(other.d)?.cmp(&other.n.checked_mul(self.d)?))
    }

    pub(crate) fn below(self, other: Ratio) -> Option<bool> {
        self.compare(other).map(Ordering::is_lt)
    }
}

#[cfg(test)]
mod tests {
    use super::Ratio;

    #[test]
    fn fractions_stay_in_lowest_terms_with_a_positive_denominator() {
        let half = Ratio::whole(1).over(Ratio::whole(-2)).unwrap();
        assert_eq!(half.floor(), -1);
        assert_eq!(half.plus(half), Some(Ratio::whole(-1)));
        assert_eq!(half.times(Ratio::whole(4)), Some(Ratio::whole(-2)));
        assert_eq!(Ratio::whole(-3).over(Ratio::whole(-6)), Ratio::whole(1).over(Ratio::whole(2)));
        assert_eq!(half.below(Ratio::ZERO), Some(true));
        assert_eq!(Ratio::whole(i128::MAX).plus(Ratio::ONE), None);
        assert_eq!(Ratio::ONE.over(Ratio::ZERO), None);
    }
}
