//! Runs nodes from decision to decision: the only place where the machine's questions meet the solver.
//!
//! Along every path a model is kept that satisfies its condition, so that one side of every decision is known to be
//! feasible for free. Strategies decide which of the other sides to ask about.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashSet;
use slowpath_machine::{
    Answer, Event, InputSource, Limit, Limits, Mode, Note, Outcome, Question, QuestionKind, SharedWords, start,
};
use slowpath_program::{SiteId, Trap};
use slowpath_solver::{Answer as Verdict, Halt, Hard, Solver, SolverStats, describe};
use slowpath_term::{CmpOp, Comparison, Condition, Evaluator, InputId, Model, TermId, Terms};
use smallvec::SmallVec;

use crate::budget::{Budget, Stop};
use crate::node::{Decision, Node};
use crate::sole_sides::{AlongSoleSides, SoleSides};
use crate::target::{SearchError, Target};

/// Instructions between two looks at the clock.
const POLL: u64 = 2_000_000;
/// Instructions between them at first, and wherever they made more terms than this since the last look: then an instruction takes a hundred times as long as on numbers. By
/// effort the moments stay what they were, since that is where it ends.
const POLL_SOON: u64 = 100_000;
const MANY_TERMS: usize = 5_000;
/// Assumptions about inputs between two looks at the clock.
const ASSUMED_AT_ONCE: usize = 1_000;
/// Values that are tried for all inputs together, and how many inputs have to lack one.
const VALUES_GIVEN: usize = 8;
const WORTH_GIVING: usize = 16;
/// Decisions between two looks at the clock.
const POLL_DECISIONS: u32 = 256;
/// The decisions that a question to the solver counts as.
const POLL_PER_QUESTION: u32 = 32;

/// Steps that a decision stands for, and a question that no layer finds hard: measured on insertion sort, to the nearest round number.
const STEPS_PER_DECISION: u64 = 10;
const STEPS_PER_QUESTION: u64 = 50;
/// Steps that beginning a path stands for, and each of its inputs.
const STEPS_PER_PATH: u64 = 500;
const STEPS_PER_INPUT: u64 = 5;
/// Steps that making a term stands for: a store at an unknown place among 256 cells makes a thousand, which took 60 ns each.
const STEPS_PER_TERM: u64 = 5;

/// One way a decision can go, and the condition under which it does, which is made a term only when somebody needs it
/// (`Driver::cond`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    pub answer: Answer,
    when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Holds(TermId),
    Fails(TermId),
    Compares(Comparison),
}

/// A decision to be made.
#[derive(Clone, Debug)]
pub struct Choice {
    pub site: SiteId,
    pub activation: u32,
    /// In canonical order: true before false, cases by number.
    pub sides: SmallVec<[Side; 2]>,
    /// The side the node's own model takes.
    pub current: usize,
}

/// What a node came to.
#[derive(Clone, Debug)]
pub enum Step {
    Decide(Choice),
    Done(Outcome),
    /// A limit on the path cut it short.
    Cut(Limit),
    /// The search as a whole has to stop.
    Stop(Stop),
}

