//! An exploration spread over many workers: which task is next, what is late, what to make of results. It does nothing by itself and knows no
//! time but what it is told, so that it can be used from anywhere and tested with any accident.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_solver::SolverStats;

use super::codec::{Stamp, Task, decode_explored, encode_task};
use super::error::WorkError;
use super::explored::Explored;
use super::frontier::Frontier;
use super::patience::{MOST_DEATHS, Patience, given_up};
use crate::budget::Stop;
use crate::engine::{Failure, Report};

/// Tasks out at a time for each slot, so that nobody waits for the next one.
const TASKS_PER_SLOT: usize = 2;
/// While there are too few tasks for all, they are shorter by this.
const SHORTER: u64 = 16;

/// One exploration.
pub struct Fleet {
    stamp: Stamp,
    effort: u64,
    window: usize,
    /// What all results came to; its frontier is empty.
    whole: Explored,
    /// Not out yet.
    waiting: Vec<Frontier>,
    out: BTreeMap<u64, Out>,
    next_ticket: u64,
    patience: Patience,
    /// Tickets to be submitted again.
    again: Vec<u64>,
    stop: Option<Stop>,
    /// What solvers did in tasks, since this was last asked.
    solved: SolverStats,
}

/// A task that is out.
struct Out {
    frontier: Frontier,
    effort: u64,
    since: Duration,
    deaths: u32,
}

impl Fleet {
    /// Goes on with what was explored, in tasks of an effort. Tickets are numbered from `first_ticket` on.
    pub fn new(stamp: Stamp, mut start: Explored, effort: u64, slots: usize, first_ticket: u64) -> Fleet {
        start.tally.stop = None;
        let frontier = std::mem::take(&mut start.frontier);
        let waiting = if frontier.is_empty() { Vec::new() } else { vec![frontier] };
        Fleet {
            stamp,
            effort,
            window: slots.max(1) * TASKS_PER_SLOT,
            whole: start,
            waiting,
            out: BTreeMap::new(),
            next_ticket: first_ticket,
            patience: Patience::default(),
            again: Vec::new(),
            stop: None,
            solved: SolverStats::default(),
        }
    }

    /// The next task to be submitted, if there is one by now.
    pub fn next(&mut self, now: Duration) -> Option<(u64, Vec<u8>)> {
        if self.stop.is_some() {
            return None;
        }
        let late = self.patience.late();
        let overdue = self.out.iter().find(|(_, out)| now.saturating_sub(out.since) > late).map(|(ticket, _)| *ticket);
        if let Some(ticket) = self.again.pop().or(overdue) {
            let out = self.out.get_mut(&ticket)?;
            out.since = now;
            let bytes = task(&self.stamp, &self.whole, out);
            return Some((ticket, bytes));
        }
        if self.out.len() >= self.window {
            return None;
        }
        self.split();
        let few = self.out.len() + self.waiting.len() < self.window;
        // The one with the shortest prefix has most below it, and is best begun early.
        let place = (0..self.waiting.len()).min_by_key(|i| self.waiting[*i].depth_of_last())?;
        let frontier = self.waiting.swap_remove(place);
        let effort = if few { self.effort / SHORTER } else { self.effort }.max(1);
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let out = Out { frontier, effort, since: now, deaths: 0 };
        let bytes = task(&self.stamp, &self.whole, &out);
        self.out.insert(ticket, out);
        Some((ticket, bytes))
    }

    /// Splits what waits, shallowest prefixes first, until there is enough for all.
    fn split(&mut self) {
        while self.out.len() + self.waiting.len() < self.window {
            let splittable = (0..self.waiting.len()).filter(|i| self.waiting[*i].len() > 1);
            let Some(place) = splittable.min_by_key(|i| self.waiting[*i].depth_of_last()) else { return };
            let Some(parts) = self.waiting[place].split() else { return };
            self.waiting.swap_remove(place);
            self.waiting.extend(parts);
        }
    }

    /// Takes what became of a task. The first result counts; whatever comes later of the same task does not.
    pub fn take(&mut self, report: Report, now: Duration) {
        let Report { ticket, result } = report;
        if !self.out.contains_key(&ticket) {
            return;
        }
        let done = match result.map(|bytes| decode_explored(&bytes, &self.stamp)) {
            Ok(Ok(done)) => done,
            Ok(Err(WorkError::OtherProgram | WorkError::OtherVersion | WorkError::OtherWords)) => {
                return self.give_up(ticket, "a worker has another program, setting or version");
            }
            Ok(Err(error)) => return self.died(ticket, &error.to_string()),
            Err(Failure::Died(why)) => return self.died(ticket, &why),
            Err(Failure::Refused(why)) => return self.give_up(ticket, &why),
        };
        let Some(out) = self.out.remove(&ticket) else { return };
        self.again.retain(|again| *again != ticket);
        self.patience.note(now.saturating_sub(out.since));
        let mut done = done;
        self.stop = self.stop.or(done.tally.stop.take());
        let left = std::mem::take(&mut done.frontier);
        if !left.is_empty() {
            self.waiting.push(left);
        }
        self.solved.add(&done.stats);
        self.whole.add(done);
    }

    /// What solvers did in tasks since this was last asked.
    pub fn take_solver_work(&mut self) -> SolverStats {
        std::mem::take(&mut self.solved)
    }

    fn died(&mut self, ticket: u64, why: &str) {
        let Some(out) = self.out.get_mut(&ticket) else { return };
        out.deaths += 1;
        if out.deaths < MOST_DEATHS {
            self.again.push(ticket);
        } else {
            self.give_up(ticket, &given_up(why));
        }
    }

    /// Leaves a task alone, and says so.
    fn give_up(&mut self, ticket: u64, why: &str) {
        self.again.retain(|again| *again != ticket);
        if self.out.remove(&ticket).is_some() {
            self.whole.limit(format!("a part of the paths was given up: {why}"));
        }
    }

    /// Ends it: no further tasks.
    pub fn stop(&mut self, stop: Stop) {
        self.stop.get_or_insert(stop);
    }

    /// Whether there is nothing left to wait for.
    pub fn is_done(&self) -> bool {
        self.out.is_empty() && (self.waiting.is_empty() || self.stop.is_some())
    }

    /// Work done, in steps.
    pub fn steps(&self) -> u64 {
        self.whole.steps
    }

    /// The ticket after the last.
    pub fn next_ticket(&self) -> u64 {
        self.next_ticket
    }

    /// What is known by now, with all that is not.
    pub fn state(&self) -> Explored {
        let mut state = self.whole.clone();
        state.tally.stop = self.stop;
        for frontier in self.waiting.iter().chain(self.out.values().map(|out| &out.frontier)) {
            frontier.iter().for_each(|prefix| state.frontier.push(prefix));
        }
        state
    }
}

fn task(stamp: &Stamp, whole: &Explored, out: &Out) -> Vec<u8> {
    encode_task(stamp, &Task { frontier: out.frontier.clone(), effort: out.effort, learns: whole.learns() })
}

#[cfg(test)]
mod tests;
