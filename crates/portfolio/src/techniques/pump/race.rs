//! A race of the best patterns at sizes beyond those they were found at: growth at small sizes is only a promise.

use super::growth::Lab;
use super::population::Individual;
use crate::domain::Domain;
use crate::patterns::KnownPattern;

/// How many times the sizes double beyond the ladder.
const DOUBLINGS: u32 = 3;
/// Who may cost less than this part of the most promising one at the end of the race is not run any further. Growth from one size to the next
/// is not known better.
const PROMISING: f64 = 0.1;
/// Times as many instructions a run may take as on the ladder, for each doubling: what a cubic pattern would.
const MORE_FUEL: u64 = 8;

/// Runs patterns at larger and larger sizes, at each only those that may still win. All of them, the winners first.
pub fn race(leaders: Vec<&Individual>, lab: &mut Lab<'_, '_>) -> Vec<KnownPattern> {
    let ladder = lab.ladder;
    let mut known: Vec<KnownPattern> =
        leaders.iter().map(|one| ladder.known(one.pattern.clone(), &one.growth)).collect();
    let Some(top) = ladder.rungs.last().map(|(n, _)| *n) else { return known };
    // What explodes on the ladder needs no larger sizes.
    let mut racing = known.iter().take_while(|one| one.measured.0 == top).count();
    let mut fuel = lab.fuel;
    for doubling in 1..=DOUBLINGS {
        let n = top << doubling;
        fuel = fuel.saturating_mul(MORE_FUEL).min(lab.target.limits.instructions);
        let domain = lab.target.check_size(n).is_ok().then(|| Domain::of(lab.target, n, lab.budget)).flatten();
        let Some(domain) = domain.filter(|_| racing > 1) else { break };
        for one in &mut known[..racing] {
            if lab.budget.expired().is_some() {
                break;
            }
            let input = one.pattern.input(&domain);
            let Some(ran) = lab.runner.run_for(fuel, lab.target, n, &input, lab.budget) else { continue };
            let (size, cost) = one.measured;
            if !ran.at_least {
                let grown = (ran.cost as f64 / cost.max(1) as f64).log2() / (n as f64 / size as f64).log2();
                (one.measured, one.exponent) = ((n, ran.cost), grown.max(0.0));
            }
        }
        let finish = top << DOUBLINGS;
        let most = known[..racing].iter().map(|one| one.predicted(finish)).fold(0.0, f64::max);
        known[..racing].sort_by(|a, b| b.predicted(finish).total_cmp(&a.predicted(finish)));
        racing = known[..racing].iter().take_while(|one| one.predicted(finish) >= PROMISING * most).count();
    }
    known[..racing].sort_by_key(|one| std::cmp::Reverse(one.measured));
    known
}

/// Nobody grows faster for having been left behind.
pub fn level(known: &mut [KnownPattern]) {
    let fastest = known.first().map_or(0.0, |winner| winner.exponent);
    for one in known.iter_mut().filter(|one| !one.explodes) {
        one.exponent = one.exponent.min(fastest);
    }
}