/// A worker's tools: its own terms and its own solver.
pub struct Driver<'t> {
    pub target: &'t Target,
    pub terms: Terms,
    pub solver: Solver,
    evaluator: Evaluator,
    pub(crate) budget: Budget,
    until_poll: u32,
    /// Steps of work that are not yet charged to the budget.
    uncharged: u64,
    /// Terms whose making was charged.
    terms_charged: usize,
    /// Terms that there were at the last look at the clock.
    terms_at_poll: usize,
    /// Questions the solver gave up on.
    pub unknown: u64,
    /// Values that have to be fixed keep what the node's model says, as if its input were given.
    pub keeps_model: bool,
    /// Bytes stay bytes, also where they are read as words.
    pub(crate) only_bytes: bool,
    /// Else what the model does not satisfy counts as impossible, and ranges are what terms alone say.
    pub(crate) asks_solver: bool,
    /// Every unknown address is fixed to one value, however few it may have.
    pub(crate) fixes_addresses: bool,
    /// Where the machine asked last.
    asked_at: Option<SiteId>,
    /// What made results less than exact, and how often.
    pub limits: BTreeMap<String, u64>,
    /// Terms that the path condition was asked about, or restricted by, without a decision; for whoever takes them.
    pub(crate) asked: Option<Vec<TermId>>,
    /// Whether bounds that the solver gives go into the trail, so that it fixes the path wherever it is followed.
    pub(crate) keeps_ranges: bool,
    /// Answers that were given before and are to be given again; while there are some, the work is neither counted nor ended by the budget.
    pub(crate) recorded: VecDeque<Decision>,
    /// What was recorded is no answer to what is asked.
    pub(crate) diverged: bool,
    /// Values that were fixed before and are to be fixed again, by whoever follows nothing but decisions.
    pub(crate) fixed: VecDeque<u64>,
    /// Whether the machine was told what decisions alone do not say: bounds, or another value than was fixed before.
    pub(crate) told_more: bool,
}

impl Side {
    /// The condition as numbers, equal exactly where conditions are.
    pub(crate) fn words(self) -> [u64; 2] {
        match self.when {
            When::Holds(term) => [0, term.raw().get().into()],
            When::Fails(term) => [1, term.raw().get().into()],
            When::Compares(comparison) => comparison_words(comparison),
        }
    }

    /// The terms that the condition is made of.
    pub(crate) fn terms(self) -> [Option<TermId>; 2] {
        match self.when {
            When::Holds(term) | When::Fails(term) => [Some(term), None],
            When::Compares(comparison) => [Some(comparison.a), Some(comparison.b)],
        }
    }
}

/// A comparison as numbers, equal exactly where comparisons are.
pub(crate) fn comparison_words(comparison: Comparison) -> [u64; 2] {
    let Comparison { op, a, b, negated } = comparison;
    [2 + (2 * op as u64 + u64::from(negated)), u64::from(a.raw().get()) << 32 | u64::from(b.raw().get())]
}

/// A solver that keeps to a budget: its end, its work, and whoever interrupts it.
pub(crate) fn solver_within(target: &Target, budget: &Budget) -> Solver {
    let mut solver = Solver::new(target.solver.clone());
    solver.until(budget.deadline.and_then(|deadline| budget.clock.on_the_wall(deadline)));
    let halt = |flag: &Arc<AtomicBool>, why: Stop| Halt { flag: Arc::clone(flag), why: why.to_string() };
    solver.halt_with(vec![halt(&budget.interrupt, Stop::Interrupted), halt(&budget.memory_full, Stop::Memory)]);
    solver.add_to(Arc::clone(&budget.solved));
    if budget.clock.is_by_work() {
        solver.limit_work(budget.steps_left());
    }
    solver
}

