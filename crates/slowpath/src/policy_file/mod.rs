//! Learned policies as a file: readable, complete, and refused where they do not belong.

mod rules;
mod text;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slowpath_program::SiteId;
use slowpath_program::call::Entry;
use slowpath_program::module::NO_SITE;
use slowpath_program::{Program, SiteKind};
use slowpath_report::ModuleIdentity;
use slowpath_search::policy::{Favourites, Frequencies, HistoryPolicy, Policy};
use slowpath_search::{Candidate, PolicySet};

use crate::error::Error;
use crate::error::policy::{MOST_BYTES, MOST_POLICIES, MOST_STEPS, PolicyError, SCHEMA};
use crate::request::{AnalyzeRequest, Strategy};
use crate::sources::Sources;
use crate::subject::Subject;
use rules::{Rule, Spot, branch_policy, history_rules, rules_of};

/// Decisions in one history: policies are walked recursively.
const MOST_DEEP: usize = 1024;

/// The document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyFile {
    schema: u64,
    slowpath: String,
    program: String,
    module: ModuleIdentity,
    function: String,
    /// The call or the harness it was learned with.
    entry: String,
    cost_model: String,
    /// Best first.
    policies: Vec<Saved>,
}

/// One alternative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Saved {
    kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history_length: Option<Length>,
    learned_at: [i64; 2],
    /// Held-out sizes whose exact worst case it found.
    validated_at: Vec<i64>,
    /// Held-out sizes whose exact worst case it missed.
    missed_at: Vec<i64>,
    deterministic: bool,
    /// The least part of an exact worst cost that it found.
    #[serde(rename = "reach")]
    least_share: f64,
    /// How far `true` may be ahead of `false` at a site: site, from, to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    true_ahead: Vec<(u32, i64, i64)>,
    rules: Vec<Rule>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Wise,
    History,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Length {
    Fixed(usize),
    Named(Unlimited),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unlimited {
    Unlimited,
}

impl PolicyFile {
    /// As text, a rule on each line.
    pub fn to_json(&self) -> String {
        // Every key is a string and every float finite, so there is nothing to fail.
        text::lines(&serde_json::to_value(self).unwrap_or_default())
    }
}

/// Refuses a request whose strategy would learn nothing.
pub(crate) fn check_learns(request: &AnalyzeRequest) -> Result<(), PolicyError> {
    if has_policies(request) { Ok(()) } else { Err(PolicyError::LearnsNothing(request.strategy.name())) }
}

fn has_policies(request: &AnalyzeRequest) -> bool {
    match request.strategy {
        Strategy::Auto | Strategy::Wise | Strategy::History | Strategy::Synthesize => true,
        Strategy::Evolve => request.evolve_from_policy,
        Strategy::Exhaustive | Strategy::Memo | Strategy::DepthFirst | Strategy::Random => false,
        Strategy::Mutate | Strategy::Pump => false,
    }
}

/// What was learned, as a document.
pub(crate) fn keep(subject: &Subject, policies: &PolicySet) -> Result<PolicyFile, PolicyError> {
    if policies.candidates.is_empty() {
        return Err(PolicyError::NothingLearned);
    }
    if too_long(policies) {
        return Err(PolicyError::TooLong);
    }
    let sources = Sources::read(subject);
    let spot = |site: SiteId| {
        let (place, line) = sources.locate(subject, site);
        let kind = subject.program.sites.get(site.index()).map(|s| s.kind);
        Spot { place, line, cases: kind == Some(SiteKind::BrTable) }
    };
    Ok(PolicyFile {
        schema: SCHEMA,
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        program: name(subject),
        module: ModuleIdentity::of(&subject.compiled.wasm),
        function: subject.entry.function().to_owned(),
        entry: entry(subject),
        cost_model: subject.cost.to_string(),
        policies: policies.candidates.iter().map(|candidate| saved(candidate, &spot)).collect(),
    })
}

fn too_long(policies: &PolicySet) -> bool {
    let histories = |candidate: &Candidate| match &candidate.policy {
        Policy::Branch(_) => (0, 0),
        Policy::History(policy) => (policy.steps(), policy.height()),
    };
    let lengths: Vec<(usize, usize)> = policies.candidates.iter().map(histories).collect();
    lengths.iter().map(|l| l.0).sum::<usize>() > MOST_STEPS || lengths.iter().any(|l| l.1 > MOST_DEEP)
}

fn saved(candidate: &Candidate, spot: &dyn Fn(SiteId) -> Spot) -> Saved {
    let (kind, history_length) = match &candidate.policy {
        Policy::Branch(_) => (Kind::Wise, None),
        Policy::History(p) => {
            (Kind::History, Some(p.length.map_or(Length::Named(Unlimited::Unlimited), Length::Fixed)))
        }
    };
    Saved {
        kind,
        history_length,
        learned_at: [candidate.learned.0, candidate.learned.1],
        validated_at: candidate.validated.clone(),
        missed_at: candidate.failed.clone(),
        deterministic: candidate.deterministic,
        least_share: candidate.least_share,
        true_ahead: candidate.frequencies.entries().map(|(site, low, high)| (site.0, low, high)).collect(),
        rules: rules_of(&candidate.policy, spot),
    }
}

/// The policies of a file, if they are this program's; and what is to be said about them.
pub(crate) fn load(
    file: &Path,
    request: &AnalyzeRequest,
    subject: &Subject,
) -> Result<(PolicySet, Option<String>), Error> {
    let bytes = read(file)?;
    let refused = |source| Error::Policy { file: file.to_owned(), source };
    if request.sizes.is_none() {
        return Err(refused(PolicyError::NoSizes));
    }
    if !has_policies(request) {
        return Err(refused(PolicyError::NoUse(request.strategy.name())));
    }
    let document = parse(&bytes).map_err(refused)?;
    check_subject(&document, subject).map_err(refused)?;
    let mut policies = policies(&document, &subject.program).map_err(refused)?;
    let fits = |c: &Candidate| match request.strategy {
        Strategy::Wise => matches!(c.policy, Policy::Branch(_)),
        Strategy::History => matches!(c.policy, Policy::History(_)),
        _ => true,
    };
    policies.candidates.retain(fits);
    if policies.candidates.is_empty() {
        let other = if request.strategy == Strategy::Wise { "history" } else { "wise" };
        return Err(refused(PolicyError::OtherKind(other)));
    }
    let (then, now) = (&document.entry, entry(subject));
    if *then == now {
        return Ok((policies, None));
    }
    // Other inputs have another worst case.
    policies.candidates.iter_mut().for_each(|c| c.validated.clear());
    let note = format!("{}: it was validated for {then}, which says nothing of {now}", file.display());
    Ok((policies, Some(note)))
}

fn read(file: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(MOST_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|source| Error::File { file: file.to_owned(), source })?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::Policy { file: file.to_owned(), source: PolicyError::TooLarge });
    }
    Ok(bytes)
}

