//! Depth first, from decision to decision, looking up at each what its future comes to.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigUint;
use slowpath_machine::{Entry, Limit, Outcome, Place, Recorded, State};
use slowpath_program::{Instr, SiteId, Trap};
use slowpath_term::{Model, Terms};
use smallvec::SmallVec;

use super::asked::{Asked, Tests};
use super::conditions::Conditions;
use super::future::{Continuation, Continuations, Cut, Future};
use super::held::Held;
use super::input_set::InputSet;
use super::left_out::{LeftOut, Trial};
use super::names::Name;
use super::naming::Naming;
use super::needs::{Needs, backwards};
use super::passing::{Passing, chain};
use super::pending::Pending;
use super::reads::Reads;
use super::room::Room;
use super::segment::Segment;
use super::table::{Table, Where};
use super::touched::Touched;
use crate::budget::{Budget, Stop};
use crate::driver::{Choice, Driver, Step};
use crate::node::{Node, Trail};
use crate::tally::{TRAP_EXAMPLES, Tally, cut_path};
use crate::target::SearchError;

/// A decision whose sides are not all done.
struct Open {
    /// The state that asks.
    node: Node<Recorded>,
    choice: Choice,
    shape: Box<[u64]>,
    place: Where,
    /// How it was reached from the decision before.
    arrival: Segment,
    /// Sides to be followed, last one first, each with a model that goes there.
    waiting: SmallVec<[(usize, Option<Model>); 2]>,
    /// The side that is being followed, and whether it is the only one.
    side: usize,
    forced: bool,
    /// What the sides that are done come to, whole paths.
    future: Future,
    needs: Needs,
    asked: Asked,
    naming: Naming,
    /// What it compares, if an input with a number.
    pending: Option<Pending>,
    /// Whether the sides that are done are all known to be as they would be for any state that agrees.
    reusable: bool,
    /// Limits that were noted before.
    limits: u64,
}

/// What the decision before is told: what all paths from here on come to, and what that depends on.
struct Report {
    future: Future,
    reads: Option<Rc<Reads>>,
    /// How it was reached from the decision before.
    arrival: Segment,
    /// What it compares first, if an input with a number; and the names that it needs.
    pending: Option<Pending>,
    held: Held,
}

impl Report {
    /// What is known of a state that asks, and reads this.
    fn of(
        terms: &Terms,
        state: &State<Recorded>,
        future: Future,
        reads: Rc<Reads>,
        arrival: Segment,
        pending: Option<Pending>,
    ) -> Report {
        // Without names, what it compares is needed as it is.
        let pending = pending.filter(|_| reads.names.is_some());
        let names = reads.names.iter().flat_map(|names| names.places.iter());
        let names = names.filter_map(|place| Some((*place, Name::at(terms, state, *place)?)));
        let held = Held::of(names.chain(pending.iter().flat_map(|pending| pending.holds.iter().copied())));
        Report { future, reads: Some(reads), arrival, pending, held }
    }

    /// Nothing is asked any more.
    fn end(future: Future, reads: Option<Rc<Reads>>, arrival: Segment) -> Report {
        Report { future, reads, arrival, pending: None, held: Held::default() }
    }
}

/// Paths that end in one kind of trap: how many, and the first of them, their decisions in two parts.
type Trapped = (BigUint, Vec<(Trail, Continuation)>);

/// What paths came to so far.
#[derive(Default)]
pub struct Totals {
    pub paths: BigUint,
    pub worst_paths: BigUint,
    /// The first of the costliest paths: its cost, and its decisions in two parts.
    pub worst: Option<(u64, Trail, Continuation)>,
    /// By the number of the trap, and the site of the last decision.
    pub traps: BTreeMap<(u32, Option<SiteId>), Trapped>,
    /// Paths that were cut at the limit of instructions; and of the costliest of these the same as of `worst`.
    pub cut: BigUint,
    pub cut_worst: Option<(u64, Trail, Continuation)>,
    /// Paths that were followed to their end.
    ended: u64,
}

