//! Model repair: invert what fails for one input at a time, recheck only the conditions that input appears in.
//!
//! Finds models only; that it finds none proves nothing.

use slowpath_term::{Evaluator, InputId, Model, TermId};

use super::Question;
use super::invert::Inverter;
use crate::answer::Verdict;
use crate::track::Track;

/// Inputs changed one after the other.
const MOST_CHANGED: usize = 3;
/// Inputs of one condition tried.
const MOST_INPUTS: usize = 6;
/// An input in more conditions than this is left to Z3.
const MOST_CONJUNCTS: usize = 20_000;

struct Search<'a> {
    question: &'a Question<'a>,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    changed: Vec<InputId>,
    tries: u32,
}

pub(super) fn decide(question: &Question<'_>, track: &Track, evaluator: &mut Evaluator, tries: u32) -> Verdict {
    let mut search = Search { question, track, evaluator, changed: Vec::new(), tries };
    let model = question.model;
    let failing = question.goals.iter().copied().find(|&goal| !search.evaluator.holds(question.terms, model, goal));
    match failing.and_then(|goal| search.repair(model, goal)) {
        Some(found) => Verdict::Sat(found),
        None => Verdict::Pass,
    }
}

impl Search<'_> {
    /// Makes `failing` hold by a change of one input, and repairs what that breaks.
    fn repair(&mut self, model: &Model, failing: TermId) -> Option<Model> {
        let terms = self.question.terms;
        let inputs: Vec<InputId> = terms.inputs(failing).iter().copied().take(MOST_INPUTS).collect();
        for input in inputs {
            if self.changed.contains(&input) || self.track.count_of(input) > MOST_CONJUNCTS {
                continue;
            }
            let domain = self.track.domain(input).cloned();
            let candidates = Inverter::new(terms, self.evaluator, model, input, domain.as_deref()).candidates(failing);
            for value in candidates {
                self.tries = self.tries.checked_sub(1)?;
                let candidate = model.with(input, value);
                if !self.evaluator.holds(terms, &candidate, failing) {
                    continue;
                }
                self.changed.push(input);
                let found = match self.broken(&candidate) {
                    None => Some(candidate),
                    Some(next) if self.changed.len() < MOST_CHANGED => self.repair(&candidate, next),
                    Some(_) => None,
                };
                if found.is_some() {
                    return found;
                }
                self.changed.pop();
            }
        }
        None
    }

    /// A goal or a condition of a changed input that fails.
    fn broken(&mut self, model: &Model) -> Option<TermId> {
        let Question { terms, goals, .. } = *self.question;
        let goal = goals.iter().copied().find(|&goal| !self.evaluator.holds(terms, model, goal));
        goal.or_else(|| self.track.first_violated(terms, self.evaluator, model, &self.changed))
    }
}
