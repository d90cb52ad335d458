//! What Z3 said before: the same question again, or a recent model that happens to fit.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

use super::Question;
use crate::answer::Verdict;

/// Models kept.
const RECENT: usize = 12;
/// Answers kept; then all are forgotten.
const MOST_ANSWERS: usize = 100_000;

enum Known {
    Sat(Vec<(InputId, u64)>),
    Unsat,
    Unknown(String),
}

/// Answers of Z3 by question, and its latest models.
#[derive(Default)]
pub(super) struct Memory {
    answers: FxHashMap<Box<[TermId]>, Known>,
    recent: VecDeque<Model>,
}

fn key(slice: &[TermId], extra: TermId) -> Box<[TermId]> {
    // The order of a path does not matter to its meaning.
    let mut key = slice.to_vec();
    key.sort_unstable();
    key.push(extra);
    key.into()
}

fn inputs_of(terms: &Terms, slice: &[TermId], extra: TermId) -> Vec<InputId> {
    let mut inputs: Vec<InputId> = slice.iter().chain([&extra]).flat_map(|&t| terms.inputs(t)).copied().collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

fn holds(question: &Question<'_>, slice: &[TermId], evaluator: &mut Evaluator, candidate: &Model) -> bool {
    slice.iter().chain([&question.extra]).all(|&t| evaluator.holds(question.terms, candidate, t))
}

impl Memory {
    pub(super) fn decide(&mut self, question: &Question<'_>, slice: &[TermId], evaluator: &mut Evaluator) -> Verdict {
        match self.answers.get(&key(slice, question.extra)) {
            Some(Known::Unsat) => return Verdict::Unsat,
            Some(Known::Sat(values)) => {
                let candidate = question.model.with_all(values.iter().copied());
                if holds(question, slice, evaluator, &candidate) {
                    return Verdict::Sat(candidate);
                }
            }
            Some(Known::Unknown(_)) | None => {}
        }
        let mut inputs = None;
        for recent in &self.recent {
            if !evaluator.holds(question.terms, recent, question.extra) {
                continue;
            }
            let inputs = inputs.get_or_insert_with(|| inputs_of(question.terms, slice, question.extra));
            let candidate = question.model.with_all(inputs.iter().map(|&input| (input, recent.get(input))));
            if holds(question, slice, evaluator, &candidate) {
                return Verdict::Sat(candidate);
            }
        }
        Verdict::Pass
    }

    /// Why Z3 could not answer this very question before.
    pub(super) fn known_unknown(&self, slice: &[TermId], extra: TermId) -> Option<String> {
        match self.answers.get(&key(slice, extra)) {
            Some(Known::Unknown(why)) => Some(why.clone()),
            _ => None,
        }
    }

    pub(super) fn remember(&mut self, question: &Question<'_>, slice: Vec<TermId>, verdict: &Verdict, why: &str) {
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        let known = match verdict {
            Verdict::Unsat => Known::Unsat,
            Verdict::Pass => Known::Unknown(why.to_owned()),
            Verdict::Sat(model) => {
                self.recent.push_front(model.clone());
                self.recent.truncate(RECENT);
                let inputs = inputs_of(question.terms, &slice, question.extra);
                Known::Sat(inputs.into_iter().map(|input| (input, model.get(input))).collect())
            }
        };
        self.answers.insert(key(&slice, question.extra), known);
    }
}