impl Totals {
    /// Adds all paths of a future that begins where a trail ends.
    fn add(&mut self, trail: &Trail, future: &Future) {
        if let Some(cut) = &future.cut {
            self.cut += &cut.paths;
            if self.cut_worst.as_ref().is_none_or(|worst| cut.cost > worst.0) {
                self.cut_worst = Some((cut.cost, trail.clone(), cut.worst));
            }
        }
        if future.paths == BigUint::ZERO {
            return;
        }
        self.paths += &future.paths;
        let best = self.worst.as_ref().map(|worst| worst.0);
        if best == Some(future.cost) {
            self.worst_paths += &future.worst_paths;
        } else if best.is_none_or(|best| future.cost > best) {
            self.worst = Some((future.cost, trail.clone(), future.worst));
            self.worst_paths = future.worst_paths.clone();
        }
        for (key, (count, examples)) in future.traps.iter().flat_map(|traps| traps.iter()) {
            let entry = self.traps.entry(*key).or_default();
            entry.0 += count;
            let room = TRAP_EXAMPLES.saturating_sub(entry.1.len());
            entry.1.extend(examples.iter().take(room).map(|way| (trail.clone(), *way)));
        }
    }

    /// The lists of decisions that it knows.
    fn lists(&self) -> impl Iterator<Item = u32> + '_ {
        let traps = self.traps.values().flat_map(|(_, examples)| examples).filter_map(|(_, way)| *way);
        self.worst.iter().chain(&self.cut_worst).filter_map(|(_, _, way)| *way).chain(traps)
    }
}

/// An exploration that remembers.
pub struct Exploration<'d, 't> {
    driver: &'d mut Driver<'t>,
    start: State<Recorded>,
    /// Whether some instruction of the program makes choices that addresses are split by.
    choices: bool,
    conditions: Conditions,
    tests: Tests,
    passing: Passing,
    touched: Touched,
    table: Table,
    open: Vec<Open>,
    pub ways: Continuations,
    /// Bytes that they took when those were freed last that nobody needed.
    ways_kept: usize,
    pub totals: Totals,
    /// The kinds of traps met, by number.
    pub traps: Vec<Trap>,
    /// Paths cut short, and why it stopped.
    pub tally: Tally,
    /// Decisions followed so far.
    work: u64,
    most_paths: u64,
    most_terms: usize,
    room: Room,
    /// Bytes that hold what happened before open decisions.
    recorded: usize,
    left_out: Option<LeftOut>,
}

/// How often a future was looked up, decisions that were followed, and futures that were forgotten.
pub struct Saved {
    pub hits: u64,
    pub followed: u64,
    pub forgotten: u64,
}

/// A future that was remembered, what it read, and what is compared first.
type Remembered = (Future, Rc<Reads>, Option<Pending>);
/// The key to remember a future by, and the place it begins at.
type NotYet = (Box<[u64]>, Where, Option<Pending>);

impl<'d, 't> Exploration<'d, 't> {
    /// Explores every path at size `n`.
    pub fn run(mut driver: &'d mut Driver<'t>, n: i64, budget: &Budget, trial: Trial) -> Result<Self, SearchError> {
        let mut touched = Touched::default();
        let bodies = driver.target.program.funcs.iter().filter_map(|function| function.body.as_ref());
        let choices = bodies.flat_map(|body| &body.code).any(Instr::makes_choice);
        loop {
            let mut root: Node<Recorded> = driver.root_in(n)?;
            // Up to the first decision all paths are one: what was written there, tables for example, is as good as never written.
            let step = driver.advance(&mut root);
            root.state.profile = Default::default();
            driver.asked = Some(Vec::new());
            let mut exploration = Exploration {
                start: root.state.clone(),
                choices,
                conditions: Conditions::of_start(&driver.terms, &root.path),
                tests: Tests::default(),
                passing: Passing::default(),
                driver,
                touched,
                table: Table::default(),
                open: Vec::new(),
                ways: Continuations::default(),
                ways_kept: 0,
                totals: Totals::default(),
                traps: Vec::new(),
                tally: Tally::default(),
                work: 0,
                most_paths: budget.paths,
                most_terms: budget.terms,
                room: Room::of(budget, trial.most_remembered),
                recorded: 0,
                left_out: trial.left_out,
            };
            exploration.explore(root, step);
            if !exploration.touched.begin_again() || exploration.tally.stop.is_some() {
                return Ok(exploration);
            }
            (driver, touched) = (exploration.driver, exploration.touched);
            driver.limits.clear();
        }
    }

