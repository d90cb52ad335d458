//! Bounds of a term under a path, by asking whether it can be greater or smaller.

use slowpath_term::{CmpOp, Evaluator, Model, TermId, Terms};

use crate::answer::Answer;
use crate::path::PathCondition;
use crate::solver::Solver;

/// Sound bounds; exact if `budget` questions were enough.
pub(crate) fn range(
    solver: &mut Solver, terms: &mut Terms, path: &PathCondition, model: &Model, t: TermId, budget: u32,
) -> (u64, u64) {
    let (mut lo, mut hi) = terms.bounds(t);
    if lo == hi || budget == 0 {
        return (lo, hi);
    }
    let mut evaluator = Evaluator::new();
    let start = evaluator.eval(terms, model, t);
    // Known to be reached: `least` and `greatest`. Known not to be left: `lo` and `hi`.
    let (mut least, mut greatest) = (start, start);
    for upward in [true, false] {
        let mut questions = budget / 2;
        // Ask first whether what is known can be left at all: often it cannot. Then halve.
        let mut first = true;
        while questions > 0 && if upward { greatest < hi } else { lo < least } {
            questions -= 1;
            let beyond = match (upward, first) {
                (true, true) => greatest,
                (true, false) => greatest + (hi - greatest) / 2,
                (false, true) => least,
                (false, false) => least - (least - lo) / 2,
            };
            first = false;
            let limit = terms.constant(terms.width(t), beyond);
            let question = if upward { terms.cmp(CmpOp::Ult, limit, t) } else { terms.cmp(CmpOp::Ult, t, limit) };
            match (solver.check(terms, path, model, question), upward) {
                (Answer::Sat(found), true) => greatest = evaluator.eval(terms, &found, t),
                (Answer::Sat(found), false) => least = evaluator.eval(terms, &found, t),
                (Answer::Unsat, true) => hi = beyond,
                (Answer::Unsat, false) => lo = beyond,
                (Answer::Unknown(_), _) => break,
            }
        }
    }
    (lo, hi)
}
