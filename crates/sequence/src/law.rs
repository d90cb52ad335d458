//! Laws of inputs: the elements of an array as a formula over the index i and the size n.

mod condition;
mod fit;
mod infer;
#[cfg(test)]
mod properties;
mod rows;
#[cfg(test)]
mod tests;
mod text;

use crate::parameter::Parameter;
use crate::sum::{Place, Sum, SumAtSize};
use condition::{Check, Condition};
use serde::{Deserialize, Serialize};

pub use infer::infer_law;

/// Gives the elements of the array of every size from [`Law::from`] on: the value of the first case that holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Law {
    from: u64,
    /// The length of a row, where the formula speaks of rows and columns.
    width: Option<Parameter>,
    cases: Vec<Case>,
    otherwise: Parameter,
}

/// A value under conditions that all have to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Case {
    when: Vec<Condition>,
    value: Parameter,
}

impl Law {
    fn plain(value: Parameter) -> Law {
        Law { from: 1, width: None, cases: Vec::new(), otherwise: value }
    }

    /// The smallest size it holds for.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The element at index i of the array of size n. `None`: no whole number, or it does not fit.
    pub fn value(&self, i: u64, n: u64) -> Option<i64> {
        let at_size = self.at_size(n)?;
        at_size.value(i64::try_from(i).ok()?)
    }

    /// The first `len` elements of the array of size n. `None`: the size is too small, or an element does not fit.
    pub fn array(&self, n: u64, len: usize) -> Option<Vec<i64>> {
        let at_size = self.at_size(n)?;
        (0..i64::try_from(len).ok()?).map(|i| at_size.value(i)).collect()
    }

    fn at_size(&self, n: u64) -> Option<LawAtSize> {
        if n < self.from {
            return None;
        }
        let mut base = Place::size(n);
        if let Some(width) = &self.width {
            base.width = width.value(n).filter(|width| *width > 0)?;
        }
        let mut cases = Vec::new();
        for case in &self.cases {
            if let Some(checks) = Check::all(&case.when, n)? {
                cases.push((checks, SumAtSize::new(case.value.sum_for(base.n)?, base)?));
            }
        }
        let otherwise = SumAtSize::new(self.otherwise.sum_for(base.n)?, base)?;
        Some(LawAtSize { width: i64::try_from(base.width).ok()?, cases, otherwise })
    }

    /// How much there is to read.
    pub fn weight(&self) -> usize {
        let cases: usize = self
            .cases
            .iter()
            .map(|case| 2 * case.when.len() + case.value.weight() + condition::weight(&case.when))
            .sum();
        cases + self.otherwise.weight() + 2 * usize::from(self.width.is_some())
    }
}

/// A law at one size, for many indices.
struct LawAtSize {
    width: i64,
    cases: Vec<(Vec<Check>, SumAtSize)>,
    otherwise: SumAtSize,
}

impl LawAtSize {
    fn value(&self, i: i64) -> Option<i64> {
        let holds = |checks: &[Check]| checks.iter().all(|check| check.holds(i, self.width));
        let case = self.cases.iter().find(|(checks, _)| holds(checks)).map_or(&self.otherwise, |(_, value)| value);
        i64::try_from(case.value(i128::from(i))?).ok()
    }
}

/// A formula for some of the elements, by cases of which the last has no condition.
type Piece = Vec<(Vec<Condition>, Sum)>;

impl Law {
    /// The law with these pieces one after the other; conditions of a piece come before those inside it.
    fn of_pieces(pieces: Vec<(Option<Condition>, Piece)>) -> Option<Law> {
        let mut all: Vec<Case> = Vec::new();
        for (condition, piece) in pieces {
            for (inner, value) in piece {
                let when = condition.iter().cloned().chain(inner).collect();
                all.push(Case { when, value: Parameter::of(value) });
            }
        }
        let last = all.pop().filter(|last| last.when.is_empty())?;
        Some(Law { from: 1, width: None, cases: all, otherwise: last.value })
    }
}
