//! A state: everything that changes while a program runs. Cloning it is a fork.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_program::{FuncIdx, SiteId, Trap};
use slowpath_term::{TermId, Terms};
use smallvec::SmallVec;

use crate::costs::Meter;
use crate::guide::Guide;
use crate::host::HostState;
use crate::memory::Memory;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::{Answer, Event, Limit, Note, Outcome, Question, QuestionKind};
use crate::store::{FuncAddr, FuncDef, InstanceId, Store};
use crate::tokens::Unwritten;

/// What a path may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions on one path (default 1,000,000,000).
    pub instructions: u64,
    /// Depth of calls (default 20,000).
    pub call_depth: u32,
    /// Linear memory in bytes (default 1 GiB); `memory.grow` past it fails.
    pub memory: u64,
    /// Bytes that memory may take of the process's while start functions and initialisers run (default: any).
    pub startup: u64,
    /// Elements of a table (default 10,000,000); `table.grow` past it fails.
    pub table: u64,
    /// Registers in use by all frames together (default 16 Mi).
    pub registers: usize,
    /// Cells a symbolic address may cover before it is pinned (default 256).
    pub cells: u64,
    /// Nesting of selects kept as one term before they fork (default 2).
    pub select_depth: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: 1_000_000_000,
            call_depth: 20_000,
            memory: 1 << 30,
            startup: u64::MAX,
            table: 10_000_000,
            registers: 16 << 20,
            cells: 256,
            select_depth: 2,
        }
    }
}

impl Limits {
    /// Elements of all tables together: a module can have a hundred tables, each within the limit.
    pub(crate) fn all_tables(&self) -> u64 {
        self.table.saturating_mul(4)
    }
}

/// One activation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub instance: InstanceId,
    pub func: FuncIdx,
    pub pc: u32,
    pub base: u32,
    pub activation: u32,
}

/// Where a branch leads that waits for its answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump {
    /// It jumps when the condition is this.
    pub when: bool,
    pub cost: u16,
    pub target: u32,
}

/// A running program.
pub struct State<M: Mode> {
    pub(crate) store: Rc<Store>,
    pub(crate) values: Vec<M::Value>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) memories: Vec<M::Memory>,
    pub(crate) tables: Vec<Rc<Vec<u64>>>,
    pub(crate) globals: Vec<M::Value>,
    pub(crate) dropped_data: Rc<Vec<bool>>,
    pub(crate) dropped_elements: Rc<Vec<bool>>,
    /// The counters.
    pub meter: Meter,
    pub(crate) answers: SmallVec<[Answer; 4]>,
    pub(crate) answered: usize,
    /// The branch that asked, and its condition if it is a term: most questions are of branches, and these need not be executed again to go on.
    pub(crate) waiting: Option<(Option<TermId>, Jump)>,
    /// Conditions of selects and comparisons that this path has split on.
    pub(crate) decided: Rc<FxHashMap<TermId, bool>>,
    /// A select was kept as a term, so that branches on its condition are worth remembering.
    pub(crate) selected: bool,
    pub(crate) limits: Limits,
    /// The instruction count at which `run` comes back to let the clock be checked.
    pub check_at: u64,
    pub(crate) activations: u32,
    pub(crate) probes: Vec<u64>,
    /// What the mode counts of single instructions.
    pub profile: M::Profile,
    pub(crate) host: Rc<HostState>,
    pub(crate) notes: Vec<Note>,
    /// How many results the entry function leaves in the first registers.
    pub(crate) result_count: u32,
    /// Inputs of words that have to be in memory before the first instruction.
    pub(crate) unwritten: Option<Box<Unwritten<M>>>,
}

impl<M: Mode> Clone for State<M> {
    fn clone(&self) -> Self {
        State {
            store: Rc::clone(&self.store),
            // What lies above the current frame is dead.
            values: self.values[..self.live_registers()].to_vec(),
            frames: self.frames.clone(),
            memories: self.memories.clone(),
            tables: self.tables.clone(),
            globals: self.globals.clone(),
            dropped_data: Rc::clone(&self.dropped_data),
            dropped_elements: Rc::clone(&self.dropped_elements),
            meter: self.meter,
            answers: self.answers.clone(),
            answered: self.answered,
            waiting: self.waiting,
            decided: Rc::clone(&self.decided),
            selected: self.selected,
            limits: self.limits,
            check_at: self.check_at,
            activations: self.activations,
            probes: self.probes.clone(),
            profile: self.profile.clone(),
            host: Rc::clone(&self.host),
            notes: self.notes.clone(),
            result_count: self.result_count,
            unwritten: self.unwritten.clone(),
        }
    }
}

