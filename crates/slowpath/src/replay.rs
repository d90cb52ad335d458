//! Runs the worst inputs of a document again, on an engine that is not ours and on our own machine.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_report::{Findings, ModuleIdentity, SizeResult, from_json};
use slowpath_search::{Budget, ConcreteRun, CostModel};
use slowpath_solver::SolverConfig;

use crate::document::counters;
use crate::error::Error;
use crate::request::{EntryRequest, Limits, ProgramRequest};
use crate::subject::Subject;
use crate::trust::{Trust, check_document};
use crate::verify::{Verifier, other_engine, replay_limits, trap_of};

const PAGE: u64 = 65_536;

/// Every size of a document, run again.
#[derive(Clone, Debug)]
pub struct Replay {
    pub findings: Findings,
    pub sizes: Vec<ReplayedSize>,
}

/// One worst input, run again. Counters are by name; an engine has only those it counts.
#[derive(Clone, Debug)]
pub struct ReplayedSize {
    pub size: i64,
    pub recorded: Map<String, Value>,
    pub machine: Map<String, Value>,
    /// On the other engine.
    pub replayed: Map<String, Value>,
    /// What each run ended in, if not in a return.
    pub traps: [Option<String>; 3],
    /// What differs, in words.
    pub differences: Vec<String>,
}

impl Replay {
    /// Whether everything is as it was.
    pub fn agrees(&self) -> bool {
        self.sizes.iter().all(|size| size.differences.is_empty())
    }

    /// For other programs.
    pub fn to_json(&self) -> Value {
        let size = |s: &ReplayedSize| {
            json!({
                "size": s.size, "agrees": s.differences.is_empty(), "differences": s.differences,
                "recorded": {"costs": s.recorded, "trap": s.traps[0]},
                "machine": {"costs": s.machine, "trap": s.traps[1]},
                other_engine(): {"costs": s.replayed, "trap": s.traps[2]},
            })
        };
        json!({"target": self.findings.target, "results": self.sizes.iter().map(size).collect::<Vec<_>>()})
    }
}

/// Runs the inputs of a document again. `program` says where the program is now, if it moved; `trust`, what the user vouches for.
pub fn replay(document: &Path, program: Option<PathBuf>, trust: Trust) -> Result<Replay, Error> {
    let findings = read_findings(document)?;
    let subject = rebuild(document, &findings, program, trust)?;
    let settings = &findings.settings;
    let limits = Limits {
        instructions: settings.max_instructions,
        depth: settings.max_depth,
        memory: settings.max_memory,
        ..Limits::default()
    };
    let engines = Engines { verifier: Verifier::new(&subject, &replay_limits(&limits)), subject, limits };
    let mut sizes = Vec::new();
    for result in &findings.results {
        if let Some(input) = &result.input {
            sizes.push(engines.run(result, input)?);
        }
    }
    Ok(Replay { sizes, findings })
}

/// A saved document: a file, or the directory it was saved to.
pub fn read_findings(document: &Path) -> Result<Findings, Error> {
    let file = if document.is_dir() { document.join("findings.json") } else { document.to_owned() };
    let text = std::fs::read_to_string(&file).map_err(|source| Error::File { file: file.clone(), source })?;
    from_json(&text).map_err(|source| Error::Document { file, source })
}

/// The program of a document, which must be the same to the byte. A document itself is not trusted: it cannot make code of others run.
pub(crate) fn rebuild(
    document: &Path,
    findings: &Findings,
    program: Option<PathBuf>,
    trust: Trust,
) -> Result<Subject, Error> {
    if !trust.document {
        check_document(document, findings, program.as_deref())?;
    }
    let target = &findings.target;
    let entry = match (target.options.call.as_ref().or(target.call.as_ref()), &target.harness) {
        (Some(call), _) => EntryRequest::Call(call.clone()),
        (None, Some(harness)) => EntryRequest::Harness(harness.clone()),
        (None, None) => return Err(Error::NoRecordedEntry { file: document.to_owned() }),
    };
    let request = ProgramRequest {
        optimize: target.compilation.optimize.clone(),
        cflags: target.compilation.cflags.clone(),
        options: target.options.clone(),
        cache: slowpath_source::default_cache(),
        trust_build: trust.build,
        ..ProgramRequest::new(program.unwrap_or_else(|| PathBuf::from(&target.file)))
    };
    let cost: CostModel = findings.cost_model.parse()?;
    let subject = Subject::load(&request, &entry, &cost)?;
    let now = ModuleIdentity::of(&subject.compiled.wasm);
    if now != target.module {
        let words = |id: &ModuleIdentity| format!("{} bytes with hash {}", id.bytes, id.fnv1a);
        return Err(Error::OtherProgram { file: request.file, now: words(&now), then: words(&target.module) });
    }
    Ok(subject)
}

