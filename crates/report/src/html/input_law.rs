//! The law of the worst inputs: a formula for each, and expressions to make them with.

use maud::{Markup, html};
use serde::Deserialize;

use crate::findings::Findings;
use crate::html::parts::ranges;
use crate::json::value_to_json;

/// Characters of a member that is shown as it stands, and inputs that are shown at all.
const LONGEST: usize = 20_000;
const MOST: usize = 16;

/// The member `input_law`.
#[derive(Clone, Debug, Deserialize)]
struct InputLaw {
    inputs: Vec<OneLaw>,
    #[serde(default)]
    inferred_at: Vec<i64>,
    #[serde(default)]
    checked_at: Vec<i64>,
}

#[derive(Clone, Debug, Deserialize)]
struct OneLaw {
    law: String,
    #[serde(default)]
    length: String,
    #[serde(default)]
    c: String,
    #[serde(default)]
    rust: String,
}

pub fn section(findings: &Findings) -> Markup {
    let Some(member) = findings.input_law.as_ref().filter(|law| !law.is_null()) else { return html! {} };
    let whole = value_to_json(member);
    let known = InputLaw::deserialize(member).ok().filter(|_| whole.len() <= LONGEST);
    html! {
        section id="input-law" {
            h2 { "The law of the worst inputs" }
            @match known {
                Some(law) => (formulas(&law)),
                None => {
                    @let shown: String = whole.chars().take(LONGEST).collect();
                    pre { (shown) @if shown.len() < whole.len() { "…" } }
                }
            }
        }
    }
}

fn formulas(law: &InputLaw) -> Markup {
    html! {
        @for one in law.inputs.iter().take(MOST) {
            p.formula { code { (one.law) } }
            dl {
                @for (name, code) in [("elements", &one.length), ("element in C", &one.c), ("element in Rust", &one.rust)] {
                    @if !code.is_empty() { div { dt { (name) } dd { code { (code) } } } }
                }
            }
        }
        @if law.inputs.len() > MOST { p.hint { "and " (law.inputs.len() - MOST) " more inputs" } }
        p {
            "Inferred from the worst inputs of size " (ranges(law.inferred_at.iter().copied()))
            "; at size " (ranges(law.checked_at.iter().copied())) " it gives inputs that cost as much as what a search finds."
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{InputLaw, formulas};

    #[test]
    fn a_law_is_shown_with_its_expressions() {
        let member = json!({
            "inputs": [{"name": "a", "law": "a[i] = n - i", "length": "n", "c": "(n - i)", "rust": "(n - i)"}],
            "inferred_at": [3, 4, 5], "checked_at": [9],
        });
        let shown = formulas(&serde_json::from_value::<InputLaw>(member).unwrap()).into_string();
        assert!(shown.contains("<code>a[i] = n - i</code>") && shown.contains("size 3–5; at size 9"), "{shown}");
    }
}
