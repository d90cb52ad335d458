//! The plain searches over paths: every path, depth first, a random sample.

use slowpath_search::{Budget, SearchError, SizeFinding, depth_first, exhaustive, random_paths};

use crate::claim::FoundBy;
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that every path may take where it is one technique of many.
const SHARE: f64 = 0.4;

/// Every path, as far as the budget goes.
pub struct EveryPath {
    /// Whether it is all there is.
    pub alone: bool,
}

impl Technique for EveryPath {
    fn name(&self) -> FoundBy {
        FoundBy::Exhaustive
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        if self.alone {
            return Some(1.0);
        }
        let settled = session.ledger.row(n).is_some_and(|row| row.is_settled());
        // With a policy at hand, paths are better spent.
        let learned = session.knowledge.learned.as_ref();
        let has_policies = learned.is_some_and(|learned| !learned.policies.candidates.is_empty());
        (!settled && !has_policies && !session.settings.compares_policies).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        exhaustive(session.target, n, session.settings.jobs, budget).map(Some)
    }
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
