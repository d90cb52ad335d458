//! Z3 on the slice: the conditions that share inputs with the question, directly or through others.

use slowpath_term::{Evaluator, TermId};

use super::Question;
use crate::answer::Verdict;
use crate::stats::SolverStats;
use crate::z3::{Outcome, Z3};

/// Passes only where Z3 gives up; `why` then says which limit it reached.
pub(super) fn decide(
    question: &Question<'_>,
    slice: &[TermId],
    z3: &mut Z3,
    evaluator: &mut Evaluator,
    stats: &mut SolverStats,
    why: &mut String,
) -> Verdict {
    let &Question { terms, model, extra, .. } = question;
    match z3.check(terms, slice, model, extra) {
        Outcome::Unsat => Verdict::Unsat,
        Outcome::Unknown(reason) => {
            *why = reason;
            Verdict::Pass
        }
        Outcome::Sat(found) => {
            if slice.iter().chain([&extra]).all(|&t| evaluator.holds(terms, &found, t)) {
                Verdict::Sat(found)
            } else {
                *why = z3.wrong_model(stats);
                Verdict::Pass
            }
        }
    }
}
