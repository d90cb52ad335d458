//! Few paths: sizes that seem to have few enough to follow all of them, also on the way to a size, to see whether the policy holds there.

use slowpath_search::{Budget, SearchError, SizeFinding, exhaustive};
use slowpath_sequence::Parameter;

use crate::claim::FoundBy;
use crate::technique::{Session, Stage, Technique};

/// Paths that are worth following one and all, even at a large size.
const FEW_PATHS: f64 = 20_000.0;
/// Sizes that it takes to foresee how many there are, and the most that are looked at.
const FEWEST_TO_FORESEE: usize = 4;
const FORESEEN_FROM: usize = 12;
/// Paths of a size that a policy is tried at on the way to a much larger one, and how far apart such sizes are.
const FEW_PROBED: f64 = 5_000.0;
const PROBE_STEP: i64 = 4;
/// The part of a size's time that following them may take, with a policy at hand and without.
const SHARES: [f64; 2] = [0.1, 0.5];

pub struct FewPaths;

impl Technique for FewPaths {
    fn name(&self) -> FoundBy {
        FoundBy::FewPaths
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let row = session.ledger.row(n);
        if row.is_some_and(|row| row.is_settled() || row.tried.contains_key(&FoundBy::FewPaths))
            || session.settings.compares_policies
        {
            return None;
        }
        let few = foreseen_paths(session, n).is_some_and(|paths| paths <= FEW_PATHS);
        few.then_some(SHARES[usize::from(session.knowledge.policy(&session.ledger).is_none())])
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        exhaustive(session.target, n, session.settings.jobs, budget).map(Some)
    }
}

/// Sizes on the way to this one at which the policy is to be tried first, since these have few enough paths to follow all of them.
pub fn probes(session: &Session<'_>, n: i64) -> Vec<i64> {
    let explored = session.knowledge.explored().iter().map(|found| found.size).max();
    let first = session.knowledge.probed.max(explored.unwrap_or(n)).saturating_mul(PROBE_STEP);
    let all = std::iter::successors(Some(first), |probe| probe.checked_mul(PROBE_STEP));
    let few = |probe: &i64| foreseen_paths(session, *probe).is_some_and(|paths| paths <= FEW_PROBED);
    all.take_while(|probe| *probe < n && few(probe) && session.target.check_size(*probe).is_ok()).collect()
}

/// How many paths this size seems to have, by the law of those of small sizes, or if their number grows as a power of n.
fn foreseen_paths(session: &Session<'_>, n: i64) -> Option<f64> {
    let explored = session.knowledge.explored();
    let counts: Vec<(u64, i128)> = explored.iter().map(|f| (f.size as u64, i128::from(f.paths))).collect();
    let law = Parameter::fit(&counts[counts.len().saturating_sub(FORESEEN_FROM)..]);
    if let Some(paths) = law.and_then(|law| law.value(u64::try_from(n).ok()?)).filter(|paths| *paths >= 1) {
        return Some(paths as f64);
    }
    let (half, last) = (explored.get((explored.len() / 2).checked_sub(1)?)?, explored.last()?);
    let ratio = |a: f64, b: f64| (a / b.max(1.0)).max(1.0);
    let growth = ratio(last.paths as f64, half.paths as f64).ln() / ratio(last.size as f64, half.size as f64).ln();
    let paths = last.paths as f64 * ratio(n as f64, last.size as f64).powf(growth);
    (explored.len() >= FEWEST_TO_FORESEE).then_some(paths)
}
