//! Traps, and what the search and the solver did.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::findings::{Confidence, Findings, SizeResult, TrapReport};
use crate::html::parts::{table, text};
use crate::input::{Texts, shorten};
use crate::number::{count, duration};

/// Each kind of trap at each place once, at the smallest size that has it.
pub fn traps(findings: &Findings) -> Markup {
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    let texts = Texts::of(&findings.target);
    for result in &findings.results {
        for trap in &result.traps {
            if seen.insert((&trap.trap, &trap.place)) {
                rows.push(trap_row(result.size, trap, &texts));
            }
        }
    }
    let heads = [
        ("trap", false),
        ("place", false),
        ("from size", true),
        ("paths", true),
        ("confirmed", false),
        ("inputs", false),
    ];
    html! {
        @if !rows.is_empty() {
            section id="traps" {
                h2 { "Traps" }
                p { "Inputs that make the program trap, each kind at each place once, at the smallest size that has it." }
                (table(&heads, &rows))
            }
        }
    }
}

fn trap_row(size: i64, trap: &TrapReport, texts: &Texts) -> Vec<Markup> {
    vec![
        html! { @for (what, _) in trap.kinds() { div { (what) } } },
        html! { code { (trap.place_beside().unwrap_or("-")) } },
        text(size.to_string()),
        text(count(trap.paths)),
        text(if trap.verified { "yes" } else { "no" }),
        html! { @for input in trap.inputs.iter().take(8) { code.line { (shorten(input, texts)) } } },
    ]
}

/// What the search did at each size.
pub fn search(findings: &Findings) -> Markup {
    let texts = Texts::of(&findings.target);
    let ended = |result: &SizeResult| match (&result.stopped, &result.cut) {
        (Some(why), _) => text(why),
        (None, Some(cut)) => html! {
            (count(cut.paths)) " paths cut short"
            @if let Some(input) = &cut.input { ", for example " code { (shorten(input, &texts)) } }
        },
        (None, None) if !result.complete => text("-"),
        (None, None) if result.confidence == Confidence::Exact => text("all paths followed"),
        (None, None) => text("all paths of the policy followed"),
    };
    let row = |result: &SizeResult| {
        vec![
            text(result.size.to_string()),
            text(result.paths_text()),
            text(count(result.solver_queries)),
            text(count(result.smt_queries)),
            text(duration(result.seconds)),
            ended(result),
        ]
    };
    let heads = [
        ("size", true),
        ("paths", true),
        ("solver questions", true),
        ("for the SMT solver", true),
        ("time", true),
        ("how it ended", false),
    ];
    let rows: Vec<_> = findings.results.iter().map(row).collect();
    html! { @if !rows.is_empty() { section id="search" { h2 { "Search" } details { summary { "What the search did at each size" } (table(&heads, &rows)) } } } }
}

/// What each layer of the solver did, where the document has it.
pub fn solver(findings: &Findings) -> Markup {
    let Some(work) = &findings.stats else { return html! {} };
    let heads =
        [("layer", false), ("asked", true), ("sat", true), ("unsat", true), ("passed on", true), ("time", true)];
    let rows: Vec<_> = work
        .layers
        .iter()
        .map(|layer| {
            let counts = [layer.seen, layer.sat, layer.unsat, layer.passed].map(|number| text(count(number)));
            let time = text(duration(layer.nanos as f64 / 1e9));
            [text(&layer.name)].into_iter().chain(counts).chain([time]).collect()
        })
        .collect();
    html! {
        section id="solver" {
            h2 { "Solver" }
            p {
                (count(work.queries)) " questions, " (count(work.smt_queries)) " of them for the SMT solver, "
                (count(work.unknown)) " without an answer, " (count(work.rejected_models)) " models refused on evaluation."
            }
            @if !rows.is_empty() { details { summary { "By layer" } (table(&heads, &rows)) } }
        }
    }
}
