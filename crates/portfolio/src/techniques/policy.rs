//! Policy: the paths that the best of the learned policies generate at a size.

use slowpath_search::{Budget, Provenance, SearchError, SizeFinding};

use crate::claim::FoundBy;
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that following policies may take.
const SHARE: f64 = 0.75;
/// The share of a policy that was learned from fewer complete sizes than this: it is a guess.
const WEAK_SHARE: f64 = 0.1;
const FEWEST_SIZES: usize = 2;
/// At a size whose every path is known, only to see whether the policy leads there.
const COMPARING_SHARE: f64 = 0.1;

pub struct FollowPolicy;

impl Technique for FollowPolicy {
    fn name(&self) -> FoundBy {
        FoundBy::Policy
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let learned = session.knowledge.learned.as_ref().filter(|learned| !learned.policies.candidates.is_empty())?;
        let complete = learned.explored.iter().filter(|found| found.complete).count();
        let share = if complete < FEWEST_SIZES { WEAK_SHARE } else { SHARE };
        let Some(row) = session.ledger.row(n) else { return Some(share) };
        if row.tried.contains_key(&FoundBy::Policy) {
            return None;
        }
        if row.is_exact() && !session.settings.compares_policies {
            let explored = learned.explored.iter().any(|found| found.size == n);
            return (!explored && session.knowledge.policy(&session.ledger).is_some()).then_some(COMPARING_SHARE);
        }
        // A law or a synthesis that is believed has done what a policy would do.
        let believed = row.believed.iter().any(|(_, cost)| row.cost() == Some(*cost));
        (!believed).then_some(share)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let Some(learned) = &session.knowledge.learned else { return Ok(None) };
        let Some((mut found, _)) = learned.policies.run(session.target, n, budget)? else { return Ok(None) };
        // What small sizes taught of which not every path is known is no proof.
        if !learned.is_exact() && matches!(found.provenance, Provenance::Guided { .. }) {
            found.provenance = Provenance::Guided { validated: false };
        }
        Ok(Some(found))
    }
}
