//! Model repair: invert what fails for one input at a time, recheck only the conditions that input appears in.
//!
//! Finds models only; that it finds none proves nothing.

use slowpath_term::ops::mask;
use slowpath_term::{Condition, Evaluator, InputId, Model, Node, TermId, Terms};

use super::Question;
use super::invert::Inverter;
use crate::answer::Verdict;
use crate::track::Track;

/// Inputs changed one after the other.
const MOST_CHANGED: usize = 3;
/// Inputs of one condition tried.
const MOST_INPUTS: usize = 6;
/// Values of bytes tried without inversion, over the whole question.
const MOST_BYTES: u32 = 2048;
/// Terms evaluated over the whole question: about as much as a question to Z3 may well take. Conditions over tables that were written at unknown
/// places are of ten thousand terms each, and a whole byte of values of six inputs took a second.
const MOST_EVALUATED: u64 = 400_000;
/// An input in more conditions than this is left to Z3.
const MOST_CONJUNCTS: usize = 20_000;

struct Search<'a> {
    question: &'a Question<'a>,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    changed: Vec<InputId>,
    tries: u32,
    bytes: u32,
    /// Where the evaluator's count has to end.
    evaluated_until: u64,
}

pub(super) fn decide(question: &Question<'_>, track: &Track, evaluator: &mut Evaluator, tries: u32) -> Verdict {
    let evaluated_until = evaluator.computed() + MOST_EVALUATED;
    let mut search =
        Search { question, track, evaluator, changed: Vec::new(), tries, bytes: MOST_BYTES, evaluated_until };
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
        let mut inputs: Vec<InputId> = terms.inputs(failing).to_vec();
        inputs.retain(|input| !self.changed.contains(input) && self.track.count_of(*input) <= MOST_CONJUNCTS);
        // The input that least depends on is the likeliest to be free: fewest conditions, then the newest.
        inputs.sort_by_key(|&input| (self.track.count_of(input), std::cmp::Reverse(input)));
        inputs.truncate(MOST_INPUTS);
        for &input in &inputs {
            let domain = self.track.domain(input).cloned();
            let candidates = Inverter::new(terms, self.evaluator, model, input, domain.as_deref()).candidates(failing);
            for value in candidates {
                self.tries = self.tries.checked_sub(1)?;
                if let Some(found) = self.change(model, failing, input, value) {
                    return Some(found);
                }
            }
        }
        inputs.into_iter().find_map(|input| self.go_through(model, failing, input))
    }

    /// A byte has few enough values to try them all, where inverting found none (as through the tree of a table).
    fn go_through(&mut self, model: &Model, failing: TermId, input: InputId) -> Option<Model> {
        let width = width_of(self.question.terms, failing, input)?;
        if width > 8 {
            return None;
        }
        let domain = self.track.domain(input).cloned();
        for value in 0..=mask(width) {
            if domain.as_ref().is_some_and(|domain| !domain.contains(value)) {
                continue;
            }
            self.bytes = self.bytes.checked_sub(1)?;
            if let Some(found) = self.change(model, failing, input, value) {
                return Some(found);
            }
        }
        None
    }

    /// Gives an input a value; if that makes `failing` hold, goes on with what it breaks.
    fn change(&mut self, model: &Model, failing: TermId, input: InputId, value: u64) -> Option<Model> {
        if self.evaluator.computed() > self.evaluated_until {
            return None;
        }
        let candidate = model.with(input, value);
        if !self.evaluator.holds(self.question.terms, &candidate, failing) {
            return None;
        }
        self.changed.push(input);
        let found = match self.broken(&candidate) {
            None => Some(candidate),
            Some(Condition::Term(next)) if self.changed.len() < MOST_CHANGED => self.repair(&candidate, next),
            Some(_) => None,
        };
        self.changed.pop();
        found
    }

    /// A goal or a condition of a changed input that fails.
    fn broken(&mut self, model: &Model) -> Option<Condition> {
        let Question { terms, goals, .. } = *self.question;
        let goal = goals.iter().copied().find(|&goal| !self.evaluator.holds(terms, model, goal));
        goal.map(Condition::Term).or_else(|| self.track.first_violated(terms, self.evaluator, model, &self.changed))
    }
}

/// The width of an input that `t` depends on.
pub(super) fn width_of(terms: &Terms, t: TermId, input: InputId) -> Option<u8> {
    let mut t = t;
    loop {
        match terms.node(t) {
            Node::Var { width, .. } => return Some(width),
            node => t = node.children().find(|&child| terms.inputs(child).binary_search(&input).is_ok())?,
        }
    }
}
