//! Policies as rules that name source lines, and back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slowpath_program::SiteId;
use slowpath_search::policy::{BranchPolicy, Choices, Level, Policy};

/// What stands for every side, where there are more than policies tell apart.
const ANY: &str = "any";

/// Where a site is, for a reader. Nothing of it is read back but the site's number, so that a program which only moved or got
/// another comment keeps its policies.
pub(super) struct Spot {
    pub place: String,
    pub line: Option<String>,
    /// Its sides are cases by number rather than true and false.
    pub cases: bool,
}

/// What a policy says at one site after one history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    site: u32,
    #[serde(default)]
    place: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The last decisions of the same activation, oldest first; only in history policies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history: Option<Vec<String>>,
    sides: BTreeMap<String, Said>,
}

impl Rule {
    /// Decisions in its history.
    pub fn steps(&self) -> usize {
        self.history.as_ref().map_or(0, Vec::len)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    Forbidden,
    IfForced,
    Permitted,
}

/// One decision of a history.
type Step = (SiteId, u32);
/// The rule (counted from 1) that cannot be used, and why.
type Wrong = (usize, String);

/// Everything a policy says.
pub(super) fn rules_of(policy: &Policy, spot: &dyn Fn(SiteId) -> Spot) -> Vec<Rule> {
    // A line is looked up once: long histories name the same few again and again.
    let mut spots: BTreeMap<SiteId, Spot> = BTreeMap::new();
    match policy {
        Policy::Branch(policy) => {
            let mut rules: BTreeMap<SiteId, Rule> = BTreeMap::new();
            for (site, side, level) in policy.entries() {
                let at = spots.entry(site).or_insert_with(|| spot(site));
                let rule = rules.entry(site).or_insert_with(|| rule(site, at, None));
                rule.sides.insert(side_name(side, at.cases), said(level));
            }
            rules.into_values().collect()
        }
        Policy::History(policy) => {
            let mut rules = Vec::new();
            for (site, history, choices) in policy.rules() {
                let mut step = |(site, side): &Step| {
                    let at = spots.entry(*site).or_insert_with(|| spot(*site));
                    format!("{} {} #{}", at.place, side_name(*side, at.cases), site.0)
                };
                let history = history.iter().rev().map(&mut step).collect();
                let at = spots.entry(site).or_insert_with(|| spot(site));
                let mut rule = rule(site, at, Some(history));
                if choices == Choices::all() {
                    rule.sides.insert(ANY.to_owned(), Said::Permitted);
                } else {
                    rule.sides.extend(choices.sides().map(|side| (side_name(side, at.cases), Said::Permitted)));
                }
                rules.push(rule);
            }
            rules
        }
    }
}

fn rule(site: SiteId, at: &Spot, history: Option<Vec<String>>) -> Rule {
    Rule { site: site.0, place: at.place.clone(), line: at.line.clone(), history, sides: BTreeMap::new() }
}

/// A branch policy from its rules.
pub(super) fn branch_policy(rules: &[Rule], exists: &dyn Fn(u32) -> bool) -> Result<BranchPolicy, Wrong> {
    let mut entries: BTreeMap<(SiteId, u32), Level> = BTreeMap::new();
    for (position, rule) in rules.iter().enumerate() {
        let wrong = |what: String| (position + 1, what);
        let site = site(rule.site, exists).map_err(wrong)?;
        if rule.history.is_some() {
            return Err(wrong("a policy of kind \"wise\" has no histories".to_owned()));
        }
        for (name, said) in &rule.sides {
            let side = parse_side(name).ok_or_else(|| wrong(no_side(name)))?;
            let level = match said {
                Said::Forbidden => Level::Forbidden,
                Said::IfForced => Level::IfForced,
                Said::Permitted => Level::Permitted,
            };
            if entries.insert((site, side), level).is_some() {
                return Err(wrong(format!("`{name}` of site {} is there twice", site.0)));
            }
        }
    }
    Ok(BranchPolicy::from_entries(entries.into_iter().map(|((site, side), level)| (site, side, level))))
}

/// The rules of a history policy whose histories have at most so many decisions.
pub(super) fn history_rules(
    rules: &[Rule],
    most: usize,
    exists: &dyn Fn(u32) -> bool,
) -> Result<Vec<(SiteId, Vec<Step>, Choices)>, Wrong> {
    let read = |(position, rule): (usize, &Rule)| history_rule(rule, most, exists).map_err(|what| (position + 1, what));
    rules.iter().enumerate().map(read).collect()
}

fn history_rule(
    rule: &Rule,
    most: usize,
    exists: &dyn Fn(u32) -> bool,
) -> Result<(SiteId, Vec<Step>, Choices), String> {
    let at = site(rule.site, exists)?;
    let Some(history) = &rule.history else { return Err("a history policy needs a `history`, if only []".to_owned()) };
    if history.len() > most {
        return Err(format!("its history has {} decisions, but at most {most} are looked at", history.len()));
    }
    let step = |text: &String| {
        let (number, side) = parse_step(text)
            .ok_or_else(|| format!("`{text}` is no decision; it has to be as in 'isort.c:10 true #3'"))?;
        Ok((site(number, exists)?, side))
    };
    let history = history.iter().rev().map(step).collect::<Result<Vec<Step>, String>>()?;
    let mut choices = Choices::default();
    for (name, said) in &rule.sides {
        let side = if name == ANY { None } else { Some(parse_side(name).ok_or_else(|| no_side(name))?) };
        choices = match (said, side) {
            (Said::Permitted, Some(side)) => choices.with(side),
            (Said::Permitted, None) => Choices::all(),
            // That is what a side it does not name is.
            (Said::IfForced, _) => choices,
            (Said::Forbidden, _) => return Err(format!("`{name}`: a history policy can forbid nothing")),
        };
    }
    if choices.is_empty() {
        return Err("it permits no side".to_owned());
    }
    Ok((at, history, choices))
}

fn site(number: u32, exists: &dyn Fn(u32) -> bool) -> Result<SiteId, String> {
    if exists(number) { Ok(SiteId(number)) } else { Err(format!("there is no site {number} in the program")) }
}

fn no_side(name: &str) -> String {
    format!("`{name}` is no side; there are true, false and 'case 0', 'case 1' …")
}

fn said(level: Level) -> Said {
    match level {
        Level::Forbidden => Said::Forbidden,
        Level::IfForced => Said::IfForced,
        Level::Permitted => Said::Permitted,
    }
}

fn side_name(side: u32, cases: bool) -> String {
    match side {
        0 if !cases => "false".to_owned(),
        1 if !cases => "true".to_owned(),
        n => format!("case {n}"),
    }
}

fn parse_side(name: &str) -> Option<u32> {
    match name {
        "false" => Some(0),
        "true" => Some(1),
        _ => name.strip_prefix("case ")?.parse().ok(),
    }
}

/// `isort.c:10 true #3`; places may hold anything, so it is read from its end.
fn parse_step(text: &str) -> Option<(u32, u32)> {
    let (rest, site) = text.rsplit_once(" #")?;
    let (before, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let side = match last {
        "false" | "true" => parse_side(last)?,
        number if before == "case" || before.ends_with(" case") => number.parse().ok()?,
        _ => return None,
    };
    Some((site.parse().ok()?, side))
}
