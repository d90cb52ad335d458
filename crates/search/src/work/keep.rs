//! Exploring a size so that it can be gone on with: by one worker in canonical order, or by an engine.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use slowpath_solver::SolverStats;

use super::codec::{Stamp, decode_explored, encode_explored};
use super::explored::{Explored, finding_of};
use super::fleet::Fleet;
use super::frontier::{Frontier, Prefixes};
use super::slice::stamp;
use super::threads::Threads;
use crate::budget::{Budget, Stop};
use crate::concrete::ConcreteRun;
use crate::driver::Driver;
use crate::engine::Engine;
use crate::exhaustive::{Share, explore as explore_below};
use crate::explorations::Kept;
use crate::findings::{PathFinding, SizeFinding};
use crate::node::Node;
use crate::policy::SizeSummary;
use crate::prefix::Prefix;
use crate::tally::Tally;
use crate::target::{SearchError, Target};

/// How long a result is waited for, before the clock is looked at again.
const WAIT: Duration = Duration::from_millis(50);
/// How long what is under way may take to end when it must.
const ENDING: Duration = Duration::from_millis(300);

/// Explores a size, from where an earlier run left off if there was one.
pub(crate) fn explore(
    target: &Target,
    n: i64,
    jobs: usize,
    budget: &Budget,
    learns: bool,
) -> Result<(SizeFinding, Option<SizeSummary>), SearchError> {
    let begun = budget.now();
    // Whoever explores finds the words within its budget; so they do not depend on whether anything is kept.
    let _ = Driver::new(target, budget).words(n);
    let Some(kept) = target.explorations.kept() else { return Err(SearchError::GaveUp) };
    let stamp = stamp(target, kept.module, n);
    let exploration = Exploration { target, n, jobs, budget, learns, kept, stamp };
    if let Some(known) = exploration.known() {
        let gone_on = exploration.run(known).and_then(|done| finding_of(target, n, budget, done, begun));
        // What comes from elsewhere may be wrong; what is explored afresh is not.
        if !matches!(gone_on, Err(SearchError::Diverged(_))) {
            return gone_on;
        }
    }
    let done = exploration.run(Explored::nothing(n, learns))?;
    finding_of(target, n, budget, done, begun)
}

struct Exploration<'e> {
    target: &'e Target,
    n: i64,
    jobs: usize,
    budget: &'e Budget,
    learns: bool,
    kept: &'e Kept,
    stamp: Stamp,
}

