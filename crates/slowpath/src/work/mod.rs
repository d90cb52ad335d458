//! Exploration as data, for whoever wants to carry it elsewhere: tasks and results are bytes that can be kept, sent and done anywhere.
//!
//! [`Work`] is a program with everything that decides what its paths are. Its [`slice`](Work::slice) does a task, and is a function of nothing but the
//! two. [`Work::explore`] spreads the paths of a size over an [`Engine`]; so does a whole analysis whose request names one.

mod processes;
mod workers;

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use slowpath_search::work::{
    Explored, Frontier, Task, decode_task, encode_explored, encode_task, finding_of, identity,
};
use slowpath_search::{Budget, SizeFinding, Target, work};

pub use processes::{Processes, READY, WorkerLine, answer_line, answer_with};
pub use slowpath_search::work::{DEFAULT_EFFORT, Engine, Failure, Fleet, Outcome, Report, Threads, WorkError};
pub use workers::Workers;

use crate::error::Error;
use crate::island::{self, Island};
use crate::parcel::{self, module};
use crate::request::{AnalyzeRequest, Strategy};
use crate::subject::Subject;

/// Inputs of a task's size at most: each takes some hundred bytes.
const MOST_INPUTS: u64 = 4_000_000;

/// A program, its call and its settings, ready to have tasks done.
pub struct Work {
    request: AnalyzeRequest,
    subject: Subject,
    target: Target,
    budget: Budget,
}

/// What exploring a size came to.
#[derive(Clone, Debug, Serialize)]
pub struct Exploration {
    pub size: i64,
    /// The worst cost.
    pub cost: Option<u64>,
    /// An input of that cost, as documents have it.
    pub input: Option<Value>,
    /// Paths followed to their end.
    pub paths: u64,
    /// Whether these are all.
    pub complete: bool,
    /// What they are not, if not.
    pub limits: Vec<String>,
}

impl Work {
    /// Compiles and loads the program of a request. Of the request, the program, the entry, the cost, limits on paths, the solver and the seed count.
    pub fn open(request: &AnalyzeRequest) -> Result<Work, Error> {
        let subject = Subject::load(&request.program, &request.entry, &request.cost)?;
        Ok(Work::of(subject, request))
    }

    fn of(subject: Subject, request: &AnalyzeRequest) -> Work {
        let target = subject.target(request.limits.machine(), request.solver.clone(), request.seed);
        let budget = Budget { deadline: None, ..request.whole_budget() };
        Work { request: request.clone(), subject, target, budget }
    }

    /// Opens a program that came as bytes, made by [`pack`](Work::pack) of the same request somewhere else: nothing is compiled, and the program's files need not be
    /// there. What comes to another identity is refused.
    pub fn unpack(request: &AnalyzeRequest, parcel: &[u8]) -> Result<Work, Error> {
        let parcel = parcel::unpack(parcel)?;
        let subject = Subject::of_module(&request.program, &parcel.entry, &request.cost, parcel.wasm, parcel.missing)?;
        let work = Work::of(subject, request);
        if work.identity() == parcel.identity { Ok(work) } else { Err(WorkError::OtherProgram.into()) }
    }

    /// The program as bytes, for workers elsewhere.
    pub fn pack(&self) -> Vec<u8> {
        parcel::pack(&self.subject, self.identity())
    }

    /// A hash of the program and of every setting that makes a difference: work of another identity is refused.
    pub fn identity(&self) -> u64 {
        identity(&self.target, module(&self.subject))
    }

    /// The task that is all paths of a size, for an effort of so many steps.
    pub fn first_task(&self, size: i64, effort: u64) -> Result<Vec<u8>, Error> {
        self.check_size(size)?;
        let stamp = work::stamp(&self.target, module(&self.subject), size);
        Ok(encode_task(&stamp, &Task { frontier: Frontier::root(), effort, learns: false }))
    }

    /// The task that is an island: a search by a strategy that is luck, with a seed of its own, for an effort of so many steps.
    pub fn island(&self, strategy: Strategy, seed: u64, effort: u64) -> Vec<u8> {
        let strategy = strategy.name().to_owned();
        Island { strategy, seed, effort, records: Vec::new() }.to_bytes(self.identity())
    }

