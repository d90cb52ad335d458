//! Z3, as the last layer and as the oracle: one incremental solver whose assertions follow the path.

mod bits;
mod float;
mod fpa;
mod translate;

use slowpath_term::{InputId, Model, TermId, Terms};
use z3::{Params, SatResult, Solver};

use crate::patience::{Patience, STEPS_PER_UNIT};
use translate::Translator;

/// What Z3 says.
pub(crate) enum Outcome {
    /// A model, not yet checked by evaluation.
    Sat(Model),
    Unsat,
    Unknown(String),
}

/// Z3 with its assertions kept from question to question. Every call is bounded in time.
///
/// Measured on random paths, following the path with push and pop is five times as fast as asserting it anew, and the solver
/// for the logic of arrays and bit-vectors twice as fast as the general one; that one is needed for floats.
pub(crate) struct Z3 {
    translator: Translator,
    vectors: Option<Stack>,
    floats: Option<Stack>,
    patience: Patience,
    /// Z3's count of work when it was last asked for.
    counted: u64,
}

/// The longest that a question may take which is limited by its work.
const LAST_RESORT_MS: u32 = 300_000;

/// One solver and what it holds.
struct Stack {
    solver: Solver,
    /// The conditions asserted now, one level of Z3's stack each.
    asserted: Vec<TermId>,
}

impl Z3 {
    pub(crate) fn new(timeout_ms: u32) -> Z3 {
        Z3 {
            translator: Translator::default(),
            vectors: None,
            floats: None,
            patience: Patience::Time(timeout_ms.max(1)),
            counted: 0,
        }
    }

    /// The most that a question may use from now on.
    pub(crate) fn limit(&mut self, patience: Patience) {
        if self.patience != patience {
            self.patience = patience;
            for stack in [&self.vectors, &self.floats].into_iter().flatten() {
                stack.limit(patience);
            }
        }
    }

    /// Work done since this was last asked, in steps; not counted where time is the limit.
    pub(crate) fn take_work(&mut self) -> u64 {
        if matches!(self.patience, Patience::Time(_)) {
            return 0;
        }
        let Some(stack) = self.vectors.as_ref().or(self.floats.as_ref()) else { return 0 };
        let now = stack.count();
        let work = now.saturating_sub(self.counted);
        self.counted = now;
        work * STEPS_PER_UNIT
    }

    /// Is the conjunction of `conditions` and `extra` satisfiable? Inputs left open keep their value in `base`.
    pub(crate) fn check(&mut self, terms: &Terms, conditions: &[TermId], base: &Model, extra: TermId) -> Outcome {
        let has_float = terms.has_float(extra) || conditions.iter().any(|&t| terms.has_float(t));
        let patience = self.patience;
        let is_first = self.vectors.is_none() && self.floats.is_none();
        let stack = if has_float {
            self.floats.get_or_insert_with(|| Stack::new(Solver::new(), patience))
        } else {
            let solver = || Solver::new_for_logic("QF_AUFBV").unwrap_or_default();
            self.vectors.get_or_insert_with(|| Stack::new(solver(), patience))
        };
        if is_first {
            self.counted = stack.count();
        }
        stack.follow(&mut self.translator, terms, conditions);
        let solver = &stack.solver;
        let extra_image = self.translator.condition(terms, extra);
        solver.push();
        solver.assert(&extra_image);
        let outcome = match solver.check() {
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Unknown => Outcome::Unknown(stack.reason()),
            SatResult::Sat => match solver.get_model() {
                None => Outcome::Unknown("Z3 gave no model".to_owned()),
                Some(found) => {
                    let mut inputs: Vec<InputId> = terms.inputs(extra).to_vec();
                    inputs.extend(conditions.iter().flat_map(|&c| terms.inputs(c)));
                    inputs.sort_unstable();
                    inputs.dedup();
                    Outcome::Sat(self.translator.read(&found, base, &inputs))
                }
            },
        };
        solver.pop(1);
        outcome
    }
}

impl Stack {
    fn new(solver: Solver, patience: Patience) -> Stack {
        let stack = Stack { solver, asserted: Vec::new() };
        stack.limit(patience);
        stack
    }

    /// Limits of one question. Where work is limited, time is a last resort, far beyond what the work should take.
    fn limit(&self, patience: Patience) {
        // No limit of work is what Z3 calls zero.
        let (ms, units) = match patience {
            Patience::Time(ms) => (ms, 0),
            Patience::Work(units) => (LAST_RESORT_MS, units),
        };
        let mut params = Params::new();
        params.set_u32("timeout", ms);
        params.set_u32("rlimit", units);
        // Runs are to give the same models every time.
        params.set_u32("random_seed", 0);
        self.solver.set_params(&params);
    }

    /// Z3's own count of the work done in this thread so far, by this solver and any other.
    fn count(&self) -> u64 {
        match self.solver.get_statistics().value("rlimit count") {
            Some(z3::StatisticsValue::UInt(count)) => u64::from(count),
            _ => 0,
        }
    }

    fn reason(&self) -> String {
        match self.solver.get_reason_unknown().as_deref() {
            Some("timeout" | "canceled" | "max. resource limit exceeded") => "Z3 reached its time limit".to_owned(),
            Some(reason) => format!("Z3: {reason}"),
            None => "Z3 gave no reason".to_owned(),
        }
    }

    /// Makes the assertions those of `conditions`, keeping the longest common prefix.
    fn follow(&mut self, translator: &mut Translator, terms: &Terms, conditions: &[TermId]) {
        let common = self.asserted.iter().zip(conditions).take_while(|(a, b)| a == b).count();
        let surplus = self.asserted.len() - common;
        if surplus > 0 {
            self.solver.pop(surplus as u32);
            self.asserted.truncate(common);
        }
        for &condition in &conditions[common..] {
            let image = translator.condition(terms, condition);
            self.solver.push();
            self.solver.assert(&image);
            self.asserted.push(condition);
        }
    }
}