    /// What the exploration was able to save.
    pub fn saved(&self) -> Saved {
        Saved { hits: self.table.hits, followed: self.work, forgotten: self.table.forgotten }
    }

    /// Explores all that follows a node which has come to this.
    fn explore(&mut self, mut node: Node<Recorded>, mut step: Step) {
        let mut arrival = Segment::default();
        loop {
            let result = match step {
                Step::Decide(choice) => match self.look_up(&node, &choice) {
                    Ok((future, reads, pending)) => {
                        self.totals.add(&node.trail, &future);
                        Ok(Report::of(&self.driver.terms, &node.state, future, reads, arrival, pending))
                    }
                    Err((shape, place, pending)) => {
                        if let Some(stop) = self.must_stop() {
                            self.tally.stop = Some(stop);
                            return;
                        }
                        Err(self.begin(node, choice, shape, place, pending, arrival))
                    }
                },
                Step::Done(outcome) => {
                    let future = self.ended(&node, outcome, arrival.last);
                    self.totals.add(&node.trail, &future);
                    Ok(Report::end(future, Some(Rc::default()), arrival))
                }
                Step::Cut(Limit::Instructions) => {
                    self.tally.keep_cut(cut_path(self.driver.target, &node, Limit::Instructions));
                    let future = self.cut(&node);
                    self.totals.add(&node.trail, &future);
                    Ok(Report::end(future, Some(Rc::default()), arrival))
                }
                Step::Cut(limit) => {
                    self.tally.cut(self.driver, &node, limit);
                    Ok(Report::end(Future::default(), None, arrival))
                }
                Step::Stop(stop) => {
                    self.tally.stop = Some(stop);
                    return;
                }
            };
            let next = match result {
                Ok(done) => {
                    self.totals.ended += 1;
                    self.hand_over(done)
                }
                Err(first) => first,
            };
            let Some(next) = next else { return };
            node = next;
            (step, arrival) = self.advance(&mut node);
            if self.touched.has_failed() {
                return;
            }
        }
    }

    /// Runs a node to its next decision that is no mere link of a chain, or its end, and notes what happened.
    fn advance(&mut self, node: &mut Node<Recorded>) -> (Step, Segment) {
        let mut before = self.open.last().map(|open| open.choice.clone());
        let (mut passed, mut last) = (Vec::new(), None);
        let step = loop {
            match self.driver.advance(node) {
                Step::Decide(choice)
                    if before.as_ref().is_some_and(|before| self.passes(node, before, &choice, passed.len())) =>
                {
                    self.driver.take(node, &choice, choice.current, None, true);
                    passed.push(choice.sides[choice.current].answer);
                    last = Some(choice.site);
                    before = Some(choice);
                }
                Step::Stop(Stop::Memory) if self.forgets_for(node) => {}
                step => break step,
            }
        };
        self.work += passed.len() as u64;
        let record = std::mem::take(&mut node.state.profile);
        let asked = self.driver.asked.replace(Vec::new()).unwrap_or_default();
        let arrival = Segment { entries: record.entries, is_cut: record.is_full, asked, passed, last };
        if self.left_out != Some(LeftOut::FirstWrites) || self.open.len() > 1 {
            self.touched.note(&arrival.entries);
        }
        if arrival.is_cut {
            self.touched.give_up();
        }
        (step, arrival)
    }

    /// Whether a decision is one more test in a chain and can go one way only. What it asks is noted then.
    fn passes(&mut self, node: &Node<Recorded>, before: &Choice, choice: &Choice, passed: usize) -> bool {
        let terms = &self.driver.terms;
        let (Some((link, condition)), true) = (chain(terms, choice), self.passing.allows(choice.site, passed)) else {
            return false;
        };
        if chain(terms, before).is_none_or(|(before, _)| before != link) {
            return false;
        }
        self.conditions.follow(terms, &node.path);
        let left = self.conditions.values_left(link.input());
        let (Some(left), Some(told_apart)) = (left, self.tests.partition(terms, condition)) else { return false };
        self.driver.count_work(left.len() as u64 + 1);
        let passes = told_apart.is_one_block(&left);
        if passes && self.left_out != Some(LeftOut::Passed) {
            self.driver.asked.iter_mut().for_each(|asked| asked.push(condition));
        }
        passes
    }

