//! The data of the plot, and the place it is drawn in. The scripts do the rest.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::findings::{Confidence, Findings, SizeResult};
use crate::growth::PredictedCost;
use crate::html::safe::script_json;
use crate::html::sizes::{mark, tenths};
use crate::number::{amount, count};

/// Points of one kind that a browser draws without effort; of more, an even selection.
const MOST_POINTS: usize = 1000;

pub fn section(findings: &Findings) -> Markup {
    let found: Vec<&SizeResult> = findings.results.iter().filter(|result| result.cost.is_some()).collect();
    if found.is_empty() {
        return html! {};
    }
    let shown = thin(&found);
    let has = |confidence: Confidence| shown.iter().any(|result| result.confidence == confidence);
    let average = shown.iter().any(|result| result.average.is_some());
    let line = findings.fit.as_ref().is_some_and(|law| !law.predictions.is_empty());
    html! {
        section id="growth" {
            h2 { "Cost against size" }
            div.tools hidden {
                span.group role="group" aria-label="scale" {
                    button type="button" data-scale="linear" aria-pressed="true" { "linear" }
                    button type="button" data-scale="log" aria-pressed="false" { "log-log" }
                }
                @if line { button type="button" data-ahead="" aria-pressed="false" { "larger sizes" } }
                span.group role="group" aria-label="zoom" {
                    button type="button" data-zoom="0.5" aria-label="zoom in" { "+" }
                    button type="button" data-zoom="2" aria-label="zoom out" { "−" }
                    button type="button" data-reset="" disabled { "reset" }
                }
            }
            div id="plot" {
                svg role="img" tabindex="0" aria-label="Cost against size; the table below has the same numbers" {}
                div id="tip" role="status" hidden {}
                noscript { p { "The plot needs JavaScript. The table below has the same numbers." } }
            }
            ul.legend {
                @for confidence in Confidence::ALL {
                    @if has(confidence) { li { (mark(confidence)) " " (confidence.name()) } }
                }
                @if average {
                    li {
                        svg.mark viewBox="-1 -1 14 14" aria-hidden="true" { path.point.average d="M2 2H10V10H2Z" {} }
                        " average of random inputs, least to most"
                    }
                }
                @if line {
                    li {
                        svg.mark viewBox="-1 -1 14 14" aria-hidden="true" { path.law d="M0 11L12 1" {} }
                        " fitted law"
                    }
                }
            }
            p.hint hidden { "Drag over the plot to zoom, double-click to see all. Left and right keys go from point to point." }
            @if shown.len() < found.len() { p { "Drawn are " (shown.len()) " of " (found.len()) " sizes." } }
            script type="application/json" id="plot-data" { (PreEscaped(script_json(&data(findings, &shown)))) }
        }
    }
}

/// At most `MOST_POINTS` of them, the first and the last included.
fn thin<T: Copy>(all: &[T]) -> Vec<T> {
    if all.len() <= MOST_POINTS {
        return all.to_vec();
    }
    (0..MOST_POINTS).map(|i| all[i * (all.len() - 1) / (MOST_POINTS - 1)]).collect()
}

/// Numbers to draw, and beside each the text to show for it: JavaScript's numbers would round large costs.
fn data(findings: &Findings, shown: &[&SizeResult]) -> Value {
    let worst = |result: &&SizeResult| {
        let cost = result.cost?;
        let checked = if result.verified { "verified" } else { "not verified" };
        let text = vec![
            format!("size {}", result.size),
            format!("worst cost {}", result.cost_text()),
            format!("{}, {checked}", result.confidence.name()),
            if result.paths == 1 {
                "1 path followed".to_owned()
            } else {
                format!("{} paths followed", result.paths_text())
            },
        ];
        Some(json!({"x": result.size, "y": cost as f64, "kind": result.confidence.name(), "text": text}))
    };
    let average = |result: &&SizeResult| {
        let average = result.average?;
        let text = vec![
            format!("size {}", result.size),
            format!("average {} of {} random inputs", tenths(average.mean), count(average.runs)),
            format!("from {} to {}", count(average.least), count(average.most)),
        ];
        let (low, high) = (average.least as f64, average.most as f64);
        Some(json!({"x": result.size, "y": average.mean, "low": low, "high": high, "text": text}))
    };
    let predicted = |p: &PredictedCost| {
        let text = [format!("size {}", p.size), format!("the law gives {}", amount(p.value))];
        json!({"x": p.size, "y": p.value, "low": p.low, "high": p.high, "text": text})
    };
    let mut predictions = findings.fit.as_ref().map(|law| law.predictions.clone()).unwrap_or_default();
    predictions.sort_by_key(|predicted| predicted.size);
    json!({
        "cost": findings.cost_model,
        "worst": shown.iter().filter_map(worst).collect::<Vec<_>>(),
        "average": shown.iter().filter_map(average).collect::<Vec<_>>(),
        "law": thin(&predictions).iter().map(predicted).collect::<Vec<_>>(),
    })
}
