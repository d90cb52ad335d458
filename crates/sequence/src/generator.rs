//! Generators of sequences: a term of XSTRESSOR's grammar, with parameters that are functions of the size.

mod infer;
mod make;
#[cfg(test)]
mod properties;
mod recurrent;
mod split;
#[cfg(test)]
mod tests;

use crate::parameter::Parameter;
use serde::{Deserialize, Serialize};
use std::fmt;

pub use infer::infer;
use recurrent::Recurrent;

/// Makes the sequence of every size from [`Generator::from`] on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    pub(crate) from: u64,
    pub(crate) shape: Shape,
}

/// How a sequence is made. `incre`, `const` and plain numbers are the paper's; the others are what loops do besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// One number.
    One(Parameter),
    /// `incre(start, last, stride)`: for each pair of a start and a last, the numbers between them.
    Incre { start: Box<Shape>, last: Box<Shape>, stride: Parameter },
    /// `const(value, count)`: for each pair, the value as often as its count says.
    Const { value: Box<Shape>, count: Box<Shape> },
    /// A start, multiplied again and again while not above `bound`.
    Geometric { start: Parameter, ratio: i64, bound: Parameter },
    /// A start, divided again and again (rounded down, after adding `plus`) while it changes and is at least `least`.
    Dividing {
        start: Parameter,
        by: i64,
        least: i64,
        #[serde(default)]
        plus: i64,
    },
    /// For each stride, the numbers from `start` up to `bound`: the passes of a bottom-up merge, or of a sieve.
    Passes { start: Box<Shape>, stride: Box<Shape>, bound: Parameter },
    /// One number of each part in turn.
    Cycle(Vec<Shape>),
    /// One part after the other.
    Concat(Vec<Shape>),
    /// The body again and again.
    Repeat { body: Box<Shape>, times: Parameter },
    /// A first number, then each by a step from the one before.
    Steps { first: Parameter, steps: Box<Shape> },
    /// So much before `about`: indices counted from the end.
    Mirror { about: Parameter, body: Box<Shape> },
    /// The sequence of a smaller size, and a part of this size before or after it.
    Recurrent(Box<Recurrent>),
}

impl Generator {
    /// The smallest size it holds for.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// The sequence of a size. `None`: the size is too small, the sequence is longer than `max_len`, or a number in it
    /// does not fit.
    pub fn generate(&self, n: u64, max_len: usize) -> Option<Vec<i64>> {
        if n < self.from {
            return None;
        }
        self.shape.make(n, max_len)?.into_iter().map(|value| i64::try_from(value).ok()).collect()
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if self.from > 1 { write!(f, " for n ≥ {}", self.from) } else { Ok(()) }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |parts: &[Shape]| parts.iter().map(Shape::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Shape::One(value) => write!(f, "{value}"),
            Shape::Incre { start, last, stride } => write!(f, "incre({start}, {last}, {stride})"),
            Shape::Const { value, count } => write!(f, "const({value}, {count})"),
            Shape::Geometric { start, ratio, bound } => write!(f, "geometric({start}, {bound}, {ratio})"),
            Shape::Dividing { start, by, least, plus: 0 } => write!(f, "dividing({start}, {least}, {by})"),
            Shape::Dividing { start, by, least, plus } => write!(f, "dividing({start}, {least}, {by}, {plus})"),
            Shape::Passes { start, stride, bound } => write!(f, "passes({start}, {bound}, {stride})"),
            Shape::Cycle(parts) => write!(f, "cycle({})", list(parts)),
            Shape::Concat(parts) => {
                write!(f, "{}", parts.iter().map(Shape::to_string).collect::<Vec<_>>().join(" ++ "))
            }
            Shape::Repeat { body, times } => write!(f, "repeat({body}, {times})"),
            Shape::Steps { first, steps } => write!(f, "steps({first}, {steps})"),
            Shape::Mirror { about, body } => write!(f, "mirror({about}, {body})"),
            Shape::Recurrent(recurrent) => write!(f, "{recurrent}"),
        }
    }
}