    /// The limit that is reached, if one is.
    fn must_stop(&mut self) -> Option<Stop> {
        if self.totals.ended >= self.most_paths {
            return Some(Stop::Paths);
        }
        let waiting: usize = self.open.last().map_or(0, |open| open.node.state.fork_bytes()) * self.open.len();
        let needed = waiting + self.recorded;
        let Some(most) = self.room.beside(needed, self.remembered()) else { return Some(self.driver.out_of_memory()) };
        self.remember_at_most(most);
        if self.ways.bytes() > self.room.left(needed) {
            self.collect_ways();
        }
        (self.ways.bytes() > self.room.left(needed)).then(|| self.driver.out_of_memory())
    }

    /// Bytes of what is remembered, and of the decisions it leads to.
    fn remembered(&self) -> usize {
        self.table.bytes() + self.ways.bytes()
    }

    /// Forgets until no more is remembered than this, as far as something is remembered at all.
    fn remember_at_most(&mut self, most: usize) {
        while self.remembered() > most && !self.table.is_empty() {
            self.forget_half();
        }
        // What open decisions lead to is needed, however much it is: it is not gone through every time.
        if self.ways.bytes() > most.max(2 * self.ways_kept) {
            self.collect_ways();
        }
    }

    /// The program wants more memory for itself than there is: what is remembered makes room for that. False where it cannot.
    fn forgets_for(&mut self, node: &Node<Recorded>) -> bool {
        // Terms are not forgotten.
        if self.table.is_empty() || self.driver.terms.len() + node.path.len() > self.most_terms {
            return false;
        }
        self.room.halve(self.remembered());
        self.forget_half();
        true
    }

    /// Forgets half of what is remembered, with the decisions that only this led to. Nothing may be on its way from a decision to the one before.
    fn forget_half(&mut self) {
        self.table.forget_half();
        self.collect_ways();
        self.driver.count_work(self.remembered() as u64 / BYTES_PER_STEP);
    }

    /// Frees the decisions that nothing leads to any more.
    fn collect_ways(&mut self) {
        let open = self.open.iter().flat_map(|open| open.future.lists());
        // Futures of the table are unpacked one by one.
        let remembered = self.table.futures().flat_map(|future| future.lists().collect::<SmallVec<[u32; 4]>>());
        self.ways.keep_only(open.chain(self.totals.lists()).chain(remembered));
        self.ways_kept = self.ways.bytes();
    }

    /// The future of a decision, if one that it agrees with is remembered; else what it is looked for under.
    fn look_up(&mut self, node: &Node<Recorded>, choice: &Choice) -> Result<Remembered, NotYet> {
        self.conditions.follow(&self.driver.terms, &node.path);
        let mut shape = vec![u64::from(choice.site.0), choice.sides.len() as u64];
        let pending = Pending::of(&self.driver.target.program, &self.driver.terms, &node.state, choice);
        // The number is compared with what is remembered, as it is or as a name.
        let asked = pending.as_ref().and_then(|pending| pending.name());
        match &pending {
            Some(pending) if !pending.is_fixed => shape.extend([u64::MAX, u64::from(pending.input.0), pending.way]),
            _ => shape.extend(choice.sides.iter().flat_map(|side| side.words())),
        }
        node.state.shape(&self.start, &mut shape);
        let mut inputs =
            choice.sides.iter().flat_map(|side| side.terms()).flatten().flat_map(|t| self.driver.terms.inputs(t));
        let place = (shape[0], inputs.any(|input| self.conditions.is_constrained(*input)));
        let instructions = node.state.meter.raw.instructions;
        let until_cut = self.driver.target.limits.instructions.saturating_sub(instructions);
        let (terms, conditions) = (&self.driver.terms, &self.conditions);
        let found = self.table.find(&shape, place, terms, &node.state, conditions, asked, until_cut);
        self.driver.count_work(std::mem::take(&mut self.table.looked_at) + 1);
        match found {
            Some((future, reads)) => {
                let cost = self.driver.target.cost.of(&node.state);
                Ok((future.after(cost, instructions), reads, pending))
            }
            None => Err((shape.into(), place, pending)),
        }
    }

