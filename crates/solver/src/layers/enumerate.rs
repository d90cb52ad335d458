//! Inputs that can have few values: all of them are gone through, one input after the other.
//!
//! Indices into small tables, flags and cases lead to conditions that Z3 takes seconds for, while there are no more than a few
//! thousand inputs in all. Conditions are checked as soon as their inputs have values, so that most of those are never made.

use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

use super::Question;
use super::repair::width_of;
use crate::answer::Verdict;
use crate::track::Track;

/// Values one input may have.
const MOST_VALUES: i128 = 256;
/// Inputs that are gone through; which bounds recursion.
const MOST_INPUTS: usize = 48;
/// Values tried for one question.
const MOST_TRIED: u32 = 8_000;
/// Questions given up on, more than were answered, after which this is not tried any more.
const MOST_VAIN: u32 = 8;

/// How it went so far.
#[derive(Default)]
pub(super) struct Experience {
    vain: u32,
}

enum Found {
    Model(Model),
    Nothing,
    GaveUp,
}

struct Search<'a> {
    terms: &'a Terms,
    evaluator: &'a mut Evaluator,
    /// Inputs, oldest first, with their values, the model's own first.
    inputs: Vec<(InputId, Vec<u64>)>,
    /// What can be checked once the input at the same place has its value.
    conditions: Vec<Vec<TermId>>,
    tried: u32,
}

pub(super) fn decide(
    question: &Question<'_>,
    slice: &[TermId],
    track: &Track,
    evaluator: &mut Evaluator,
    experience: &mut Experience,
) -> Verdict {
    if experience.vain >= MOST_VAIN {
        return Verdict::Pass;
    }
    let Some((inputs, conditions)) = prepare(question, slice, track) else { return Verdict::Pass };
    let mut search = Search { terms: question.terms, evaluator, inputs, conditions, tried: 0 };
    match search.from(0, question.model) {
        Found::Model(model) => {
            experience.vain = experience.vain.saturating_sub(1);
            Verdict::Sat(model)
        }
        Found::Nothing => {
            experience.vain = experience.vain.saturating_sub(1);
            Verdict::Unsat
        }
        Found::GaveUp => {
            experience.vain += 1;
            Verdict::Pass
        }
    }
}

type Prepared = (Vec<(InputId, Vec<u64>)>, Vec<Vec<TermId>>);

/// The inputs of the question with all values they can have, and the conditions by the last of their inputs.
fn prepare(question: &Question<'_>, slice: &[TermId], track: &Track) -> Option<Prepared> {
    let terms = question.terms;
    let mut inputs: Vec<(InputId, Vec<u64>)> = Vec::new();
    let conditions: Vec<TermId> = slice.iter().chain(question.goals).copied().collect();
    for &condition in &conditions {
        for &input in terms.inputs(condition) {
            let Err(at) = inputs.binary_search_by_key(&input, |known| known.0) else { continue };
            if inputs.len() == MOST_INPUTS {
                return None;
            }
            let width = width_of(terms, condition, input)?;
            inputs.insert(at, (input, values(track, input, width, question.model.get(input))?));
        }
    }
    let mut by_last = vec![Vec::new(); inputs.len()];
    for condition in conditions {
        let last = terms.inputs(condition).last()?;
        by_last[inputs.binary_search_by_key(last, |known| known.0).ok()?].push(condition);
    }
    Some((inputs, by_last))
}

/// The values an input can have, beginning with its present one; none if they are many.
fn values(track: &Track, input: InputId, width: u8, now: u64) -> Option<Vec<u64>> {
    let parts = match track.domain(input) {
        Some(domain) => domain.ordered(false),
        None if width <= 8 => vec![(0, (1 << width) - 1)],
        None => return None,
    };
    if parts.iter().map(|(lo, hi)| hi - lo + 1).sum::<i128>() > MOST_VALUES {
        return None;
    }
    let all = parts.into_iter().flat_map(|(lo, hi)| lo..=hi).filter_map(|value| u64::try_from(value).ok());
    let mut all: Vec<u64> = all.collect();
    let at = all.iter().position(|value| *value == now)?;
    all[..=at].rotate_right(1);
    Some(all)
}

impl Search<'_> {
    /// Gives values to the inputs from the `at`-th on.
    fn from(&mut self, at: usize, model: &Model) -> Found {
        let Some((input, values)) = self.inputs.get_mut(at) else { return Found::Model(model.clone()) };
        let (input, values) = (*input, std::mem::take(values));
        let mut found = Found::Nothing;
        for &value in &values {
            if self.tried == MOST_TRIED {
                found = Found::GaveUp;
                break;
            }
            self.tried += 1;
            let candidate = if model.get(input) == value { model.clone() } else { model.with(input, value) };
            let (terms, evaluator) = (self.terms, &mut *self.evaluator);
            if !self.conditions[at].iter().all(|condition| evaluator.holds(terms, &candidate, *condition)) {
                continue;
            }
            match self.from(at + 1, &candidate) {
                Found::Nothing => {}
                end => {
                    found = end;
                    break;
                }
            }
        }
        self.inputs[at].1 = values;
        found
    }
}
