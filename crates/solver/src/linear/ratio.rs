//! Exact fractions. Every operation that would overflow gives nothing, and the caller gives up.

use std::fmt::Debug;

/// What the simplex method computes with. Every operation that would leave the range gives nothing.
pub(crate) trait Fraction: Copy + Debug + PartialEq {
    const ZERO: Self;
    const ONE: Self;
    /// Whether there is no kind with larger numbers.
    const IS_WIDEST: bool;

    fn whole(n: i128) -> Option<Self>;
    fn is_zero(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_integer(self) -> bool;
    /// The greatest whole number not above.
    fn floor(self) -> i128;
    fn plus(self, other: Self) -> Option<Self>;
    fn minus(self, other: Self) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    /// Nothing also for a division by zero.
    fn over(self, other: Self) -> Option<Self>;
    fn below(self, other: Self) -> Option<bool>;
}

/// A fraction of large numbers, in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    n: i128,
    d: i128,
}

/// A fraction of small numbers, in lowest terms, its denominator positive: most are, and a processor is made for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SmallRatio {
    n: i64,
    d: i64,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i128
}

impl Ratio {
    fn reduced(n: i128, d: i128) -> Ratio {
        if d == 1 {
            return Ratio { n, d };
        }
        let g = gcd(n, d).max(1) * d.signum();
        Ratio { n: n / g, d: d / g }
    }
}

impl Fraction for Ratio {
    const ZERO: Ratio = Ratio { n: 0, d: 1 };
    const ONE: Ratio = Ratio { n: 1, d: 1 };
    const IS_WIDEST: bool = true;

    fn whole(n: i128) -> Option<Ratio> {
        Some(Ratio { n, d: 1 })
    }

    fn is_zero(self) -> bool {
        self.n == 0
    }

    fn is_positive(self) -> bool {
        self.n > 0
    }

    fn is_integer(self) -> bool {
        self.d == 1
    }

    fn floor(self) -> i128 {
        self.n.div_euclid(self.d)
    }

    fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.d == 1 && other.d == 1 {
            return Some(Ratio { n: self.n.checked_add(other.n)?, d: 1 });
        }
        let n = self.n.checked_mul(other.d)?.checked_add(other.n.checked_mul(self.d)?)?;
        Some(Ratio::reduced(n, self.d.checked_mul(other.d)?))
    }

    fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { n: other.n.checked_neg()?, d: other.d })
    }

    fn times(self, other: Ratio) -> Option<Ratio> {
        let n = self.n.checked_mul(other.n)?;
        if self.d == 1 && other.d == 1 {
            return Some(Ratio { n, d: 1 });
        }
        Some(Ratio::reduced(n, self.d.checked_mul(other.d)?))
    }

    fn over(self, other: Ratio) -> Option<Ratio> {
        if other.n == 0 {
            return None;
        }
        Some(Ratio::reduced(self.n.checked_mul(other.d)?, self.d.checked_mul(other.n)?))
    }

    fn below(self, other: Ratio) -> Option<bool> {
        if self.d == other.d {
            return Some(self.n < other.n);
        }
        Some(self.n.checked_mul(other.d)? < other.n.checked_mul(self.d)?)
    }
}

impl SmallRatio {
    #[cold]
    fn reduced(n: i128, d: i128) -> Option<SmallRatio> {
        let Ratio { n, d } = Ratio::reduced(n, d);
        Some(SmallRatio { n: n.try_into().ok()?, d: d.try_into().ok()? })
    }

    /// The numbers, wide enough for any product of two.
    #[inline(always)]
    fn wide(self) -> (i128, i128) {
        (self.n.into(), self.d.into())
    }
}

impl Fraction for SmallRatio {
    const ZERO: SmallRatio = SmallRatio { n: 0, d: 1 };
    const ONE: SmallRatio = SmallRatio { n: 1, d: 1 };
    const IS_WIDEST: bool = false;

    #[inline(always)]
    fn whole(n: i128) -> Option<SmallRatio> {
        Some(SmallRatio { n: n.try_into().ok()?, d: 1 })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.n == 0
    }

    #[inline(always)]
    fn is_positive(self) -> bool {
        self.n > 0
    }

    #[inline(always)]
    fn is_integer(self) -> bool {
        self.d == 1
    }

    fn floor(self) -> i128 {
        self.n.div_euclid(self.d).into()
    }

    #[inline(always)]
    fn plus(self, other: SmallRatio) -> Option<SmallRatio> {
        if self.d == 1 && other.d == 1 {
            return Some(SmallRatio { n: self.n.checked_add(other.n)?, d: 1 });
        }
        let ((n, d), (m, e)) = (self.wide(), other.wide());
        SmallRatio::reduced((n * e).checked_add(m * d)?, d * e)
    }

    #[inline(always)]
    fn minus(self, other: SmallRatio) -> Option<SmallRatio> {
        self.plus(SmallRatio { n: other.n.checked_neg()?, d: other.d })
    }

    #[inline(always)]
    fn times(self, other: SmallRatio) -> Option<SmallRatio> {
        if self.d == 1 && other.d == 1 {
            return Some(SmallRatio { n: self.n.checked_mul(other.n)?, d: 1 });
        }
        let ((n, d), (m, e)) = (self.wide(), other.wide());
        SmallRatio::reduced(n * m, d * e)
    }

    #[inline(always)]
    fn over(self, other: SmallRatio) -> Option<SmallRatio> {
        if self.d == 1 && other.d == 1 && (other.n == 1 || other.n == -1) {
            return Some(SmallRatio { n: self.n.checked_mul(other.n)?, d: 1 });
        }
        if other.n == 0 {
            return None;
        }
        let ((n, d), (m, e)) = (self.wide(), other.wide());
        SmallRatio::reduced(n * e, d * m)
    }

    #[inline(always)]
    fn below(self, other: SmallRatio) -> Option<bool> {
        if self.d == other.d {
            return Some(self.n < other.n);
        }
        let ((n, d), (m, e)) = (self.wide(), other.wide());
        Some(n * e < m * d)
    }
}

#[cfg(test)]
mod tests {
    use super::{Fraction, Ratio, SmallRatio};

    fn fractions_stay_in_lowest_terms<R: Fraction>(greatest: i128) {
        let whole = |n| R::whole(n).unwrap();
        let half = whole(1).over(whole(-2)).unwrap();
        assert_eq!((half.floor(), half.is_integer(), half.is_positive()), (-1, false, false));
        assert_eq!(half.plus(half), Some(whole(-1)));
        assert_eq!(half.times(whole(4)), Some(whole(-2)));
        assert_eq!(half.times(half).and_then(|q| q.over(half)), Some(half));
        assert_eq!(whole(-3).over(whole(-6)), whole(1).over(whole(2)));
        assert_eq!(whole(6).over(whole(-1)), Some(whole(-6)));
        assert_eq!((half.below(R::ZERO), whole(3).below(half)), (Some(true), Some(false)));
        assert_eq!(whole(greatest).plus(R::ONE), None);
        assert_eq!(whole(greatest).times(whole(2)), None);
        assert_eq!(whole(1).over(whole(greatest)).and_then(|q| q.times(half)), None);
        assert_eq!(R::ONE.over(R::ZERO), None);
    }

    #[test]
    fn fractions_stay_in_lowest_terms_with_a_positive_denominator() {
        fractions_stay_in_lowest_terms::<Ratio>(i128::MAX);
        fractions_stay_in_lowest_terms::<SmallRatio>(i64::MAX.into());
        assert_eq!(SmallRatio::whole(i128::from(i64::MAX) + 1), None);
    }
}
