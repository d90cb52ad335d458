//! The learned policy in the document: what it says at which source line, and how it was chosen.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use slowpath_program::SiteId;
use slowpath_search::policy::{Level, Policy};
use slowpath_search::{Candidate, Learned};

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
    // A loop, for one, is left where its condition fails.
    lines.push("true and false are those of the compiled branch, which may test the opposite of the line:".to_owned());
    let rules = match &best.policy {
        Policy::Branch(p) => {
            let mut sites: BTreeMap<SiteId, Vec<(u32, Level)>> = BTreeMap::new();
            for (site, side, level) in p.entries() {
                sites.entry(site).or_default().push((side, level));
            }
            let rule = |(site, sides): (&SiteId, &Vec<(u32, Level)>)| {
                format!("{}: {}", sources.place(subject, *site), words(sides))
            };
            sites.iter().map(rule).collect::<Vec<_>>()
        }
        Policy::History(p) => p
            .rules()
            .into_iter()
            .map(|(site, history, choices)| {
                let sides: Vec<String> = choices.sides().map(side_name).collect();
                let after = if history.is_empty() {
                    String::new()
                } else {
                    let past: Vec<String> = history.iter().rev().map(|(_, side)| side_name(*side)).collect();
                    format!(" after {}", past.join(", "))
                };
                format!("{}: {} when possible{after}", sources.place(subject, site), sides.join(" or "))
            })
            .collect(),
    };
    let left = rules.len().saturating_sub(SHOWN);
    lines.extend(rules.into_iter().take(SHOWN));
    if left > 0 {
        lines.push(format!("and {left} more rules"));
    }
    lines
}

/// A side in words.
fn side_name(side: u32) -> String {
    match side {
        0 => "false".to_owned(),
        1 => "true".to_owned(),
        n => format!("case {n}"),
    }
}

fn words(sides: &[(u32, Level)]) -> String {
    let of =
        |wanted: Level| -> Vec<String> { sides.iter().filter(|s| s.1 == wanted).map(|s| side_name(s.0)).collect() };
    let (free, forced) = (of(Level::Permitted), of(Level::IfForced));
    match (free.as_slice(), forced.as_slice()) {
        ([], forced) => format!("{}, which is forced", forced.join(" or ")),
        ([one], []) => format!("always {one}"),
        ([one], _) => format!("always {one} when possible"),
        (many, _) => many.join(" or "),
    }
}

/// The user's source, to quote lines from.
pub(crate) struct Sources {
    name: String,
    lines: Vec<String>,
}

impl Sources {
    pub(crate) fn read(subject: &Subject) -> Sources {
        let text = std::fs::read_to_string(&subject.file).unwrap_or_default();
        let name = subject.file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        Sources { name, lines: text.lines().map(|l| l.trim().to_owned()).collect() }
    }

    /// `isort.c:6 'while (j >= 0 && a[j] > x) {'`
    fn place(&self, subject: &Subject, site: SiteId) -> String {
        match self.locate(subject, site) {
            (place, Some(line)) => format!("{place} '{line}'"),
            (place, None) => place,
        }
    }

    /// `isort.c:6`, and what stands there.
    pub(crate) fn locate(&self, subject: &Subject, site: SiteId) -> (String, Option<String>) {
        let program = &subject.program;
        let Some(location) = program.sites.get(site.index()).and_then(|s| program.source.locate(s.offset)) else {
            return (program.site_place(site), None);
        };
        let file = location.file.rsplit('/').next().unwrap_or(&location.file);
        let line = self.lines.get(location.line.wrapping_sub(1) as usize);
        let line = line.filter(|text| file == self.name && !text.is_empty()).cloned();
        (format!("{file}:{}", location.line), line)
    }
}