impl<'t> Driver<'t> {
    /// Tools for one worker.
    pub fn new(target: &'t Target, budget: &Budget) -> Driver<'t> {
        Driver {
            target,
            terms: Terms::new(),
            solver: solver_within(target, budget),
            evaluator: Evaluator::new(),
            budget: budget.clone(),
            until_poll: POLL_DECISIONS,
            uncharged: 0,
            terms_charged: 0,
            terms_at_poll: 0,
            unknown: 0,
            keeps_model: false,
            only_bytes: false,
            asks_solver: true,
            fixes_addresses: false,
            asked_at: None,
            limits: BTreeMap::new(),
            asked: None,
            keeps_ranges: false,
            recorded: VecDeque::new(),
            diverged: false,
            fixed: VecDeque::new(),
            told_more: false,
        }
    }

    /// The start of every path at size `n`, where some bytes are words.
    pub(crate) fn root_with<M: Mode>(&mut self, n: i64, words: &SharedWords) -> Result<Node<M>, SearchError> {
        let t = self.target;
        let source =
            if words.is_empty() { InputSource::Symbolic } else { InputSource::InWords(SharedWords::clone(words)) };
        let limits = Limits { cells: if self.fixes_addresses { 1 } else { t.limits.cells }, ..t.limits };
        let started = start::<M>(&mut self.terms, &t.program, t.function, &t.entry, n, source, limits)?;
        let mut node = Node::at(started.state);
        node.state.check_at = self.poll_after(true).min(t.limits.instructions);
        node.state.limit_room();
        let inputs: u64 = node.state.inputs().iter().map(|record| u64::from(record.count)).sum();
        self.uncharged += STEPS_PER_PATH + STEPS_PER_INPUT * inputs;
        self.give_values(&mut node, &started.assumptions);
        for (i, cond) in started.assumptions.into_iter().enumerate() {
            if !self.assume(&mut node, cond) {
                return Err(SearchError::NoInput("a range is empty or the solver gave up on it".into()));
            }
            if i % ASSUMED_AT_ONCE == ASSUMED_AT_ONCE - 1 && self.must_stop().is_some() {
                return Err(SearchError::NoTime);
            }
        }
        Ok(node)
    }

    /// Gives inputs values that the assumptions allow, as far as one value serves many: texts have a condition for every letter, and asked about
    /// one by one each would copy the whole model.
    fn give_values<M: Mode>(&mut self, node: &mut Node<M>, assumptions: &[TermId]) {
        let mut open: Vec<TermId> = assumptions.to_vec();
        for _ in 0..VALUES_GIVEN {
            open.retain(|cond| !self.evaluator.holds(&self.terms, &node.model, *cond));
            let Some(first) = open.first().filter(|_| open.len() >= WORTH_GIVING) else { return };
            let [input] = *self.terms.inputs(*first) else { return };
            let Some(value) = self.feasible(node, *first).map(|model| model.get(input)) else { return };
            let single = |cond: &TermId| match *self.terms.inputs(*cond) {
                [input] => Some(input),
                _ => None,
            };
            let tried = node.model.with_all(open.iter().filter_map(single).map(|input| (input, value)));
            let refused: FxHashSet<InputId> = assumptions
                .iter()
                .filter(|cond| !self.evaluator.holds(&self.terms, &tried, **cond))
                .flat_map(|cond| self.terms.inputs(*cond))
                .copied()
                .collect();
            let given = open.iter().filter_map(single).filter(|input| !refused.contains(input));
            node.model = node.model.with_all(given.map(|input| (input, value)));
        }
    }

    /// Instructions until the next look at the clock.
    fn poll_after(&self, soon: bool) -> u64 {
        if soon && !self.budget.clock.is_by_work() { POLL_SOON } else { POLL }
    }

    /// Ends something for want of memory.
    pub(crate) fn out_of_memory(&self) -> Stop {
        self.budget.out_of_memory()
    }

    /// Charges the budget with the work done since the last time.
    fn charge(&mut self) {
        let solver = self.solver.take_work() + self.take_terms();
        self.budget.charge(std::mem::take(&mut self.uncharged) + solver);
        if self.budget.clock.is_by_work() {
            self.solver.limit_work(self.budget.steps_left());
        }
    }

    /// Work of making and evaluating terms since this was last asked.
    fn take_terms(&mut self) -> u64 {
        let made = self.terms.len().saturating_sub(self.terms_charged) as u64;
        self.terms_charged = self.terms.len();
        STEPS_PER_TERM * made + self.evaluator.take_computed()
    }

    /// Work done so far, in steps of the budget's clock.
    pub(crate) fn work_done(&mut self) -> u64 {
        self.charge();
        self.budget.clock.steps()
    }

    /// Forgets the work since the last time it was charged: it was done before, by somebody else.
    pub(crate) fn forget_work(&mut self) {
        self.uncharged = 0;
        let _ = self.solver.take_work() + self.take_terms();
        self.until_poll = POLL_DECISIONS;
    }

    /// Why the search must stop now. What was recorded is followed to its end all the same, unless somebody outside wants an end.
    pub(crate) fn must_stop(&mut self) -> Option<Stop> {
        if !self.recorded.is_empty() {
            return self.budget.ended_from_outside();
        }
        self.charge();
        self.budget.expired()
    }

    /// Counts work of a strategy's own; the budget is charged with it at the next look at the clock.
    pub(crate) fn count_work(&mut self, steps: u64) {
        self.uncharged += steps;
    }

    /// How often something made the result less than exact.
    pub(crate) fn limits_noted(&self) -> u64 {
        self.limits.values().sum()
    }

    /// Notes something that made the result less than exact.
    pub fn limit(&mut self, what: impl Into<String>) {
        *self.limits.entry(what.into()).or_insert(0) += 1;
    }

    /// What the solver did so far.
    pub fn solver_stats(&self) -> SolverStats {
        self.solver.stats()
    }

    /// Whether a condition holds under the node's model.
    pub fn holds<M: Mode>(&mut self, node: &Node<M>, cond: TermId) -> bool {
        self.evaluator.holds(&self.terms, &node.model, cond)
    }

    /// The value of a term under the node's model.
    pub(crate) fn value<M: Mode>(&mut self, node: &Node<M>, term: TermId) -> u64 {
        self.evaluator.eval(&self.terms, &node.model, term)
    }

    /// Whether a condition that need not be a term holds under the node's model.
    pub fn satisfies<M: Mode>(&mut self, node: &Node<M>, condition: Condition) -> bool {
        self.evaluator.satisfies(&self.terms, &node.model, condition)
    }

    /// Whether the node's model goes that way.
    pub(crate) fn goes<M: Mode>(&mut self, node: &Node<M>, side: Side) -> bool {
        match side.when {
            When::Holds(term) => self.holds(node, term),
            When::Fails(term) => !self.holds(node, term),
            When::Compares(comparison) => self.evaluator.compares(&self.terms, &node.model, comparison),
        }
    }

    /// The condition of a side, as a term.
    pub fn cond(&mut self, side: Side) -> TermId {
        let condition = self.condition(side);
        self.terms.condition(condition)
    }

    /// The condition of a side, as the path keeps it.
    fn condition(&mut self, side: Side) -> Condition {
        match side.when {
            When::Holds(term) => term.into(),
            When::Fails(term) => self.terms.not(term).into(),
            When::Compares(comparison) => Condition::Compares(comparison.straight()),
        }
    }

    /// A model under which the node goes that way, if there is one.
    pub fn feasible_side<M: Mode>(&mut self, node: &Node<M>, side: Side) -> Option<Model> {
        let cond = self.cond(side);
        self.feasible(node, cond)
    }

    /// What the solver says about a side.
    pub fn verdict<M: Mode>(&mut self, node: &Node<M>, side: Side) -> Verdict {
        let cond = self.cond(side);
        self.check(node, cond)
    }

    /// Asks the solver. Where it had to ask Z3, the place and the kind of the condition are noted.
    fn check<M: Mode>(&mut self, node: &Node<M>, cond: TermId) -> Verdict {
        let (asked, nanos) = self.solver.z3_so_far();
        let z3_steps = self.solver.z3_steps();
        self.solver.on_a_path_of(node.z3_steps.get());
        let verdict = self.solver.check(&mut self.terms, &node.path, &node.model, cond);
        node.z3_steps.set(node.z3_steps.get() + self.solver.z3_steps() - z3_steps);
        let (now, nanos_now) = self.solver.z3_so_far();
        if now > asked {
            let unknown = u64::from(matches!(verdict, Verdict::Unknown(_)));
            let hard = Hard { asked: now - asked, unknown, nanos: nanos_now - nanos };
            let what = self.hard_condition(cond);
            self.solver.note_hard(what, hard);
        }
        verdict
    }

    /// Where the machine asked last, and what a condition is like.
    fn hard_condition(&self, cond: TermId) -> String {
        let form = describe(&self.terms, cond);
        match self.asked_at {
            Some(site) => format!("{} ({form})", self.target.program.site_place(site)),
            None => format!("the inputs ({form})"),
        }
    }

    /// A model under which the node goes on with `cond`, if there is one. An unknown counts as none and is noted.
    pub fn feasible<M: Mode>(&mut self, node: &Node<M>, cond: TermId) -> Option<Model> {
        if !self.asks_solver {
            return None;
        }
        // A question can take long; the clock is looked at the sooner for each.
        self.until_poll = self.until_poll.saturating_sub(POLL_PER_QUESTION).max(1);
        self.uncharged += STEPS_PER_QUESTION;
        match self.check(node, cond) {
            Verdict::Sat(model) => {
                // A model has a value for every input.
                self.uncharged += model.values().len() as u64;
                Some(model)
            }
            Verdict::Unsat => None,
            Verdict::Unknown(why) => {
                self.unknown += 1;
                // It may have taken all there was.
                self.until_poll = 1;
                let what = self.hard_condition(cond);
                self.limit(format!("the solver gave up on a condition at {what}: {why}"));
                None
            }
        }
    }

    /// Sound bounds of a term on the node's path.
    fn range<M: Mode>(&mut self, node: &Node<M>, t: TermId) -> (u64, u64) {
        if self.asks_solver {
            self.solver.range(&mut self.terms, &node.path, &node.model, t)
        } else {
            self.terms.bounds(t)
        }
    }

    /// Restricts the node to where `cond` holds; false if it is nowhere.
    pub fn assume<M: Mode>(&mut self, node: &mut Node<M>, cond: TermId) -> bool {
        if !self.holds(node, cond) {
            match self.feasible(node, cond) {
                Some(model) => node.model = model,
                None => return false,
            }
        }
        node.path.add(cond);
        true
    }

    /// Runs a node to its next decision or its end.
    pub fn advance<M: Mode>(&mut self, node: &mut Node<M>) -> Step {
        self.advance_by(node, |driver, node| (node.state.run(&mut driver.terms), 0))
    }

    /// Runs a node to its next decision that is not for a sole side which its model takes, or to its end.
    pub(crate) fn advance_along<M: Mode>(&mut self, node: &mut Node<M>, sides: &SoleSides) -> Step {
        self.advance_by(node, |driver, node| {
            let Node { state, path, model, trail, .. } = node;
            // The last one before the next look at the clock is asked for.
            let most = driver.until_poll - 1;
            let evaluator = &mut driver.evaluator;
            let mut guide = AlongSoleSides { sides, model, evaluator, path, trail, left: most, cost: 0 };
            let event = state.run_guided(&mut driver.terms, &mut guide);
            let (made, cost) = (most - guide.left, guide.cost);
            driver.until_poll -= made;
            driver.uncharged += u64::from(made) * STEPS_PER_DECISION;
            (event, cost)
        })
    }

    /// Runs a node to what has to be decided. `run` also tells how much of what it did is not charged: a branch that somebody decides is part of the
    /// decision.
    fn advance_by<M: Mode>(
        &mut self,
        node: &mut Node<M>,
        run: impl Fn(&mut Self, &mut Node<M>) -> (Event, u64),
    ) -> Step {
        loop {
            let before = node.state.meter.raw.instructions;
            let (event, decided) = run(self, node);
            self.uncharged += node.state.meter.raw.instructions - before - decided + STEPS_PER_DECISION;
            let question = match event {
                Event::Ask(question) => question,
                Event::Done(outcome) => {
                    self.note_path(node);
                    self.budget.clock.count_run();
                    if outcome == Outcome::Trapped(Trap::StackOverflow) {
                        self.limit(format!("calls deeper than {} (--max-depth)", self.target.limits.call_depth));
                    }
                    if let Outcome::Trapped(Trap::Missing(name)) = &outcome {
                        self.limit(format!("paths end where `{name}` is called, which is nowhere defined"));
                    }
                    return Step::Done(outcome);
                }
                Event::Stopped(limit) => return Step::Cut(limit),
                Event::Room(bytes) => match self.budget.room_for(bytes) {
                    Some(room) => {
                        node.state.give_room(room);
                        // Nothing was decided.
                        self.uncharged = self.uncharged.saturating_sub(STEPS_PER_DECISION);
                        continue;
                    }
                    None => return Step::Stop(self.budget.out_of_memory()),
                },
                Event::Poll => {
                    if node.state.meter.raw.instructions >= self.target.limits.instructions
                        || node.state.check_at >= self.target.limits.instructions
                    {
                        return Step::Cut(Limit::Instructions);
                    }
                    if let Some(stop) = self.must_stop() {
                        return Step::Stop(stop);
                    }
                    if self.terms.len() + node.path.len() > self.budget.terms {
                        return Step::Stop(self.budget.out_of_memory());
                    }
                    let made = self.terms.len().saturating_sub(self.terms_at_poll);
                    self.terms_at_poll = self.terms.len();
                    let until = node.state.next_check(self.poll_after(made > MANY_TERMS));
                    node.state.check_at = until.min(self.target.limits.instructions);
                    continue;
                }
            };
            self.until_poll -= 1;
            if self.until_poll == 0 {
                self.until_poll = POLL_DECISIONS;
                if let Some(stop) = self.must_stop() {
                    return Step::Stop(stop);
                }
                // A condition that is no term takes its room in the path.
                if self.terms.len() + node.path.len() > self.budget.terms {
                    return Step::Stop(self.budget.out_of_memory());
                }
            }
            if let Some(choice) = self.question(node, question) {
                return Step::Decide(choice);
            }
        }
    }

    /// Answers what needs no strategy; gives back what does.
    fn question<M: Mode>(&mut self, node: &mut Node<M>, question: Question) -> Option<Choice> {
        let Question { site, activation, kind, .. } = question;
        self.asked_at = Some(site);
        let side = |answer: bool, when| Side { answer: Answer::Bool(answer), when };
        let sides: SmallVec<[Side; 2]> = match kind {
            QuestionKind::Branch(cond) | QuestionKind::Trap(cond, _) => {
                let (yes, no) = (When::Holds(cond), When::Fails(cond));
                SmallVec::from_buf([side(true, yes), side(false, no)])
            }
            QuestionKind::Unless(cond) => {
                let (yes, no) = (When::Fails(cond), When::Holds(cond));
                SmallVec::from_buf([side(true, yes), side(false, no)])
            }
            QuestionKind::Compare(c) => {
                let (yes, no) = (When::Compares(c), When::Compares(c.opposite()));
                SmallVec::from_buf([side(true, yes), side(false, no)])
            }
            QuestionKind::Switch(cases) => {
                let side = |(i, term)| Side { answer: Answer::Case(i as u32), when: When::Holds(term) };
                cases.into_iter().enumerate().map(side).collect()
            }
            QuestionKind::Assume(cond) => {
                self.asked.iter_mut().for_each(|asked| asked.push(cond));
                let holds = self.assume(node, cond);
                node.state.answer(Answer::Bool(holds));
                return None;
            }
            QuestionKind::Range(t) => {
                self.asked.iter_mut().for_each(|asked| asked.push(t));
                let (low, high) = match self.recorded_range(node, t) {
                    Some(range) => range,
                    None => {
                        self.told_more = true;
                        self.range(node, t)
                    }
                };
                if self.keeps_ranges {
                    node.trail.push_range(low, high);
                }
                node.state.answer(Answer::Range(low, high));
                return None;
            }
            QuestionKind::Pin(t, why) => {
                self.pin(node, site, activation, t, why);
                return None;
            }
        };
        let current = match sides[..] {
            // Of two that exclude each other one look is enough.
            [yes, Side { answer: Answer::Bool(false), .. }] => Some(usize::from(!self.goes(node, yes))),
            _ => sides.iter().position(|s| self.goes(node, *s)),
        };
        match current {
            Some(current) => Some(Choice { site, activation, sides, current }),
            // Cases are exhaustive by construction; should that fail, the answer keeps the machine going and the
            // finding is rejected by replay.
            None => {
                self.limit("a decision without a case that holds (a bug in slowpath)");
                node.state.answer(sides.first().map_or(Answer::Bool(false), |s| s.answer));
                None
            }
        }
    }

    /// The bounds that were given here before, if they are what is recorded next.
    fn recorded_range<M: Mode>(&mut self, node: &Node<M>, t: TermId) -> Option<(u64, u64)> {
        let Answer::Range(low, high) = self.recorded.front()?.answer else { return None };
        self.recorded.pop_front();
        let value = self.evaluator.eval(&self.terms, &node.model, t);
        self.diverged |= !(low..=high).contains(&value);
        Some((low, high))
    }

    /// Fixes a term to the value it was fixed to before, if something is recorded. Whoever did so has noted that.
    fn pin_again<M: Mode>(&mut self, node: &mut Node<M>, site: SiteId, activation: u32, t: TermId) -> bool {
        let Some(recorded) = self.recorded.pop_front() else { return false };
        let value = self.evaluator.eval(&self.terms, &node.model, t);
        self.diverged |= recorded.answer != Answer::Value(value);
        let fixed = self.terms.constant(self.terms.width(t), value);
        let fixed = self.terms.cmp(CmpOp::Eq, t, fixed);
        node.path.add(fixed);
        let answer = Answer::Value(value);
        node.trail.push(Decision { site, activation, answer, forced: true });
        node.state.answer(answer);
        true
    }

    /// Fixes a term to one value: the one it was fixed to before, or the smallest it can have if that is cheap to know, else the model's.
    fn pin<M: Mode>(&mut self, node: &mut Node<M>, site: SiteId, activation: u32, t: TermId, why: &str) {
        if self.pin_again(node, site, activation, t) {
            return;
        }
        self.limit(format!("{why} at {}: only one value was followed", self.target.program.site_place(site)));
        let width = self.terms.width(t);
        let before = self.fixed.pop_front();
        let wanted = match before {
            Some(value) => value,
            None => {
                self.told_more = true;
                self.range(node, t).0
            }
        };
        let at_wanted = self.terms.constant(width, wanted);
        let at_wanted = self.terms.cmp(CmpOp::Eq, t, at_wanted);
        let value = if (before.is_some() || !self.keeps_model) && self.assume(node, at_wanted) {
            wanted
        } else {
            self.told_more = true;
            let value = self.evaluator.eval(&self.terms, &node.model, t);
            let fixed = self.terms.constant(width, value);
            let fixed = self.terms.cmp(CmpOp::Eq, t, fixed);
            node.path.add(fixed);
            value
        };
        let answer = Answer::Value(value);
        node.trail.push(Decision { site, activation, answer, forced: true });
        node.state.answer(answer);
    }

    /// Lets the node go one way. `model` is given where the node's own does not go there. A forced decision adds
    /// nothing to the path condition, which implies it.
    pub fn take<M: Mode>(
        &mut self,
        node: &mut Node<M>,
        choice: &Choice,
        side: usize,
        model: Option<Model>,
        forced: bool,
    ) {
        let taken = choice.sides[side];
        let answer = taken.answer;
        if let Some(model) = model {
            node.model = model;
        }
        if !forced {
            let condition = self.condition(taken);
            node.path.add(condition);
        }
        node.trail.push(Decision { site: choice.site, activation: choice.activation, answer, forced });
        node.state.answer(answer);
    }

    fn note_path<M: Mode>(&mut self, node: &Node<M>) {
        self.uncharged += STEPS_PER_INPUT * node.model.values().len() as u64;
        self.charge();
        for note in node.state.notes() {
            match note {
                Note::MemoryLimit => self.limit("memory.grow was refused at the limit of memory (--max-memory)"),
            }
        }
    }
}