fn parse(bytes: &[u8]) -> Result<PolicyFile, PolicyError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: u64,
    }
    let version: Versioned = serde_json::from_slice(bytes).map_err(PolicyError::NotAPolicy)?;
    if version.schema != SCHEMA {
        return Err(PolicyError::OtherSchema(version.schema));
    }
    serde_json::from_slice(bytes).map_err(PolicyError::NotAPolicy)
}

/// The body for fuzzers: whatever the bytes are, they are policies for the program or refused. Tells which.
pub fn fuzz_policy(bytes: &[u8], program: &Program) -> bool {
    parse(bytes).and_then(|document| policies(&document, program)).is_ok()
}

fn check_subject(document: &PolicyFile, subject: &Subject) -> Result<(), PolicyError> {
    // Another function of the same file is another module.
    let (then, now) = (document.function.clone(), subject.entry.function().to_owned());
    if then != now && document.program == name(subject) {
        return Err(PolicyError::OtherFunction { then, now });
    }
    let now = ModuleIdentity::of(&subject.compiled.wasm);
    if document.module != now {
        let words = |name: &str, m: &ModuleIdentity| format!("{name} ({} bytes, hash {})", m.bytes, m.fnv1a);
        let then = words(&document.program, &document.module);
        return Err(PolicyError::OtherProgram { then, now: words(&name(subject), &now) });
    }
    let (then, now) = (document.cost_model.clone(), subject.cost.to_string());
    if then != now {
        return Err(PolicyError::OtherCost { then, now });
    }
    Ok(())
}

fn policies(document: &PolicyFile, program: &Program) -> Result<PolicySet, PolicyError> {
    match document.policies.len() {
        0 => return Err(PolicyError::Empty),
        many if many > MOST_POLICIES => return Err(PolicyError::TooMany(many)),
        _ => {}
    }
    let rules = document.policies.iter().flat_map(|saved| &saved.rules);
    if rules.map(Rule::steps).sum::<usize>() > MOST_STEPS {
        return Err(PolicyError::TooManySteps);
    }
    let exists = |site: u32| site == NO_SITE || (site as usize) < program.sites.len();
    let candidates = document.policies.iter().enumerate().map(|(position, saved)| candidate(position, saved, &exists));
    Ok(PolicySet { candidates: candidates.collect::<Result<_, _>>()? })
}

fn candidate(position: usize, saved: &Saved, exists: &dyn Fn(u32) -> bool) -> Result<Candidate, PolicyError> {
    let wrong = |(rule, what)| PolicyError::Rule { policy: position + 1, rule, what };
    let policy = match saved.kind {
        Kind::Wise => Policy::Branch(branch_policy(&saved.rules, exists).map_err(wrong)?),
        Kind::History => {
            let length = match saved.history_length {
                None => return Err(PolicyError::NoLength(position + 1)),
                Some(Length::Fixed(length)) => Some(length),
                Some(Length::Named(Unlimited::Unlimited)) => None,
            };
            let most = length.unwrap_or(MOST_DEEP).min(MOST_DEEP);
            Policy::History(HistoryPolicy::from_rules(
                length,
                history_rules(&saved.rules, most, exists).map_err(wrong)?,
            ))
        }
    };
    Ok(Candidate {
        policy,
        frequencies: Frequencies::from_entries(saved.true_ahead.iter().map(|e| (SiteId(e.0), e.1, e.2))),
        // A file has no example of a path, so that all paths it leaves open are followed.
        favourites: Favourites::default(),
        finds_early: false,
        learned: (saved.learned_at[0], saved.learned_at[1]),
        validated: saved.validated_at.clone(),
        failed: saved.missed_at.clone(),
        deterministic: saved.deterministic,
        least_share: saved.least_share,
        complexity: position,
    })
}

/// The program's file without its folder.
fn name(subject: &Subject) -> String {
    subject.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn entry(subject: &Subject) -> String {
    match &subject.entry {
        Entry::Call(spec) => spec.to_string(),
        Entry::Harness { name } => format!("harness {name}"),
    }
}

#[cfg(test)]
mod tests;
