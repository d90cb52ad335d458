//! Z3, as the last layer and as the oracle: one incremental solver whose assertions follow the path.

mod bits;
mod float;
mod fpa;
mod translate;

use slowpath_term::{InputId, Model, TermId, Terms};
use z3::{Params, SatResult, Solver};

use translate::Translator;

/// What Z3 says.
pub(crate) enum Outcome {
    /// A model, not yet checked by evaluation.
    Sat(Model),
    Unsat,
    Unknown(String),
}

/// An incremental Z3 solver. Every call is bounded in time.
pub(crate) struct Z3 {
    solver: Solver,
    translator: Translator,
    /// The conditions asserted now, one level of Z3's stack each.
    asserted: Vec<TermId>,
}

impl Z3 {
    pub(crate) fn new(timeout_ms: u32) -> Z3 {
        let solver = match std::env::var("ZL").as_deref() { Ok("default")|Err(_) => Solver::new(), Ok(l) => Solver::new_for_logic(l.to_owned()).unwrap() };
        let mut params = Params::new();
        params.set_u32("timeout", timeout_ms.max(1));
        // Runs are to give the same models every time.
        params.set_u32("random_seed", 0);
        solver.set_params(&params);
        Z3 { solver, translator: Translator::default(), asserted: Vec::new() }
    }

    /// Is the conjunction of `conditions` and `extra` satisfiable? Inputs left open keep their value in `base`.
    pub(crate) fn check(&mut self, terms: &Terms, conditions: &[TermId], base: &Model, extra: TermId) -> Outcome {
        let fresh = std::env::var("ZF").is_ok();
        let t0 = std::time::Instant::now();
        if fresh { self.solver.reset(); for &c in conditions { let i = self.translator.condition(terms, c); self.solver.assert(&i);} }
        else { self.follow(terms, conditions); }
        let extra_image = self.translator.condition(terms, extra);
        if !fresh { self.solver.push(); }
        self.solver.assert(&extra_image);
        if std::env::var("ZT").is_ok() { eprintln!("follow {:?} n={}", t0.elapsed(), conditions.len()); }
        let t0 = std::time::Instant::now();
        let _r = self.solver.check();
        if std::env::var("ZT").is_ok() { eprintln!("check {:?} {:?}", t0.elapsed(), _r); }
        let outcome = match _r {
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Unknown => Outcome::Unknown(self.reason()),
            SatResult::Sat => match self.solver.get_model() {
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
        if !fresh { self.solver.pop(1); }
        outcome
    }

    fn reason(&self) -> String {
        match self.solver.get_reason_unknown().as_deref() {
            Some("timeout" | "canceled") => "Z3 reached its time limit".to_owned(),
            Some(reason) => format!("Z3: {reason}"),
            None => "Z3 gave no reason".to_owned(),
        }
    }

    /// Makes the assertions those of `conditions`, keeping the longest common prefix.
    fn follow(&mut self, terms: &Terms, conditions: &[TermId]) {
        let common = self.asserted.iter().zip(conditions).take_while(|(a, b)| a == b).count();
        let surplus = self.asserted.len() - common;
        if surplus > 0 {
            self.solver.pop(surplus as u32);
            self.asserted.truncate(common);
        }
        for &condition in &conditions[common..] {
            let image = self.translator.condition(terms, condition);
            self.solver.push();
            self.solver.assert(&image);
            self.asserted.push(condition);
        }
    }
}
