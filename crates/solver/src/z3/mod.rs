//! Z3, as the last layer and as the oracle: one incremental solver whose assertions follow the path.

mod bits;
mod float;
mod fpa;
mod price;
mod translate;
mod watch;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use slowpath_term::{InputId, Model, TermId, Terms};
use z3::{Params, SatResult, Solver};

use crate::halt::Halt;
use crate::patience::{Patience, STEPS_PER_UNIT};
use crate::stats::SolverStats;
use price::Gates;
use translate::Translator;

/// Megabytes that Z3 may hold, in all threads together.
static MOST_MEGABYTES: AtomicU32 = AtomicU32::new(u32::MAX);

/// From now on no question makes Z3, in all threads together, hold more than about so many bytes: it is unknown instead. Z3 counts for the process as a whole,
/// so this is one limit too; of several analyses at a time the last one's holds. Not every part of Z3 looks at it: the watcher of the process has the last word.
pub fn limit_z3_memory(bytes: u64) {
    let megabytes = u32::try_from(bytes >> 20).unwrap_or(u32::MAX).max(1);
    MOST_MEGABYTES.store(megabytes, Ordering::Relaxed);
    // The search for a model looks at this one, what comes before it at the solver's own. It is in bytes, whatever 4.8.12 says of it, of which 32 bits
    // can tell; 0 is no limit.
    let watermark = u32::try_from(bytes).unwrap_or(0);
    z3::set_global_param("memory_high_watermark", &watermark.to_string());
}

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
/// for the logic of arrays and bit-vectors twice as fast as the general one. Questions with floats get a solver of their own each.
pub(crate) struct Z3 {
    translator: Translator,
    vectors: Option<Stack>,
    /// Set from outside to end what is being done.
    halt: Arc<[Halt]>,
    patience: Patience,
    gates: Gates,
    /// Work of asserting, in steps, which Z3 does not count, since it was last asked for.
    asserting: u64,
    /// Whether the last question took all its time: what Z3 says then may have been broken off.
    late: bool,
    /// Z3's count of work after the last question, and when it was last asked for.
    now: u64,
    counted: u64,
}

/// Float operations in one question; more take Z3 longer than any question may, and gigabytes.
const MOST_FLOAT_OPERATIONS: usize = 24;

/// One solver and what it holds.
struct Stack {
    solver: Solver,
    /// The conditions asserted now, one level of Z3's stack each.
    asserted: Vec<TermId>,
}

impl Z3 {
    pub(crate) fn new(timeout_ms: u32, halt: Arc<[Halt]>) -> Z3 {
        Z3 {
            translator: Translator::default(),
            vectors: None,
            halt,
            patience: Patience::Time(timeout_ms.max(1)),
            gates: Gates::default(),
            asserting: 0,
            late: false,
            now: 0,
            counted: 0,
        }
    }

    /// The most that a question may use from now on.
    pub(crate) fn limit(&mut self, patience: Patience) {
        if self.patience != patience {
            self.patience = patience;
            if let Some(stack) = &self.vectors {
                stack.limit(patience);
            }
        }
    }

    /// Work done since this was last asked, in steps; not counted where time is the limit.
    pub(crate) fn take_work(&mut self) -> u64 {
        if matches!(self.patience, Patience::Time(_)) {
            return 0;
        }
        let work = self.now.saturating_sub(self.counted);
        self.counted = self.now;
        work * STEPS_PER_UNIT + std::mem::take(&mut self.asserting)
    }

    /// Why a model that fails evaluation was given: it was broken off while it was made, or else it is wrong, which is counted.
    pub(crate) fn wrong_model(&self, stats: &mut SolverStats) -> String {
        if self.late {
            return self.patience.in_words("Z3 reached");
        }
        stats.rejected_models += 1;
        "a model of Z3 failed evaluation".to_owned()
    }

