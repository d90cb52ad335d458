//! Every path, where states come together: what all paths from a decision on come to is remembered, and used again
//! wherever a state arrives there that agrees on everything they depend on.
//!
//! What a future depends on is found from what it did (`needs`): the registers, globals and bytes of memory it read before
//! it wrote them, as far as they had a say in where it went or what it cost; and the path's conditions on the inputs that it asked
//! about (`conditions`). Values that are only copied and compared for equality may have other names (`names`). Two states at the same place that agree on these do the same from there on, step for step.

mod asked;
mod atom;
mod conditions;
mod explore;
mod future;
mod held;
mod input_set;
mod left_out;
mod names;
mod naming;
mod needs;
mod pack;
mod partition;
mod passing;
mod pending;
mod projection;
mod reads;
mod room;
mod segment;
mod stored;
mod table;
mod touched;

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigUint;
use slowpath_machine::{Answer, Limit};
use slowpath_program::SiteId;
use slowpath_program::call::Entry;

use crate::budget::{Budget, Stop};
use crate::cost::CostModel;
use crate::driver::Driver;
use crate::findings::{PathFinding, SizeFinding};
use crate::node::{Decision, Trail, canonical};
use crate::reproduce::{finish, reproduce_cut};
use crate::tally::{Found, Tally, limit_reached};
use crate::target::{SearchError, Target};
use explore::{Exploration, Saved};
use future::{Continuation, Continuations};
pub use left_out::LeftOut;
use left_out::Trial;

/// What an exploration that remembers came to.
#[derive(Clone, Debug)]
pub struct Memoised {
    pub finding: SizeFinding,
    /// Decisions that were followed, and how often one was looked up instead.
    pub followed: u64,
    pub hits: u64,
    /// Futures that were forgotten for want of memory.
    pub forgotten: u64,
}

/// Whether costs of this model add up along a path.
fn is_additive(target: &Target) -> bool {
    match target.cost {
        CostModel::Memory | CostModel::Stack => false,
        // A line in several pieces ran as often as its busiest piece, which is a maximum.
        CostModel::Site { .. } => target.program.probes <= 1,
        _ => true,
    }
}

/// Explores every path at size `n`, each future once.
pub fn memo(target: &Target, n: i64, budget: &Budget) -> Result<Memoised, SearchError> {
    explore(target, n, budget, Trial::default())
}

/// Explores as `memo` does, and leaves out something that futures depend on: wrong, for tests.
#[doc(hidden)]
pub fn memo_without(
    target: &Target,
    n: i64,
    budget: &Budget,
    left_out: Option<LeftOut>,
) -> Result<Memoised, SearchError> {
    explore(target, n, budget, Trial { left_out, ..Trial::default() })
}

/// Explores as `memo` does, and remembers no more than so many bytes, for tests.
#[doc(hidden)]
pub fn memo_within(target: &Target, n: i64, budget: &Budget, bytes: usize) -> Result<Memoised, SearchError> {
    explore(target, n, budget, Trial { most_remembered: Some(bytes), ..Trial::default() })
}

fn explore(target: &Target, n: i64, budget: &Budget, trial: Trial) -> Result<Memoised, SearchError> {
    if !is_additive(target) {
        return Err(SearchError::NotAdditive(target.cost.to_string()));
    }
    // What is never written is taken to be the same on every path, and nobody sees these writes.
    if matches!(&target.entry, Entry::Call(spec) if !spec.dictionaries().is_empty()) {
        return Err(SearchError::WordsUnrecorded);
    }
    let begun = budget.now();
    // Where the process holds too much, something is forgotten first: the exploration looks at that itself, and may go on.
    let within = Budget { memory_full: Arc::default(), ran_out: Arc::default(), ..budget.clone() };
    let mut driver = Driver::new(target, &within);
    let exploration = Exploration::run(&mut driver, n, budget, trial)?;
    let Saved { hits, followed, forgotten } = exploration.saved();
    let (mut tally, cut, counts) = tally(exploration);
    let stats = driver.solver_stats();
    let mut limits = std::mem::take(&mut driver.limits);
    // What it held is needed to make inputs.
    drop(driver);
    if tally.stop == Some(Stop::Memory) {
        budget.out_of_memory();
    }
    if cut.paths > 0 {
        add_cut(target, n, budget, cut, &mut tally, &mut limits);
    }
    let mut finding = finish(target, n, budget, tally, limits, stats, begun)?;
    finding.path_count = counts;
    Ok(Memoised { finding, followed, hits, forgotten })
}

/// Paths that were cut at the limit of instructions: how many, and the costliest.
struct CutPaths {
    paths: u64,
    worst: Option<Found>,
}

/// Adds the paths that were cut. The costliest is made afresh if it was not followed itself.
fn add_cut(
    target: &Target,
    n: i64,
    budget: &Budget,
    cut: CutPaths,
    tally: &mut Tally,
    limits: &mut BTreeMap<String, u64>,
) {
    tally.cut = tally.cut.saturating_add(cut.paths);
    limits.insert(limit_reached(target, Limit::Instructions), cut.paths);
    let followed = |path: &PathFinding, cut: &Found| {
        path.cost == cut.cost && canonical(&path.decisions) == canonical(&cut.decisions)
    };
    if let Some(worst) = cut.worst
        && !tally.cut_worst.as_ref().is_some_and(|path| followed(path, &worst))
        && let Some(path) = reproduce_cut(target, n, &worst, budget)
    {
        tally.keep_cut(path);
    }
}

/// What was found, as other explorations keep it; what was cut; and the number of paths where it needs more room.
fn tally(exploration: Exploration<'_, '_>) -> (Tally, CutPaths, Option<BigUint>) {
    let Exploration { ways, totals, traps, mut tally, .. } = exploration;
    tally.paths = clamp(&totals.paths);
    tally.worst_paths = clamp(&totals.worst_paths);
    let found = |(cost, trail, way): (u64, Trail, Continuation)| Found {
        cost,
        decisions: joined(&ways, &trail, way),
        model: Vec::new(),
    };
    tally.worst = totals.worst.map(found);
    let cut = CutPaths { paths: clamp(&totals.cut), worst: totals.cut_worst.map(found) };
    for ((number, site), (count, examples)) in totals.traps {
        let Some(trap) = traps.get(number as usize) else { continue };
        // Costs of examples are counted when they are followed again.
        let examples = examples.into_iter().map(|(trail, way)| found((0, trail, way))).collect();
        tally.traps.insert((trap.to_string(), site), (trap.clone(), clamp(&count), examples));
    }
    let count = (u64::try_from(&totals.paths).is_err()).then_some(totals.paths);
    (tally, cut, count)
}

fn clamp(count: &BigUint) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// A trail and what follows it. Where the decisions of the second part are made is seen when they are followed again.
fn joined(ways: &Continuations, trail: &Trail, way: Continuation) -> Vec<Decision> {
    let mut decisions = trail.decisions();
    let unplaced = |(answer, forced): (Answer, bool)| Decision { site: SiteId(0), activation: 0, answer, forced };
    decisions.extend(ways.decisions(way).map(unplaced));
    decisions
}
