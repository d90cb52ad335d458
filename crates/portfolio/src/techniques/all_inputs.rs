//! All inputs: where there are so few that each can simply be run.

use slowpath_program::input::InputValues;
use slowpath_search::{Budget, CostModel, Provenance, SearchError, SizeFinding};

use crate::claim::FoundBy;
use crate::domain::{Domain, bits_of};
use crate::runs::{Best, Runs};
use crate::technique::{Session, Stage, Technique};

/// Inputs that are run one and all.
const MOST: u128 = 100_000;
/// The part of a size's time that this may take.
const SHARE: f64 = 0.3;

#[derive(Default)]
pub struct AllInputs;

impl Technique for AllInputs {
    fn name(&self) -> FoundBy {
        FoundBy::AllInputs
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        // Decisions are counted of unknown inputs only.
        if session.target.cost == CostModel::Decisions || session.ledger.row(n).is_some_and(|row| row.is_settled()) {
            return None;
        }
        let domain = session.target.inputs(n).and_then(|_| Domain::of(session.target, n, &session.budget))?;
        (domain.count()? <= MOST && !session.settings.compares_policies).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let Some(domain) = Domain::of(session.target, n, budget) else { return Ok(None) };
        let mut runs = Runs::new(session.target, n, &mut *session.runner, budget);
        let mut next = Some(lowest(&domain));
        while let Some(input) = next.take() {
            if runs.expired().is_some() || runs.run(&input).is_none_or(|ran| ran.at_least) {
                break;
            }
            next = successor(&domain, input);
            if next.is_none() {
                return Ok(Some(finding(n, runs.best(), true, budget.seconds_since(begun))));
            }
        }
        Ok(Some(finding(n, runs.best(), false, budget.seconds_since(begun))))
    }
}

fn finding(n: i64, best: Best, complete: bool, seconds: f64) -> SizeFinding {
    let provenance = if complete { Provenance::Exhaustive } else { Provenance::Mutated { generations: 0 } };
    let (worst, paths) = (best.worst, best.tried);
    SizeFinding { size: n, provenance, paths, worst_paths: 1, worst, complete, seconds, ..SizeFinding::default() }
}

fn lowest(domain: &Domain) -> InputValues {
    let mut input = domain.template.clone();
    for (named, (low, _)) in input.0.iter_mut().zip(&domain.ranges) {
        let bits = bits_of(named.ty, *low);
        named.bits.fill(bits);
    }
    input
}

/// The next input, counting up; none after the last.
fn successor(domain: &Domain, mut input: InputValues) -> Option<InputValues> {
    for (named, (low, high)) in input.0.iter_mut().zip(&domain.ranges) {
        let (first, last) = (bits_of(named.ty, *low), bits_of(named.ty, *high));
        for bits in &mut named.bits {
            if *bits != last {
                *bits = bits_of(named.ty, named.ty.integer(*bits) + 1);
                return Some(input);
            }
            *bits = first;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    #[test]
    fn counting_visits_every_input_once() {
        let named =
            |name: &str, count| NamedInput { name: name.into(), ty: ElemType::I8, scalar: false, bits: vec![0; count] };
        let template = InputValues(vec![named("a", 2), named("b", 1)]);
        let domain = Domain { template, ranges: vec![(-1, 1), (3, 4)], declared: true };
        let mut seen = vec![lowest(&domain)];
        while let Some(next) = successor(&domain, seen[seen.len() - 1].clone()) {
            assert!(!seen.contains(&next));
            seen.push(next);
        }
        assert_eq!(Some(seen.len() as u128), domain.count());
    }
}