    /// Is the conjunction of `conditions` and `extra` satisfiable? Inputs left open keep their value in `base`.
    pub(crate) fn check(&mut self, terms: &Terms, conditions: &[TermId], base: &Model, extra: TermId) -> Outcome {
        let has_float = terms.has_float(extra) || conditions.iter().any(|&t| terms.has_float(t));
        let patience = self.patience;
        // Conditions are taken apart into bits where they are asserted, and no limit holds there.
        let most = patience.most_gates();
        if self.gates.of(terms, conditions.iter().copied().chain([extra]), most) > most {
            return Outcome::Unknown(patience.in_words("more than Z3 can do before"));
        }
        let known = self.vectors.as_ref().filter(|_| !has_float).map_or(0, |stack| stack.in_common(conditions));
        let fresh = conditions[known..].iter().copied().chain([extra]);
        self.asserting += Patience::work_of(self.gates.of(terms, fresh, most));
        let mut fresh;
        let stack = if has_float {
            // Floats are taken apart into bits where they are asserted between two pushes, and nothing stops that. Asserted at once, that
            // is part of the question and of its limits.
            if price::float_operations(terms, conditions, extra) > MOST_FLOAT_OPERATIONS {
                return Outcome::Unknown("too much float arithmetic for Z3".to_owned());
            }
            fresh = Stack::new(Solver::new(), patience);
            self.counted = fresh.count();
            for &condition in conditions {
                fresh.solver.assert(self.translator.condition(terms, condition));
            }
            &mut fresh
        } else {
            let solver = || Solver::new_for_logic("QF_AUFBV").unwrap_or_default();
            let is_first = self.vectors.is_none();
            let stack = self.vectors.get_or_insert_with(|| Stack::new(solver(), patience));
            if is_first {
                self.counted = stack.count();
            }
            stack.follow(&mut self.translator, terms, conditions);
            stack.solver.push();
            stack
        };
        let solver = &stack.solver;
        solver.assert(self.translator.condition(terms, extra));
        let begun = Instant::now();
        let (said, halted) = watch::watched(&self.halt, patience.longest(), || solver.check());
        let outcome = match said {
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Unknown => Outcome::Unknown(match halted {
                Some(by) => format!("Z3 was stopped: {}", by.why),
                None => stack.reason(patience),
            }),
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
        // Z3's clock is not ours.
        self.late = begun.elapsed() >= patience.longest() * 9 / 10;
        self.now = stack.count();
        if !has_float {
            solver.pop(1);
        }
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
        let units = match patience {
            Patience::Time(_) => 0,
            Patience::Work(units) => units,
        };
        let mut params = Params::new();
        params.set_u32("timeout", u32::try_from(patience.longest().as_millis()).unwrap_or(u32::MAX));
        params.set_u32("rlimit", units);
        params.set_u32("max_memory", MOST_MEGABYTES.load(Ordering::Relaxed));
        // Signals are for whoever runs the analysis.
        params.set_bool("ctrl_c", false);
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

    /// Why there is no answer. What was stopped from beside, and what stopped itself, Z3 says in several ways, or not at all.
    fn reason(&self, patience: Patience) -> String {
        match self.solver.get_reason_unknown().as_deref() {
            Some("timeout" | "canceled" | "interrupted" | "interrupted from keyboard") => {
                patience.in_words("Z3 reached")
            }
            Some("max. resource limit exceeded" | "unknown" | "") => patience.in_words("Z3 reached"),
            Some("memout" | "out of memory" | "max. memory exceeded" | "(sat.max.memory)") => {
                "Z3 reached its part of the memory for the search (--max-search-memory)".to_owned()
            }
            Some(reason) => format!("Z3: {reason}"),
            None => "Z3 gave no reason".to_owned(),
        }
    }

    /// How many of the conditions are asserted already.
    fn in_common(&self, conditions: &[TermId]) -> usize {
        self.asserted.iter().zip(conditions).take_while(|(a, b)| a == b).count()
    }

    /// Makes the assertions those of `conditions`, keeping the longest common prefix.
    fn follow(&mut self, translator: &mut Translator, terms: &Terms, conditions: &[TermId]) {
        let common = self.in_common(conditions);
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
