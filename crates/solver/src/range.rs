//! Bounds of a term under a path, by asking whether it can be greater or smaller.

use slowpath_term::{CmpOp, Evaluator, Model, TermId, Terms};

use crate::answer::Answer;
use crate::config::SolverKind;
use crate::path::PathCondition;
use crate::solver::Solver;

impl Solver {
    /// Sound unsigned bounds of `t` under the path, both inclusive: exact where the budget of questions allows, else what is
    /// known so far.
    pub fn range(&mut self, terms: &mut Terms, path: &PathCondition, model: &Model, t: TermId) -> (u64, u64) {
        let budget = self.config.range_queries;
        let mut bounds = terms.bounds(t);
        if self.config.kind == SolverKind::Layered {
            self.adopt(terms);
            self.layers.track.follow(terms, path);
            bounds = self.layers.track.narrow_bounds(terms, &mut self.layers.evaluator, model, t, bounds);
        }
        if budget == 0 || bounds.0 == bounds.1 {
            return bounds;
        }
        range(self, terms, path, model, t, bounds, budget)
    }
}

/// Sound bounds; exact if `budget` questions were enough. `start` are sound bounds known beforehand.
fn range(
    solver: &mut Solver,
    terms: &mut Terms,
    path: &PathCondition,
    model: &Model,
    t: TermId,
    start: (u64, u64),
    budget: u32,
) -> (u64, u64) {
    let mut evaluator = Evaluator::new();
    let now = evaluator.eval(terms, model, t);
    let mut end = |upward: bool| {
        // `reached` can be had, nothing past `limit` can.
        let (mut reached, mut limit) = (now, if upward { start.1 } else { start.0 });
        let (mut step, mut bounded) = (1u64, false);
        for _ in 0..budget / 2 {
            let gap = reached.abs_diff(limit);
            if gap == 0 {
                break;
            }
            // Most terms are narrow: go outward from what is known in growing steps, then halve what is left.
            let ahead = if bounded { gap / 2 } else { (step - 1).min(gap - 1) };
            let beyond = if upward { reached + ahead } else { reached - ahead };
            let constant = terms.constant(terms.width(t), beyond);
            let question = if upward { terms.cmp(CmpOp::Ult, constant, t) } else { terms.cmp(CmpOp::Ult, t, constant) };
            match solver.check(terms, path, model, question) {
                Answer::Sat(found) => {
                    reached = evaluator.eval(terms, &found, t);
                    step = step.saturating_mul(4);
                }
                Answer::Unsat => (limit, bounded) = (beyond, true),
                Answer::Unknown(_) => break,
            }
        }
        limit
    };
    let hi = end(true);
    (end(false), hi)
}
