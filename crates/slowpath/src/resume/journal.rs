//! The journal: the worst inputs and the explorations of a run, as a file that is always whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use slowpath_report::ModuleIdentity;

use crate::error::resume::{ResumeError, SCHEMA};
use crate::records::Record;

/// The file, beside `findings.json`.
pub(crate) const NAME: &str = "journal.json";
/// A larger file is none of ours.
const MOST_BYTES: u64 = 1 << 30;

/// What a journal belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub schema: u64,
    pub slowpath: String,
    pub program: String,
    pub module: ModuleIdentity,
    pub entry: String,
    pub cost_model: String,
}

/// The document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Journal {
    #[serde(flatten)]
    pub head: Head,
    /// The worst input known of each size.
    pub inputs: Vec<Record>,
    pub explorations: Vec<KeptExploration>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptExploration {
    pub size: i64,
    pub learns: bool,
    pub paths: u64,
    /// Whether every path was followed.
    pub over: bool,
    /// Counts, the worst path and the prefixes that are left, in base 64 (`crates/search/src/work/codec.rs`).
    pub state: String,
}

impl KeptExploration {
    pub fn bytes(&self) -> Option<Vec<u8>> {
        STANDARD.decode(&self.state).ok()
    }
}

/// Reads the journal of a folder, if there is one.
pub(crate) fn read(folder: &Path) -> Result<Option<Journal>, ResumeError> {
    let file = folder.join(NAME);
    let mut opened = match File::open(&file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ResumeError::Unreadable(error)),
    };
    let mut bytes = Vec::new();
    let read = Read::take(&mut opened, MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(ResumeError::Unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(ResumeError::TooLarge);
    }
    parse(&bytes).map(Some)
}

/// A journal from bytes.
pub(crate) fn parse(bytes: &[u8]) -> Result<Journal, ResumeError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: u64,
    }
    let version: Versioned = serde_json::from_slice(bytes).map_err(ResumeError::NotAJournal)?;
    if version.schema != SCHEMA {
        return Err(ResumeError::OtherSchema(version.schema));
    }
    serde_json::from_slice(bytes).map_err(ResumeError::NotAJournal)
}

/// Refuses a journal of something else.
pub(crate) fn check(then: &Head, now: &Head) -> Result<(), ResumeError> {
    if then.slowpath != now.slowpath {
        return Err(ResumeError::OtherVersion { then: then.slowpath.clone(), now: now.slowpath.clone() });
    }
    let differs = |what, then: &str, now: &str| ResumeError::Other { what, then: then.into(), now: now.into() };
    if then.entry != now.entry {
        return Err(differs("call", &then.entry, &now.entry));
    }
    if then.cost_model != now.cost_model {
        return Err(differs("cost model", &then.cost_model, &now.cost_model));
    }
    if then.module != now.module {
        let words = |head: &Head| format!("{} ({} bytes, hash {})", head.program, head.module.bytes, head.module.fnv1a);
        return Err(differs("program", &words(then), &words(now)));
    }
    Ok(())
}

/// A journal that is being written.
pub(crate) struct Writing {
    folder: PathBuf,
    head: Head,
    inputs: BTreeMap<i64, Record>,
    explorations: BTreeMap<(i64, bool), KeptExploration>,
    every: Duration,
    saved: Instant,
    changed: bool,
    /// Why it could not be written, said once.
    pub failure: Option<String>,
}

impl Writing {
    /// Nothing yet, or what was there.
    pub fn new(folder: &Path, head: Head, before: Option<Journal>, every: Duration) -> Writing {
        let (inputs, explorations) = before.map(|journal| (journal.inputs, journal.explorations)).unwrap_or_default();
        Writing {
            folder: folder.to_owned(),
            head,
            inputs: inputs.into_iter().map(|kept| (kept.size, kept)).collect(),
            explorations: explorations.into_iter().map(|kept| ((kept.size, kept.learns), kept)).collect(),
            every,
            saved: Instant::now(),
            changed: true,
            failure: None,
        }
    }

    /// Notes an input, if it is worse than what is known.
    pub fn input(&mut self, size: i64, cost: u64, found_by: &str, input: impl FnOnce() -> Value) {
        if self.inputs.get(&size).is_none_or(|known| known.cost < cost) {
            let kept = Record { size, cost, found_by: found_by.to_owned(), input: input() };
            self.inputs.insert(size, kept);
            self.changed = true;
        }
        self.save_if_due();
    }

    /// Forgets what an input of an earlier run was said to cost: it could not be confirmed.
    pub fn forget_input(&mut self, size: i64) {
        self.inputs.remove(&size);
    }

    /// Notes how far an exploration is, if it is further than what is known.
    pub fn exploration(&mut self, (size, learns): (i64, bool), bytes: &[u8], paths: u64, over: bool) {
        let further = |known: &KeptExploration| over || (!known.over && known.paths <= paths);
        if self.explorations.get(&(size, learns)).is_none_or(further) {
            let kept = KeptExploration { size, learns, paths, over, state: STANDARD.encode(bytes) };
            self.explorations.insert((size, learns), kept);
            self.changed = true;
        }
        self.save_if_due();
    }

    fn save_if_due(&mut self) {
        if self.changed && self.saved.elapsed() >= self.every {
            self.save();
        }
    }

    /// Writes the file: under another name, then in one step under its own, so that there is a whole one at any time.
    pub fn save(&mut self) {
        if !self.changed {
            return;
        }
        let journal = Journal {
            head: self.head.clone(),
            inputs: self.inputs.values().cloned().collect(),
            explorations: self.explorations.values().cloned().collect(),
        };
        let written = tempfile::Builder::new().prefix(".slowpath-").suffix(".part").tempfile_in(&self.folder).and_then(
            |mut draft| {
                // The command line sweeps drafts that have no lock.
                draft.as_file().lock()?;
                let text = serde_json::to_vec(&journal).map_err(std::io::Error::other)?;
                draft.write_all(&text)?;
                draft.as_file().sync_data()?;
                draft.persist(self.folder.join(NAME)).map_err(|error| error.error)
            },
        );
        match written {
            Ok(_) => self.changed = false,
            Err(error) => self.failure = Some(error.to_string()),
        }
        self.saved = Instant::now();
    }
}