/// Why a call that must run through did not.
#[derive(Clone, Debug, PartialEq)]
pub enum CallError {
    Trapped(Trap),
    /// It asked for symbolic inputs or ran into a limit.
    Stopped(&'static str),
}

impl<M: Mode> State<M> {
    /// A state with nothing in it yet.
    pub fn new(limits: Limits) -> State<M> {
        State {
            store: Rc::new(Store::default()),
            values: Vec::new(),
            frames: Vec::new(),
            memories: Vec::new(),
            tables: Vec::new(),
            globals: Vec::new(),
            dropped_data: Rc::default(),
            dropped_elements: Rc::default(),
            meter: Meter::new(),
            answers: SmallVec::new(),
            answered: 0,
            waiting: None,
            decided: Rc::default(),
            selected: false,
            limits,
            check_at: u64::MAX,
            activations: 0,
            probes: Vec::new(),
            profile: M::Profile::default(),
            host: Rc::default(),
            notes: Vec::new(),
            result_count: 0,
            unwritten: None,
        }
    }

    fn live_registers(&self) -> usize {
        let live = match self.frames.last() {
            None => self.result_count as usize,
            Some(f) => {
                let frame = self.store.instance(f.instance).body(f.func).map_or(0, |b| b.frame);
                (f.base + frame) as usize
            }
        };
        live.min(self.values.len())
    }

    /// The static part.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Things that made this path less than exact.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How often each probe was passed.
    pub fn probes(&self) -> &[u64] {
        &self.probes
    }

    /// Puts a function call in place; `run` then executes it.
    pub fn call(&mut self, func: FuncAddr, args: &[M::Value]) -> Result<(), Trap> {
        self.frames.clear();
        self.settle_answers();
        self.waiting = None;
        let results = self.store.func_type(func).results.len();
        self.result_count = results as u32;
        let need = args.len().max(results);
        if self.values.len() < need {
            self.values.resize(need, M::value(0));
        }
        self.values[..args.len()].copy_from_slice(args);
        let store = Rc::clone(&self.store);
        match store.funcs[func.0 as usize] {
            FuncDef::Wasm { instance, func } => self.enter(&store, instance, func, 0),
            FuncDef::Host(_) => Err(Trap::Host("a host function cannot be the entry".into())),
        }
    }

    /// Pushes a frame whose first locals are already in place at `base`.
    pub(crate) fn enter(&mut self, store: &Store, instance: InstanceId, func: FuncIdx, base: u32) -> Result<(), Trap> {
        let Some(body) = store.instance(instance).body(func) else {
            return Err(Trap::Host("call of a function without a body".into()));
        };
        let top = base as usize + body.frame as usize;
        if self.frames.len() >= self.limits.call_depth as usize || top > self.limits.registers {
            return Err(Trap::StackOverflow);
        }
        if self.values.len() < top {
            self.values.resize(top, M::value(0));
        }
        let (params, locals) = (base as usize + body.params as usize, base as usize + body.locals as usize);
        self.values[params..locals].fill(M::value(0));
        self.profile.cleared(params as u32..locals as u32);
        self.profile.entered(func, base, self.frames.len());
        self.activations = self.activations.wrapping_add(1);
        self.frames.push(Frame { instance, func, pc: 0, base, activation: self.activations });
        self.meter.raw.stack = self.meter.raw.stack.max(self.frames.len() as u64);
        Ok(())
    }

    /// How the call ended, once no frame is left.
    pub(crate) fn ending(&self) -> Outcome {
        match &self.host.in_flight {
            Some(name) => Outcome::Trapped(Trap::thrown(name)),
            None => Outcome::Returned,
        }
    }

    /// The results of the call, once it returned.
    pub fn results(&self) -> &[M::Value] {
        &self.values[..self.result_count as usize]
    }

    /// Runs a call to its end; for start functions and initialisers, which have no symbolic inputs.
    pub fn call_through(&mut self, terms: &mut Terms, func: FuncAddr, args: &[M::Value]) -> Result<(), CallError> {
        self.call(func, args).map_err(CallError::Trapped)?;
        let until = self.meter.raw.instructions.saturating_add(self.limits.instructions);
        self.check_at = until;
        self.limit_room();
        self.give_room(self.limits.startup);
        let event = crate::step::run(self, terms, &mut ());
        self.give_room(u64::MAX);
        match event {
            Event::Done(Outcome::Returned) => Ok(()),
            Event::Done(Outcome::Trapped(trap)) => Err(CallError::Trapped(trap)),
            Event::Ask(_) => Err(CallError::Stopped("it decides on a symbolic value")),
            Event::Room(_) => Err(CallError::Stopped("it writes to more memory than there is room for")),
            Event::Poll | Event::Stopped(Limit::Instructions) => {
                Err(CallError::Stopped("it runs past the limit of instructions"))
            }
            Event::Stopped(Limit::CallDepth) => Err(CallError::Stopped("it runs past the limit of call depth")),
        }
    }

