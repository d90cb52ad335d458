//! The growth law of a document, if it has one, and what it predicts.

use maud::{Markup, html};
use slowpath_fit::{Candidate, Verdict};

use crate::findings::Findings;
use crate::growth::PredictedCost;
use crate::html::parts::{facts, ranges, table, text};
use crate::number::{amount, count};

/// More candidates and predictions than these are not shown.
const SHOWN: usize = 200;

pub fn section(findings: &Findings) -> Markup {
    let Some(law) = &findings.fit else { return html! {} };
    let costs = findings.results.iter().filter(|result| result.cost.is_some());
    let largest = costs.filter_map(|result| u64::try_from(result.size).ok()).max().unwrap_or(0);
    let ahead: Vec<&PredictedCost> = law.predictions.iter().filter(|prediction| prediction.size > largest).collect();
    html! {
        section id="law" {
            h2 { "Growth" }
            @match &law.class {
                Some(class) => {
                    p.lead { strong { @if law.verdict == Verdict::AtLeast { "at least " } (class) } @if !law.formula.is_empty() { ": " code { (law.formula) } } }
                    (facts(&[
                        ("verdict", text(meaning(law.verdict))),
                        ("from size", text(law.from.to_string())),
                        ("checked on sizes", text(ranges(law.checked_on.iter().filter_map(|size| i64::try_from(*size).ok())))),
                        ("R²", text(figure(law.r2))),
                        ("AICc", text(if law.candidates.is_empty() { "-".to_owned() } else { figure(law.aicc) })),
                    ]))
                }
                None => p.lead { "No growth law is certain enough to be given." },
            }
            @if !law.why.is_empty() { p { (law.why) } }
            @if !law.candidates.is_empty() { (candidates(&law.candidates)) }
            @if !ahead.is_empty() { (predictions(&ahead)) }
        }
    }
}

fn candidates(candidates: &[Candidate]) -> Markup {
    let heads = [("class", false), ("law", false), ("R²", true), ("AICc", true), ("error on held-out sizes", true)];
    let percent = |error: f64| format!("{:.2} %", error * 100.0);
    let row = |c: &Candidate| {
        let law = html! { code { (c.formula) } };
        vec![text(c.class.to_string()), law, text(figure(c.r2)), text(figure(c.aicc)), text(percent(c.held_out_error))]
    };
    let rows: Vec<_> = candidates.iter().take(SHOWN).map(row).collect();
    html! { details { summary { "Laws that were compared" } (table(&heads, &rows)) } }
}

/// What a verdict means.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact => "exact: the formula gives every cost that is known",
        Verdict::Fitted => "fitted: no cost that is known exceeds it",
        Verdict::AtLeast => "at least: what the costs found force; it may be faster",
        Verdict::NotSure => "not sure",
    }
}

/// The column of bounds is left out where there is nothing between which a value could be.
fn predictions(ahead: &[&PredictedCost]) -> Markup {
    let exact = ahead.iter().all(|p| p.high == Some(p.low));
    let row = |p: &&PredictedCost| {
        let mut cells = vec![text(count(p.size)), text(amount(p.value))];
        if !exact {
            cells.push(text(between(p)));
        }
        cells
    };
    let rows: Vec<_> = ahead.iter().take(SHOWN).map(row).collect();
    let heads = [("size", true), ("cost", true), ("nineteen times in twenty between", true)];
    html! {
        h3 { "Prediction at larger sizes" }
        (table(if exact { &heads[..2] } else { &heads }, &rows))
    }
}

fn between(prediction: &PredictedCost) -> String {
    match prediction.high {
        Some(high) => format!("{} and {}", amount(prediction.low), amount(high)),
        None => "no less than that".to_owned(),
    }
}

fn figure(value: f64) -> String {
    format!("{value:.4}")
}
