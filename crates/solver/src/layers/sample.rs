//! A model by luck: the condition is evaluated at a few hundred values of the inputs it mentions.
//!
//! A given bucket of a hash table is hit by one value in some tens; Z3 takes seconds to invert the hash. Floats likewise: most
//! comparisons of computed values go both ways within a handful of ordinary numbers. Luck refutes nothing: without a model it passes.

use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

use super::Question;
use super::repair::width_of;
use crate::answer::Verdict;
use crate::numbers::Numbers;
use crate::track::Track;

/// Values tried for one question: a bucket of 64 is missed by so many once in fifty times.
const TRIES: usize = 256;
/// Inputs of the condition whose values are changed.
const MOST_INPUTS: usize = 16;
/// Questions in vain, more than lucky ones, after which this is not tried any more.
const MOST_VAIN: u32 = 24;

/// How it went so far.
#[derive(Default)]
pub(super) struct Luck {
    vain: u32,
}

pub(super) fn decide(
    question: &Question<'_>,
    slice: &[TermId],
    track: &Track,
    evaluator: &mut Evaluator,
    luck: &mut Luck,
) -> Verdict {
    if luck.vain >= MOST_VAIN {
        return Verdict::Pass;
    }
    let &Question { terms, model, extra, .. } = question;
    let has_float = terms.has_float(extra);
    let mut sources: Vec<Source> = Vec::new();
    // The inputs met last are constrained least.
    for &input in terms.inputs(extra).iter().rev().take(MOST_INPUTS) {
        let Some(width) = width_of(terms, extra, input) else { return Verdict::Pass };
        sources.push(Source { input, width, hull: hull(track, input, width), has_float });
    }
    let mut numbers = Numbers(0x51_7c_c1 ^ extra.index() as u64);
    for round in 0..TRIES {
        let Some(source) = sources.get(round % sources.len().max(1)) else { break };
        let changed = source.value(round / sources.len(), model.get(source.input), &mut numbers);
        let mut candidate = model.with(source.input, changed);
        // Now and then two at once: a collision takes two keys.
        if round % 4 == 3
            && let Some(other) = sources.get(numbers.below(sources.len() as u64) as usize)
        {
            candidate = candidate.with(other.input, other.value(TRIES, model.get(other.input), &mut numbers));
        }
        if holds(terms, evaluator, &candidate, extra, slice) {
            luck.vain = luck.vain.saturating_sub(2);
            return Verdict::Sat(candidate);
        }
    }
    luck.vain += 1;
    Verdict::Pass
}

fn holds(terms: &Terms, evaluator: &mut Evaluator, model: &Model, extra: TermId, slice: &[TermId]) -> bool {
    [extra].iter().chain(slice).all(|t| evaluator.holds(terms, model, *t))
}

/// Least and greatest value of an input, read without a sign.
fn hull(track: &Track, input: InputId, width: u8) -> (u64, u64) {
    let (low, high) = track.bounds(input, width, false);
    (low as u64, high as u64)
}

/// Where values of an input come from.
struct Source {
    input: InputId,
    width: u8,
    hull: (u64, u64),
    has_float: bool,
}

impl Source {
    /// The value of a round: what stands out first, then anything.
    fn value(&self, round: usize, now: u64, numbers: &mut Numbers) -> u64 {
        let mask = slowpath_term::ops::mask(self.width);
        if self.has_float
            && let Some(value) = FLOATS.get(round)
        {
            return if self.width == 32 { u64::from((*value as f32).to_bits()) } else { value.to_bits() };
        }
        let (low, high) = self.hull;
        let any = low + numbers.below((high - low).saturating_add(1));
        let value = match numbers.below(4) {
            // Near what it is.
            0 => now.wrapping_add(numbers.below(9)).wrapping_sub(4),
            1 => now ^ 1 << numbers.below(u64::from(self.width)),
            // A number of ordinary size.
            2 if self.has_float => self.ordinary(numbers),
            _ => any,
        };
        let value = value & mask;
        if (low..=high).contains(&value) { value } else { any & mask }
    }

    fn ordinary(&self, numbers: &mut Numbers) -> u64 {
        let value = (numbers.below(2_000_001) as f64 - 1_000_000.0) / 10f64.powi(numbers.below(8) as i32);
        if self.width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
    }
}

/// Floats that programs treat apart, and a few that they do not.
const FLOATS: [f64; 24] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    -0.0,
    -2.0,
    3.0,
    10.0,
    100.0,
    -100.0,
    1e-3,
    1e6,
    -1e6,
    1e15,
    1e-15,
    1e30,
    -1e30,
    1e300,
    -1e300,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];
