//! The learned policy in the document: what it says at which source line, and how it was chosen.

use std::collections::{BTreeMap, HashMap, HashSet};

use slowpath_program::SiteId;
use slowpath_report::{LearnedPolicy, PolicyReport, PolicyRule};
use slowpath_search::policy::{HistoryPolicy, Level, Policy};
use slowpath_search::{Candidate, Learned};

use crate::sources::{Sides, Sources};
use crate::subject::Subject;

/// Rules shown in words before the rest is only counted.
const SHOWN: usize = 12;
/// Rules kept one by one, for whoever shows them beside the source.
const KEPT: usize = 200;
/// Decisions of a history that are shown.
const LONGEST: usize = 24;

/// The policies kept, best first; none where nothing was learned. `caught_out`: a size at which there is worse than what they find.
pub(crate) fn report(subject: &Subject, learned: &Learned, caught_out: Option<i64>) -> Option<PolicyReport> {
    let best = learned.policies.candidates.first()?;
    let sources = Sources::read(subject);
    let rules = rules(subject, &sources, &best.policy);
    let kept = |rule: &Rule| {
        let quoted = rule.place.split_once(" '").and_then(|(_, quoted)| quoted.strip_suffix('\''));
        let (place, quoted) = (sources.locate(subject, rule.site).0, quoted.map(str::to_owned));
        PolicyRule { place, quoted, rule: rule.words.clone() }
    };
    let but = caught_out.map(|size| format!("; but at size {size} there is worse than what it finds"));
    let why = format!("{}{}", why(best, learned), but.unwrap_or_default());
    Some(PolicyReport {
        best: one(best),
        explained: explain(&rules, best, &why),
        why,
        rules: rules.iter().take(KEPT).map(kept).collect(),
        alternatives: learned.policies.candidates[1..].iter().map(one).collect(),
    })
}

fn one(candidate: &Candidate) -> LearnedPolicy {
    LearnedPolicy {
        kind: kind(&candidate.policy).to_owned(),
        history: history(&candidate.policy),
        learned_at: candidate.learned,
        validated_at: candidate.validated.clone(),
        deterministic: candidate.deterministic,
    }
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

fn why(c: &Candidate, from: &Learned) -> String {
    // Of a policy that was learned before, what is saved is all that is known.
    let is_exact = |size: &i64| from.explored.iter().all(|found| found.size != *size || found.complete);
    let worst = |sizes: &[i64]| if sizes.iter().all(is_exact) { "exact worst case" } else { "worst case known" };
    let learned = if c.learned.0 == c.learned.1 {
        format!("learned at size {}", c.learned.0)
    } else {
        format!("learned at sizes {} to {}", c.learned.0, c.learned.1)
    };
    let judged = match (c.validated.as_slice(), c.is_validated()) {
        ([], _) => "it was validated on no larger size".to_owned(),
        (sizes, true) => format!("it finds the {} of the held-out sizes {sizes:?}", worst(sizes)),
        (_, false) => format!("it misses the {} of size {:?}", worst(&c.failed), c.failed),
    };
    let paths = if c.deterministic { "following one path" } else { "following several paths" };
    format!("{learned}; {judged}, {paths}")
}

fn explain(rules: &[Rule], best: &Candidate, why: &str) -> Vec<String> {
    let mut lines = vec![format!("{} policy, {why}", kind(&best.policy))];
    let left = rules.len().saturating_sub(SHOWN);
    let shown = &rules[..rules.len() - left];
    if shown.iter().any(|rule| rule.of_the_compiled_branch) {
        let note = "taken and not taken are said of the compiled branch, where it cannot be told from the line";
        lines.push(note.to_owned());
    }
    lines.extend(shown.iter().map(|rule| format!("{}: {}", rule.place, rule.words)));
    if left > 0 {
        lines.push(format!("and {left} more rules"));
    }
    lines
}

/// What to do at one site, perhaps after a certain history.
struct Rule {
    site: SiteId,
    place: String,
    words: String,
    /// It could not be said in the terms of the source.
    of_the_compiled_branch: bool,
}

fn rules(subject: &Subject, sources: &Sources, policy: &Policy) -> Vec<Rule> {
    match policy {
        Policy::Branch(policy) => {
            let mut sites: BTreeMap<SiteId, Vec<(u32, Level)>> = BTreeMap::new();
            for (site, side, level) in policy.entries() {
                sites.entry(site).or_default().push((side, level));
            }
            let rule = |(site, levels): (&SiteId, &Vec<(u32, Level)>)| {
                let (place, sides) = sources.place(subject, *site);
                let of_the_compiled_branch = sides == Sides::Compiled;
                Rule { site: *site, place, words: words(sides, levels), of_the_compiled_branch }
            };
            sites.iter().map(rule).collect()
        }
        Policy::History(policy) => history_rules(subject, sources, policy),
    }
}

/// One rule for every history, but only one in all for a site that always does the same.
fn history_rules(subject: &Subject, sources: &Sources, policy: &HistoryPolicy) -> Vec<Rule> {
    let all = policy.rules();
    let mut choices: HashMap<SiteId, Option<Vec<u32>>> = HashMap::new();
    for (site, _, sides) in &all {
        let sides: Vec<u32> = sides.sides().collect();
        let known = choices.entry(*site).or_insert_with(|| Some(sides.clone()));
        if known.as_ref().is_some_and(|known| *known != sides) {
            *known = None;
        }
    }
    let places: HashMap<SiteId, (String, Sides)> =
        choices.keys().map(|site| (*site, sources.place(subject, *site))).collect();
    let mut told = HashSet::new();
    let mut rules = Vec::new();
    for (site, history, sides) in all {
        let (place, names) = &places[&site];
        let named = sides.sides().map(|side| names.name(side)).collect::<Vec<_>>().join(" or ");
        let mut of_the_compiled_branch = *names == Sides::Compiled;
        let words = if choices[&site].is_some() {
            if !told.insert(site) {
                continue;
            }
            format!("always {named} when possible")
        } else if history.is_empty() || rules.len() >= KEPT {
            format!("{named} when possible")
        } else {
            let mut past = Vec::new();
            for (site, side) in history.iter().take(LONGEST).rev() {
                let names = places.get(site).map_or(Sides::Other, |(_, names)| *names);
                of_the_compiled_branch |= names == Sides::Compiled;
                past.push(names.name(*side));
            }
            let more = if history.len() > LONGEST { "…, " } else { "" };
            format!("{named} when possible after {more}{}", past.join(", "))
        };
        rules.push(Rule { site, place: place.clone(), words, of_the_compiled_branch });
    }
    rules
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
