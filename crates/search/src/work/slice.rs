//! One task done: a pure function of the target, the size and the task, whoever runs it and wherever.

use std::fmt::Write as _;
use std::sync::Arc;

use slowpath_program::call::Entry;

use super::codec::{Stamp, Task};
use super::explored::Explored;
use super::frontier::Frontier;
use super::wire::checksum;
use crate::budget::{Budget, Stop};
use crate::clock::Clock;
use crate::driver::Driver;
use crate::exhaustive::{Share, explore};
use crate::node::Node;
use crate::policy::SizeSummary;
use crate::prefix::Prefix;
use crate::tally::Tally;
use crate::target::{SearchError, Target};
use crate::words;

/// Steps of a task: about 30,000 paths of a sort or 0.2 s, beside which carrying it costs nothing.
pub const DEFAULT_EFFORT: u64 = 5_000_000;

/// Steps that finding the words of a size may take: a count, so that everybody finds the same ones.
const WORDS_EFFORT: u64 = 100_000_000;

/// Decisions between two looks at the work that was done.
const LOOK_AFTER: u32 = 16;

/// Follows the prefixes of a task for its effort, with a driver of its own. `within` has what may end it from outside, and how many terms there may be; its
/// clock and its deadline do not matter.
pub fn slice(target: &Target, n: i64, task: &Task, within: &Budget) -> Result<Explored, SearchError> {
    // What its solver does is part of the result, and counted by whoever gets that.
    let solved = Arc::default();
    let budget = Budget { clock: Clock::work(), deadline: None, paths: u64::MAX, solved, ..within.clone() };
    let _ = stamp(target, 0, n);
    let mut driver = Driver::new(target, &budget);
    driver.keeps_ranges = true;
    let summary = task.learns.then(|| SizeSummary { size: n, ..SizeSummary::default() });
    let mut tally = Tally { summary, ..Tally::default() };
    let mut pause = Pause { effort: task.effort, decisions: 0, next_look: 1 };
    let mut frontier = Frontier::default();
    let mut left = task.frontier.iter();
    for prefix in left.by_ref() {
        if !prefix.fits(target) {
            return Err(SearchError::Diverged("a prefix names places that the program does not have".into()));
        }
        let Some(node) = prefix.resume(&mut driver, n)? else {
            tally.stop = budget.expired().or(Some(Stop::Interrupted));
            frontier.push(prefix);
            break;
        };
        let waiting = explore(&mut driver, node, &mut tally, u64::MAX, &mut pause);
        if driver.diverged {
            return Err(SearchError::Diverged("a prefix goes on where the path does not".into()));
        }
        waiting.iter().rev().for_each(|node| frontier.push(Prefix::of(node)));
        if !frontier.is_empty() || driver.work_done() >= task.effort {
            break;
        }
    }
    left.for_each(|prefix| frontier.push(prefix));
    // A fresh driver has its memory again; only where not one step can be made is that the end.
    if tally.stop == Some(Stop::Memory) && pause.decisions > 0 && budget.ended_from_outside().is_none() {
        tally.stop = None;
    }
    let (stats, steps) = (driver.solver_stats(), driver.work_done());
    Ok(Explored { tally, limits: std::mem::take(&mut driver.limits), stats, steps, frontier })
}

/// Ends a slice when its effort is used up, though not before a decision was made: else it might never get anywhere.
struct Pause {
    effort: u64,
    decisions: u64,
    next_look: u32,
}

impl Share for Pause {
    fn offer(&mut self, _: &mut Vec<Node>) {}

    fn pauses(&mut self, driver: &mut Driver<'_>) -> bool {
        self.decisions += 1;
        self.next_look -= 1;
        if self.next_look > 0 {
            return false;
        }
        self.next_look = LOOK_AFTER;
        driver.work_done() >= self.effort
    }
}

/// What work on a size belongs to. `module` is a hash of the program.
pub fn stamp(target: &Target, module: u64, n: i64) -> Stamp {
    let find = || words::find(target, n, &Budget::of_effort(WORDS_EFFORT)).unwrap_or_default();
    let words = target.words.at(n, find);
    let mut text = String::new();
    for group in words.groups() {
        // Writing to a text cannot fail.
        let _ = write!(text, "{group:?}");
    }
    Stamp { identity: identity(target, module), size: n, words: checksum(text.as_bytes()) }
}

/// A hash of the module and of every setting that makes a difference to a path or its cost.
pub fn identity(target: &Target, module: u64) -> u64 {
    checksum(format!("{module} {}", settings_of(target)).as_bytes())
}

/// The settings that make a difference to a path or its cost, in words.
pub fn settings_of(target: &Target) -> String {
    let entry = match &target.entry {
        Entry::Call(spec) => spec.to_string(),
        Entry::Harness { name } => format!("harness {name}"),
    };
    let (cost, limits, solver, seed) = (&target.cost, &target.limits, &target.solver, target.seed);
    let world = &target.program.world;
    format!("{} {entry} {} {cost} {limits:?} {solver:?} {seed} {world:?}", crate::VERSION, target.function.0)
}

#[cfg(test)]
mod tests;
