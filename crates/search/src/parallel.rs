//! Exhaustive exploration by several workers.
//!
//! A path prefix, its list of decisions, is the unit of work: a worker that has more than it needs turns its shallowest
//! waiting node into one, another follows the prefix from the start with its own terms and its own solver. Which worker
//! explores what differs from run to run; what they find together does not.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use slowpath_solver::SolverStats;

use crate::budget::{Budget, Stop};
use crate::driver::Driver;
use crate::exhaustive::{Share, explore};
use crate::findings::SizeFinding;
use crate::node::Node;
use crate::policy::SizeSummary;
use crate::prefix::Prefix;
use crate::reproduce::finish;
use crate::tally::Tally;
use crate::target::{SearchError, Target};
use crate::work::keep;

/// Work that waits for a worker.
struct Queue {
    jobs: Mutex<VecDeque<Prefix>>,
    changed: Condvar,
    /// Workers without work.
    hungry: AtomicUsize,
    workers: usize,
    /// Paths explored by all workers together.
    paths: AtomicU64,
    /// The size whose paths are to be learned from.
    summary: Option<i64>,
}

/// What one worker brings home.
type Harvest = Result<(Tally, BTreeMap<String, u64>, SolverStats), SearchError>;

/// Explores every path at size `n` with `jobs` workers.
pub fn exhaustive(target: &Target, n: i64, jobs: usize, budget: &Budget) -> Result<SizeFinding, SearchError> {
    Ok(explore_all(target, n, jobs, budget, false)?.0)
}

/// Explores every path, as `exhaustive` does, and sums up what the paths teach.
pub fn exhaustive_with_summary(
    target: &Target,
    n: i64,
    jobs: usize,
    budget: &Budget,
) -> Result<(SizeFinding, SizeSummary), SearchError> {
    let (finding, summary) = explore_all(target, n, jobs, budget, true)?;
    Ok((finding, summary.unwrap_or_default()))
}

fn explore_all(
    target: &Target,
    n: i64,
    jobs: usize,
    budget: &Budget,
    learn: bool,
) -> Result<(SizeFinding, Option<SizeSummary>), SearchError> {
    if target.explorations.are_kept() {
        return keep::explore(target, n, jobs, budget, learn);
    }
    let begun = budget.now();
    // A limit on the number of paths or on the work means the canonically first ones, which one worker finds.
    let limited = budget.paths != u64::MAX || budget.clock.is_by_work();
    let jobs = if limited { 1 } else { jobs.max(1) };
    let queue = Queue {
        jobs: Mutex::new(VecDeque::from([Prefix::default()])),
        changed: Condvar::new(),
        hungry: AtomicUsize::new(0),
        workers: jobs,
        paths: AtomicU64::new(0),
        summary: learn.then_some(n),
    };
    let harvests: Vec<Harvest> = if jobs == 1 {
        vec![work(target, n, budget, &queue)]
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| work(target, n, budget, &queue))).collect();
            workers.into_iter().map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    };
    let mut tally = Tally::default();
    let mut limits = BTreeMap::new();
    let mut stats = SolverStats::default();
    for harvest in harvests {
        let (theirs, their_limits, their_stats) = harvest?;
        tally.merge(theirs);
        for (what, count) in their_limits {
            *limits.entry(what).or_insert(0) += count;
        }
        stats.add(&their_stats);
    }
    let mut summary = tally.summary.take();
    if let Some(summary) = &mut summary {
        summary.size = n;
        summary.sort();
    }
    Ok((finish(target, n, budget, tally, limits, stats, begun)?, summary))
}

fn work(target: &Target, n: i64, budget: &Budget, queue: &Queue) -> Harvest {
    // However this worker ends, the others must not wait for it.
    let _leaving = Leaving(queue);
    let mut driver = Driver::new(target, budget);
    let mut whole = Tally::default();
    while let Some(job) = queue.next(whole.stop.is_some()) {
        let result = one_job(&mut driver, n, job, budget, queue);
        match result {
            Ok(tally) => {
                queue.paths.fetch_add(tally.paths, Ordering::Relaxed);
                whole.merge(tally);
            }
            Err(e) => return Err(e),
        }
    }
    let stats = driver.solver_stats();
    Ok((whole, driver.limits, stats))
}

fn one_job(driver: &mut Driver<'_>, n: i64, job: Prefix, budget: &Budget, queue: &Queue) -> Result<Tally, SearchError> {
    let summary = queue.summary.map(|size| SizeSummary { size, ..SizeSummary::default() });
    let mut tally = Tally { summary, ..Tally::default() };
    let Some(node) = job.resume(driver, n)? else {
        tally.stop = Some(Stop::Time);
        return Ok(tally);
    };
    let most = budget.paths.saturating_sub(queue.paths.load(Ordering::Relaxed));
    explore(driver, node, &mut tally, most, &mut Giver { queue });
    if driver.diverged {
        return Err(SearchError::Diverged("a prefix does not fit".into()));
    }
    Ok(tally)
}

/// Gives away the shallowest nodes when somebody has nothing to do.
struct Giver<'q> {
    queue: &'q Queue,
}

impl Share for Giver<'_> {
    fn offer(&mut self, waiting: &mut Vec<Node>) {
        if self.queue.hungry.load(Ordering::Relaxed) == 0 || waiting.is_empty() {
            return;
        }
        let node = waiting.remove(0);
        self.queue.lock().push_back(Prefix::of(&node));
        self.queue.changed.notify_one();
    }
}

/// Tells the queue when a worker leaves, even by a panic.
struct Leaving<'q>(&'q Queue);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Prefix>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job; none when everybody is out of work, or when the caller has to stop.
    fn next(&self, stopped: bool) -> Option<Prefix> {
        if stopped {
            return None;
        }
        let mut jobs = self.lock();
        if let Some(job) = jobs.pop_front() {
            return Some(job);
        }
        self.hungry.fetch_add(1, Ordering::SeqCst);
        loop {
            if self.hungry.load(Ordering::SeqCst) >= self.workers {
                self.changed.notify_all();
                return None;
            }
            jobs = self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner);
            if let Some(job) = jobs.pop_front() {
                self.hungry.fetch_sub(1, Ordering::SeqCst);
                return Some(job);
            }
        }
    }

    /// A worker that leaves counts as hungry for good, so that the others do not wait for its work.
    fn finish(&self) {
        let _jobs = self.lock();
        // A worker that left through `next` is counted already.
        if self.hungry.load(Ordering::SeqCst) < self.workers {
            self.hungry.fetch_add(1, Ordering::SeqCst);
        }
        self.changed.notify_all();
    }
}
