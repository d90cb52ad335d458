//! The learned policy: what to do at which source line.

use maud::{Markup, html};

use crate::findings::Findings;
use crate::html::parts::{table, text};
use crate::policy::PolicyReport;

pub fn section(findings: &Findings) -> Markup {
    let Some(policy) = &findings.policy else { return html! {} };
    let lines = &policy.explained;
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
pub fn rules(policy: &PolicyReport) -> Vec<Rule<'_>> {
    if policy.rules.is_empty() {
        let told = policy.explained.iter().filter_map(|line| rule(line));
        return told.map(|(place, quoted, words)| Rule { place, quoted, words }).collect();
    }
    let kept = policy.rules.iter();
    kept.map(|rule| Rule { place: &rule.place, quoted: rule.quoted.as_deref(), words: &rule.rule }).collect()
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
    use super::{Rule, rule, rules};
    use crate::policy::{LearnedPolicy, PolicyReport, PolicyRule};

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
        let best = LearnedPolicy {
            kind: "wise".to_owned(),
            history: None,
            learned_at: (1, 4),
            validated_at: Vec::new(),
            deterministic: true,
        };
        let explained = vec!["wise policy".to_owned(), "a.c:3 'x > y': always true".to_owned()];
        let old = PolicyReport { best, why: String::new(), explained, rules: Vec::new(), alternatives: Vec::new() };
        assert_eq!(rules(&old), expected);
        let [place, quoted, rule] = ["a.c:3", "x > y", "always true"].map(str::to_owned);
        let kept = PolicyRule { place, quoted: Some(quoted), rule };
        assert_eq!(rules(&PolicyReport { rules: vec![kept], explained: vec!["b.c:1: x".to_owned()], ..old }), expected);
    }
}
