//! What a panic of Rust says, where the call is a plain one.
//!
//! A program that puts its message together does so before it traps, which costs more than most functions; so a plain call is compiled without
//! that. Once there is an input that panics, it is run in a program compiled with it.

use std::sync::OnceLock;

use serde_json::Value;
use slowpath_machine::Limits;
use slowpath_program::Trap;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_report::Findings;
use slowpath_search::{Budget, ConcreteRun, CostModel};
use slowpath_solver::SolverConfig;
use slowpath_source::{Language, Wanted};

use crate::compile::options;
use crate::request::{EntryRequest, ProgramRequest};
use crate::subject::Subject;
use crate::verify::trap_of;

/// A program whose panics say what happened, compiled when it is first asked.
pub(crate) struct Panics<'r> {
    request: &'r ProgramRequest,
    entry: EntryRequest,
    limits: Limits,
    telling: OnceLock<Option<Subject>>,
}

impl<'r> Panics<'r> {
    /// None where panics say it anyway, or there are none: of crates, of generated functions, of other languages.
    pub(crate) fn of(request: &'r ProgramRequest, subject: &Subject, limits: Limits) -> Option<Panics<'r>> {
        let is_plain = subject.given_call.is_none() && !request.is_crate();
        let entry = match &subject.entry {
            Entry::Call(spec) => EntryRequest::Call(spec.to_string()),
            Entry::Harness { name } => EntryRequest::Harness(name.clone()),
        };
        (is_plain && Language::of(&request.file) == Some(Language::Rust)).then(|| Panics {
            request,
            entry,
            limits,
            telling: OnceLock::new(),
        })
    }

    /// What the panic says that an input leads to. None where the program is not to be had, or ends otherwise.
    pub(crate) fn message(&self, n: i64, input: &InputValues, budget: &Budget) -> Option<String> {
        let telling = self.telling.get_or_init(|| self.compile()).as_ref()?;
        let target = telling.target(self.limits, SolverConfig::default(), 0);
        let run = ConcreteRun::of(&target, n, input, budget).ok()?;
        let trap = run.outcome.as_ref().and_then(trap_of)?;
        trap.names_its_place().then(|| trap.to_string())
    }

    fn compile(&self) -> Option<Subject> {
        let options = options(self.request, Wanted::All, None).ok()?;
        let options = slowpath_source::Options { tell_panics: true, keep: None, ..options };
        let compiled = slowpath_source::load(&self.request.file, &options).ok()?;
        Subject::of_module(self.request, &self.entry, &CostModel::Instructions, compiled.wasm, compiled.missing).ok()
    }

    /// Adds to every panic of a document what it says.
    pub(crate) fn tell(&self, findings: &mut Findings, subject: &Subject, budget: &Budget) {
        let panic = Trap::Unreachable.to_string();
        for result in &mut findings.results {
            for trap in result.traps.iter_mut().filter(|trap| trap.trap == panic) {
                let said = |input: &Value| self.message(result.size, &read(subject, result.size, input)?, budget);
                // All or none, so that each stands beside its input.
                let messages: Option<Vec<String>> = trap.inputs.iter().map(said).collect();
                trap.messages = messages.unwrap_or_default();
            }
        }
    }
}

/// An input of a document as values.
fn read(subject: &Subject, n: i64, input: &Value) -> Option<InputValues> {
    match &subject.entry {
        Entry::Call(spec) => subject.read_input(&spec.layout(n, 0).ok()?, input).ok(),
        Entry::Harness { .. } => InputValues::from_json_untyped(input).ok(),
    }
}
