//! Challenge: local search around the best path of a size. Does it hold?

use std::time::Duration;

use slowpath_search::{
    Budget, Challenge, PathFinding, Provenance, SearchError, SizeFinding, Target, challenge, follow_input,
};

use crate::claim::{Evidence, FoundBy};
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that local search may take: of what is believed, and of what is not.
const SHARES: [f64; 2] = [0.02, 0.1];
/// Vain attempts after which a path stands.
const ATTEMPTS: u64 = 200;
/// Longer paths are not challenged: following them again and again would take too long.
const MOST_DECISIONS: usize = 20_000;
/// What is known to be right at many sizes is challenged for as long as it took, and this long.
const LEAST: Duration = Duration::from_millis(20);

#[derive(Default)]
pub struct LocalSearch;

impl Technique for LocalSearch {
    fn name(&self) -> FoundBy {
        FoundBy::Challenge
    }

    fn stage(&self) -> Stage {
        Stage::Search
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let row = session.ledger.row(n)?;
        let best = row.best.as_ref().filter(|_| !row.is_settled())?;
        let worst = best.finding.worst.as_ref()?;
        // Inputs that came from concrete runs have no decisions yet, and no more than there are branches.
        let branches = worst.costs.decisions.max(worst.costs.branches.min(4 * MOST_DECISIONS as u64));
        if branches == 0 || branches > 4 * MOST_DECISIONS as u64 || worst.decisions.len() > MOST_DECISIONS {
            return None;
        }
        let stands = row.stands_at.is_some() && row.stands_at == row.cost();
        (!stands).then_some(SHARES[usize::from(best.evidence() != Evidence::Believed)])
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let Some(row) = session.ledger.row(n) else { return Ok(None) };
        let Some(best) = &row.best else { return Ok(None) };
        let Some(worst) = &best.finding.worst else { return Ok(None) };
        let (cost, begun) = (worst.cost, budget.now());
        let Some(path) = with_decisions(session.target, n, worst, budget)? else { return Ok(None) };
        let tried = challenge(session.target, n, &path, ATTEMPTS, budget)?;
        let seconds = budget.seconds_since(begun);
        let size = n;
        Ok(Some(match tried {
            Challenge::Beaten(better) => SizeFinding { seconds, ..*better },
            Challenge::Stands => {
                session.ledger.row_mut(n).stands_at = Some(cost);
                SizeFinding { size, seconds, paths: ATTEMPTS, provenance: EVOLVED, ..SizeFinding::default() }
            }
            Challenge::Open => SizeFinding { size, seconds, provenance: EVOLVED, ..SizeFinding::default() },
        }))
    }
}

const EVOLVED: Provenance = Provenance::Evolved { generations: 0, evaluations: 0, duplicates: 0 };

/// A path with its decisions, which one that came from an input gets by following it.
pub fn with_decisions(
    target: &Target,
    n: i64,
    path: &PathFinding,
    budget: &Budget,
) -> Result<Option<PathFinding>, SearchError> {
    if !path.decisions.is_empty() {
        return Ok(Some(path.clone()));
    }
    let followed = follow_input(target, n, &path.input, budget)?;
    Ok(followed.filter(|followed| !followed.decisions.is_empty() && followed.decisions.len() <= MOST_DECISIONS))
}

/// Whether local search finds nothing costlier than what a policy found, in a short time.
pub fn stands(target: &Target, found: &SizeFinding, validated: bool, budget: &Budget) -> bool {
    let Some(worst) = &found.worst else { return false };
    if worst.decisions.is_empty() || worst.decisions.len() > MOST_DECISIONS {
        return true;
    }
    let short = budget.part(SHARES[usize::from(!validated)]);
    let short = if validated { short.within(LEAST + Duration::from_secs_f64(found.seconds)) } else { short };
    let tried = challenge(target, found.size, worst, ATTEMPTS, &short);
    !matches!(tried, Ok(Challenge::Beaten(_)))
}
