//! How path conditions of any size are put together, where they are.

use maud::{Markup, html};

use crate::findings::Findings;

pub fn section(findings: &Findings) -> Markup {
    let Some(lines) = findings.synthesis.as_ref().map(|synthesis| &synthesis.explained) else { return html! {} };
    // Two sentences, then the points.
    let (sentences, points) = lines.split_at(lines.len().min(2));
    html! {
        section id="synthesis" {
            h2 { "The path condition of any size" }
            @for line in sentences { p { (line) } }
            @if !points.is_empty() { ul { @for point in points { li { code { (point) } } } } }
        }
    }
}
