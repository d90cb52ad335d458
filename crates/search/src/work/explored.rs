//! What came of exploring so far: of one task, or of all tasks of a size together.

use std::collections::BTreeMap;
use std::time::Duration;

use slowpath_solver::SolverStats;

use super::frontier::Frontier;
use crate::budget::{Budget, Stop};
use crate::findings::{PathFinding, SizeFinding};
use crate::policy::SizeSummary;
use crate::reproduce::finish;
use crate::tally::{Found, Tally};
use crate::target::{SearchError, Target};

/// Paths that were followed, and prefixes that were not.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    pub(crate) tally: Tally,
    pub(crate) limits: BTreeMap<String, u64>,
    pub(crate) stats: SolverStats,
    pub(crate) steps: u64,
    pub(crate) frontier: Frontier,
}

impl Explored {
    /// Nothing yet, of all paths of a size.
    pub fn nothing(size: i64, learns: bool) -> Explored {
        let summary = learns.then(|| SizeSummary { size, ..SizeSummary::default() });
        Explored { tally: Tally { summary, ..Tally::default() }, frontier: Frontier::root(), ..Explored::default() }
    }

    /// Paths followed to their end.
    pub fn paths(&self) -> u64 {
        self.tally.paths
    }

    /// The worst cost by now.
    pub fn worst(&self) -> Option<u64> {
        self.tally.worst.as_ref().map(|worst| worst.cost)
    }

    /// Work done, in steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What is left to be followed.
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Why it ended before the effort did, if so.
    pub fn stop(&self) -> Option<Stop> {
        self.tally.stop
    }

    /// Whether what the paths teach was summed up too.
    pub fn learns(&self) -> bool {
        self.tally.summary.is_some()
    }

    /// Adds what another task found. In which order does not matter. The frontier is left alone.
    pub fn add(&mut self, other: Explored) {
        self.tally.merge(other.tally);
        for (what, times) in other.limits {
            *self.limits.entry(what).or_insert(0) += times;
        }
        self.stats.add(&other.stats);
        self.steps += other.steps;
    }

    /// Notes something that makes the result less than exact.
    pub(crate) fn limit(&mut self, what: String) {
        *self.limits.entry(what).or_insert(0) += 1;
    }
}

/// What was explored as a finding, and what the paths teach: the kept paths get their inputs by being followed again, so that no cost is
/// believed. A path that costs something else than was said has been tampered with, or there is a bug.
pub fn finding_of(
    target: &Target,
    n: i64,
    budget: &Budget,
    explored: Explored,
    begun: Duration,
) -> Result<(SizeFinding, Option<SizeSummary>), SearchError> {
    let Explored { mut tally, limits, stats, frontier, .. } = explored;
    if !frontier.is_empty() && tally.stop.is_none() {
        tally.stop = Some(budget.expired().unwrap_or(Stop::Effort));
    }
    let summary = tally.summary.take().map(|mut summary| {
        summary.size = n;
        summary.sort();
        summary
    });
    let worst = tally.worst.clone();
    let cut = tally.cut_worst.is_some();
    let finding = finish(target, n, budget, tally, limits, stats, begun)?;
    let said = |worst: &Found, found: &PathFinding| found.at_least || worst.cost == found.cost;
    match (&worst, &finding.worst) {
        (Some(worst), Some(found)) if !said(worst, found) => Err(SearchError::Diverged(format!(
            "the worst path of size {n} costs {} and not {}",
            found.cost, worst.cost
        ))),
        (Some(_), None) if !cut => Err(SearchError::Diverged(format!("the worst path of size {n} is not there"))),
        _ => Ok((finding, summary)),
    }
}
