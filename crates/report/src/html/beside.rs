//! What is known besides the document: how it compares with a baseline, and what a clock said natively.

use maud::{Markup, html};
use serde::Deserialize;

use crate::compare::{ComparedSize, Comparison};
use crate::findings::cost_text;
use crate::html::parts::{table, text};

/// What a page may show besides its document. Default: nothing.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Against an earlier document of the same target.
    pub baseline: Option<Comparison>,
    pub native: Option<NativeTimes>,
}

/// Worst and random inputs on the clock, as `replay --native --format json` has them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NativeTimes {
    pub compiler: String,
    #[serde(default)]
    pub notes: Vec<String>,
    pub native: Vec<NativeTime>,
    /// What was timed.
    pub target: NativeTarget,
}

/// The member `target`, as far as it tells which function it was.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct NativeTarget {
    pub function: String,
}

/// One size.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct NativeTime {
    pub size: i64,
    #[serde(default)]
    pub by_law: bool,
    pub worst: Measured,
    pub random: Measured,
    pub slowdown: Option<f64>,
}

/// A time, or why there is none.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Measured {
    pub nanoseconds: Option<f64>,
    pub failed: Option<String>,
}

impl NativeTimes {
    /// The largest size at which both inputs were timed.
    fn telling(&self) -> Option<(&NativeTime, f64)> {
        let finite = |time: &f64| time.is_finite() && *time > 0.0;
        self.native.iter().rev().find_map(|time| Some((time, time.slowdown.filter(finite)?)))
    }
}

/// For the first screen: the slowdown that a user would feel.
pub fn slowdown(native: Option<&NativeTimes>) -> Markup {
    let Some((time, slowdown)) = native.and_then(NativeTimes::telling) else { return html! {} };
    html! { p.native { strong { (format!("{slowdown:.1}×")) } " the time of a random input of size " (time.size) ", compiled natively." } }
}

pub fn native(native: Option<&NativeTimes>) -> Markup {
    let Some(native) = native else { return html! {} };
    let heads = [("size", true), ("worst input", true), ("random input", true), ("slowdown", true)];
    let row = |time: &NativeTime| {
        let mark = if time.by_law { "*" } else { "" };
        let slowdown = time.slowdown.map_or_else(|| "-".to_owned(), |times| format!("{times:.1}×"));
        vec![text(format!("{}{mark}", time.size)), cell(&time.worst), cell(&time.random), text(slowdown)]
    };
    let rows: Vec<Vec<Markup>> = native.native.iter().map(row).collect();
    html! {
        section id="native" {
            h2 { "On a machine" }
            p { "Median times, compiled with " code { (native.compiler) } "." }
            (table(&heads, &rows))
            @if native.native.iter().any(|time| time.by_law) { p { "* The worst input is made by the input law." } }
            @if !native.notes.is_empty() { ul { @for note in &native.notes { li { (note) } } } }
        }
    }
}

fn cell(time: &Measured) -> Markup {
    match (time.nanoseconds, &time.failed) {
        (Some(ns), _) if ns < 1e3 => text(format!("{ns:.0} ns")),
        (Some(ns), _) if ns < 1e6 => text(format!("{:.1} µs", ns / 1e3)),
        (Some(ns), _) if ns < 1e9 => text(format!("{:.1} ms", ns / 1e6)),
        (Some(ns), _) => text(format!("{:.2} s", ns / 1e9)),
        (None, Some(why)) => text(why),
        (None, None) => text("-"),
    }
}

pub fn change(baseline: Option<&Comparison>) -> Markup {
    let Some(change) = baseline else { return html! {} };
    let heads = [("size", true), ("before", true), ("now", true), ("ratio", true), ("", false)];
    let row = |size: &ComparedSize| {
        let word = match (size.old, size.new) {
            _ if size.worse => "worse",
            (Some(old), Some(new)) if new < old && !size.new_at_least => "better",
            _ => "",
        };
        let ratio = match (size.old, size.new) {
            (Some(old), Some(new)) if old > 0 => format!("{:.2}", new as f64 / old as f64),
            _ => "-".to_owned(),
        };
        vec![
            text(size.size.to_string()),
            text(cost_text(size.old, size.old_at_least)),
            text(cost_text(size.new, size.new_at_least)),
            text(ratio),
            html! { span.worse[size.worse] { (word) } },
        ]
    };
    let rows: Vec<Vec<Markup>> = change.sizes.iter().map(row).collect();
    let class = |class: &Option<String>| class.clone().unwrap_or_else(|| "not sure".to_owned());
    html! {
        section id="change" {
            h2 { "Change since the baseline" }
            p.lead {
                @if change.worse { strong.worse { "Worse" } } @else { strong { "No worse" } }
                ". Growth: " (class(&change.growth.old)) " before, " (class(&change.growth.new)) " now."
            }
            @if !change.new_traps.is_empty() { ul { @for trap in &change.new_traps { li { "new trap: " (trap) } } } }
            (table(&heads, &rows))
            @if !change.notes.is_empty() { ul { @for note in &change.notes { li { (note) } } } }
        }
    }
}
