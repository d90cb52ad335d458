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
mod segment;
mod stored;
mod table;
mod touched;

use num_bigint::BigUint;
use slowpath_machine::Answer;
use slowpath_program::SiteId;
use slowpath_program::call::Entry;

use crate::budget::Budget;
use crate::cost::CostModel;
use crate::driver::Driver;
use crate::findings::SizeFinding;
use crate::node::{Decision, Trail};
use crate::reproduce::finish;
use crate::tally::{Found, Tally};
use crate::target::{SearchError, Target};
use explore::Exploration;
use future::{Continuation, Continuations};
pub use left_out::LeftOut;

/// What an exploration that remembers came to.
#[derive(Clone, Debug)]
pub struct Memoised {
    pub finding: SizeFinding,
    /// Decisions that were followed, and how often one was looked up instead.
    pub followed: u64,
    pub hits: u64,
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
    memo_without(target, n, budget, None)
}

/// Explores as `memo` does, and leaves out something that futures depend on: wrong, for tests.
#[doc(hidden)]
pub fn memo_without(
    target: &Target,
    n: i64,
    budget: &Budget,
    left_out: Option<LeftOut>,
) -> Result<Memoised, SearchError> {
    if !is_additive(target) {
        return Err(SearchError::NotAdditive(target.cost.to_string()));
    }
    // What is never written is taken to be the same on every path, and nobody sees these writes.
    if matches!(&target.entry, Entry::Call(spec) if !spec.dictionaries().is_empty()) {
        return Err(SearchError::WordsUnrecorded);
    }
    let begun = budget.now();
    let mut driver = Driver::new(target, budget);
    let exploration = Exploration::run(&mut driver, n, budget, left_out)?;
    let (hits, followed) = exploration.saved();
    let (tally, counts) = tally(exploration);
    let stats = driver.solver_stats();
    let limits = std::mem::take(&mut driver.limits);
    let mut finding = finish(target, n, budget, tally, limits, stats, begun)?;
    finding.path_count = counts;
    Ok(Memoised { finding, followed, hits })
}

/// What was found, as other explorations keep it; and the number of paths where it needs more room.
fn tally(exploration: Exploration<'_, '_>) -> (Tally, Option<BigUint>) {
    let Exploration { ways, totals, traps, mut tally, .. } = exploration;
    tally.paths = clamp(&totals.paths);
    tally.worst_paths = clamp(&totals.worst_paths);
    tally.worst =
        totals.worst.map(|(cost, trail, way)| Found { cost, decisions: joined(&ways, &trail, way), model: Vec::new() });
    for ((number, site), (count, examples)) in totals.traps {
        let Some(trap) = traps.get(number as usize) else { continue };
        // Costs of examples are counted when they are followed again.
        let found = |(trail, way): &(Trail, Continuation)| Found {
            cost: 0,
            decisions: joined(&ways, trail, *way),
            model: Vec::new(),
        };
        let examples = examples.iter().map(found).collect();
        tally.traps.insert((trap.to_string(), site), (trap.clone(), clamp(&count), examples));
    }
    let count = (u64::try_from(&totals.paths).is_err()).then_some(totals.paths);
    (tally, count)
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
