//! Why the results can be believed: who found them, what was tried to beat them, who ran them again.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::findings::{Confidence, Findings};
use crate::html::parts::{ranges, table, text};
use crate::html::summary::sure;

pub fn section(findings: &Findings) -> Markup {
    let mut found: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for result in findings.results.iter().filter(|result| result.cost.is_some()) {
        if let Some(technique) = &result.found_by {
            found.entry(technique).or_default().push(result.size);
        }
    }
    let row = |(technique, sizes): (&&str, &Vec<i64>)| vec![text(technique), text(ranges(sizes.iter().copied()))];
    let rows: Vec<Vec<Markup>> = found.iter().map(row).collect();
    // What a size that is not exact says of the attempts to beat it is among the limits.
    let doubts = findings.limits.iter().filter(|limit| limit.contains("there may be worse"));
    let largest =
        findings.results.iter().rev().find(|result| result.cost.is_some() && result.confidence != Confidence::Exact);
    let tried: Vec<&String> = match largest {
        Some(result) => doubts.filter(|limit| limit.starts_with(&format!("size {}: ", result.size))).collect(),
        None => Vec::new(),
    };
    html! {
        section id="evidence" {
            h2 { "Evidence" }
            ul { @for line in sure(findings) { li { (line) } } }
            @if !rows.is_empty() { h3 { "Found by" } (table(&[("technique", false), ("sizes", false)], &rows)) }
            @if !tried.is_empty() { h3 { "Tried to beat it" } ul { @for line in tried { li { (line) } } } }
        }
    }
}
