//! What `auto` does about a result that may not be the worst: local search around it, and where no policy was validated, an
//! evolution that begins with it.

use std::time::{Duration, Instant};

use slowpath_search::{
    Budget, Challenge, EvolveParams, Provenance, SearchError, SizeFinding, Target, challenge, evolve,
};

/// The part of the time left that local search may take to beat a policy at one size.
const CHALLENGE_SHARE: f64 = 0.05;
/// The same where the policy was validated; and where it was at three sizes, how many times as long as its path took.
const VALIDATED_CHALLENGE_SHARE: f64 = 0.01;
const VALIDATED_CHALLENGE_TIMES: f64 = 1.0;
const LEAST_CHALLENGE: f64 = 0.02;
/// Vain attempts after which a path stands.
const CHALLENGE_ATTEMPTS: u64 = 200;
/// Longer paths are not challenged: following them again and again would take too long.
const MOST_CHALLENGED_DECISIONS: usize = 20_000;
/// The part of a size's share of the time left that an evolution may take.
const EVOLUTION_SHARE: f64 = 0.5;
/// Evaluations after which an evolution that finds nothing costlier ends.
const EVOLUTION_PATIENCE: u64 = 1000;

/// The means to doubt with.
pub(crate) struct Doubt<'a> {
    pub target: &'a Target,
    pub budget: &'a Budget,
    /// Sizes that have to share the time that is left.
    pub sizes_left: u32,
}

impl Doubt<'_> {
    /// What was found by a policy that so many held-out sizes confirm, or what is found that costs more.
    pub fn about(&self, mut found: SizeFinding, confirmed: usize) -> Result<SizeFinding, SearchError> {
        let Some(worst) = &found.worst else { return Ok(found) };
        if worst.decisions.is_empty() || worst.decisions.len() > MOST_CHALLENGED_DECISIONS {
            return Ok(found);
        }
        let validated = matches!(found.provenance, Provenance::Guided { validated: true, .. });
        let budget = self.challenge_budget(&found, confirmed);
        match challenge(self.target, found.size, worst, CHALLENGE_ATTEMPTS, &budget)? {
            Challenge::Open => {}
            Challenge::Stands => {
                if let Provenance::Guided { challenged, .. } = &mut found.provenance {
                    *challenged = true;
                }
            }
            Challenge::Beaten(better) => found = beaten(found, *better, "local search around the policy's path"),
        }
        if validated { Ok(found) } else { self.evolved(found) }
    }

    /// Whether local search finds nothing costlier than what a policy found.
    pub fn stands(&self, found: &SizeFinding, confirmed: usize) -> bool {
        let Some(worst) = &found.worst else { return false };
        if worst.decisions.is_empty() || worst.decisions.len() > MOST_CHALLENGED_DECISIONS {
            return true;
        }
        let budget = self.challenge_budget(found, confirmed);
        let tried = challenge(self.target, found.size, worst, CHALLENGE_ATTEMPTS, &budget);
        !matches!(tried, Ok(Challenge::Beaten(_)))
    }

    /// What trying to beat a policy may take.
    fn challenge_budget(&self, found: &SizeFinding, confirmed: usize) -> Budget {
        let validated = matches!(found.provenance, Provenance::Guided { validated: true, .. });
        let left = self.seconds_left();
        self.budget_of(match validated {
            true if confirmed < 3 => left * VALIDATED_CHALLENGE_SHARE,
            true => (left * VALIDATED_CHALLENGE_SHARE).min(LEAST_CHALLENGE + VALIDATED_CHALLENGE_TIMES * found.seconds),
            false => left * CHALLENGE_SHARE,
        })
    }

    /// The same with an evolution alone.
    pub fn evolved(&self, found: SizeFinding) -> Result<SizeFinding, SearchError> {
        let seconds = self.seconds_left() * EVOLUTION_SHARE / f64::from(self.sizes_left.max(1));
        let params = EvolveParams { patience: Some(EVOLUTION_PATIENCE), ..EvolveParams::default() };
        let seeds: Vec<_> = found.worst.iter().map(|path| path.decisions.clone()).collect();
        let evolved = evolve(self.target, found.size, &params, &seeds, &self.budget_of(seconds))?;
        Ok(if evolved.cost() > found.cost() { beaten(found, evolved, "an evolution") } else { found })
    }

    fn seconds_left(&self) -> f64 {
        let left = self.budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.map_or(1e9, |left| left.as_secs_f64().min(1e9))
    }

    fn budget_of(&self, seconds: f64) -> Budget {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        Budget { deadline: Some(deadline), ..self.budget.clone() }
    }
}

/// What beat a result, in its place.
fn beaten(found: SizeFinding, mut better: SizeFinding, how: &str) -> SizeFinding {
    let tried = std::mem::replace(&mut better.paths, found.paths);
    better.seconds += found.seconds;
    // The search as a whole was not cut short: it is the policy that was wrong here.
    (better.stop, better.complete) = (found.stop, found.complete);
    better.limits.insert(format!("{how} found worse, among {tried} other paths"), 1);
    better
}
