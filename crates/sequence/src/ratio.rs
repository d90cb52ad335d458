//! Exact fractions; whatever does not fit is `None`, never rounded and never wrapped.

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    num: i128,
    den: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { num: 0, den: 1 };

    pub fn whole(value: i128) -> Ratio {
        Ratio { num: value, den: 1 }
    }

    fn new(num: i128, den: i128) -> Option<Ratio> {
        let divisor = gcd(num, den)?;
        if divisor == 0 || den == 0 {
            return None;
        }
        let sign = if den < 0 { -1 } else { 1 };
        Some(Ratio { num: (num / divisor).checked_mul(sign)?, den: (den / divisor).checked_mul(sign)? })
    }

    pub fn numerator(self) -> i128 {
        self.num
    }

    pub fn denominator(self) -> i128 {
        self.den
    }

    pub fn is_zero(self) -> bool {
        self.num == 0
    }

    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        if self.den == 1 && other.den == 1 {
            return Some(Ratio::whole(self.num.checked_sub(other.num)?));
        }
        let left = self.num.checked_mul(other.den)?;
        let right = other.num.checked_mul(self.den)?;
        Ratio::new(left.checked_sub(right)?, self.den.checked_mul(other.den)?)
    }

    pub fn times(self, other: Ratio) -> Option<Ratio> {
        if self.den == 1 && other.den == 1 {
            return Some(Ratio::whole(self.num.checked_mul(other.num)?));
        }
        Ratio::new(self.num.checked_mul(other.num)?, self.den.checked_mul(other.den)?)
    }

    pub fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.num.checked_mul(other.den)?, self.den.checked_mul(other.num)?)
    }
}

/// The greatest common divisor, not negative. `None` for the one value without an absolute value.
pub(crate) fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_kept_in_lowest_terms() {
        let half = Ratio::new(-3, -6).unwrap();
        assert_eq!((half.numerator(), half.denominator()), (1, 2));
        assert_eq!(half.minus(half), Some(Ratio::ZERO));
        assert_eq!(half.over(half), Some(Ratio::whole(1)));
        assert_eq!(Ratio::whole(1).over(Ratio::ZERO), None);
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert_eq!(Ratio::whole(i128::MAX).times(Ratio::whole(2)), None);
        assert_eq!(Ratio::new(i128::MIN, 3), None);
    }
}
