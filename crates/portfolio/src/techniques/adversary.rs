//! Adversary: an input made up while the program compares, so that whatever it splits by is extreme.

use slowpath_search::{Budget, Gas, SearchError, SizeFinding, adversary};

use crate::claim::{Evidence, FoundBy};
use crate::runs::Runs;
use crate::technique::{Session, Stage, Technique};

/// The part of a size's time that its two runs may take. Each is some ten times a plain run of what it finds; cut short, it finds nothing.
const SHARE: f64 = 0.5;

/// Sizes from here on would have shown two elements that are compared.
const TELLING: i64 = 8;

#[derive(Default)]
pub struct Adversary {
    /// Set where elements were never compared with each other: other sizes are no different.
    nothing_to_compare: bool,
}

impl Technique for Adversary {
    fn name(&self) -> FoundBy {
        FoundBy::Adversary
    }

    fn stage(&self) -> Stage {
        Stage::Lead
    }

    fn bid(&self, n: i64, session: &Session<'_>) -> Option<f64> {
        let row = session.ledger.row(n)?;
        let known = row.is_settled() || row.evidence() == Some(Evidence::Believed);
        let tried = row.tried.contains_key(&FoundBy::Adversary);
        (!known && !tried && !self.nothing_to_compare).then_some(SHARE)
    }

    fn run(&mut self, n: i64, session: &mut Session<'_>, budget: &Budget) -> Result<Option<SizeFinding>, SearchError> {
        let begun = budget.now();
        let mut inputs = Vec::new();
        for (gas, part) in [(Gas::Greatest, 0.5), (Gas::Least, 1.0)] {
            inputs.extend(adversary(session.target, n, gas, &budget.part(part))?);
        }
        if inputs.is_empty() {
            self.nothing_to_compare = n >= TELLING && budget.expired().is_none();
            return Ok(None);
        }
        // An adversary that took all its time has made an input all the same.
        let mut runs = Runs::new(session.target, n, &mut *session.runner, &session.budget);
        for input in &inputs {
            runs.run(input);
        }
        Ok(Some(runs.best().finding(n, budget.seconds_since(begun))))
    }
}
