//! The law of the worst inputs: a formula for each, and expressions to make them with.

use maud::{Markup, html};

use crate::findings::Findings;
use crate::html::parts::ranges;
use crate::input_law::InputLawReport;

/// Characters of one formula that are shown, and inputs that are shown at all.
const LONGEST: usize = 2_000;
const MOST: usize = 16;

pub fn section(findings: &Findings) -> Markup {
    let Some(law) = &findings.input_law else { return html! {} };
    html! {
        section id="input-law" {
            h2 { "The law of the worst inputs" }
            (formulas(law))
        }
    }
}

/// A formula, or as much of it as a page has room for.
fn formula(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn formulas(law: &InputLawReport) -> Markup {
    html! {
        @for one in law.inputs.iter().take(MOST) {
            p.formula { code { (formula(&one.law)) } }
            dl {
                @for (name, code) in [("elements", &one.length), ("element in C", &one.c), ("element in Rust", &one.rust)] {
                    @if !code.is_empty() { div { dt { (name) } dd { code { (formula(code)) } } } }
                }
            }
        }
        @if law.inputs.len() > MOST { p.hint { "and " (law.inputs.len() - MOST) " more inputs" } }
        @if law.is_pattern() {
            p {
                "Found by how its cost grows, at size " (ranges(law.inferred_at.iter().copied())) "."
                @if !law.checked_at.is_empty() {
                    " Nothing found costs more at size " (ranges(law.checked_at.iter().copied())) "."
                }
            }
        } @else { p {
            "Inferred from the worst inputs of size " (ranges(law.inferred_at.iter().copied()))
            "; at size " (ranges(law.checked_at.iter().copied())) " it gives inputs that cost as much as what a search finds."
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, formulas};
    use crate::input_law::{InputFormula, InputLawReport};

    #[test]
    fn a_law_is_shown_with_its_expressions() {
        let [name, law, length, c, rust] = ["a", "a[i] = n - i", "n", "(n - i)", "(n - i)"].map(str::to_owned);
        let inputs = vec![InputFormula { name, law, length, c, rust, pattern: None }];
        let mut law = InputLawReport { inputs, inferred_at: vec![3, 4, 5], checked_at: vec![9] };
        let shown = formulas(&law).into_string();
        assert!(shown.contains("<code>a[i] = n - i</code>") && shown.contains("size 3–5; at size 9"), "{shown}");
        law.inputs[0].c = "é".repeat(100_000);
        assert!(formulas(&law).into_string().len() < 2 * LONGEST + 1_000);
    }
}
