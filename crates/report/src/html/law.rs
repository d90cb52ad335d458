//! The growth law of a document, if it has one, and what it predicts.

use maud::{Markup, html};
use serde::Deserialize;

use crate::findings::Findings;
use crate::html::parts::{facts, ranges, table, text};
use crate::number::count;

/// More candidates and predictions than these are not shown.
const SHOWN: usize = 200;

/// The member `fit`. Whatever is missing is left out of the page.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Law {
    /// None: unsure; `why` says why.
    pub class: Option<String>,
    pub formula: String,
    pub exact: bool,
    pub from: i64,
    pub checked_on: Vec<i64>,
    pub r2: Option<f64>,
    pub aicc: Option<f64>,
    pub candidates: Vec<Candidate>,
    pub why: String,
    pub predictions: Vec<Prediction>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Candidate {
    pub class: String,
    pub formula: String,
    pub r2: Option<f64>,
    pub aicc: Option<f64>,
    pub held_out_error: Option<f64>,
}

/// The law at one size, which may be one of the analysed sizes: these make the line of the plot.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Prediction {
    pub size: i64,
    pub value: f64,
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
}

impl Law {
    /// The law of a document; none where it has none or has something else in its place.
    pub fn of(findings: &Findings) -> Option<Law> {
        let mut law = Law::deserialize(findings.fit.as_ref()?).ok()?;
        law.predictions.sort_by_key(|prediction| prediction.size);
        Some(law)
    }
}

pub fn section(findings: &Findings, law: Option<&Law>) -> Markup {
    let Some(law) = law else {
        let unreadable = findings.fit.as_ref().is_some_and(|fit| !fit.is_null());
        return html! {
            @if unreadable {
                section id="law" { h2 { "Growth" } p { "The document has a growth law that this slowpath cannot read." } }
            }
        };
    };
    let largest = findings.results.iter().filter(|r| r.cost.is_some()).map(|r| r.size).max().unwrap_or(0);
    let ahead: Vec<&Prediction> = law.predictions.iter().filter(|prediction| prediction.size > largest).collect();
    html! {
        section id="law" {
            h2 { "Growth" }
            @match &law.class {
                Some(class) => {
                    p.lead { strong { (class) } @if !law.formula.is_empty() { ": " code { (law.formula) } } }
                    (facts(&[
                        ("kind", text(if law.exact { "exact: the formula gives every cost" } else { "fitted" })),
                        ("from size", text(law.from.to_string())),
                        ("checked on sizes", text(ranges(law.checked_on.iter().copied()))),
                        ("R²", text(figure(law.r2))),
                        ("AICc", text(if law.exact { "-".to_owned() } else { figure(law.aicc) })),
                    ]))
                }
                None => p.lead { "No growth law is certain enough to be given." },
            }
            @if !law.why.is_empty() { p { (law.why) } }
            @if !law.candidates.is_empty() { (candidates(&law.candidates)) }
            @if !ahead.is_empty() { (predictions(&ahead, law.exact)) }
        }
    }
}

fn candidates(candidates: &[Candidate]) -> Markup {
    let heads = [("class", false), ("law", false), ("R²", true), ("AICc", true), ("error on held-out sizes", true)];
    let percent = |error: Option<f64>| error.map_or_else(|| "-".to_owned(), |error| format!("{:.2} %", error * 100.0));
    let row = |c: &Candidate| {
        let law = html! { code { (c.formula) } };
        vec![text(&c.class), law, text(figure(c.r2)), text(figure(c.aicc)), text(percent(c.held_out_error))]
    };
    let rows: Vec<_> = candidates.iter().take(SHOWN).map(row).collect();
    html! { details { summary { "Laws that were compared" } (table(&heads, &rows)) } }
}

/// An exact law has nothing between which its value could be.
fn predictions(ahead: &[&Prediction], exact: bool) -> Markup {
    let row = |p: &&Prediction| {
        let mut cells = vec![text(count(p.size.unsigned_abs())), text(amount(p.value))];
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

fn between(prediction: &Prediction) -> String {
    match (prediction.low, prediction.high) {
        (Some(low), Some(high)) => format!("{} and {}", amount(low), amount(high)),
        _ => "-".to_owned(),
    }
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"))
}

/// A predicted cost, as exact as it can be.
pub fn amount(value: f64) -> String {
    if value >= 9e15 {
        return format!("{value:.3e}");
    }
    let sign = if value <= -0.5 { "−" } else { "" };
    format!("{sign}{}", count(value.abs().round() as u64))
}
