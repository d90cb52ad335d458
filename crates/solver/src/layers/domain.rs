//! Conditions on one input: what its domain leaves of them.

use slowpath_term::{Evaluator, Model, TermId, Terms};

use super::Question;
use crate::answer::Verdict;
use crate::track::Track;

/// How many members of a domain are tried where other conditions have a say too.
const TRIES: usize = 4;

/// One of several conditions: by the first that has a model, refuted where each of them is.
pub(super) fn decide_any(
    terms: &Terms,
    model: &Model,
    sides: &[TermId],
    track: &mut Track,
    evaluator: &mut Evaluator,
) -> Verdict {
    let mut all_refuted = true;
    for &side in sides {
        match decide(&Question { terms, model, extra: side, goals: &[side] }, track, evaluator) {
            Verdict::Sat(model) => return Verdict::Sat(model),
            Verdict::Unsat => {}
            Verdict::Pass => all_refuted = false,
        }
    }
    if all_refuted { Verdict::Unsat } else { Verdict::Pass }
}

pub(super) fn decide(question: &Question<'_>, track: &mut Track, evaluator: &mut Evaluator) -> Verdict {
    let &Question { terms, model, goals, extra } = question;
    // The input all goals speak of, if there is one; its domain with all goals applied.
    let mut only = None;
    let mut all_covered = true;
    for &goal in goals {
        let Some(solution) = track.solutions.of(terms, goal) else {
            all_covered = false;
            continue;
        };
        let left = match (&only, track.domain(solution.input)) {
            (Some((input, set)), _) if *input == solution.input => solution.set.intersect(set),
            (_, Some(domain)) => domain.intersect(&solution.set),
            (_, None) => solution.set.clone(),
        };
        if left.is_empty() {
            return Verdict::Unsat;
        }
        if only.as_ref().is_some_and(|(input, _)| *input != solution.input) {
            all_covered = false;
        }
        only = Some((solution.input, left));
    }
    let Some((input, set)) = only.filter(|_| all_covered) else { return Verdict::Pass };
    for value in set.samples(model.get(input), TRIES) {
        let candidate = model.with(input, value);
        if evaluator.holds(terms, &candidate, extra)
            && track.first_violated(terms, evaluator, &candidate, &[input]).is_none()
        {
            return Verdict::Sat(candidate);
        }
    }
    Verdict::Pass
}
