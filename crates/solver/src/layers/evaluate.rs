//! The model of the path may satisfy the condition already.

use slowpath_term::{Evaluator, Model, TermId, Terms};

use crate::answer::Verdict;

pub(super) fn decide(terms: &Terms, evaluator: &mut Evaluator, model: &Model, extra: TermId) -> Verdict {
    if evaluator.holds(terms, model, extra) { Verdict::Sat(model.clone()) } else { Verdict::Pass }
}
