//! The worst inputs: to copy, and drawn.

use maud::{Markup, html};
use serde_json::Value;

use crate::findings::{Findings, SizeResult};
use crate::html::draw::draw;
use crate::html::kind::kind;
use crate::number::count;

/// Bytes of one input, and of all on the page. What is longer is in the document.
const LONGEST: usize = 200_000;
const LONGEST_OF_ALL: usize = 4_000_000;
/// Inputs of one size that are drawn.
const DRAWN: usize = 16;

pub fn section(findings: &Findings) -> Markup {
    let with_input: Vec<&SizeResult> = findings.results.iter().filter(|result| result.input.is_some()).collect();
    let last = with_input.last().map(|result| result.size);
    let mut room = LONGEST_OF_ALL;
    let parts: Vec<Markup> =
        with_input.into_iter().map(|result| one(findings, result, Some(result.size) == last, &mut room)).collect();
    html! {
        @if !parts.is_empty() {
            section id="inputs" {
                h2 { "Worst inputs" }
                p { "As JSON, for " code { "slowpath run --input" } "." }
                @if parts.len() > 1 {
                    label.slider hidden { "size " output { } input type="range" min="0" max=(parts.len() - 1) value=(parts.len() - 1) step="1" aria-label="size of the input"; }
                }
                @for part in &parts { (part) }
            }
        }
    }
}

fn one(findings: &Findings, result: &SizeResult, open: bool, room: &mut usize) -> Markup {
    let Some(input) = &result.input else { return html! {} };
    let whole = input.to_string();
    let fits = whole.len() <= LONGEST.min(*room);
    if fits {
        *room -= whole.len();
    }
    html! {
        details.input id=(format!("input-{}", result.size)) open[open] {
            summary { "size " (result.size) @if result.cost.is_some() { ", cost " (result.cost_text()) } }
            @if let Some(trap) = &result.trap { p { "It ends with: " (trap) } }
            @if fits {
                @for (name, value) in input.as_object().into_iter().flatten().take(DRAWN) {
                    @let kind = kind(findings.target.call.as_deref(), name, value, result.size);
                    @if kind != crate::html::kind::Kind::Nothing { p.name { code { (name) } } (draw(name, value, kind)) }
                }
                div.copy { pre { (whole) } }
            } @else {
                p { "An input of " (count(whole.len() as u64)) " bytes is too long for a page; it stands in the document." }
            }
            (counters(result))
        }
    }
}

/// Every counter that counted something.
fn counters(result: &SizeResult) -> Markup {
    let amount = |value: &Value| value.as_u64().map_or_else(|| value.to_string(), count);
    html! {
        @if !result.costs.is_empty() {
            dl.counters {
                @for (name, value) in result.costs.iter().filter(|(_, value)| value.as_u64() != Some(0)) {
                    div { dt { (name) } dd { (amount(value)) } }
                }
            }
        }
    }
}
