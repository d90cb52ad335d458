//! A run that can be gone on with: what it knows is journalled beside its result, and another run begins with that.
//!
//! A journal is not believed: inputs are run again, the worst path of an exploration is followed again, and what does not come to what was said is dropped.

mod journal;
mod lock;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use slowpath_portfolio::{FoundBy, Ledger};
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_report::ModuleIdentity;
use slowpath_search::work::{DEFAULT_EFFORT, Explorations, Key};
use slowpath_search::{Budget, Target};

use crate::error::Error;
use crate::error::resume::SCHEMA;
use crate::keep::SharedEngine;
use crate::parcel::{module, parcel_of};
use crate::request::AnalyzeRequest;
use crate::subject::Subject;
use journal::{Head, Journal, Writing};
use lock::Lock;

/// What an analysis has to do with journals: nothing, for most.
#[derive(Clone, Default)]
pub(crate) struct Keeping {
    writing: Option<Arc<Mutex<Writing>>>,
    before: Option<Arc<Journal>>,
    _lock: Option<Arc<Lock>>,
}

impl Keeping {
    /// Takes the folder of a request, and reads what is there if it is to be gone on with.
    pub fn begin(request: &AnalyzeRequest, subject: &Subject) -> Result<Keeping, Error> {
        let Some(keep) = &request.keep else { return Ok(Keeping::default()) };
        let lock = Lock::take(&keep.folder)?;
        let head = head(subject);
        let refused = |source| Error::Resume { file: keep.folder.join(journal::NAME), source };
        let before = if keep.resume { journal::read(&keep.folder).map_err(refused)? } else { None };
        if let Some(before) = &before {
            journal::check(&before.head, &head).map_err(refused)?;
        }
        let writing = Writing::new(&keep.folder, head, before.clone(), keep.every);
        let writing = Some(Arc::new(Mutex::new(writing)));
        Ok(Keeping { writing, before: before.map(Arc::new), _lock: Some(Arc::new(lock)) })
    }

    /// How the target's explorations are kept and carried.
    pub fn explorations(&self, request: &AnalyzeRequest, subject: &Subject) -> Explorations {
        let mut engine = request.engine.as_ref().and_then(SharedEngine::take);
        if self.writing.is_none() && engine.is_none() {
            return Explorations::default();
        }
        if let Some(engine) = &mut engine {
            engine.program(&parcel_of(subject, request));
        }
        let effort = request.engine.as_ref().map_or(DEFAULT_EFFORT, |engine| engine.effort);
        let known = self.before.iter().flat_map(|journal| &journal.explorations);
        let known: BTreeMap<Key, Vec<u8>> =
            known.filter_map(|kept| Some(((kept.size, kept.learns), kept.bytes()?))).collect();
        let keeping = self.clone();
        let sink = Box::new(move |key: Key, bytes: Vec<u8>, paths: u64, over: bool| {
            if let Some(mut writing) = keeping.writing() {
                writing.exploration(key, &bytes, paths, over);
            }
        });
        let explorations = Explorations::new(module(subject), known, sink, engine, effort);
        match &request.keep {
            Some(keep) => explorations.every(keep.every),
            None => explorations,
        }
    }

    fn writing(&self) -> Option<MutexGuard<'_, Writing>> {
        Some(self.writing.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Offers the inputs of an earlier run, each run again. What to say of those that could not be.
    pub fn offer(&self, subject: &Subject, target: &Target, budget: &Budget, ledger: &mut Ledger) -> Vec<String> {
        let mut lost = Vec::new();
        for kept in self.before.iter().flat_map(|journal| &journal.inputs) {
            let n = kept.size;
            match kept.again(subject, target, budget) {
                Some(found) => {
                    if found.cost().is_none_or(|cost| cost < kept.cost)
                        && let Some(mut writing) = self.writing()
                    {
                        writing.forget_input(n);
                    }
                    ledger.offer(FoundBy::EarlierRun, found);
                }
                None => {
                    lost.push(format!("size {n}: the input of an earlier run could not be run again"));
                    // Where only time was missing, the next run may have it.
                    if budget.expired().is_none()
                        && let Some(mut writing) = self.writing()
                    {
                        writing.forget_input(n);
                    }
                }
            }
        }
        self.note(ledger);
        lost
    }

    /// Notes the worst inputs by now.
    pub fn note(&self, ledger: &Ledger) {
        let Some(mut writing) = self.writing() else { return };
        for row in ledger.rows() {
            let Some((best, worst)) = row.best.as_ref().and_then(|best| Some((best, best.finding.worst.as_ref()?)))
            else {
                continue;
            };
            writing.input(row.size, worst.cost, &best.found_by.to_string(), || worst.input.to_json());
        }
    }

    /// Notes an input that was just run.
    pub fn note_input(&self, n: i64, cost: u64, input: &InputValues) {
        if let Some(mut writing) = self.writing() {
            writing.input(n, cost, "a run", || input.to_json());
        }
    }

    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        self.writing.is_some()
    }

    /// Writes what is known at the end. Why nothing could be written, if so.
    pub fn end(&self) -> Option<String> {
        let mut writing = self.writing()?;
        writing.save();
        let failure = writing.failure.take()?;
        Some(format!("this run cannot be gone on with: the journal could not be written: {failure}"))
    }
}

fn head(subject: &Subject) -> Head {
    let program = subject.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let entry = match &subject.entry {
        Entry::Call(spec) => spec.to_string(),
        Entry::Harness { name } => format!("harness {name}"),
    };
    Head {
        schema: SCHEMA,
        slowpath: env!("CARGO_PKG_VERSION").to_owned(),
        program,
        module: ModuleIdentity::of(&subject.compiled.wasm),
        entry,
        cost_model: subject.cost.to_string(),
    }
}

/// The body for fuzzers: whatever the bytes are, they are a journal or refused. Tells which.
pub fn fuzz_journal(bytes: &[u8]) -> bool {
    let Ok(journal) = journal::parse(bytes) else { return false };
    journal.explorations.iter().for_each(|kept| drop(kept.bytes()));
    true
}
