//! The judge: how sure the worst input of a size is, from everything in the ledger. Pure, run once the ledger is final, and the only place
//! that says so.

use slowpath_fit::{Fit, fit};

use crate::claim::{Claim, Evidence, FoundBy};
use crate::knowledge::Knowledge;
use crate::ledger::{Ledger, Row};

/// Held-out sizes at which a policy has to have been right. One may agree by accident: of 300 random programs, three policies that were
/// right at a single one were wrong at the next.
const ENOUGH_HELD_OUT: usize = 2;
/// The part of the time a size took that trying to beat its result has to take.
pub(crate) const ENOUGH_TIME: f64 = 0.1;
/// And at least so many seconds of the budget's clock: a tenth of very little shows nothing.
const LEAST_TIME: f64 = 0.02;

/// How sure it is that nothing costs more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Neither of the others.
    BestFound,
    /// Local search around it found nothing worse.
    Challenged,
    /// What led to it was exact at every size held out, nothing tried has beaten it, and nothing known contradicts it.
    Validated,
    /// Every path is known.
    Exact,
}

/// What the judge says of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub standing: Standing,
    /// The evidence, or what is missing.
    pub why: String,
}

/// Judges one size by everything that is known. `searches`: whether the strategy tries to beat what its techniques lead to.
pub fn judge(row: &Row, ledger: &Ledger, knowledge: &Knowledge, searches: bool) -> Judgement {
    let Some(best) = &row.best else { return judgement(Standing::BestFound, "nothing was found") };
    if !row.contradictions.is_empty() {
        return judgement(Standing::BestFound, "the engines disagree");
    }
    if best.evidence() == Evidence::Exact {
        let what = if best.found_by == FoundBy::AllInputs { "every input was run" } else { "every path was followed" };
        return judgement(Standing::Exact, what);
    }
    if best.is_at_least() {
        return judgement(
            Standing::BestFound,
            "the run was cut at the limit (--max-instructions) or with the time there was for it",
        );
    }
    let stands = row.stands_at.is_some() && row.stands_at == row.cost();
    let less = |why: String| match stands && is_unpinned(best) {
        true => Judgement {
            standing: Standing::Challenged,
            why: format!("{why}; local search around it found nothing worse"),
        },
        false => Judgement { standing: Standing::BestFound, why },
    };
    if best.evidence() != Evidence::Believed {
        let smaller = ledger.costliest_below(row.size).filter(|smaller| smaller.cost() > row.cost());
        return less(match smaller {
            Some(smaller) => format!("size {} already costs {}", smaller.size, smaller.cost().unwrap_or(0)),
            None => format!("found by {}, which proves nothing", best.found_by),
        });
    }
    match objection(row, best, ledger, knowledge, searches) {
        Some(why) => less(why),
        None => {
            let tried: u64 = [FoundBy::Challenge, FoundBy::ConcreteEvolution, FoundBy::PathEvolution]
                .iter()
                .filter_map(|by| row.tried.get(by))
                .sum();
            let beaten = if tried > 0 { format!("; {tried} others tried cost no more") } else { String::new() };
            Judgement {
                standing: Standing::Validated,
                why: format!("{} was exact at every size held out{beaten}", best.found_by),
            }
        }
    }
}

/// Why a result that is believed is not to be called validated, if there is a reason.
fn objection(row: &Row, best: &Claim, ledger: &Ledger, knowledge: &Knowledge, searches: bool) -> Option<String> {
    if !is_unpinned(best) {
        return Some("values had to be fixed, or the solver gave up, on the way to it".to_owned());
    }
    if let Some(size) = ledger.caught_out(best.found_by) {
        return Some(format!(
            "what led to it ({}) held at every size it was validated on, but not at size {size}",
            best.found_by
        ));
    }
    if best.found_by == FoundBy::Policy
        && let Some(size) = knowledge.held_out_only_at(ENOUGH_HELD_OUT)
    {
        return Some(format!("its policy was held out at size {size} only"));
    }
    let cost = row.cost()?;
    if let Some(smaller) = ledger.rows().find(|other| other.size < row.size && other.cost() > Some(cost)) {
        let known = smaller.cost().unwrap_or(0);
        return Some(format!("size {} already costs {known}", smaller.size));
    }
    let refuted = row.refuted_at.filter(|refuted| *refuted > cost);
    if let Some(refuted) = refuted {
        return Some(format!("a concrete search found an input of cost {refuted}"));
    }
    let exact: Vec<(u64, u64)> = ledger
        .rows()
        .filter(|row| row.is_exact())
        .filter_map(|row| Some((u64::try_from(row.size).ok()?, row.cost()?)))
        .collect();
    let explored = knowledge.explored().iter().filter(|found| found.complete);
    let explored: Vec<(u64, u64)> = explored.filter_map(|f| Some((f.size as u64, f.cost()?))).collect();
    let exact = if exact.is_empty() { explored } else { exact };
    if let Some(why) = shortfall(&fit(&exact), &exact, u64::try_from(row.size).ok()?, cost) {
        return Some(why);
    }
    let enough = row.seconds_of_search() >= LEAST_TIME.max(ENOUGH_TIME * row.total_seconds());
    let enough = if searches { enough } else { row.refuting_was_enough };
    (!enough).then(|| "there was no time to try to beat it".to_owned())
}

/// Whether nothing was fixed or left open on the way to a claim.
fn is_unpinned(claim: &Claim) -> bool {
    claim.finding.stats.unknown == 0
        && !claim.finding.limits.keys().any(|limit| limit.contains("only one value was followed"))
}

