//! Intervals of floats: every value that a term can have while its inputs stay within bounds, NaN apart.
//!
//! An operation of IEEE 754 is the exact one, rounded, and rounding keeps order. So the rounded results of the ends enclose every
//! rounded result between them: done in the term's own precision, no bound has to be moved outwards. What has no rule here may be anything.

use slowpath_term::{BinOp, CmpOp, UnOp};

/// The numbers from `low` to `high`, of which there are none if `low` is above `high`; and whether it can be NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) nan: bool,
}

/// What a condition can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) can_hold: bool,
    pub(crate) can_fail: bool,
}

impl Interval {
    pub(crate) const ANY: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    pub(crate) const NAN: Interval = Interval { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };

    pub(crate) fn point(value: f64) -> Interval {
        if value.is_nan() { Interval::NAN } else { Interval { low: value, high: value, nan: false } }
    }

    /// Whether there is no number in it.
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }

    fn has_infinity(self) -> bool {
        !self.is_empty() && (self.low == f64::NEG_INFINITY || self.high == f64::INFINITY)
    }

    pub(crate) fn union(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high), nan: self.nan || other.nan }
    }

    pub(crate) fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low, nan: self.nan }
    }

    pub(crate) fn absolute(self) -> Interval {
        match self {
            _ if self.is_empty() || self.low >= 0.0 => self,
            _ if self.high <= 0.0 => self.negated(),
            _ => Interval { low: 0.0, high: self.high.max(-self.low), nan: self.nan },
        }
    }

    /// The least interval around what an operation gives at some ends. An end that is NaN leaves everything open.
    fn around(ends: &[f64], nan: bool) -> Interval {
        if ends.iter().any(|end| end.is_nan()) {
            return Interval { nan, ..Interval::ANY };
        }
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Interval { low, high, nan }
    }

    /// An operator on two floats of a width.
    pub(crate) fn binary(op: BinOp, width: u8, a: Interval, b: Interval) -> Interval {
        let nan = a.nan || b.nan;
        if a.is_empty() || b.is_empty() {
            return Interval { nan, ..Interval::NAN };
        }
        let round = |x: f64, y: f64| rounded(op, width, x, y);
        match op {
            BinOp::FAdd => {
                let opposite = |x: Interval, y: Interval| x.high == f64::INFINITY && y.low == f64::NEG_INFINITY;
                let nan = nan || opposite(a, b) || opposite(b, a);
                Interval::around(&[round(a.low, b.low), round(a.high, b.high)], nan)
            }
            BinOp::FSub => Interval::binary(BinOp::FAdd, width, a, b.negated()),
            BinOp::FMul => {
                let nan = nan || (a.has_zero() && b.has_infinity()) || (b.has_zero() && a.has_infinity());
                // Nothing times infinity is NaN; just beside it is nothing times a number.
                let times = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { round(x, y) };
                let ends = [times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)];
                Interval::around(&ends, nan)
            }
            BinOp::FDiv if b.has_zero() => Interval::ANY,
            BinOp::FDiv => {
                let nan = nan || (a.has_infinity() && b.has_infinity());
                let ends = [round(a.low, b.low), round(a.low, b.high), round(a.high, b.low), round(a.high, b.high)];
                Interval::around(&ends, nan)
            }
            BinOp::FMin => Interval { low: a.low.min(b.low), high: a.high.min(b.high), nan },
            BinOp::FMax => Interval { low: a.low.max(b.low), high: a.high.max(b.high), nan },
            _ => Interval::ANY,
        }
    }

    /// An operator on one float of a width.
    pub(crate) fn unary(op: UnOp, width: u8, a: Interval) -> Interval {
        let rises: fn(f64) -> f64 = match op {
            UnOp::FSqrt if a.is_empty() || a.high < 0.0 => return Interval::NAN,
            UnOp::FSqrt if width == 32 => |x| f64::from((x as f32).sqrt()),
            UnOp::FSqrt => f64::sqrt,
            UnOp::FCeil => f64::ceil,
            UnOp::FFloor => f64::floor,
            UnOp::FTrunc => f64::trunc,
            UnOp::FNearest => f64::round_ties_even,
            _ => return Interval::ANY,
        };
        if a.is_empty() {
            return a;
        }
        let (low, nan) = match op {
            UnOp::FSqrt if a.low < 0.0 => (0.0, true),
            _ => (a.low, a.nan),
        };
        Interval { low: rises(low), high: rises(a.high), nan }
    }

    /// Rounded to 32 bits.
    pub(crate) fn demoted(self) -> Interval {
        if self.is_empty() {
            self
        } else {
            Interval { low: f64::from(self.low as f32), high: f64::from(self.high as f32), ..self }
        }
    }

    /// A comparison of two floats.
    pub(crate) fn compare(op: CmpOp, a: Interval, b: Interval) -> Truth {
        let nan = a.nan || b.nan;
        if a.is_empty() || b.is_empty() {
            return Truth { can_hold: false, can_fail: true };
        }
        let (can_hold, must_hold) = match op {
            CmpOp::FLt => (a.low < b.high, a.high < b.low),
            CmpOp::FLe => (a.low <= b.high, a.high <= b.low),
            CmpOp::FEq => (a.low <= b.high && b.low <= a.high, a.low == a.high && a == b),
            _ => (true, false),
        };
        Truth { can_hold, can_fail: nan || !must_hold }
    }
}

impl Truth {
    pub(crate) const OPEN: Truth = Truth { can_hold: true, can_fail: true };

    pub(crate) fn not(self) -> Truth {
        Truth { can_hold: self.can_fail, can_fail: self.can_hold }
    }

    pub(crate) fn and(self, other: Truth) -> Truth {
        Truth { can_hold: self.can_hold && other.can_hold, can_fail: self.can_fail || other.can_fail }
    }

    pub(crate) fn or(self, other: Truth) -> Truth {
        self.not().and(other.not()).not()
    }
}

/// An operation in the precision of its width.
fn rounded(op: BinOp, width: u8, x: f64, y: f64) -> f64 {
    if width == 32 {
        let (x, y) = (x as f32, y as f32);
        return f64::from(match op {
            BinOp::FAdd => x + y,
            BinOp::FMul => x * y,
            _ => x / y,
        });
    }
    match op {
        BinOp::FAdd => x + y,
        BinOp::FMul => x * y,
        _ => x / y,
    }
}
