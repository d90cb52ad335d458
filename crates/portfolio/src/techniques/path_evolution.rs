//! Path evolution: evolutionary symbolic execution that begins with the best paths known.

use slowpath_search::{Budget, EvolveParams, SearchError, SizeFinding, Stop, evolve};

use crate::claim::{Evidence, FoundBy};
use crate::technique::{Session, Stage, Technique};
use crate::techniques::challenge::with_decisions;

/// Evaluations after which an evolution that finds nothing costlier ends.
const PATIENCE: u64 = 2000;
/// Evolutions in a row that may end so before there are no more of them at a cost. Tried: one, by which a merge sort of 250 stayed at 7,484 of 7,486.
const MOST_EXHAUSTED: usize = 4;
/// Branches of the best path, beyond which there is no evolution.
const MOST_BRANCHES: u64 = 200_000;
/// The part of a size's time.
const SHARE: f64 = 0.4;

#[derive(Default)]
pub struct PathEvolution {
    /// Whether it is all there is: then it begins with nothing, and ends by its parameters.
    alone: bool,
    /// Whether it begins with the path of a learned policy all the same.
    from_policy: bool,
    /// Sizes where it ended for want of anything new, and the cost it began with; once for each time.
    exhausted: Vec<(i64, Option<u64>)>,
    /// How often it was run: every time it goes another way.
    runs: u64,
}

impl PathEvolution {
    /// The whole search, which may begin with the path of a learned policy.
    pub fn alone(from_policy: bool) -> PathEvolution {
        PathEvolution { alone: true, from_policy, ..PathEvolution::default() }
    }
}

impl Technique for PathEvolution {
    fn name(&self) -> FoundBy {
        FoundBy::PathEvolution
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        if self.alone {
            return Some(1.0);
        }
        let row = session.ledger.row(n).filter(|row| !row.is_settled())?;
        // Following long paths again and again would take too long.
        let worst = row.best.as_ref().and_then(|best| best.finding.worst.as_ref());
        if worst.is_some_and(|worst| worst.costs.branches > MOST_BRANCHES) {
            return None;
        }
        let believed = row.evidence() == Some(Evidence::Believed);
        let exhausted = self.exhausted.iter().filter(|ended| **ended == (n, row.cost())).count();
        (!believed && exhausted < MOST_EXHAUSTED).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let row = session.ledger.row(n);
        let best = row.and_then(|row| row.best.as_ref()).and_then(|best| best.finding.worst.as_ref());
        let (cost, begun) = (best.map(|best| best.cost), budget.now());
        let seed = match best.filter(|_| !self.alone || self.from_policy) {
            Some(best) => with_decisions(session.target, n, best, &budget.part(0.2))?,
            None => None,
        };
        let seeds: Vec<_> = seed.into_iter().map(|path| path.decisions).collect();
        let params = if self.alone {
            session.settings.evolve.clone()
        } else {
            EvolveParams { patience: Some(PATIENCE), stream: self.runs, ..EvolveParams::default() }
        };
        self.runs += 1;
        let found = evolve(session.target, n, &params, &seeds, budget)?;
        if matches!(found.stop, Some(Stop::NothingNew | Stop::NothingCostlier)) && found.cost() <= cost {
            self.exhausted.push((n, cost));
        }
        Ok(Some(SizeFinding { seconds: budget.seconds_since(begun), ..found }))
    }
}
