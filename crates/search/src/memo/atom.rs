//! What single conditions say, where that is easily said.

use slowpath_solver::Intervals;
use slowpath_term::InputId;

/// What a condition says.
#[derive(Clone)]
pub enum Atom {
    /// One input has one of these values.
    Within(Intervals),
    Equal(InputId, InputId),
    /// Two inputs of a width differ.
    Differ(InputId, InputId, u8),
    Other,
}

impl Atom {
    /// The values it leaves of one input, if that is all it says.
    pub fn values(&self) -> Option<&Intervals> {
        match self {
            Atom::Within(values) => Some(values),
            _ => None,
        }
    }
}

/// What every path says about an input alone.
#[derive(Clone)]
pub enum Range {
    Within(Intervals),
    /// Not easily said.
    Unclear,
}

/// The values that are in both lists of intervals, which are ascending and apart.
pub fn intersect(a: &[(u64, u64)], b: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (low, high) = (x.0.max(y.0), x.1.min(y.1));
        if low <= high {
            out.push((low, high));
        }
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::intersect;

    #[test]
    fn intervals_are_cut_at_both_ends() {
        assert_eq!(intersect(&[(0, 4), (6, 255)], &[(3, 7), (9, 9), (200, 300)]), [(3, 4), (6, 7), (9, 9), (200, 255)]);
        assert_eq!(intersect(&[], &[(0, 1)]), []);
    }
}
