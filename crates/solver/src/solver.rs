//! The solver as others see it.

use slowpath_term::{Evaluator, InputId, Model, TermId, Terms};

use crate::answer::Answer;
use crate::config::SolverConfig;
use crate::path::PathCondition;
use crate::stats::SolverStats;
use crate::z3::{Outcome, Z3};

/// Decides path conditions. Keeps what it learned between questions, so use one for a whole exploration.
pub struct Solver {
    config: SolverConfig,
    stats: SolverStats,
    evaluator: Evaluator,
    z3: Option<Z3>,
}

impl Solver {
    /// A solver that has seen nothing yet.
    pub fn new(config: SolverConfig) -> Solver {
        Solver { config, stats: SolverStats::default(), evaluator: Evaluator::new(), z3: None }
    }

    /// Is `path ∧ extra` satisfiable? `model` must satisfy `path`.
    pub fn check(&mut self, terms: &mut Terms, path: &PathCondition, model: &Model, extra: TermId) -> Answer {
        self.stats.queries += 1;
        self.stats.smt_queries += 1;
        let mut conditions: Vec<TermId> = path.iter().collect();
        conditions.reverse();
        let z3 = self.z3.get_or_insert_with(|| Z3::new(self.config.z3_timeout_ms));
        match z3.check(terms, &conditions, model, extra) {
            Outcome::Unsat => Answer::Unsat,
            Outcome::Unknown(why) => Answer::Unknown(why),
            Outcome::Sat(found) => {
                let holds = conditions.iter().chain([&extra]).all(|&c| self.evaluator.holds(terms, &found, c));
                if holds {
                    Answer::Sat(found)
                } else {
                    self.stats.rejected_models += 1;
                    Answer::Unknown("a model of Z3 failed evaluation".into())
                }
            }
        }
    }

    /// Sound unsigned bounds of `t` under the path.
    pub fn range(&mut self, terms: &mut Terms, _path: &PathCondition, _model: &Model, t: TermId) -> (u64, u64) {
        terms.bounds(t)
    }

    /// An equally valid model with small values where possible.
    pub fn readable(
        &mut self, _terms: &mut Terms, _path: &PathCondition, model: &Model, _signed: &dyn Fn(InputId) -> bool,
    ) -> Model {
        model.clone()
    }

    /// What was done so far.
    pub fn stats(&self) -> SolverStats {
        self.stats.clone()
    }
}
