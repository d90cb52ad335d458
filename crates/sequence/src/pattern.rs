//! Patterns: sequences of every length that repeat a short unit, or two units equally often.
//!
//! A pattern is `prefix · unit^k · suffix`, or `prefix · unit^k · middle · second^k · suffix`. The length decides k; what no whole
//! repetition fills goes on with the first unit, cut where it ends, or has a filler, or goes on with the second unit. Where a length has no room even for the fixed parts, these
//! are cut. A unit may have a counter in it: the number of the repetition.

mod counter;
mod factorise;
#[cfg(test)]
mod tests;
mod text;

use serde::{Deserialize, Serialize};

pub use counter::Counter;
pub use factorise::factorisations;

/// A sequence for every length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Pattern {
    pub prefix: Vec<i64>,
    pub unit: Vec<i64>,
    /// What each repetition of the unit adds to the values of the one before; the second unit's repetitions take it away again.
    pub step: i64,
    pub middle: Vec<i64>,
    /// Repeated as often as the unit; empty where there is none.
    pub second: Vec<i64>,
    pub suffix: Vec<i64>,
    /// The number of the repetition, written into the unit. Then there is no second unit.
    pub counter: Option<Counter>,
    /// What stands wherever a last repetition of the unit would have to be cut: half a construct ends many a parser.
    pub filler: Option<i64>,
    /// Whether the second unit, not the first, goes on where no whole repetition of both fits: what opens is then never cut before what closes it.
    pub second_fills: bool,
}

/// Where the parts of a pattern lie at one length.
struct Places {
    /// Indices at which the parts after the prefix end: first unit, middle, second unit.
    ends: [usize; 3],
}

impl Pattern {
    /// A unit that fills the whole sequence.
    pub fn repeated(unit: &[i64]) -> Pattern {
        Pattern { unit: unit.to_vec(), ..Pattern::default() }
    }

    /// One unit, and a second one as often.
    pub fn nested(unit: &[i64], second: &[i64]) -> Pattern {
        Pattern { unit: unit.to_vec(), second: second.to_vec(), ..Pattern::default() }
    }

    /// The parts that are the same at every length.
    pub fn fixed(&self) -> usize {
        self.prefix.len() + self.middle.len() + self.suffix.len()
    }

    /// How much there is to read.
    pub fn weight(&self) -> usize {
        let extras =
            usize::from(self.step != 0) + 2 * usize::from(self.counter.is_some()) + usize::from(self.filler.is_some());
        self.fixed() + self.unit.len() + self.second.len() + extras + usize::from(self.second_fills)
    }

    /// The sequence of this length.
    pub fn values(&self, length: usize) -> Vec<i64> {
        if self.unit.is_empty() || length < self.fixed() {
            let fixed = self.prefix.iter().chain(&self.middle).chain(&self.suffix).copied();
            return fixed.chain(std::iter::repeat(0)).take(length).collect();
        }
        let Places { ends: [first, middle, second] } = self.places(length);
        let mut values = Vec::with_capacity(length);
        values.extend_from_slice(&self.prefix);
        match &self.counter {
            Some(counter) => counter.fill(&mut values, first, &self.unit, self.step, self.filler),
            None => {
                let room = first - self.prefix.len();
                let cut = self.filler.map_or(0, |_| room % self.unit.len());
                repeat(&mut values, first - cut, &self.unit, self.step);
            }
        }
        values.resize(first, self.filler.unwrap_or(0));
        values.extend_from_slice(&self.middle[..middle - first]);
        repeat(&mut values, second, &self.second, self.step.saturating_neg());
        values.extend_from_slice(&self.suffix);
        values
    }

    fn places(&self, length: usize) -> Places {
        let room = length - self.fixed();
        let repetitions = if self.second.is_empty() { 0 } else { room / (self.unit.len() + self.second.len()) };
        let of_first = match self.second_fills && !self.second.is_empty() {
            true => repetitions * self.unit.len(),
            false => room - repetitions * self.second.len(),
        };
        let first = self.prefix.len() + of_first;
        let middle = first + self.middle.len();
        Places { ends: [first, middle, middle + room - of_first] }
    }
}

/// Fills up to an index with a unit, each repetition a step further.
fn repeat(values: &mut Vec<i64>, end: usize, unit: &[i64], step: i64) {
    let mut more = 0i64;
    while values.len() < end {
        let left = end - values.len();
        values.extend(unit.iter().take(left).map(|value| value.saturating_add(more)));
        more = more.saturating_add(step);
    }
}