impl Exploration<'_> {
    /// What an earlier run came to, if it fits. Costs are counted afresh.
    fn known(&self) -> Option<Explored> {
        let mut known = decode_explored(self.kept.known((self.n, self.learns))?, &self.stamp).ok()?;
        if self.learns && !known.learns() {
            return None;
        }
        if !self.learns {
            known.tally.summary = None;
        }
        known.tally.stop = None;
        let recount = |cut: PathFinding| {
            let run = ConcreteRun::of(self.target, self.n, &cut.input, self.budget).ok()?;
            Some(PathFinding { decisions: cut.decisions, ..PathFinding::of_run(&run)? })
        };
        known.tally.cut_worst = known.tally.cut_worst.and_then(recount);
        Some(known)
    }

    fn run(&self, start: Explored) -> Result<Explored, SearchError> {
        // A limit on the number of paths or on the work means the canonically first ones, which one worker finds.
        let limited = self.budget.paths != u64::MAX || self.budget.clock.is_by_work();
        let engine = self.kept.engine().filter(|_| !limited);
        let done = match engine {
            Some(mut engine) => self.carried(start, engine.as_mut()),
            None if limited || self.jobs <= 1 => self.alone(start)?,
            None => {
                let mut threads = Threads::new(self.target, self.stamp.identity, self.jobs, self.budget);
                self.carried(start, &mut threads)
            }
        };
        self.keep(&done, Instant::now());
        Ok(done)
    }

    fn keep(&self, state: &Explored, made: Instant) {
        let bytes = encode_explored(&self.stamp, state);
        let key = (self.n, state.learns());
        self.kept.keep(key, bytes, state.paths() + state.tally.cut, state.frontier.is_empty(), made);
    }

    /// Has it carried by an engine.
    fn carried(&self, start: Explored, engine: &mut dyn Engine) -> Explored {
        let (budget, begun) = (self.budget, Instant::now());
        let first = self.kept.tickets.load(Ordering::SeqCst);
        let mut fleet = Fleet::new(self.stamp, start, self.kept.effort, engine.slots(), first);
        let mut steps = 0;
        while !fleet.is_done() {
            if let Some(stop) = budget.expired() {
                engine.halt();
                fleet.stop(stop);
                while !fleet.is_done()
                    && let Some(report) = engine.next(ENDING)
                {
                    fleet.take(report, begun.elapsed());
                }
                break;
            }
            while let Some((ticket, task)) = fleet.next(begun.elapsed()) {
                engine.submit(ticket, task);
            }
            if let Some(report) = engine.next(WAIT) {
                fleet.take(report, begun.elapsed());
                let done = fleet.steps();
                budget.charge(done - steps);
                steps = done;
            }
            if self.kept.is_due() {
                let made = Instant::now();
                self.keep(&fleet.state(), made);
            }
        }
        budget.add_solver_work(&fleet.take_solver_work());
        self.kept.tickets.store(fleet.next_ticket(), Ordering::SeqCst);
        fleet.state()
    }

    /// One worker, in canonical order.
    fn alone(&self, mut start: Explored) -> Result<Explored, SearchError> {
        let mut driver = Driver::new(self.target, self.budget);
        driver.keeps_ranges = true;
        driver.limits = std::mem::take(&mut start.limits);
        let mut tally = std::mem::take(&mut start.tally);
        let frontier = std::mem::take(&mut start.frontier);
        let mut left = frontier.iter();
        let mut not_followed = Frontier::default();
        while let Some(prefix) = left.next() {
            let Some(node) = prefix.resume(&mut driver, self.n)? else {
                tally.stop = self.budget.expired().or(Some(Stop::Interrupted));
                not_followed.push(prefix);
                break;
            };
            let mut saver = Saver { exploration: self, before: &start.stats, left: &left };
            let waiting = explore_below(&mut driver, node, &mut tally, self.budget.paths, &mut saver);
            if driver.diverged {
                return Err(SearchError::Diverged("a prefix goes on where the path does not".into()));
            }
            waiting.iter().rev().for_each(|node| not_followed.push(Prefix::of(node)));
            if !not_followed.is_empty() {
                break;
            }
        }
        left.for_each(|prefix| not_followed.push(prefix));
        start.stats.add(&driver.solver_stats());
        let limits = std::mem::take(&mut driver.limits);
        Ok(Explored { tally, limits, frontier: not_followed, ..start })
    }
}

/// Keeps the state of one worker now and then.
struct Saver<'s> {
    exploration: &'s Exploration<'s>,
    before: &'s SolverStats,
    left: &'s Prefixes<'s>,
}

impl Share for Saver<'_> {
    fn offer(&mut self, _: &mut Vec<Node>) {}

    fn look(&mut self, driver: &Driver<'_>, tally: &Tally, next: &Node, waiting: &[Node]) {
        if !self.exploration.kept.is_due() {
            return;
        }
        let made = Instant::now();
        let mut frontier = Frontier::default();
        let nodes = std::iter::once(next).chain(waiting.iter().rev());
        nodes.for_each(|node| frontier.push(Prefix::of(node)));
        self.left.clone().for_each(|prefix| frontier.push(prefix));
        let mut stats = self.before.clone();
        stats.add(&driver.solver_stats());
        let state = Explored { tally: tally.clone(), limits: driver.limits.clone(), stats, steps: 0, frontier };
        self.exploration.keep(&state, made);
    }
}
