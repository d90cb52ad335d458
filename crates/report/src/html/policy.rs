//! The learned policy: what to do at which source line.

use maud::{Markup, html};
use serde_json::Value;

use crate::findings::Findings;
use crate::html::parts::{table, text};

pub fn section(findings: &Findings) -> Markup {
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

/// What to do at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'d> {
    /// `file:line`
    pub place: &'d str,
    /// The condition, or the whole line.
    pub quoted: Option<&'d str>,
    pub words: &'d str,
}

/// The rules of a policy one by one. Older documents only have them as sentences.
pub fn rules(policy: &Value) -> Vec<Rule<'_>> {
    match policy["rules"].as_array() {
        Some(rules) => rules.iter().filter_map(kept).collect(),
        None => {
            let lines = policy["explained"].as_array().into_iter().flatten().filter_map(Value::as_str);
            lines.filter_map(rule).map(|(place, quoted, words)| Rule { place, quoted, words }).collect()
        }
    }
}

fn kept(rule: &Value) -> Option<Rule<'_>> {
    Some(Rule { place: rule["place"].as_str()?, quoted: rule["quoted"].as_str(), words: rule["rule"].as_str()? })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Rule, rule, rules};

    #[test]
    fn rules_are_told_from_sentences() {
        let quoted = rule("a.c:10 'case ':': x': always false");
        assert_eq!(quoted, Some(("a.c:10", Some("case ':': x"), "always false")));
        assert_eq!(rule("f.wat:3: true or false"), Some(("f.wat:3", None, "true or false")));
        assert_eq!(rule("wise policy, learned at size 1"), None);
    }

    #[test]
    fn rules_are_found_in_documents_old_and_new() {
        let expected = [Rule { place: "a.c:3", quoted: Some("x > y"), words: "always true" }];
        assert_eq!(rules(&json!({"explained": ["wise policy", "a.c:3 'x > y': always true"]})), expected);
        let kept = json!({"place": "a.c:3", "quoted": "x > y", "rule": "always true"});
        assert_eq!(rules(&json!({"rules": [kept, {"place": 3}, 4], "explained": ["b.c:1: x"]})), expected);
        assert!(rules(&json!([1])).is_empty());
    }
}
