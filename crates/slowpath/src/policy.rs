//! The learned policy in the document: what it says at which source line, and how it was chosen.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use slowpath_program::SiteId;
use slowpath_search::policy::{Level, Policy};
use slowpath_search::{Candidate, Learned};

use crate::sources::{Sides, Sources};
use crate::subject::Subject;

/// Rules shown in words before the rest is only counted.
const SHOWN: usize = 12;

/// The policies kept, best first; none where nothing was learned.
pub(crate) fn report(subject: &Subject, learned: &Learned) -> Option<Value> {
    let best = learned.chosen.candidates.first()?;
    let sources = Sources::read(subject);
    Some(json!({
        "kind": kind(&best.policy),
        "history": history(&best.policy),
        "learned_at": [best.learned.0, best.learned.1],
        "validated_at": best.validated,
        "deterministic": best.deterministic,
        "why": why(best),
        "explained": explain(subject, &sources, best),
        "alternatives": learned.chosen.candidates[1..].iter().map(|c| json!({
            "kind": kind(&c.policy),
            "history": history(&c.policy),
            "learned_at": [c.learned.0, c.learned.1],
            "validated_at": c.validated,
            "deterministic": c.deterministic,
        })).collect::<Vec<_>>(),
    }))
}

fn kind(policy: &Policy) -> &'static str {
    match policy {
        Policy::Branch(_) => "wise",
        Policy::History(_) => "history",
    }
}

/// The length of histories, `null` for branch policies and unlimited ones.
fn history(policy: &Policy) -> Option<usize> {
    match policy {
        Policy::Branch(_) => None,
        Policy::History(h) => h.length,
    }
}

fn why(c: &Candidate) -> String {
    let learned = if c.learned.0 == c.learned.1 {
        format!("learned at size {}", c.learned.0)
    } else {
        format!("learned at sizes {} to {}", c.learned.0, c.learned.1)
    };
    let judged = match (c.validated.as_slice(), c.is_validated()) {
        ([], _) => "no larger size was there to hold it against".to_owned(),
        (sizes, true) => format!("it finds the exact worst case of the held-out sizes {sizes:?}"),
        (_, false) => format!("it misses the exact worst case of size {:?}", c.failed),
    };
    let paths = if c.deterministic { "following one path" } else { "following several paths" };
    format!("{learned}; {judged}, {paths}")
}

fn explain(subject: &Subject, sources: &Sources, best: &Candidate) -> Vec<String> {
    let mut lines = vec![format!("{} policy, {}", kind(&best.policy), why(best))];
    let rules: Vec<(Vec<SiteId>, String)> = match &best.policy {
        Policy::Branch(p) => {
            let mut sites: BTreeMap<SiteId, Vec<(u32, Level)>> = BTreeMap::new();
            for (site, side, level) in p.entries() {
                sites.entry(site).or_default().push((side, level));
            }
            let rule = |(site, levels): (&SiteId, &Vec<(u32, Level)>)| {
                let (place, sides) = sources.place(subject, *site);
                (vec![*site], format!("{place}: {}", words(sides, levels)))
            };
            sites.iter().map(rule).collect()
        }
        Policy::History(p) => p
            .rules()
            .into_iter()
            .map(|(site, history, choices)| {
                let (place, sides) = sources.place(subject, site);
                let named: Vec<String> = choices.sides().map(|side| sides.name(side)).collect();
                let after = if history.is_empty() {
                    String::new()
                } else {
                    let past = |(site, side): &(SiteId, u32)| sources.place(subject, *site).1.name(*side);
                    format!(" after {}", history.iter().rev().map(past).collect::<Vec<_>>().join(", "))
                };
                let involved = history.iter().map(|(site, _)| *site).chain([site]).collect();
                (involved, format!("{place}: {} when possible{after}", named.join(" or ")))
            })
            .collect(),
    };
    let left = rules.len().saturating_sub(SHOWN);
    let shown = &rules[..rules.len() - left];
    let compiled = |site: &SiteId| sources.place(subject, *site).1 == Sides::Compiled;
    if shown.iter().any(|(sites, _)| sites.iter().any(compiled)) {
        lines.push(
            "taken and not taken are said of the compiled branch, where it cannot be told from the line".to_owned(),
        );
    }
    lines.extend(shown.iter().map(|(_, rule)| rule.clone()));
    if left > 0 {
        lines.push(format!("and {left} more rules"));
    }
    lines
}

fn words(sides: Sides, levels: &[(u32, Level)]) -> String {
    let of = |wanted: Level| -> Vec<String> {
        levels.iter().filter(|(_, level)| *level == wanted).map(|(side, _)| sides.name(*side)).collect()
    };
    let (free, forced) = (of(Level::Permitted), of(Level::IfForced));
    match (free.as_slice(), forced.as_slice()) {
        ([], forced) => format!("{}, which is forced", forced.join(" or ")),
        ([one], []) => format!("always {one}"),
        ([one], _) => format!("always {one} when possible"),
        (many, _) => many.join(" or "),
    }
}