struct Engines {
    verifier: Verifier,
    subject: Subject,
    limits: Limits,
}

impl Engines {
    fn run(&self, result: &SizeResult, input: &Value) -> Result<ReplayedSize, Error> {
        let n = result.size;
        let values = self.read_input(n, input)?;
        let target = self.subject.target(self.limits.machine(), SolverConfig::default(), 0);
        let run = ConcreteRun::of(&target, n, &values, &Budget::default())
            .map_err(|error| Error::Search { file: self.subject.file.clone(), source: Box::new(error) })?;
        let machine = counters(&run.costs, &self.subject.cost, run.cost);
        let machine_trap = run.outcome.as_ref().and_then(trap_of).map(ToString::to_string);
        let mut differences = differing("the machine", &result.costs, &machine);
        if run.outcome.is_none() {
            differences.push("a limit ended the run of the machine".to_owned());
        }
        let mut replayed = Map::new();
        let mut other_trap = None;
        match self.verifier.replay(n, &values) {
            Ok(run) => {
                other_trap = run.trap.map(|trap| trap.to_string());
                replayed.insert("instructions".to_owned(), run.instructions.into());
                replayed.insert("memory".to_owned(), (u64::from(run.memory_pages) * PAGE).into());
                replayed.insert("output".to_owned(), run.output.into());
                replayed.insert("custom".to_owned(), run.custom.into());
                let mut comparable = replayed.clone();
                if !run.exact {
                    comparable.remove("instructions");
                }
                differences.extend(differing(other_engine(), &result.costs, &comparable));
            }
            Err(why) => differences.push(format!("{} could not run it: {why}", other_engine())),
        }
        let traps = [result.trap.clone(), machine_trap, other_trap];
        if !traps.iter().all(|trap| is_the_end(traps[0].as_deref(), trap.as_deref())) {
            let [recorded, machine, other] = traps.each_ref().map(|trap| trap.as_deref().unwrap_or("returned"));
            let engine = other_engine();
            differences.push(format!("end: {recorded} recorded, {machine} on the machine, {other} on {engine}"));
        }
        Ok(ReplayedSize { size: n, recorded: result.costs.clone(), machine, replayed, traps, differences })
    }

    fn read_input(&self, n: i64, input: &Value) -> Result<InputValues, Error> {
        let wrong = |source| Error::RecordedInput { size: n, source };
        match &self.subject.entry {
            Entry::Call(spec) => self.subject.read_input(&spec.layout(n, 0)?, input).map_err(wrong),
            Entry::Harness { .. } => InputValues::from_json_untyped(input).map_err(wrong),
        }
    }
}

/// Whether a run ended as recorded, where `…` stands for what was unknown of a panic's message.
fn is_the_end(recorded: Option<&str>, ended: Option<&str>) -> bool {
    let (Some(recorded), Some(ended)) = (recorded, ended) else { return recorded == ended };
    let parts: Vec<&str> = recorded.split('…').collect();
    let [first, between @ .., last] = &parts[..] else { return recorded == ended };
    let Some(rest) = ended.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    between.iter().try_fold(rest, |rest, part| rest.split_once(part).map(|(_, after)| after)).is_some()
}

/// The counters of an engine that are not as recorded. Plain runs decide nothing symbolic.
fn differing(engine: &str, recorded: &Map<String, Value>, counted: &Map<String, Value>) -> Vec<String> {
    counted
        .iter()
        .filter(|(name, value)| *name != "decisions" && recorded.get(*name) != Some(*value))
        .map(|(name, value)| {
            let recorded = recorded.get(name).map_or_else(|| "nothing".to_owned(), Value::to_string);
            format!("{name}: {recorded} recorded, {value} on {engine}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::is_the_end;

    #[test]
    fn what_was_unknown_of_a_message_may_be_anything() {
        let ends = |recorded: &str, ended: &str| is_the_end(Some(recorded), Some(ended));
        assert!(ends("at 5: index … of …", "at 5: index 3 of 2") && ends("\"…\"", "\"**\"") && ends("same", "same"));
        assert!(!ends("at 5: index … of …", "at 6: index 3 of 2") && !ends("a…c", "abcd") && !ends("same", "same as"));
        assert!(is_the_end(None, None) && !is_the_end(Some("…"), None) && !is_the_end(None, Some("trap")));
    }
}
