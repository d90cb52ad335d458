//! Memo: every path, where states come together, each future once. What it completes is exact, at sizes with more paths than
//! could ever be followed.

use std::time::Duration;

use slowpath_search::{Budget, Memoised, SearchError, SizeFinding, memo};

use crate::claim::FoundBy;
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that it may take where it is one technique of many, and of that the part that finding out whether
/// states come together at all may take.
const SHARE: f64 = 0.3;
const PROBE_SHARE: f64 = 0.05;
/// Less than this is not worth a look: laying out the size takes as long, and those who find something right away would wait for it.
const LEAST_PROBE: Duration = Duration::from_micros(300);
/// Futures after which a look at a size ends in which states do not come together.
const FIRST_LOOK: u64 = 1_000;
/// Sizes beyond those explored completely that are probed: there are many paths, and yet they are soon done if states come
/// together.
const PROBED: i64 = 2;
/// States come together where at most one decision was followed for so many paths.
const PATHS_PER_DECISION: u64 = 4;

/// Every path, each future once.
#[derive(Default)]
pub struct Memo {
    /// Whether it is all there is.
    alone: bool,
    /// Whether states come together, once that was looked at; and the smallest size that took too long.
    helps: Option<bool>,
    too_large: Option<i64>,
}

impl Memo {
    /// As the only technique.
    pub fn alone() -> Memo {
        Memo { alone: true, ..Memo::default() }
    }

    /// Explores a size that is a little larger than those explored completely, to see whether states come together.
    fn probe(&mut self, session: &mut Session<'_>, budget: &Budget) -> Result<bool, SearchError> {
        if let Some(helps) = self.helps {
            return Ok(helps);
        }
        let budget = budget.part(PROBE_SHARE);
        if budget.left() < LEAST_PROBE {
            return Ok(false);
        }
        // Should it fail, it will not be tried again.
        self.helps = Some(false);
        let explored = session.knowledge.explored().iter().filter(|found| found.complete).map(|found| found.size);
        let n = explored.max().unwrap_or(1).saturating_add(PROBED);
        let mut found = memo(session.target, n, &Budget { paths: FIRST_LOOK.min(budget.paths), ..budget.clone() })?;
        if !found.finding.complete && come_together(&found) {
            found = memo(session.target, n, &budget)?;
        }
        let helps = found.finding.complete && come_together(&found);
        self.helps = Some(helps);
        if !session.settings.compares_policies {
            session.offer(FoundBy::Memo, found.finding);
        }
        Ok(helps)
    }
}

/// Whether few decisions were followed for all the paths there are.
fn come_together(found: &Memoised) -> bool {
    found.followed.saturating_mul(PATHS_PER_DECISION) <= found.finding.paths
}

impl Technique for Memo {
    fn name(&self) -> FoundBy {
        FoundBy::Memo
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        if self.alone {
            return Some(1.0);
        }
        let known = session.ledger.row(n).is_some_and(|row| row.is_settled());
        let hopeless = self.helps == Some(false) || self.too_large.is_some_and(|size| n >= size);
        (!known && !hopeless && !session.settings.compares_policies).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        if self.alone {
            return memo(session.target, n, budget).map(|found| Some(found.finding));
        }
        match self.probe(session, budget) {
            Ok(true) => {}
            // A model whose costs do not add up is nobody's mistake, nor are words.
            Ok(false) | Err(SearchError::NotAdditive(_) | SearchError::WordsUnrecorded) => return Ok(None),
            Err(error) => return Err(error),
        }
        let found = memo(session.target, n, budget)?;
        if !found.finding.complete {
            self.too_large = Some(n);
        }
        Ok(Some(found.finding))
    }
}
