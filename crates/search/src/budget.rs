//! What a search may use, and why it stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slowpath_solver::SolverStats;

use crate::clock::{Clock, steps_of, time_of};

/// A limit that ended a search before it was through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stop {
    Time,
    /// The work that may be done is done.
    Effort,
    Paths,
    Memory,
    Interrupted,
    /// A policy leaves more paths open than it is followed for.
    OpenPaths,
    /// The evolution has had its generations.
    Generations,
    /// The cost that was said to be the worst was reached.
    KnownOptimum,
    /// The evolution finds no further path.
    NothingNew,
    /// The evolution has found nothing costlier for as long again as before.
    NothingCostlier,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Time => "the time budget was used up (--budget)",
            Stop::Effort => "the effort was used up (--effort)",
            Stop::Paths => "the limit of paths was reached (--max-paths)",
            Stop::OpenPaths => "the policy leaves too many paths open to follow all of them",
            Stop::Memory => "the limit of memory for the search was reached (--max-search-memory)",
            Stop::Interrupted => "interrupted",
            Stop::Generations => "the limit of generations was reached (--generations)",
            Stop::KnownOptimum => "the known optimum was reached (--known-optimum)",
            Stop::NothingNew => "twenty generations found no new path",
            Stop::NothingCostlier => "nothing costlier was found for as long again",
        })
    }
}

/// Who knows how much memory the process may still take.
pub trait Gauge: std::fmt::Debug + Send + Sync {
    /// Whether it may hold so many bytes more than it does now.
    fn has_room(&self, bytes: u64) -> bool;
    /// Waits a moment for memory that nobody uses any more to be given back.
    fn recover(&self) {}
}

/// Limits of a search as a whole.
#[derive(Clone, Debug)]
pub struct Budget {
    /// What the deadline is measured with.
    pub clock: Clock,
    /// When the search has to end, by the clock.
    pub deadline: Option<Duration>,
    /// When the whole has to end that this is a part of; where it is none, the deadline.
    pub whole: Option<Duration>,
    /// What one run may take of the whole (default: half of what is left). Where runs of many sizes explode, each is to be cut at the same.
    pub one_run: Option<Duration>,
    /// Paths to explore at one size (default: no limit).
    pub paths: u64,
    /// Terms a worker may hold, which bounds its memory (default 20,000,000, about 2 GiB).
    pub terms: usize,
    /// Set from outside to end the search with what it has.
    pub interrupt: Arc<AtomicBool>,
    /// Set from outside for as long as the process holds more memory than it may.
    pub memory_full: Arc<AtomicBool>,
    /// Asked before much memory is taken at once, for which a flag comes too late; none where there is no limit.
    pub gauge: Option<Arc<dyn Gauge>>,
    /// Whether anything was ended for want of memory, whatever came of it.
    pub ran_out: Arc<AtomicBool>,
    /// What all solvers have done, whoever asked them.
    pub solved: Arc<Mutex<SolverStats>>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            clock: Clock::wall(),
            deadline: None,
            whole: None,
            one_run: None,
            paths: u64::MAX,
            terms: 20_000_000,
            interrupt: Arc::default(),
            memory_full: Arc::default(),
            gauge: None,
            ran_out: Arc::default(),
            solved: Arc::default(),
        }
    }
}

impl Budget {
    /// No limits but this time, from now on.
    pub fn of_time(time: Duration) -> Budget {
        Budget { deadline: Some(time), ..Budget::default() }
    }

    /// No limits but this many steps of work.
    pub fn of_effort(steps: u64) -> Budget {
        Budget { clock: Clock::work(), deadline: Some(time_of(steps)), ..Budget::default() }
    }