/// How a cost falls short of an exact law of small sizes, in words.
fn shortfall(law: &Fit, exact: &[(u64, u64)], size: u64, cost: u64) -> Option<String> {
    let largest = exact.iter().map(|point| point.0).max()?;
    let expected = law.predict(size).filter(|_| law.exact && size > largest)?.value;
    (expected > cost as f64).then(|| {
        format!(
            "the exact costs of sizes up to {largest} are {}, which would be {expected} here: there may be worse than {cost}, unless the \
             program changes its ways in between",
            law.formula
        )
    })
}

fn judgement(standing: Standing, why: &str) -> Judgement {
    Judgement { standing, why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use slowpath_machine::{Costs, Outcome};
    use slowpath_program::input::InputValues;
    use slowpath_search::{PathFinding, Provenance, SizeFinding};

    use super::*;

    fn found(size: i64, cost: u64, provenance: Provenance) -> SizeFinding {
        let worst = PathFinding {
            cost,
            costs: Costs::default(),
            at_least: false,
            replay_instructions: cost,
            outcome: Outcome::Returned,
            input: InputValues::default(),
            decisions: Vec::new(),
        };
        let (paths, seconds) = (5_000, 0.5);
        SizeFinding { size, provenance, worst: Some(worst), complete: true, paths, seconds, ..SizeFinding::default() }
    }

    const POLICY: Provenance = Provenance::Guided { validated: true };
    const MUTATED: Provenance = Provenance::Mutated { generations: 1 };

    /// The standing of a size after these claims.
    fn standing(claims: &[(FoundBy, SizeFinding)], size: i64) -> Standing {
        let mut ledger = Ledger::default();
        for (by, finding) in claims {
            ledger.offer(*by, finding.clone());
        }
        judge(ledger.row(size).expect("a row"), &ledger, &Knowledge::default(), true).standing
    }

    #[test]
    fn a_policy_that_nothing_beats_is_validated() {
        let claims = [(FoundBy::Policy, found(20, 100, POLICY)), (FoundBy::ConcreteEvolution, found(20, 90, MUTATED))];
        assert_eq!(standing(&claims, 20), Standing::Validated);
        assert_eq!(standing(&claims[..1], 20), Standing::BestFound, "nobody tried to beat it");
    }

    #[test]
    fn what_nobody_had_time_to_beat_is_not_validated() {
        let hurried = SizeFinding { paths: 50, seconds: 0.001, ..found(20, 90, MUTATED) };
        let claims = [(FoundBy::Policy, found(20, 100, POLICY)), (FoundBy::ConcreteEvolution, hurried)];
        assert_eq!(standing(&claims, 20), Standing::BestFound, "all of the time, but very little");
        // A strategy that does not search is tried by others.
        let mut ledger = Ledger::default();
        ledger.offer(FoundBy::Policy, found(20, 100, POLICY));
        let alone =
            |ledger: &Ledger| judge(ledger.row(20).expect("a row"), ledger, &Knowledge::default(), false).standing;
        assert_eq!(alone(&ledger), Standing::BestFound);
        ledger.row_mut(20).refuting_was_enough = true;
        assert_eq!(alone(&ledger), Standing::Validated);
    }

    #[test]
    fn a_policy_beaten_at_one_size_is_believed_at_none() {
        let claims = [
            (FoundBy::Policy, found(20, 100, POLICY)),
            (FoundBy::ConcreteEvolution, found(20, 90, MUTATED)),
            (FoundBy::Policy, found(30, 200, POLICY)),
            (FoundBy::ConcreteEvolution, found(30, 201, MUTATED)),
        ];
        assert_eq!((standing(&claims, 20), standing(&claims, 30)), (Standing::BestFound, Standing::BestFound));
    }

    #[test]
    fn what_costs_less_than_a_smaller_size_is_not_validated() {
        let claims = [
            (FoundBy::SmallSizes, found(16, 3_171, Provenance::Exhaustive)),
            (FoundBy::Policy, found(24, 2_017, POLICY)),
            (FoundBy::ConcreteEvolution, found(24, 1_000, MUTATED)),
        ];
        assert_eq!((standing(&claims, 16), standing(&claims, 24)), (Standing::Exact, Standing::BestFound));
    }

    #[test]
    fn what_costs_less_than_the_exact_law_of_small_sizes_falls_short() {
        let explored: Vec<(u64, u64)> = (1..=8).map(|n| (n, 3 * n * n + 1)).collect();
        let short = |size, cost| shortfall(&fit(&explored), &explored, size, cost);
        assert_eq!([short(10, 301), short(30, 3000), short(8, 100)], [const { None }; 3]);
        let why = short(20, 1150).expect("the law says 1201");
        assert!(why.contains("3n² + 1") && why.contains("1201"), "{why}");
    }

    #[test]
    fn without_an_exact_law_nothing_falls_short() {
        let explored = [(1, 5), (2, 9), (3, 30), (4, 31), (5, 90), (6, 91)];
        assert_eq!(shortfall(&fit(&explored), &explored, 100, 92), None);
    }

    #[test]
    fn an_exact_size_that_is_beaten_is_a_bug_and_is_said_to_be() {
        let claims = [
            (FoundBy::SmallSizes, found(4, 10, Provenance::Exhaustive)),
            (FoundBy::FirstInputs, found(4, 11, MUTATED)),
        ];
        assert_eq!(standing(&claims, 4), Standing::BestFound);
        let [first, second] = claims;
        let mut ledger = Ledger::default();
        ledger.offer(second.0, second.1);
        ledger.offer(first.0, first.1);
        let row = ledger.row(4).expect("a row");
        assert!(row.contradictions[0].contains("at most 10 (small sizes), but first inputs found an input of cost 11"));
        assert_eq!(row.cost(), Some(11), "and what was found is not lost");
    }
}
