//! A law is run before it is printed: the input law at the sizes that the growth law is asked about.

use crate::claim::FoundBy;
use crate::technique::{Session, Technique};
use crate::techniques::pump::FollowPatterns;

/// How many times the largest size a growth law is asked about.
pub const PREDICTED: [u64; 3] = [2, 10, 100];
/// What a run there may cost, by the power of n at which costs rose last, and how many elements its inputs may have.
const LONGEST: f64 = 100_000_000.0;
const MOST_ELEMENTS: u64 = 1_000_000;
/// The part of what is left that one of these runs may take.
const SHARE: f64 = 0.3;

/// Runs the law of the inputs, a formula or a pattern, at the sizes that will be predicted, as far as these runs are short. What they cost is known
/// of these sizes from then on, so that a growth law which they exceed is refuted.
pub(super) fn run_law(session: &mut Session<'_>, sizes: &[i64]) {
    let is_pattern = session.knowledge.patterns.law.is_some();
    let Some(largest) = sizes.iter().rev().find(|n| session.ledger.cost(**n).is_some()).copied() else { return };
    for times in PREDICTED {
        let Some(n) = i64::try_from(times).ok().and_then(|times| largest.checked_mul(times)) else { return };
        if session.budget.expired().is_some() || !is_short(n, session) {
            return;
        }
        let budget = session.budget.part(SHARE);
        let found = if is_pattern {
            let found = FollowPatterns.run(n, session, &budget);
            found.ok().flatten().map(|found| (FoundBy::Pump, found))
        } else {
            let law = session.knowledge.law.as_ref().and_then(Option::as_ref);
            let found = law.and_then(|law| law.finding(session.target, n, &budget));
            found.map(|found| (FoundBy::InputLaw, found))
        };
        let Some((by, found)) = found else { return };
        session.offer(by, found);
    }
}

/// Whether a run at a size seems to be short, if costs go on rising as they did last.
fn is_short(n: i64, session: &Session<'_>) -> bool {
    if session.target.check_size(n).is_err() {
        return false;
    }
    let inputs = session.target.inputs(n).unwrap_or_default();
    let elements: u64 = inputs.iter().map(|input| u64::from(input.count)).sum();
    let below = session.ledger.rows().filter(|row| row.size < n && row.size > 0).rev();
    let known: Vec<(f64, f64)> = below.filter_map(|row| Some((row.size as f64, row.cost()? as f64))).take(2).collect();
    elements <= MOST_ELEMENTS && expected(&known, n as f64).is_some_and(|cost| cost <= LONGEST)
}

/// What a size costs if the power of n stays what it was between the last two, the larger of them first.
fn expected(known: &[(f64, f64)], n: f64) -> Option<f64> {
    let &[(size, cost), (before, less)] = known else { return None };
    let power = (cost.max(1.0) / less.max(1.0)).ln() / (size / before).ln();
    Some(cost * (n / size).powf(power.max(1.0)))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn costs_are_expected_to_rise_as_they_did_last() {
        assert_eq!(expected(&[(20.0, 800.0), (10.0, 200.0)], 200.0), Some(80_000.0));
        assert_eq!(expected(&[(20.0, 100.0), (10.0, 100.0)], 40.0), Some(200.0), "at least like n");
        assert_eq!(expected(&[(20.0, 800.0)], 40.0), None);
    }
}