    /// Why the search must stop now, as far as somebody outside is concerned.
    pub(crate) fn ended_from_outside(&self) -> Option<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(Stop::Interrupted);
        }
        self.memory_full.load(Ordering::Relaxed).then(|| self.out_of_memory())
    }

    /// What a program's memory is given that needs so many bytes: these and some more, before it asks again. None where that is too much.
    pub fn room_for(&self, bytes: u64) -> Option<u64> {
        let wanted = bytes.saturating_add(ROOM);
        self.has_room(wanted).then_some(wanted)
    }

    /// Whether the process may hold so many bytes more than it does now.
    pub fn has_room(&self, bytes: u64) -> bool {
        self.gauge.as_ref().is_none_or(|gauge| gauge.has_room(bytes))
    }

    /// After something ended for want of memory: what it held is given back, so that others can go on. Whoever still holds too much is ended by that.
    pub fn recover_memory(&self) {
        if self.memory_full.load(Ordering::Relaxed)
            && let Some(gauge) = &self.gauge
        {
            gauge.recover();
        }
    }

    /// Ends something for want of memory, and remembers that it did.
    pub(crate) fn out_of_memory(&self) -> Stop {
        self.ran_out.store(true, Ordering::Relaxed);
        Stop::Memory
    }

    /// Whether anything was ended for want of memory, of the whole that this is a part of.
    pub fn ran_out_of_memory(&self) -> bool {
        self.ran_out.load(Ordering::Relaxed)
    }

    /// What all solvers have done so far that are done, in every phase of the whole that this is a part of.
    pub fn solver_work(&self) -> SolverStats {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts what a solver did elsewhere.
    pub(crate) fn add_solver_work(&self, stats: &SolverStats) {
        self.solved.lock().unwrap_or_else(PoisonError::into_inner).add(stats);
    }

    /// Why the search must stop now, as far as the clock and the user are concerned.
    pub fn expired(&self) -> Option<Stop> {
        if let Some(stop) = self.ended_from_outside() {
            return Some(stop);
        }
        let stop = if self.clock.is_by_work() { Stop::Effort } else { Stop::Time };
        self.deadline.filter(|deadline| self.clock.now() >= *deadline).map(|_| stop)
    }

    /// Time by the budget's clock.
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Seconds since an earlier moment of the budget's clock.
    pub fn seconds_since(&self, begun: Duration) -> f64 {
        self.clock.now().saturating_sub(begun).as_secs_f64()
    }

    /// Counts work that was done.
    pub fn charge(&self, steps: u64) {
        self.clock.charge(steps);
    }

    /// Time until the deadline; very long where there is none.
    pub fn left(&self) -> Duration {
        self.deadline.map_or(ENDLESS, |deadline| deadline.saturating_sub(self.clock.now()))
    }

    /// Steps of work until the deadline, where the clock goes by work.
    pub fn steps_left(&self) -> u64 {
        steps_of(self.left())
    }

    /// This share of the time that is left.
    pub fn part(&self, share: f64) -> Budget {
        self.within(self.left().mul_f64(share))
    }

    /// The budget, ended after so much time from now.
    pub fn within(&self, time: Duration) -> Budget {
        let then = self.clock.now().saturating_add(time);
        let deadline = self.deadline.map_or(then, |deadline| deadline.min(then));
        Budget { deadline: Some(deadline), whole: self.whole.or(self.deadline), ..self.clone() }
    }

    /// The budget of a single run: a part's run may take much of what is left of the whole, since a run that is cut shows little, or so
    /// much overtime; after the end of the whole that is once for all runs.
    pub fn of_one_run(&self, overtime: Duration) -> Budget {
        let Some(end) = self.whole.or(self.deadline) else { return self.clone() };
        let now = self.clock.now();
        let left = end.saturating_sub(now);
        let much = now + self.one_run.unwrap_or(left / 2).min(left);
        let latest = much.max((now + overtime).min(self.latest(overtime)));
        Budget { deadline: self.deadline.map(|deadline| deadline.max(latest)), ..self.clone() }
    }

    /// The end of the whole and so much time after it. Nobody waits for that who has asked for an end.
    pub fn latest(&self, overtime: Duration) -> Duration {
        let hurried = self.ended_from_outside().is_some();
        self.whole.or(self.deadline).map_or(ENDLESS, |end| if hurried { Duration::ZERO } else { end + overtime })
    }

    /// The budget for what must be done at its end: so much time from now at least, and nothing ends it from outside. By effort there is
    /// no deadline: how long it takes is the same everywhere.
    pub fn at_least(&self, time: Duration) -> Budget {
        let hurried = self.interrupt.load(Ordering::Relaxed);
        let then = self.clock.now().saturating_add(if hurried { time.min(HURRIED) } else { time });
        let deadline = if hurried { Some(then) } else { self.deadline.map(|deadline| deadline.max(then)) };
        let deadline = deadline.filter(|_| !self.clock.is_by_work());
        Budget { deadline, interrupt: Arc::default(), memory_full: Arc::default(), ..self.clone() }
    }
}

/// Bytes that a program's memory takes between two looks: reading how much the process holds takes as long as writing a few pages.
const ROOM: u64 = 1 << 20;
/// What is done at the end takes no longer where the user has asked for an end.
const HURRIED: Duration = Duration::from_millis(250);
/// What is left where there is no deadline: thirty years, which leaves room for sums.
const ENDLESS: Duration = Duration::from_secs(1_000_000_000);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_before_the_whole_and_never_after_it() {
        let whole = Budget::of_effort(1000);
        let part = whole.part(0.25);
        part.charge(250);
        assert_eq!((part.expired(), whole.expired()), (Some(Stop::Effort), None));
        let longer = whole.within(Duration::from_secs(5));
        whole.charge(750);
        assert_eq!((longer.expired(), whole.left()), (Some(Stop::Effort), Duration::ZERO));
    }

    #[test]
    fn a_run_may_take_half_of_what_is_left_of_the_whole() {
        let whole = Budget::of_effort(1000);
        let slice = whole.part(0.01);
        assert_eq!(slice.of_one_run(Duration::ZERO).left(), time_of(500));
        assert_eq!(whole.part(0.9).of_one_run(Duration::ZERO).left(), time_of(900), "a longer part keeps its time");
        whole.charge(2000);
        let late = slice.of_one_run(time_of(1500));
        assert_eq!((slice.left(), late.left()), (Duration::ZERO, time_of(500)), "the end of the whole is what counts");
        slice.interrupt.store(true, Ordering::Relaxed);
        assert_eq!(slice.latest(time_of(1500)), Duration::ZERO);
    }

    #[test]
    fn what_is_done_at_the_end_has_its_time_and_no_more() {
        let over = Budget { interrupt: Arc::new(AtomicBool::new(true)), ..Budget::of_time(Duration::ZERO) };
        assert_eq!(over.expired(), Some(Stop::Interrupted));
        let end = over.at_least(Duration::from_secs(60));
        assert!(end.expired().is_none() && end.left() <= HURRIED);
        let end = Budget::of_time(Duration::ZERO).at_least(Duration::from_secs(60));
        assert!(end.expired().is_none() && end.left() <= Duration::from_secs(60));
        assert_eq!(Budget::of_effort(0).at_least(Duration::ZERO).deadline, None);
    }
}
