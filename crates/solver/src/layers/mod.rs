//! The layers, cheapest first. Each is exact or silent; what it cannot decide it hands over to the next.

mod difference;
mod domain;
mod enumerate;
mod evaluate;
mod float_bounds;
mod float_order;
mod hashes;
mod invert;
mod linear;
mod repair;
mod reuse;
mod sample;
mod smt;
mod sums;
mod wraps;

use std::sync::Arc;
use std::time::Instant;

use slowpath_term::{BinOp, Evaluator, Model, Node, TermId, Terms, UnOp};

use crate::allowance::Allowance;
use crate::answer::{Answer, Verdict};
use crate::config::SolverConfig;
use crate::difference::Relaxation;
use crate::halt::Halt;
use crate::path::PathCondition;
use crate::patience::Patience;
use crate::stats::{LayerStats, SolverStats};
use crate::track::Track;
use crate::z3::Z3;
use enumerate::Experience;
use reuse::Memory;
use sample::Luck;
use sums::Sums;

/// So many questions refuted by sums more than answered by a model make sums go before repair.
const REFUTING: u32 = 16;

/// One question: can the path take all of these goals as well?
pub(crate) struct Question<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) model: &'a Model,
    /// The condition asked for.
    pub(crate) extra: TermId,
    /// The condition, taken apart into conjuncts.
    pub(crate) goals: &'a [TermId],
}

/// Conditions of which one has to hold that are looked at one by one.
const MOST_DISJUNCTS: usize = 16;
/// Orders between inputs that are looked at in the time of a step.
const VISITS_PER_STEP: u64 = 4;
/// Steps of work that a question stands for which the first layers passed on.
const STEPS_PER_HARD_QUESTION: u64 = 500;
/// And one that is answered by luck, if at all.
const STEPS_PER_SAMPLING: u64 = 10_000;

/// Everything the layers keep between questions.
pub(crate) struct Layers {
    pub(crate) track: Track,
    pub(crate) evaluator: Evaluator,
    relaxation: Relaxation,
    memory: Memory,
    experience: Experience,
    luck: Luck,
    sums: Sums,
    hashing: hashes::Record,
    wrapping: wraps::Record,
    pub(crate) z3: Option<Z3>,
    goals: Vec<TermId>,
    booked: [LayerStats; 13],
    repair_tries: u32,
    /// Questions that sums refuted of late, less those that had a model.
    refuted: u32,
    z3_timeout_ms: u32,
    /// When Z3 has to be done.
    pub(crate) deadline: Option<Instant>,
    /// Whether Z3 may be asked.
    pub(crate) ask_z3: bool,
    /// Whether Z3 had its time on the path that is asked about.
    pub(crate) z3_is_spent: bool,
    /// What Z3 took so far, in steps.
    pub(crate) z3_steps: u64,
    /// Set from outside to end what Z3 is doing.
    pub(crate) halt: Arc<[Halt]>,
    /// Steps of work that may be done from when `work` was last asked for, where Z3 is limited by work and not by time.
    pub(crate) work_limit: Option<u64>,
    /// Work done since it was last asked for, in steps, but for evaluating terms.
    pub(crate) work: u64,
}

impl Layers {
    pub(crate) fn new(config: &SolverConfig) -> Layers {
        let names = [
            "evaluate",
            "domain",
            "difference",
            "repair",
            "linear",
            "float order",
            "reuse",
            "enumerate",
            "hashes",
            "wraps",
            "float bounds",
            "sample",
            "z3",
        ];
        Layers {
            track: Track::default(),
            evaluator: Evaluator::new(),
            relaxation: Relaxation::default(),
            memory: Memory::default(),
            experience: Experience::default(),
            luck: Luck::default(),
            sums: Sums::default(),
            hashing: hashes::Record::default(),
            wrapping: wraps::Record::default(),
            z3: None,
            goals: Vec::new(),
            booked: names.map(LayerStats::named),
            repair_tries: config.repair_tries,
            refuted: 0,
            z3_timeout_ms: config.z3_timeout_ms,
            deadline: None,
            ask_z3: true,
            z3_is_spent: false,
            z3_steps: 0,
            halt: Arc::new([]),
            work_limit: None,
            work: 0,
        }
    }

