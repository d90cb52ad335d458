//! The learned policy: what to do at which source line. And the law of the inputs, as it stands in the document.

use maud::{Markup, html};

use crate::findings::Findings;
use crate::html::page::{table, text};
use crate::json::value_to_json;

/// Characters of a member that is shown as it stands.
const LONGEST: usize = 20_000;

pub fn section(findings: &Findings) -> Markup {
    html! { (policy(findings)) (input_law(findings)) }
}

fn policy(findings: &Findings) -> Markup {
    let Some(lines) = findings.policy.as_ref().and_then(|policy| policy["explained"].as_array()) else {
        return html! {};
    };
    let lines: Vec<&str> = lines.iter().filter_map(|line| line.as_str()).collect();
    let rules: Vec<Vec<Markup>> = lines.iter().filter_map(|line| rule(line)).map(cells).collect();
    html! {
        section id="policy" {
            h2 { "The way to the worst case" }
            @for line in lines.iter().filter(|line| rule(line).is_none()) { p { (line) } }
            @if !rules.is_empty() { (table(&[("place", false), ("source", false), ("the worst path goes", false)], &rules)) }
        }
    }
}

fn cells((place, source, rule): (&str, Option<&str>, &str)) -> Vec<Markup> {
    vec![html! { code { (place) } }, html! { @if let Some(source) = source { code { (source) } } }, text(rule)]
}

/// A rule taken apart: `isort.c:10 'while (…) {': always false`. Anything else is a sentence.
fn rule(line: &str) -> Option<(&str, Option<&str>, &str)> {
    if let Some((before, rule)) = line.rsplit_once("': ") {
        let (place, source) = before.split_once(" '")?;
        return Some((place, Some(source), rule));
    }
    let (place, rule) = line.rsplit_once(": ")?;
    Some((place, None, rule))
}

fn input_law(findings: &Findings) -> Markup {
    let Some(law) = findings.input_law.as_ref().filter(|law| !law.is_null()) else { return html! {} };
    let whole = value_to_json(law);
    let shown: String = whole.chars().take(LONGEST).collect();
    html! {
        section id="input-law" {
            h2 { "The law of the worst inputs" }
            pre { (shown) @if shown.len() < whole.len() { "…" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rule;

    #[test]
    fn rules_are_told_from_sentences() {
        let quoted = rule("a.c:10 'case ':': x': always false");
        assert_eq!(quoted, Some(("a.c:10", Some("case ':': x"), "always false")));
        assert_eq!(rule("f.wat:3: true or false"), Some(("f.wat:3", None, "true or false")));
        assert_eq!(rule("wise policy, learned at size 1"), None);
    }
}
