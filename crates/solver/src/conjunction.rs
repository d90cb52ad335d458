//! Many conditions at once: a path condition that was not found step by step, so that no model came along with it.
//!
//! A potential of all orders between inputs is computed in one go. What it does not satisfy (sums, disequalities, sets) is then
//! asked for one condition at a time, under those that hold.

use std::collections::VecDeque;

use slowpath_term::{Evaluator, Model, TermId, Terms};

use crate::answer::Answer;
use crate::path::PathCondition;
use crate::potential::potentials;
use crate::solver::Solver;

impl Solver {
    /// A model of all the conditions. `hint` is where to begin: a model of most of them is worth much.
    /// `go_on` is asked now and then; false ends the search.
    pub fn solve(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        hint: &Model,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let mut evaluator = Evaluator::new();
        let mut model = hint.clone();
        let mut holding = |model: &Model| conditions.iter().filter(|&&t| evaluator.holds(terms, model, t)).count();
        let mut most = holding(hint);
        if most < conditions.len() {
            for ordered in potentials(terms, conditions, hint, go_on) {
                let count = holding(&ordered);
                if count > most {
                    (most, model) = (count, ordered);
                }
            }
        }
        let mut path = PathCondition::new();
        let mut open = VecDeque::new();
        for &condition in conditions {
            if evaluator.holds(terms, &model, condition) {
                path.add(condition);
            } else {
                open.push_back(condition);
            }
        }
        while let Some(condition) = open.pop_front() {
            if !evaluator.holds(terms, &model, condition) {
                if !go_on() {
                    return Answer::Unknown("there was no time left".to_owned());
                }
                match self.check(terms, &path, &model, condition) {
                    Answer::Sat(better) => model = better,
                    other => return other,
                }
            }
            path.add(condition);
        }
        Answer::Sat(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::SolverConfig;
    use slowpath_term::{BinOp, CmpOp, InputId};

    fn solve(terms: &mut Terms, conditions: &[TermId]) -> Answer {
        Solver::new(SolverConfig::default()).solve(terms, conditions, &Model::new(), &mut || true)
    }

    fn check(terms: &Terms, conditions: &[TermId], answer: &Answer) {
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        let mut evaluator = Evaluator::new();
        assert!(conditions.iter().all(|t| evaluator.holds(terms, model, *t)));
    }

    #[test]
    fn a_chain_of_orders_is_solved_without_a_question_in_either_direction() {
        for falling in [true, false] {
            let mut terms = Terms::new();
            let vars: Vec<TermId> = (0..300).map(|i| terms.var(InputId(i), 32)).collect();
            let mut conditions = Vec::new();
            for i in 0..vars.len() {
                for j in 0..i {
                    let (low, high) = if falling { (vars[i], vars[j]) } else { (vars[j], vars[i]) };
                    conditions.push(terms.cmp(CmpOp::Slt, low, high));
                }
            }
            let mut solver = Solver::new(SolverConfig::default());
            let answer = solver.solve(&mut terms, &conditions, &Model::new(), &mut || true);
            check(&terms, &conditions, &answer);
            assert_eq!(solver.stats().queries, 0);
        }
    }

    #[test]
    fn orders_mixed_with_sums_and_constants_are_solved() {
        let mut terms = Terms::new();
        let [x, y, z] = [0, 1, 2].map(|i| terms.var(InputId(i), 32));
        let (zero, ten) = (terms.constant(32, 0), terms.constant(32, 10));
        let sum = terms.bin(BinOp::Add, x, y);
        let conditions = vec![
            terms.cmp(CmpOp::Slt, x, y),
            terms.cmp(CmpOp::Slt, y, z),
            terms.cmp(CmpOp::Eq, sum, ten),
            terms.cmp(CmpOp::Slt, zero, x),
        ];
        let answer = solve(&mut terms, &conditions);
        check(&terms, &conditions, &answer);
    }

    #[test]
    fn what_contradicts_itself_has_no_model() {
        let mut terms = Terms::new();
        let [x, y, z] = [0, 1, 2].map(|i| terms.var(InputId(i), 32));
        let circle = [(x, y), (y, z), (z, x)].map(|(a, b)| terms.cmp(CmpOp::Slt, a, b));
        assert!(solve(&mut terms, &circle).is_unsat());
        let answer = Solver::new(SolverConfig::default()).solve(&mut terms, &circle, &Model::new(), &mut || false);
        assert!(matches!(answer, Answer::Unknown(_)));
    }
}
