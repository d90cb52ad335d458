//! The first screen: the worst input, the guilty line and a small plot, side by side.

use maud::{Markup, html};

use crate::findings::{Findings, SizeResult};
use crate::html::beside::{self, NativeTimes};
use crate::html::draw::draw;
use crate::html::highlight::Highlighter;
use crate::html::kind::{Kind, kind};
use crate::input::Texts;
use crate::number::count;
use crate::verdict::{growth, guilty_line, short_place};

/// Lines around the guilty one.
const AROUND: usize = 2;
/// A longer input is only in the document.
const LONGEST: usize = 20_000;
/// Foreign functions below the guilty line.
const MOST_CALLS: usize = 3;

pub fn cards(findings: &Findings, native: Option<&NativeTimes>) -> Markup {
    html! { div.first { (input(findings)) (line(findings, native)) (plot(findings)) } }
}

fn input(findings: &Findings) -> Markup {
    let with_input = |result: &&SizeResult| result.input.is_some() && result.cost.is_some();
    let Some(result) = findings.results.iter().rev().find(with_input) else { return html! {} };
    let Some(input) = &result.input else { return html! {} };
    let texts = Texts::of(&findings.target);
    let whole = input.to_string();
    html! {
        div.card {
            h3 { "Worst input, n = " (result.size) }
            @for (name, value) in input.as_object().into_iter().flatten().take(2) {
                @let kind = kind(findings.target.call.as_deref(), name, value, result.size);
                @match (texts.quoted(name, value), kind) {
                    (Some(text), _) => p { code { (name) " = " (text) } },
                    (None, Kind::Bytes | Kind::Nothing) => {},
                    (None, kind) => { p.name { code { (name) } } (draw(name, value, kind)) },
                }
            }
            @if whole.len() <= LONGEST { div.copy { pre { (whole) } } }
        }
    }
}

fn line(findings: &Findings, native: Option<&NativeTimes>) -> Markup {
    let Some(line) = guilty_line(findings) else { return beside::slowdown(native) };
    let file = findings.source.iter().flat_map(|source| &source.files);
    let file = line.file.as_ref().and_then(|name| file.clone().find(|file| file.is(name)));
    let number = line.line.unwrap_or(0) as usize;
    let mut highlighter = Highlighter::default();
    let lines =
        file.iter().flat_map(|file| file.text.lines()).enumerate().map(|(i, text)| (i + 1, highlighter.line(text)));
    let near: Vec<(usize, Markup)> = lines.filter(|(at, _)| at.abs_diff(number) <= AROUND).collect();
    let share = line.answers_for() * 100.0;
    html! {
        div.card {
            h3 { "Guilty line: " code { (short_place(line)) } }
            @if !near.is_empty() {
                div.source { div.scroll { table.code { tbody {
                    @for (at, text) in &near { tr.h6[*at == number] { td.no { (at) } td.text { code { (text) } } } }
                } } } }
            } @else if let Some(text) = &line.text { p { code.quoted { (text) } } }
            p { strong { (format!("{share:.0} %")) } " of the cost, run " (count(line.count)) " times"
                @for called in line.calls.iter().take(MOST_CALLS) {
                    ", " (format!("{:.0} %", called.share * 100.0)) " in " code { (called.function) }
                }
                "." }
            (slowdown(findings))
            (beside::slowdown(native))
        }
    }
}

fn slowdown(findings: &Findings) -> Markup {
    let found =
        findings.results.iter().rev().find_map(|result| Some((result.size, result.cost?, result.average?.mean)));
    let Some((size, cost, mean)) = found.filter(|(_, _, mean)| *mean > 0.0) else { return html! {} };
    html! { p { strong { (format!("{:.1}×", cost as f64 / mean)) } " the cost of a random input of size " (size) "." } }
}

/// Costs as a line; the plot below has the numbers.
fn plot(findings: &Findings) -> Markup {
    let points: Vec<(f64, f64)> =
        findings.results.iter().filter_map(|result| Some((result.size as f64, result.cost? as f64))).collect();
    let span = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let values = || points.iter().map(of);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((low, high), (_, most)) = (span(&|p| p.0), span(&|p| p.1));
    if points.len() < 3 || high <= low || most <= 0.0 {
        return html! {};
    }
    let at =
        |(x, y): &(f64, f64)| format!("{:.1},{:.1}", 4.0 + 232.0 * (x - low) / (high - low), 96.0 - 90.0 * y / most);
    let line: Vec<String> = points.iter().map(at).collect();
    html! {
        div.card {
            h3 { "Growth" @if let Some(law) = growth(findings) { ": " (law) } }
            a href="#growth" aria-label="to the plot" {
                svg.small viewBox="0 0 240 100" role="img" aria-label="worst cost against size" {
                    path.axis d="M4 2V96H238" {}
                    polyline.joined points=(line.join(" ")) {}
                    @for (x, y) in &points { @let place = at(&(*x, *y)); @let (x, y) = place.split_once(',').unwrap_or(("0", "0"));
                        circle.point.exact cx=(x) cy=(y) r="2" {} }
                }
            }
            @if let Some(fit) = &findings.fit { p { (fit.verdict) @if !fit.formula.is_empty() { ": " code { (fit.formula) } } } }
        }
    }
}