    pub(crate) fn booked(&self) -> &[LayerStats] {
        &self.booked
    }

    /// Work done since this was last asked, in steps: a step for every term that was evaluated, too.
    pub(crate) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work) + self.evaluator.take_computed()
    }

    /// Forgets everything but the statistics.
    pub(crate) fn forget(&mut self, config: &SolverConfig) {
        let work = self.take_work();
        let Layers { booked, ask_z3, z3_is_spent, z3_steps, deadline, work_limit, .. } = *self;
        let halt = Arc::clone(&self.halt);
        *self =
            Layers { booked, ask_z3, z3_is_spent, z3_steps, deadline, work_limit, work, halt, ..Layers::new(config) };
    }

    /// Asks one layer after the other.
    pub(crate) fn check(
        &mut self,
        terms: &mut Terms,
        path: &PathCondition,
        model: &Model,
        extra: TermId,
        stats: &mut SolverStats,
    ) -> Answer {
        let Layers {
            track,
            evaluator,
            relaxation,
            memory,
            experience,
            luck,
            sums,
            hashing,
            wrapping,
            z3,
            goals,
            booked,
            ..
        } = self;
        let [
            evaluate,
            domain,
            difference,
            repair,
            linear,
            float_order,
            reuse,
            enumerate,
            hashes,
            wraps,
            float_bounds,
            sample,
            smt,
        ] = booked;

        if let Verdict::Sat(model) = evaluate.sampled(|| evaluate::decide(terms, evaluator, model, extra)) {
            return Answer::Sat(model);
        }
        if extra == terms.ff() {
            return Answer::Unsat;
        }
        track.follow(terms, path);
        if track.is_refuted(extra) {
            reuse.unsat_again();
            return Answer::Unsat;
        }
        take_apart(terms, extra, goals);
        let question = Question { terms, model, extra, goals };

        let mut verdict = domain.sampled(|| domain::decide(&question, track, evaluator));
        if matches!(verdict, Verdict::Pass)
            && let Some(sides) = disjuncts(terms, extra)
        {
            verdict = domain::decide_any(terms, model, &sides, track, evaluator);
        }
        let question = Question { terms, model, extra, goals };
        let by_domains = !matches!(verdict, Verdict::Pass);
        if !by_domains {
            let left = self.work_limit.map(|limit| limit.saturating_sub(self.work));
            let mut allowance = Allowance::new(left, self.deadline, &self.halt);
            verdict =
                difference.sampled(|| difference::decide(&question, track, evaluator, relaxation, &mut allowance));
            self.work += allowance.spent() / VISITS_PER_STEP;
            if allowance.is_spent() && matches!(verdict, Verdict::Pass) {
                // The layers below take longer.
                return Answer::Unknown("orders between so many inputs take longer than there is time".to_owned());
            }
        }
        // The layers below look at conditions as terms.
        if matches!(verdict, Verdict::Pass) {
            self.work += STEPS_PER_HARD_QUESTION;
            track.make(terms);
        }
        let question = Question { terms, model, extra, goals };
        // Repair cannot refute. Where it has been in vain most of the time, sums are looked at first.
        let tries = self.repair_tries;
        let refuting = self.refuted >= REFUTING;
        if matches!(verdict, Verdict::Pass) && !refuting {
            verdict = repair.timed(|| repair::decide(&question, track, evaluator, tries));
        }
        if matches!(verdict, Verdict::Pass) {
            verdict = linear.timed(|| linear::decide(&question, track, evaluator, sums));
            if matches!(verdict, Verdict::Unsat) {
                self.refuted = (self.refuted + 1).min(2 * REFUTING);
            }
        }
        if matches!(verdict, Verdict::Pass) && refuting {
            verdict = repair.timed(|| repair::decide(&question, track, evaluator, tries));
        }
        if matches!(verdict, Verdict::Sat(_)) {
            self.refuted = self.refuted.saturating_sub(REFUTING / 4);
        }
        if matches!(verdict, Verdict::Pass) {
            let slice = track.slice(terms, extra);
            verdict = float_order.timed(|| float_order::decide(&question, &slice, evaluator));
            if matches!(verdict, Verdict::Pass) {
                verdict = reuse.timed(|| memory.decide(&question, &slice, evaluator));
            }
            if matches!(verdict, Verdict::Pass) {
                let decide = || enumerate::decide(&question, &slice, track, evaluator, experience);
                verdict = enumerate.timed(decide);
            }
            if matches!(verdict, Verdict::Pass) {
                let work = &mut self.work;
                verdict = hashes.timed(|| hashes::decide(&question, &slice, track, evaluator, hashing, work));
            }
            if matches!(verdict, Verdict::Pass) {
                verdict = wraps.timed(|| wraps::decide(&question, &slice, track, evaluator, wrapping, &mut self.work));
            }
            if matches!(verdict, Verdict::Pass) {
                let work = &mut self.work;
                verdict = float_bounds.timed(|| float_bounds::decide(&question, &slice, evaluator, work));
            }
            if matches!(verdict, Verdict::Pass) {
                verdict = sample.timed(|| sample::decide(&question, &slice, track, evaluator, luck));
                self.work += STEPS_PER_SAMPLING;
            }
            if matches!(verdict, Verdict::Pass) {
                if let Some(why) = memory.known_unknown(&slice, extra) {
                    return Answer::Unknown(why);
                }
                if !self.ask_z3 {
                    return Answer::Unknown("Z3 was not asked".to_owned());
                }
                if self.z3_is_spent {
                    return Answer::Unknown("Z3 had its time on this path (--solver-path-timeout)".to_owned());
                }
                let usual = self.z3_timeout_ms;
                let Some(patience) = Patience::left(usual, self.deadline, self.work_limit, self.work) else {
                    return Answer::Unknown("no time was left for Z3".to_owned());
                };
                stats.smt_queries += 1;
                let z3 = z3.get_or_insert_with(|| Z3::new(usual, Arc::clone(&self.halt)));
                z3.limit(patience);
                let mut why = String::new();
                let begun = Instant::now();
                verdict = smt.timed(|| smt::decide(&question, &slice, z3, evaluator, stats, &mut why));
                let work = z3.take_work();
                self.work += work;
                self.z3_steps += patience.steps(begun.elapsed(), work);
                memory.remember(&question, slice, &verdict, &why);
                if matches!(verdict, Verdict::Pass) {
                    return Answer::Unknown(why);
                }
            }
        }
        // What domains refute they refute again as fast.
        if matches!(verdict, Verdict::Unsat) && !by_domains {
            track.refute(extra);
        }
        match verdict {
            Verdict::Sat(model) => Answer::Sat(model),
            Verdict::Unsat => Answer::Unsat,
            Verdict::Pass => Answer::Unknown("no layer could decide".to_owned()),
        }
    }
}

