//! Worst inputs that others know of: kept by an earlier run, or found on an island. What they are said to cost is not believed; each is run again.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slowpath_portfolio::Ledger;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_search::{Budget, ConcreteRun, CostModel, PathFinding, Provenance, SizeFinding, Target, follow_input};

use crate::subject::Subject;

/// The worst input that somebody knows of a size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub size: i64,
    /// What it cost there. It is counted afresh.
    pub cost: u64,
    pub found_by: String,
    pub input: Value,
}

impl Record {
    /// The input run again, as a finding; None where it cannot be run.
    pub fn again(&self, subject: &Subject, target: &Target, budget: &Budget) -> Option<SizeFinding> {
        let n = self.size;
        let input = match &subject.entry {
            _ if target.check_size(n).is_err() => None,
            Entry::Call(spec) => spec.layout(n, 0).ok().and_then(|l| subject.read_input(&l, &self.input).ok()),
            Entry::Harness { .. } => InputValues::from_json_untyped(&self.input).ok(),
        };
        Some(finding(n, counted(target, n, &input?, budget)?))
    }
}

/// The worst inputs of a ledger.
pub(crate) fn of(ledger: &Ledger) -> impl Iterator<Item = Record> {
    ledger.rows().filter_map(|row| {
        let best = row.best.as_ref()?;
        let worst = best.finding.worst.as_ref()?;
        let (found_by, input) = (best.found_by.to_string(), worst.input.to_json());
        Some(Record { size: row.size, cost: worst.cost, found_by, input })
    })
}

/// The path of an input, with its cost counted afresh.
fn counted(target: &Target, n: i64, input: &InputValues, budget: &Budget) -> Option<PathFinding> {
    // Decisions are counted of unknown inputs only.
    if target.cost == CostModel::Decisions {
        return follow_input(target, n, input, budget).ok()?;
    }
    let run = ConcreteRun::of(target, n, input, budget).ok()?;
    if run.is_allowed() { PathFinding::of_run(&run) } else { None }
}

fn finding(n: i64, worst: PathFinding) -> SizeFinding {
    let provenance = Provenance::Mutated { generations: 0 };
    SizeFinding { size: n, provenance, paths: 1, worst_paths: 1, worst: Some(worst), ..SizeFinding::default() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::request::{AnalyzeRequest, EntryRequest};

    #[test]
    fn what_a_record_is_said_to_cost_is_counted_afresh() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../program/tests/data/isort-dwarf5.wasm");
        let request = AnalyzeRequest::new(file, EntryRequest::Call("isort(a: i32[n], n)".into()));
        let subject = Subject::load(&request.program, &request.entry, &request.cost).expect("a program");
        let target = subject.target(request.limits.machine(), request.solver.clone(), 0);
        let again = |input: Value| {
            let record = Record { size: 3, cost: 1_000_000, found_by: "somebody".to_owned(), input };
            record.again(&subject, &target, &Budget::default())
        };
        let found = again(json!({"a": [3, 2, 1]})).expect("it can be run");
        assert!(found.cost().is_some_and(|cost| 0 < cost && cost < 1_000), "{found:?}");
        for nonsense in [json!(null), json!({"a": [1]}), json!({"b": [1, 2, 3]}), json!({"a": [1, 2, "x"]})] {
            assert!(again(nonsense.clone()).is_none(), "{nonsense}");
        }
    }
}
