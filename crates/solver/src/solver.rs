//! The solver as others see it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use slowpath_term::{InputId, Model, TermId, Terms};

use crate::answer::Answer;
use crate::config::{SolverConfig, SolverKind};
use crate::halt::Halt;
use crate::layers::Layers;
use crate::path::PathCondition;
use crate::patience::{Patience, STEPS_PER_MS};
use crate::readable;
use crate::stats::{Hard, SolverStats};
use crate::z3::{Outcome, Z3};

/// Decides path conditions. Keeps what it learned between questions, so use one for a whole exploration.
///
/// ```
/// use slowpath_solver::{PathCondition, Solver, SolverConfig};
/// use slowpath_term::{CmpOp, InputId, Model, Terms};
///
/// let mut terms = Terms::new();
/// let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
/// let less = terms.cmp(CmpOp::Slt, x, y);
/// let greater = terms.cmp(CmpOp::Slt, y, x);
/// let mut solver = Solver::new(SolverConfig::default());
/// let (path, model) = (PathCondition::new(), Model::from_values(vec![1, 2]));
/// assert!(solver.check(&mut terms, &path.push(less), &model, greater).is_unsat());
/// assert!(solver.check(&mut terms, &path, &model, greater).is_sat());
/// ```
pub struct Solver {
    pub(crate) config: SolverConfig,
    stats: SolverStats,
    pub(crate) layers: Layers,
    /// The arena that everything learned belongs to.
    arena: Option<u64>,
    /// Where what it did is added up when it is done.
    total: Option<Arc<Mutex<SolverStats>>>,
}

impl Drop for Solver {
    fn drop(&mut self) {
        if let Some(total) = &self.total {
            total.lock().unwrap_or_else(PoisonError::into_inner).add(&self.stats());
        }
    }
}

impl Solver {
    /// A solver that has seen nothing yet.
    pub fn new(config: SolverConfig) -> Solver {
        let layers = Layers::new(&config);
        Solver { config, stats: SolverStats::default(), layers, arena: None, total: None }
    }

    /// Is `path ∧ extra` satisfiable?
    ///
    /// `model` must satisfy `path`: conditions that share no input with `extra` are not looked at again. A model in the answer
    /// was checked by evaluation; one that fails is `Unknown` and counted in the statistics.
    pub fn check(&mut self, terms: &mut Terms, path: &PathCondition, model: &Model, extra: TermId) -> Answer {
        self.adopt(terms);
        self.stats.queries += 1;
        let answer = match self.config.kind {
            SolverKind::Layered => self.layers.check(terms, path, model, extra, &mut self.stats),
            SolverKind::Z3 => self.check_with_z3(terms, path, model, extra),
        };
        self.stats.unknown += u64::from(matches!(answer, Answer::Unknown(_)));
        answer
    }

    /// Z3 on the whole path, nothing before it.
    fn check_with_z3(&mut self, terms: &mut Terms, path: &PathCondition, model: &Model, extra: TermId) -> Answer {
        let Layers { deadline, work_limit, work, .. } = self.layers;
        let Some(patience) = Patience::left(self.config.z3_timeout_ms, deadline, work_limit, work) else {
            return Answer::Unknown("no time was left for Z3".to_owned());
        };
        self.stats.smt_queries += 1;
        let mut conditions: Vec<TermId> = path.iter().map(|condition| terms.condition(condition)).collect();
        conditions.reverse();
        let z3 =
            self.layers.z3.get_or_insert_with(|| Z3::new(self.config.z3_timeout_ms, Arc::clone(&self.layers.halt)));
        z3.limit(patience);
        let outcome = z3.check(terms, &conditions, model, extra);
        self.layers.work += z3.take_work();
        match outcome {
            Outcome::Unsat => Answer::Unsat,
            Outcome::Unknown(why) => Answer::Unknown(why),
            Outcome::Sat(found) => {
                let evaluator = &mut self.layers.evaluator;
                if conditions.iter().chain([&extra]).all(|&t| evaluator.holds(terms, &found, t)) {
                    Answer::Sat(found)
                } else {
                    Answer::Unknown(z3.wrong_model(&mut self.stats))
                }
            }
        }
    }

    /// An equally valid model with small values where possible. `signed` tells how the values of an input are read.
    ///
    /// Best effort and bounded; the model returned satisfies the path, by evaluation, or is the one given.
    pub fn readable(
        &mut self,
        terms: &mut Terms,
        path: &PathCondition,
        model: &Model,
        signed: &dyn Fn(InputId) -> bool,
    ) -> Model {
        self.adopt(terms);
        self.layers.track.follow(terms, path);
        readable::readable(
            terms,
            &self.layers.track,
            &mut self.layers.evaluator,
            model,
            signed,
            self.config.readable_evaluations,
        )
    }

    /// Whether the last layer may ask Z3 (at first it may). What only Z3 could answer is else unknown.
    pub fn ask_z3(&mut self, may: bool) {
        self.layers.ask_z3 = may;
    }

    /// What Z3 took so far, in steps of which a millisecond has 100,000: by its own work where that is limited, else by the clock.
    pub fn z3_steps(&self) -> u64 {
        self.layers.z3_steps
    }

    /// Tells how many of these steps Z3 took along the path that is asked about: beyond its limit it is not asked.
    pub fn on_a_path_of(&mut self, z3_steps: u64) {
        self.layers.z3_is_spent = z3_steps / STEPS_PER_MS >= u64::from(self.config.z3_path_ms);
    }

    /// From then on no question goes to Z3, and none that does takes longer: what only Z3 could answer is else unknown.
    pub fn until(&mut self, deadline: Option<Instant>) {
        self.layers.deadline = deadline;
    }

    /// Once one of the flags is set, what Z3 is doing ends, and the question is unknown.
    pub fn halt_with(&mut self, halts: Vec<Halt>) {
        self.layers.halt = halts.into();
    }

    /// From now on Z3 is limited by the work it does, not by the time that takes: the same answers on every machine. No more than
    /// `steps` are done until `take_work` asks for them; what only Z3 could answer is else unknown.
    pub fn limit_work(&mut self, steps: u64) {
        self.layers.work_limit = Some(steps);
    }

    /// Work done since this was last asked, in steps: of evaluation, of the layers after the first ones, and of Z3 where it is limited by it.
    pub fn take_work(&mut self) -> u64 {
        self.layers.take_work()
    }

    /// When it is done, what it did is added to this total.
    pub fn add_to(&mut self, total: Arc<Mutex<SolverStats>>) {
        self.total = Some(total);
    }

    /// Questions that reached Z3 so far, and the time it took for them.
    pub fn z3_so_far(&self) -> (u64, u64) {
        let nanos = self.layers.booked().last().map_or(0, |z3| z3.nanos);
        (self.stats.smt_queries, nanos)
    }

    /// Notes that questions which reached Z3 were asked at some place, and what they are like.
    pub fn note_hard(&mut self, what: String, hard: Hard) {
        self.stats.hard.entry(what).or_default().add(hard);
    }

    /// What was done so far.
    pub fn stats(&self) -> SolverStats {
        SolverStats { layers: self.layers.booked().to_vec(), ..self.stats.clone() }
    }

    /// Forgets what was learned about the terms of another arena.
    pub(crate) fn adopt(&mut self, terms: &Terms) {
        if self.arena.is_some_and(|arena| arena != terms.id()) {
            self.layers.forget(&self.config);
        }
        self.arena = Some(terms.id());
    }
}