/// The conditions of which one has to hold, if that is what a condition says and they are not many.
fn disjuncts(terms: &mut Terms, t: TermId) -> Option<Vec<TermId>> {
    let (op, negated, first) = match terms.node(t) {
        Node::Bin { op: BinOp::Or, width: 1, .. } => (BinOp::Or, false, t),
        Node::Un { op: UnOp::Not, width: 1, a } => (BinOp::And, true, a),
        _ => return None,
    };
    let mut sides = vec![first];
    let mut i = 0;
    while i < sides.len() {
        match terms.node(sides[i]) {
            Node::Bin { op: inner, width: 1, a, b } if inner == op => {
                sides[i] = a;
                sides.push(b);
            }
            _ => i += 1,
        }
        if sides.len() > MOST_DISJUNCTS {
            return None;
        }
    }
    if sides.len() < 2 {
        return None;
    }
    Some(sides.into_iter().map(|side| if negated { terms.not(side) } else { side }).collect())
}

/// The conjuncts of a condition.
fn take_apart(terms: &Terms, t: TermId, goals: &mut Vec<TermId>) {
    goals.clear();
    goals.push(t);
    let mut i = 0;
    while i < goals.len() {
        match terms.node(goals[i]) {
            Node::Bin { op: BinOp::And, width: 1, a, b } => {
                goals[i] = a;
                goals.push(b);
            }
            _ => i += 1,
        }
    }
}