    /// Opens a decision and goes on with its first side.
    fn begin(
        &mut self,
        node: Node<Recorded>,
        choice: Choice,
        shape: Box<[u64]>,
        place: Where,
        pending: Option<Pending>,
        arrival: Segment,
    ) -> Option<Node<Recorded>> {
        let (limits, unknown) = (self.driver.limits_noted(), self.driver.unknown);
        let mut waiting: SmallVec<[(usize, Option<Model>); 2]> = SmallVec::new();
        for (i, side) in choice.sides.iter().enumerate() {
            if i == choice.current {
                waiting.push((i, None));
            } else if let Some(model) = self.driver.feasible_side(&node, *side) {
                waiting.push((i, Some(model)));
            }
        }
        // A side that the solver gave up on may well be possible: then the other is not implied.
        let forced = waiting.len() == 1 && self.driver.unknown == unknown;
        waiting.reverse();
        let mut asked = Asked::default();
        for side in &choice.sides {
            let [one, two] = side.terms();
            for term in [one, two].into_iter().flatten() {
                self.tests.add(&self.driver.terms, term, two.is_none(), &mut asked);
            }
        }
        let mut naming = Naming::default();
        let asks = choice.sides.iter().flat_map(|side| side.terms()).flatten();
        naming.ask(&self.driver.terms, pending.as_ref(), asks);
        self.work += 1;
        self.recorded += arrival.entries.len() * size_of::<Entry>();
        self.open.push(Open {
            node,
            choice,
            shape,
            place,
            arrival,
            waiting,
            side: 0,
            forced,
            future: Future::default(),
            needs: Needs::default(),
            asked,
            naming,
            pending,
            reusable: true,
            limits,
        });
        self.next_side()
    }

    /// The next side of the newest open decision, if one waits.
    fn next_side(&mut self) -> Option<Node<Recorded>> {
        let open = self.open.last_mut()?;
        let (side, model) = open.waiting.pop()?;
        open.side = side;
        let mut node = open.node.clone();
        self.conditions.truncate(open.node.path.len());
        self.driver.take(&mut node, &open.choice, side, model, open.forced);
        Some(node)
    }

    /// What a path that the limit of instructions cut short comes to.
    fn cut(&mut self, node: &Node<Recorded>) -> Future {
        let cost = self.driver.target.cost.of(&node.state);
        Future {
            instructions: node.state.meter.raw.instructions,
            begins: node.state.meter.region_number() != 0,
            cut: Some(Box::new(Cut { paths: BigUint::from(1u32), cost, worst: None })),
            ..Future::default()
        }
    }

    /// What a path that came to its end comes to.
    fn ended(&mut self, node: &Node<Recorded>, outcome: Outcome, last: Option<SiteId>) -> Future {
        let mut future = Future {
            cost: self.driver.target.cost.of(&node.state),
            instructions: node.state.meter.raw.instructions,
            begins: node.state.meter.region_number() != 0,
            ..Future::default()
        };
        // An input outside what the harness allows is no path.
        if outcome == Outcome::Trapped(Trap::AssumeFailed) {
            return future;
        }
        (future.paths, future.worst_paths) = (BigUint::from(1u32), BigUint::from(1u32));
        if let Outcome::Trapped(trap) = outcome
            && trap.is_fault()
        {
            let number = self.traps.iter().position(|known| *known == trap).unwrap_or_else(|| {
                self.traps.push(trap);
                self.traps.len() - 1
            });
            let site = last.or_else(|| self.open.last().map(|open| open.choice.site));
            future.traps = Some(Rc::new([((number as u32, site), (BigUint::from(1u32), vec![None]))].into()));
        }
        future
    }

