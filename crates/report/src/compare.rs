//! Two documents of the same target side by side: what got worse.

use serde::Serialize;
use serde_json::Value;
use slowpath_fit::Verdict;

use crate::findings::{Confidence, Findings, SizeResult, cost_text};
use crate::style::Style;
use crate::table::{Align, Table};

/// Why two documents cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    #[error("the documents are of different functions, `{0}` and `{1}`; compare two analyses of the same one")]
    OtherFunction(String, String),
    #[error("the documents count different costs, {0} and {1}; analyse again with the same --cost")]
    OtherCost(String, String),
    #[error("the documents have no size in common; analyse again with the same --sizes")]
    NoCommonSize,
}

/// What changed from one document to the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub function: String,
    pub cost_model: String,
    pub worse: bool,
    /// Sizes that both have.
    pub sizes: Vec<ComparedSize>,
    pub growth: ComparedGrowth,
    /// Traps that the old document does not have, in words.
    pub new_traps: Vec<String>,
    /// What else is different between the two analyses.
    pub notes: Vec<String>,
}

/// One size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedSize {
    pub size: i64,
    pub old: Option<u64>,
    pub new: Option<u64>,
    /// Whether the cost is only a bound from below.
    pub old_at_least: bool,
    pub new_at_least: bool,
    pub old_confidence: Confidence,
    pub new_confidence: Confidence,
    pub worse: bool,
}

/// The growth classes; none where it is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedGrowth {
    pub old: Option<String>,
    pub new: Option<String>,
    pub new_formula: Option<String>,
    pub worse: bool,
}

/// Compares two documents of one function and one cost model.
pub fn compare(old: &Findings, new: &Findings) -> Result<Comparison, CompareError> {
    if old.target.function != new.target.function {
        return Err(CompareError::OtherFunction(old.target.function.clone(), new.target.function.clone()));
    }
    if old.cost_model != new.cost_model {
        return Err(CompareError::OtherCost(old.cost_model.clone(), new.cost_model.clone()));
    }
    let sizes: Vec<ComparedSize> = new
        .results
        .iter()
        .filter_map(|after| Some(size(old.results.iter().find(|before| before.size == after.size)?, after)))
        .collect();
    if sizes.is_empty() {
        return Err(CompareError::NoCommonSize);
    }
    let (growth, new_traps) = (growth(old, new), new_traps(old, new));
    Ok(Comparison {
        function: new.target.function.clone(),
        cost_model: new.cost_model.clone(),
        worse: growth.worse || !new_traps.is_empty() || sizes.iter().any(|size| size.worse),
        sizes,
        growth,
        new_traps,
        notes: notes(old, new),
    })
}

fn size(old: &SizeResult, new: &SizeResult) -> ComparedSize {
    ComparedSize {
        size: new.size,
        old: old.cost,
        new: new.cost,
        old_at_least: old.at_least,
        new_at_least: new.at_least,
        old_confidence: old.confidence,
        new_confidence: new.confidence,
        worse: is_worse(old, new),
    }
}

/// Whether the new cost is certainly above the old, of which a bound from below says nothing.
fn is_worse(old: &SizeResult, new: &SizeResult) -> bool {
    matches!((old.cost, new.cost), (Some(before), Some(after)) if !old.at_least && after > before)
}

fn growth(old: &Findings, new: &Findings) -> ComparedGrowth {
    let class = |findings: &Findings| findings.fit.as_ref()?.class;
    // A lower bound does not say how bad it was before.
    let before = old.fit.as_ref().filter(|law| law.verdict != Verdict::AtLeast).and_then(|law| law.class);
    ComparedGrowth {
        old: class(old).map(|class| class.to_string()),
        new: class(new).map(|class| class.to_string()),
        new_formula: new.fit.as_ref().map(|law| law.formula.clone()),
        worse: matches!((before, class(new)), (Some(old), Some(new)) if new.is_worse_than(&old)),
    }
}

/// Each kind of trap at each place once. Lines move, so a trap is new only if the old document has no trap of its kind, or fewer
/// places with it.
fn new_traps(old: &Findings, new: &Findings) -> Vec<String> {
    let places = |findings: &Findings| {
        let mut out: Vec<(String, Option<String>, i64)> = Vec::new();
        for result in &findings.results {
            for trap in &result.traps {
                if !out.iter().any(|(kind, place, _)| (kind, place) == (&trap.trap, &trap.place)) {
                    out.push((trap.trap.clone(), trap.place.clone(), result.size));
                }
            }
        }
        out
    };
    let (before, after) = (places(old), places(new));
    let of_kind = |all: &[(String, Option<String>, i64)], kind: &str| all.iter().filter(|(k, ..)| k == kind).count();
    let fresh = after.iter().filter(|(kind, place, _)| {
        let same_place = before.iter().any(|(k, p, _)| (k, p) == (kind, place));
        !same_place && of_kind(&after, kind) > of_kind(&before, kind)
    });
    fresh
        .map(|(kind, place, size)| {
            let place = place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            format!("{kind}{place}, from size {size} on")
        })
        .collect()
}

