//! What was analysed, what came out, and how sure that is.

use maud::{Markup, html};

use crate::findings::{Confidence, Findings, SizeResult};
use crate::html::beside::Beside;
use crate::html::first;
use crate::html::parts::{facts, ranges, text};
use crate::html::sizes::mark;
use crate::number::{bytes, count, duration};
use crate::verdict::{powers, verdict};

/// The function, as the user asked for it.
pub fn what(findings: &Findings) -> String {
    let target = &findings.target;
    target.title()
}

/// The parts of the page that can be jumped to, where they are there.
const PARTS: [(&str, &str); 17] = [
    ("growth", "Plot"),
    ("source", "Source"),
    ("flame", "Flame graph"),
    ("tree", "Tree"),
    ("change", "Change"),
    ("native", "Native"),
    ("inputs", "Inputs"),
    ("evidence", "Evidence"),
    ("law", "Growth"),
    ("policy", "Policy"),
    ("synthesis", "Synthesis"),
    ("input-law", "Input law"),
    ("traps", "Traps"),
    ("sizes", "Sizes"),
    ("search", "Search"),
    ("solver", "Solver"),
    ("limits", "Limits"),
];

pub fn heading(findings: &Findings, what: &str, body: &str) -> Markup {
    let target = &findings.target;
    html! {
        p.kind { "slowpath report" }
        h1 { code { (what) } }
        p.verdict { (verdict(findings)) }
        p { "in " code { (target.file) } ", compiled " (target.compilation.mode) ", cost in " (findings.cost_model) }
        nav aria-label="Parts of this page" {
            @for (id, name) in PARTS {
                @if body.contains(&format!("<section id=\"{id}\">")) { a href=(format!("#{id}")) { (name) } }
            }
        }
    }
}

/// The answer in a few figures and sentences, and why it can be believed.
pub fn answer(findings: &Findings, beside: &Beside) -> Markup {
    html! {
        section id="answer" {
            h2 { "The worst case" }
            (tiles(findings))
            (first::cards(findings, beside.native.as_ref()))
            @if !findings.target.notes.is_empty() {
                h3 { "Worth knowing" }
                ul { @for note in &findings.target.notes { li { (note) } } }
            }
        }
    }
}

/// What to remember of the page.
fn tiles(findings: &Findings) -> Markup {
    let Some((result, cost)) = findings.results.iter().rev().find_map(|result| Some((result, result.cost?))) else {
        return html! { p.lead { "No path came to its end, so there is no worst case to show." } };
    };
    let random = result.average.map(|average| average.mean).filter(|mean| *mean > 0.0);
    html! {
        div.tiles {
            div.tile {
                span.of { "worst cost at size " (result.size) }
                strong { (result.cost_text()) }
                span { (findings.cost_model) @if let Some(mean) = random { ", " (format!("{:.1}", cost as f64 / mean)) "× a random input" } }
            }
            @if let Some((law, class)) = findings.fit.as_ref().and_then(|law| Some((law, law.class?))) {
                div.tile { span.of { "growth, " (law.verdict) } strong { (powers(&class.to_string())) } span { code { (law.formula) } } }
            }
            div.tile {
                span.of { "how sure" }
                strong { (mark(result.confidence)) " " (result.confidence.name()) }
                span { "by strategy " (findings.strategy) }
            }
            div.tile {
                span.of { "sizes" }
                strong { (findings.results.len()) }
                span { (ranges(findings.results.iter().map(|result| result.size))) }
            }
        }
    }
}

/// Why the results can be believed, and how far.
pub fn sure(findings: &Findings) -> Vec<Markup> {
    let with = |confidence: Confidence| -> Vec<&SizeResult> {
        findings.results.iter().filter(|r| r.cost.is_some() && r.confidence == confidence).collect()
    };
    let sizes = |results: &[&SizeResult]| ranges(results.iter().map(|result| result.size));
    let mut out = Vec::new();
    for confidence in Confidence::ALL {
        let results = with(confidence);
        if results.is_empty() {
            continue;
        }
        out.push(html! {
            strong { (confidence.name()) } " at size " (sizes(&results)) ": " (meaning(confidence))
            @if confidence == Confidence::Validated {
                @if let Some(why) = findings.policy.as_ref().map(|policy| &policy.why) { " The policy: " (why) "." }
            }
        });
    }
    let none: Vec<&SizeResult> = findings.results.iter().filter(|result| result.cost.is_none()).collect();
    if !none.is_empty() {
        out.push(html! { strong { "no result" } " at size " (sizes(&none)) ": no path came to its end." });
    }
    let found = findings.results.iter().filter(|result| result.cost.is_some()).count();
    let verified = findings.results.iter().filter(|result| result.cost.is_some() && result.verified).count();
    if found > 0 {
        out.push(html! {
            strong { "verified" } ": " (verified) " of " (found) " worst inputs were run again on another engine, "
            "which counted the same cost."
        });
    }
    out.push(if findings.limits.is_empty() {
        html! { "No limit was reached, and nothing was approximated." }
    } else {
        html! { "What was cut short or approximated is listed under " a href="#limits" { "limits" } "." }
    });
    out
}

fn meaning(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Exact => "every path was followed to its end. No input of that size costs more.",
        Confidence::Validated => {
            "found by a learned policy that reached the exact worst case of every larger size it was validated on."
        }
        Confidence::Challenged => "found by a learned policy; local search around its path found nothing worse.",
        Confidence::BestFound => "the worst of the paths that were followed. There may be worse.",
    }
}

pub fn limits(findings: &Findings) -> Markup {
    html! {
        section id="limits" {
            h2 { "Limits" }
            @if findings.limits.is_empty() { p { "None was reached." } }
            @else { details { summary { (findings.limits.len()) " that were reached" } ul { @for limit in &findings.limits { li { (limit) } } } } }
        }
    }
}

pub fn settings(findings: &Findings) -> Markup {
    let (settings, target) = (&findings.settings, &findings.target);
    let flags = |flags: &[String]| html! { code { (flags.join(" ")) } };
    let mut rows = vec![
        ("function", html! { code { (target.function) } }),
        ("module", html! { (bytes(target.module.bytes)) ", FNV-1a " code { (target.module.fnv1a) } }),
    ];
    if let Some(own) = &target.compilation.optimize {
        rows.push(("optimized with", flags(own)));
    }
    if !target.compilation.cflags.is_empty() {
        rows.push(("compiler flags", flags(&target.compilation.cflags)));
    }
    rows.extend([
        ("seed", text(settings.seed.to_string())),
        ("solver", text(&settings.solver)),
        ("time for a question to Z3", text(format!("{} ms", settings.solver_timeout_ms))),
        ("time for everything", text(duration(settings.budget_seconds))),
        ("paths at one size", text(settings.max_paths.map_or_else(|| "no limit".to_owned(), count))),
        ("instructions on a path", text(count(settings.max_instructions))),
        ("depth of calls", text(count(settings.max_depth.into()))),
        ("memory of the program", text(bytes(settings.max_memory))),
        ("cells of an address", text(count(settings.max_cells))),
        ("nesting of selects", text(settings.max_select_depth.to_string())),
    ]);
    html! {
        section id="settings" {
            h2 { "Settings" }
            details { summary { "Program, seed and limits" } (facts(&rows)) }
        }
    }
}
