//! The baseline: the worst costs of an earlier version, so that a change that raises one is noticed.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slowpath_report::{Findings, value_to_json};

use crate::check::verified::verified;
use crate::error::baseline::{BaselineError, SCHEMA};

/// Worst costs by target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    schema: u32,
    targets: BTreeMap<String, Costs>,
}

/// Worst costs of one target by size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Costs {
    pub cost_model: String,
    pub costs: BTreeMap<i64, u64>,
}

impl Baseline {
    /// Reads a baseline; none where there is no such file.
    pub fn read(file: &Path) -> Result<Option<Baseline>, BaselineError> {
        let shown = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(BaselineError::Unreadable(shown, error)),
        };
        let baseline: Baseline =
            serde_json::from_str(&text).map_err(|error| BaselineError::NotOne(shown.clone(), error))?;
        if baseline.schema != SCHEMA {
            return Err(BaselineError::OtherSchema(shown, baseline.schema));
        }
        Ok(Some(baseline))
    }

    /// What was found, verified costs only; of targets that were not analysed what is known of them.
    pub(crate) fn updated(old: Option<Baseline>, findings: &[(String, Findings)]) -> Baseline {
        let mut targets = old.map(|old| old.targets).unwrap_or_default();
        for (name, found) in findings {
            let sure = verified(found);
            let costs = sure.results.iter().filter_map(|result| Some((result.size, result.cost?))).collect();
            targets.insert(name.clone(), Costs { cost_model: sure.cost_model, costs });
        }
        Baseline { schema: SCHEMA, targets }
    }

    pub(crate) fn target(&self, name: &str) -> Option<&Costs> {
        self.targets.get(name)
    }

    /// As text for the file.
    pub fn to_json(&self) -> String {
        value_to_json(&serde_json::to_value(self).unwrap_or(Value::Null))
    }
}