    /// Tells the decision before what came of its side, and what is done with it; the next node to follow.
    fn hand_over(&mut self, mut result: Report) -> Option<Node<Recorded>> {
        loop {
            let (program, terms) = (&self.driver.target.program, &self.driver.terms);
            let open = self.open.last_mut()?;
            let Report { future, reads, arrival, pending, mut held } = result;
            let answer = open.choice.sides[open.side].answer;
            let future = arrival.before(&mut self.ways, future);
            open.future.add_side(&mut self.ways, answer, open.forced, &future);
            match reads {
                Some(reads) if open.reusable && !arrival.is_cut => {
                    let mut needs: Needs = reads.places.iter().copied().collect();
                    let entries = pending.as_ref().map_or(&arrival.entries[..], |p| p.before(&arrival.entries));
                    let inputs = &mut open.asked.inputs;
                    open.reusable = backwards(
                        program,
                        self.choices,
                        terms,
                        &self.start,
                        &mut self.touched,
                        entries,
                        &mut needs,
                        inputs,
                        &mut held,
                    );
                    self.driver.count_work(arrival.entries.len() as u64 + reads.places.len() as u64);
                    open.needs.extend(needs);
                    open.asked.extend(&reads);
                    let (terms, state) = (&self.driver.terms, &open.node.state);
                    open.naming.extend(terms, state, &reads, held, &mut open.needs);
                    for term in arrival.asked {
                        open.naming.ask(&self.driver.terms, None, [term].into_iter());
                        self.tests.add(&self.driver.terms, term, true, &mut open.asked);
                    }
                }
                _ => open.reusable = false,
            }
            if let Some(node) = self.next_side() {
                return Some(node);
            }
            let open = self.open.pop()?;
            self.recorded -= open.arrival.entries.len() * size_of::<Entry>();
            result = self.complete(open);
        }
    }

    /// All sides of a decision are done.
    fn complete(&mut self, open: Open) -> Report {
        self.conditions.truncate(open.node.path.len());
        let state = &open.node.state;
        let cost = self.driver.target.cost.of(state);
        // What ran before the measured region begins does not count: costs from here on are not what is left.
        let reusable = open.reusable
            && self.driver.limits_noted() == open.limits
            && !(open.future.begins && state.meter.region_number() == 0);
        if !reusable {
            return Report::end(open.future, None, open.arrival);
        }
        let asked = open.pending.as_ref().and_then(|pending| pending.name());
        let (terms, mut needs) = (&self.driver.terms, open.needs);
        let names = open.naming.names(terms, state, &self.conditions, asked.is_some(), &mut needs, self.left_out);
        let mut places: Vec<_> = needs.into_iter().collect();
        places.sort_unstable();
        let mut reads = open.asked.reads(places.into(), &self.conditions);
        reads.names = names;
        reads.instructions = open.future.cut.is_some();
        if let Some(left_out) = self.left_out {
            leave_out(&mut reads, left_out);
        }
        self.passing.learn(open.choice.site, reads.names.is_some());
        let reads = Rc::new(reads);
        let left = open.future.clone().from(cost, state.meter.raw.instructions);
        let conditions = &self.conditions;
        self.table.insert(open.shape, open.place, Rc::clone(&reads), terms, state, conditions, asked, left);
        Report::of(terms, state, open.future, reads, open.arrival, open.pending)
    }
}

/// Takes something out that the future depends on.
fn leave_out(reads: &mut Reads, what: LeftOut) {
    let is_meant = |place: &&Place| match place {
        Place::Register(_) => what == LeftOut::Register,
        Place::Global(_) => what == LeftOut::Global,
        Place::Byte(_) => what == LeftOut::Byte,
    };
    let last = reads.places.iter().rfind(is_meant).copied();
    reads.places = reads.places.iter().copied().filter(|place| Some(*place) != last).collect();
    if what == LeftOut::Conditions {
        reads.inputs = InputSet::default();
        reads.told_apart.clear();
    }
    if what == LeftOut::Instructions {
        reads.instructions = false;
    }
    if what == LeftOut::Values {
        reads.told_apart.iter_mut().for_each(|(_, partition)| *partition = Rc::default());
    }
}

/// Bytes of what is remembered that are gone through in a step, where some of it is forgotten.
const BYTES_PER_STEP: u64 = 64;
