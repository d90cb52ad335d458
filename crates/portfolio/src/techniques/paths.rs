//! The plain searches over paths: every path, depth first, a random sample.

use slowpath_search::{Budget, SearchError, SizeFinding, depth_first, exhaustive, random_paths};

use crate::claim::{Evidence, FoundBy};
use crate::ledger::Row;
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that every path may take where it is one technique of many.
const SHARE: f64 = 0.4;
/// The part that it may take where a policy or a synthesis has led to a result.
const BESIDE_SHARE: f64 = 0.05;

/// Every path, as far as the budget goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EveryPath {
    /// It is all there is.
    Alone,
    /// Where there are no policies: with them, paths are better spent.
    WithoutPolicies,
    /// There too, and beside a result that is believed for as long as that took: what plain exploration beats in the same time is worth little.
    Beside,
}

impl Technique for EveryPath {
    fn name(&self) -> FoundBy {
        FoundBy::Exhaustive
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        if *self == EveryPath::Alone {
            return Some(1.0);
        }
        let row = session.ledger.row(n);
        if *self == EveryPath::Beside
            && let Some(believed) = row.filter(|row| row.evidence() == Some(Evidence::Believed))
        {
            return beside(believed, session);
        }
        let settled = row.is_some_and(|row| row.is_settled());
        let learned = session.knowledge.learned.as_ref();
        let has_policies = learned.is_some_and(|learned| !learned.policies.candidates.is_empty());
        (!settled && !has_policies && !session.settings.compares_policies).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        exhaustive(session.target, n, session.settings.jobs, budget).map(Some)
    }
}

/// The part of a size's time that its believed result took, if that came from paths and nobody has tried to beat it by following all of them.
fn beside(row: &Row, session: &Session<'_>) -> Option<f64> {
    let found_by = row.best.as_ref()?.found_by;
    if !matches!(found_by, FoundBy::Policy | FoundBy::Synthesis) || row.tried.contains_key(&FoundBy::Exhaustive) {
        return None;
    }
    if session.settings.compares_policies {
        return None;
    }
    let took = row.seconds.get(&found_by).copied().unwrap_or(0.0);
    let share = session.share().left().as_secs_f64();
    (took > 0.0 && share > 0.0).then(|| (took / share).min(BESIDE_SHARE))
}

/// Depth first, on one core.
pub struct DepthFirst;

impl Technique for DepthFirst {
    fn name(&self) -> FoundBy {
        FoundBy::DepthFirst
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, _: i64, _: &Session<'_>) -> Option<f64> {
        Some(1.0)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        depth_first(session.target, n, budget).map(Some)
    }
}

/// A random sample.
pub struct RandomPaths;

impl Technique for RandomPaths {
    fn name(&self) -> FoundBy {
        FoundBy::RandomPaths
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, _: i64, _: &Session<'_>) -> Option<f64> {
        Some(1.0)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        random_paths(session.target, n, session.settings.random_paths, budget).map(Some)
    }
}