    /// Does a task: what it came to and what is left. Whatever the bytes are, they are a task of this work, or refused.
    pub fn slice(&self, task: &[u8]) -> Result<Vec<u8>, Error> {
        if work::is_of_kind(task, work::ISLAND) {
            return island::answer(&self.request, &self.subject, task, &self.budget);
        }
        let header = decode_task(task, self.identity())?;
        let size = header.stamp.size;
        self.check_size(size)?;
        let stamp = work::stamp(&self.target, module(&self.subject), size);
        if stamp != header.stamp {
            return Err(WorkError::OtherWords.into());
        }
        let done = work::slice(&self.target, size, &header.task, &self.budget).map_err(|source| self.failed(source))?;
        Ok(encode_explored(&stamp, &done))
    }

    /// An exploration of a size to be spread by hand: ask it for tasks, tell it of results, until it is done.
    pub fn fleet(&self, size: i64, effort: u64, slots: usize) -> Result<Fleet, Error> {
        self.check_size(size)?;
        let stamp = work::stamp(&self.target, module(&self.subject), size);
        Ok(Fleet::new(stamp, Explored::nothing(size, false), effort, slots, 1))
    }

    /// What a fleet's exploration came to. The worst path is followed again, so that no cost is believed.
    pub fn result(&self, size: i64, fleet: &Fleet) -> Result<Exploration, Error> {
        let found = finding_of(&self.target, size, &self.budget, fleet.state(), Duration::ZERO);
        found.map(|(finding, _)| Exploration::of(&finding)).map_err(|source| self.failed(source))
    }

    /// Explores every path of a size by an engine, in tasks of an effort.
    pub fn explore(&self, size: i64, effort: u64, engine: &mut dyn Engine) -> Result<Exploration, Error> {
        /// How long a result is waited for before looking whether somebody wants an end.
        const WAIT: Duration = Duration::from_millis(50);
        let (mut fleet, begun) = (self.fleet(size, effort, engine.slots())?, Instant::now());
        while !fleet.is_done() {
            if let Some(stop) = self.budget.expired() {
                engine.halt();
                fleet.stop(stop);
                break;
            }
            while let Some((ticket, task)) = fleet.next(begun.elapsed()) {
                engine.submit(ticket, task);
            }
            if let Some(report) = engine.next(WAIT) {
                fleet.take(report, begun.elapsed());
            }
        }
        self.result(size, &fleet)
    }

    /// Threads of this process, for this work.
    pub fn threads(&self, count: usize) -> Threads {
        Threads::new(&self.target, self.identity(), count, &self.budget)
    }

    /// Tasks may come from anywhere, and with them their size.
    fn check_size(&self, size: i64) -> Result<(), Error> {
        self.target.check_size(size)?;
        let inputs: u64 = self.target.inputs(size).unwrap_or_default().iter().map(|input| u64::from(input.count)).sum();
        if inputs > MOST_INPUTS { Err(WorkError::Wrong("too many inputs").into()) } else { Ok(()) }
    }

    fn failed(&self, source: slowpath_search::SearchError) -> Error {
        Error::Search { file: self.subject.file.clone(), source: Box::new(source) }
    }
}

impl Exploration {
    fn of(finding: &SizeFinding) -> Exploration {
        let stop = finding.stop.map(|stop| stop.to_string());
        Exploration {
            size: finding.size,
            cost: finding.cost(),
            input: finding.worst.as_ref().map(|worst| worst.input.to_json()),
            paths: finding.paths,
            complete: finding.complete,
            limits: finding.limits.keys().cloned().chain(stop).collect(),
        }
    }
}

/// The body for fuzzers: whatever the bytes are, they are a task or a result, or refused. Tells which.
pub fn fuzz_work(bytes: &[u8], identity: u64) -> bool {
    let stamp = work::Stamp { identity, size: 4, words: 0 };
    let result = work::decode_explored(bytes, &stamp);
    // What was read can be written and read again.
    if let Ok(explored) = &result {
        let again = work::decode_explored(&encode_explored(&stamp, explored), &stamp);
        assert!(again.is_ok_and(|again| again.frontier() == explored.frontier() && again.paths() == explored.paths()));
    }
    let task = decode_task(bytes, identity);
    if let Ok(header) = &task {
        let again = decode_task(&encode_task(&header.stamp, &header.task), identity);
        assert!(again.as_ref() == Ok(header));
    }
    result.is_ok() || task.is_ok() || island::fuzz_island(bytes, identity)
}