fn notes(old: &Findings, new: &Findings) -> Vec<String> {
    let mut out = Vec::new();
    let mut differ = |what: &str, old: &dyn std::fmt::Display, new: &dyn std::fmt::Display| {
        let (old, new) = (old.to_string(), new.to_string());
        if old != new {
            out.push(format!("{what}: {old} before, {new} now"));
        }
    };
    differ("file", &old.target.file, &new.target.file);
    let call = |findings: &Findings| findings.target.call.clone().unwrap_or_else(|| "a harness".to_owned());
    differ("call", &call(old), &call(new));
    differ("strategy", &old.strategy, &new.strategy);
    differ("compilation", &old.target.compilation.mode, &new.target.compilation.mode);
    differ("budget in seconds", &old.settings.budget_seconds, &new.settings.budget_seconds);
    let lost: Vec<String> = old
        .results
        .iter()
        .filter(|before| before.cost.is_some())
        .filter(|before| !new.results.iter().any(|after| after.size == before.size && after.cost.is_some()))
        .map(|before| before.size.to_string())
        .collect();
    if !lost.is_empty() {
        out.push(format!("sizes without a result now: {}", lost.join(", ")));
    }
    out
}

impl Comparison {
    /// For other programs.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// For a terminal.
    pub fn human(&self, style: Style) -> String {
        let mut table = Table::new(&[
            ("size", Align::Right),
            ("old", Align::Right),
            ("new", Align::Right),
            ("ratio", Align::Right),
            ("confidence", Align::Left),
            ("", Align::Left),
        ]);
        for size in &self.sizes {
            let confidence = if size.old_confidence == size.new_confidence {
                size.new_confidence.name().to_owned()
            } else {
                format!("{} → {}", size.old_confidence.name(), size.new_confidence.name())
            };
            let verdict = match (size.old, size.new) {
                _ if size.worse => "worse",
                (Some(old), Some(new)) if new < old && !size.new_at_least => "better",
                _ => "",
            };
            let (old, new) = (cost_text(size.old, size.old_at_least), cost_text(size.new, size.new_at_least));
            let cells = [size.size.to_string(), old, new, ratio(size.old, size.new), confidence];
            table.row(cells.into_iter().chain([verdict.to_owned()]).collect());
        }
        let mut out = format!("{} (cost: {})\n{}", style.bold(&self.function), self.cost_model, table.render(style));
        let class = |class: &Option<String>| class.clone().unwrap_or_else(|| "not sure".to_owned());
        let (old, new) = (class(&self.growth.old), class(&self.growth.new));
        let formula = self.growth.new_formula.as_ref().filter(|formula| !formula.is_empty());
        let formula = formula.map_or_else(String::new, |formula| format!(" ({formula})"));
        out += &if old == new {
            format!("growth: {new}{formula}\n")
        } else {
            format!("growth: {old} → {new}{formula}\n")
        };
        for trap in &self.new_traps {
            out += &format!("{} {trap}\n", style.red("new trap:"));
        }
        for note in &self.notes {
            out += &format!("note: {note}\n");
        }
        out + if self.worse { "worse\n" } else { "no worse\n" }
    }
}

fn ratio(old: Option<u64>, new: Option<u64>) -> String {
    match (old, new) {
        (Some(0), Some(0)) => "1.00".to_owned(),
        (Some(old), Some(new)) if old > 0 => format!("{:.2}", new as f64 / old as f64),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::findings::Findings;
    use crate::json::from_json;
    use crate::style::Style;

    fn document(last: u64, at_least: bool) -> Findings {
        let mut findings = from_json(include_str!("../tests/data/isort.json")).unwrap();
        let result = findings.results.last_mut().unwrap();
        (result.cost, result.at_least) = (Some(last), at_least);
        findings
    }

    #[test]
    fn a_bound_from_below_is_no_cost_to_get_better_or_worse_than() {
        let compared = |old: &Findings, new: &Findings| {
            let comparison = compare(old, new).unwrap();
            (comparison.worse, comparison.human(Style::default()))
        };
        let (known, cut) = (document(1_000, false), document(1_000, true));
        assert!(!compared(&cut, &document(2_000, false)).0, "nobody knows what it was before");
        assert!(compared(&known, &document(2_000, true)).0);
        let (worse, text) = compared(&document(2_000, false), &cut);
        assert!(!worse && text.contains("> 1,000") && !text.contains("better"), "{text}");
    }
}
