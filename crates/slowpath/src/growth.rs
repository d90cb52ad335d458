//! The growth law of a document's costs, and whether it keeps a promise.

use serde_json::{Value, json};
use slowpath_fit::{Class, fit};
use slowpath_report::{Confidence, Findings};

/// Analysed sizes for which the law's own value is given.
const MOST_DRAWN: usize = 200;
/// Fewer sizes say nothing about growth.
const FEWEST: usize = 4;

/// The law as the document holds it: what was fitted, and what it predicts for larger sizes. None where there are too few sizes.
pub(crate) fn law(findings: &Findings) -> Option<Value> {
    let points = points(findings);
    if points.len() < FEWEST {
        return None;
    }
    let law = fit(&points);
    let largest = points.iter().map(|point| point.0).max()?;
    // The sizes analysed as well, for whoever draws the law.
    let larger = [2, 10, 100].iter().filter_map(|times| largest.checked_mul(*times));
    let predictions: Vec<Value> = points
        .iter()
        .map(|point| point.0)
        .take(MOST_DRAWN)
        .chain(larger)
        .filter_map(|size| {
            let p = law.predict(size)?;
            let finite = p.value.is_finite() && p.low.is_finite() && p.high.is_finite();
            finite.then(|| json!({"size": size, "value": p.value, "low": p.low, "high": p.high}))
        })
        .collect();
    let mut value = serde_json::to_value(&law).ok()?;
    value["predictions"] = Value::Array(predictions);
    Some(value)
}

/// Sizes and worst costs. Sizes where the worst may not have been found are left out, if enough others remain and these reach far enough:
/// how small sizes grow says little about large ones.
fn points(findings: &Findings) -> Vec<(u64, u64)> {
    let of = |least: fn(Confidence) -> bool| -> Vec<(u64, u64)> {
        findings
            .results
            .iter()
            .filter(|result| least(result.confidence))
            .filter_map(|result| Some((u64::try_from(result.size).ok()?, result.cost?)))
            .collect()
    };
    let sure = of(|confidence| confidence != Confidence::BestFound);
    let all = of(|_| true);
    let reach = |points: &[(u64, u64)]| points.iter().map(|point| point.0).max().unwrap_or(0);
    if sure.len() >= FEWEST && 2 * reach(&sure) >= reach(&all) { sure } else { all }
}

/// How a law compares with what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    Kept,
    /// It grows faster: how, and the largest size that shows it.
    Broken(String),
    /// The law is not known, so neither can be said.
    Open(String),
}

/// Whether the costs found grow no faster than `expected`.
pub fn keeps(findings: &Findings, expected: &Class) -> Promise {
    let points = points(findings);
    if points.len() < FEWEST {
        return Promise::Open(format!("growth needs at least {FEWEST} sizes with a result"));
    }
    let law = fit(&points);
    match &law.class {
        None => Promise::Open(law.why),
        Some(class) if class.is_worse_than(expected) => {
            Promise::Broken(format!("the worst cost grows like {class} ({}), not like {expected}", law.formula))
        }
        Some(_) => Promise::Kept,
    }
}