    /// Where to look at the clock next, so many instructions after now. A single block may cost more than that: it is charged at once, and would come
    /// back again and again if looking went by what was charged alone.
    pub fn next_check(&self, after: u64) -> u64 {
        let next = self.meter.raw.instructions.saturating_add(after);
        if next > self.check_at { next } else { self.check_at.saturating_add(after) }
    }

    /// From now on `run` comes back (`Event::Room`) before its memory takes more of the process's than it was given.
    pub fn limit_room(&mut self) {
        self.memories.iter_mut().for_each(|memory| memory.set_room(0));
    }

    /// So many bytes more that its memory may take.
    pub fn give_room(&mut self, bytes: u64) {
        self.memories.iter_mut().for_each(|memory| memory.set_room(memory.room().saturating_add(bytes)));
    }

    /// Runs until something has to be decided.
    pub fn run(&mut self, terms: &mut Terms) -> Event {
        self.run_guided(terms, &mut ())
    }

    /// Runs until something has to be decided that `guide` has not settled.
    pub fn run_guided(&mut self, terms: &mut Terms, guide: &mut impl Guide) -> Event {
        if self.unwritten.is_some()
            && let Some(event) = self.write_words(terms)
        {
            return event;
        }
        crate::step::run(self, terms, guide)
    }

    /// Gives the answer to the question `run` came back with.
    #[inline]
    pub fn answer(&mut self, answer: Answer) {
        match (self.waiting.take(), answer) {
            (Some((asked, jump)), Answer::Bool(side)) => self.resume_branch(asked, jump, side),
            _ => self.answers.push(answer),
        }
    }

    /// Starts counting afresh.
    pub fn reset_meter(&mut self) {
        self.meter = Meter::new();
        self.meter.raw.memory = self.memory_bytes();
        self.probes.fill(0);
        self.profile.clear();
    }

    /// Linear memory in use.
    pub fn memory_bytes(&self) -> u64 {
        self.memories.iter().map(|m| m.size()).sum()
    }

    /// Memory of the first instance, for placing and reading inputs.
    pub fn memory(&self, instance: InstanceId) -> &M::Memory {
        &self.memories[self.store.instance(instance).memory as usize]
    }

    /// Memory of an instance, for placing inputs.
    pub fn memory_mut(&mut self, instance: InstanceId) -> &mut M::Memory {
        let at = self.store.instance(instance).memory as usize;
        &mut self.memories[at]
    }

    /// The value of a global of the store.
    pub fn global(&self, at: u32) -> M::Value {
        self.globals[at as usize]
    }

    /// Elements of all tables together.
    pub(crate) fn table_elements(&self) -> u64 {
        self.tables.iter().map(|t| t.len() as u64).sum()
    }

    /// The entries of a table of the store: a function's address plus one, or zero for null.
    pub fn table(&self, at: u32) -> &[u64] {
        &self.tables[at as usize]
    }

    // --- asking ---

    /// The next answer to a question of the current instruction, if it was given already.
    pub(crate) fn next_answer(&mut self) -> Option<Answer> {
        let answer = self.answers.get(self.answered).copied();
        if answer.is_some() {
            self.answered += 1;
        }
        answer
    }

    /// Forgets the answer just given, whose effect is in the state: the question does not come up again. Those before it are
    /// kept, since their questions do.
    pub(crate) fn forget_answer(&mut self) {
        if self.answered > 0 {
            self.answered -= 1;
            self.answers.remove(self.answered);
        }
    }

    /// Forgets the answers: the instruction is complete.
    #[inline(always)]
    pub(crate) fn settle_answers(&mut self) {
        self.answers.clear();
        self.answered = 0;
    }

    /// The question of the current instruction as an event; its earlier answers are kept for the next try.
    pub(crate) fn ask_at(&mut self, site: SiteId, kind: QuestionKind) -> Event {
        self.answered = 0;
        let frame = self.frames.last();
        Event::Ask(Question {
            site,
            func: frame.map_or(FuncIdx(0), |f| f.func),
            activation: frame.map_or(0, |f| f.activation),
            kind,
        })
    }

    /// The site of the current instruction.
    pub(crate) fn here(&self) -> SiteId {
        let Some(frame) = self.frames.last() else { return SiteId(0) };
        self.store.instance(frame.instance).body(frame.func).map_or(SiteId(0), |b| b.site(frame.pc).0)
    }

    /// Asks whether a condition holds, as a decision of the current instruction.
    pub(crate) fn decide(&mut self, kind: QuestionKind) -> Result<bool, Event> {
        match self.next_answer() {
            Some(Answer::Bool(b)) => Ok(b),
            Some(_) => Err(self.bad_answer()),
            None => {
                let site = self.here();
                Err(self.ask_at(site, kind))
            }
        }
    }

    pub(crate) fn bad_answer(&mut self) -> Event {
        Event::Done(Outcome::Trapped(Trap::Host("slowpath answered a question with the wrong kind of answer".into())))
    }
}
