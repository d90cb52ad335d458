//! Sizes with few paths: all of them are followed, and what a policy finds there is validated on that.

use std::time::Instant;

use slowpath_search::{Budget, SearchError, SizeFinding, exhaustive};
use slowpath_sequence::Parameter;

use super::Analysis;

/// Paths that are worth following one and all, even at a large size.
const FEW_PATHS: f64 = 20_000.0;
/// Sizes that it takes to foresee how many there are, and the most that are looked at.
const FEWEST_TO_FORESEE: usize = 4;
const FORESEEN_FROM: usize = 12;
/// Paths of a size that a policy is validated on on the way to a much larger one, and how far apart such sizes are.
const FEW_PROBED: f64 = 5_000.0;
const PROBE_STEP: i64 = 4;
/// The part of a size's time that following them may take, with a policy at hand and without.
const FEW_PATHS_SHARE: [f64; 2] = [0.1, 0.5];

impl Analysis<'_> {
    /// Holds the policy against some sizes on the way to this one, where these have few enough paths to follow all of them.
    pub(super) fn probe_policy(&mut self, n: i64) -> Result<(), SearchError> {
        let explored = self.learned.iter().flat_map(|learned| &learned.explored).map(|found| found.size).max();
        let first = self.probed.max(explored.unwrap_or(n)).saturating_mul(PROBE_STEP);
        let probes =
            std::iter::successors(Some(first), |probe| probe.checked_mul(PROBE_STEP)).take_while(|probe| *probe < n);
        for probe in probes {
            let few = self.foreseen_paths(probe).is_some_and(|paths| paths <= FEW_PROBED);
            if !few || !self.has_policy() || self.subject.check_size(probe).is_err() {
                break;
            }
            let Some(exact) = self.every_path(probe)? else { break };
            self.probed = probe;
            self.hold_policy_to(&exact)?;
        }
        Ok(())
    }

    /// Believes the policy no more if it falls short of a result that is exact.
    pub(super) fn hold_policy_to(&mut self, exact: &SizeFinding) -> Result<(), SearchError> {
        if self.has_policy()
            && let Some(learned) = &self.learned
            && let Some((found, _)) = learned.policies.run(&self.target, exact.size, &self.share())?
            && found.stop.is_none()
            && found.cost() < exact.cost()
        {
            self.trust.beaten(exact.size);
        }
        Ok(())
    }

    /// Every path of a size that seems to have few, if a part of its time is enough.
    pub(super) fn every_path(&self, n: i64) -> Result<Option<SizeFinding>, SearchError> {
        if self.foreseen_paths(n).is_none_or(|paths| paths > FEW_PATHS) {
            return Ok(None);
        }
        let (now, share) = (Instant::now(), FEW_PATHS_SHARE[usize::from(!self.has_policy())]);
        let part = |deadline: Instant| now + deadline.saturating_duration_since(now).mul_f64(share);
        let budget = self.share();
        let budget = Budget { deadline: budget.deadline.map(part), ..budget };
        let found = exhaustive(&self.target, n, self.request.jobs, &budget)?;
        Ok(found.complete.then_some(found))
    }

    /// How many paths this size seems to have, by the law of those of small sizes, or if their number grows as a power of n.
    fn foreseen_paths(&self, n: i64) -> Option<f64> {
        let exact = self.learned.as_ref().map_or(&[][..], |learned| &learned.explored);
        let counts: Vec<(u64, i128)> = exact.iter().map(|f| (f.size as u64, i128::from(f.paths))).collect();
        let law = Parameter::fit(&counts[counts.len().saturating_sub(FORESEEN_FROM)..]);
        if let Some(paths) = law.and_then(|law| law.value(u64::try_from(n).ok()?)).filter(|paths| *paths >= 1) {
            return Some(paths as f64);
        }
        let (half, last) = (exact.get((exact.len() / 2).checked_sub(1)?)?, exact.last()?);
        let ratio = |a: f64, b: f64| (a / b.max(1.0)).max(1.0);
        let growth = ratio(last.paths as f64, half.paths as f64).ln() / ratio(last.size as f64, half.size as f64).ln();
        let paths = last.paths as f64 * ratio(n as f64, last.size as f64).powf(growth);
        (exact.len() >= FEWEST_TO_FORESEE).then_some(paths)
    }
}
