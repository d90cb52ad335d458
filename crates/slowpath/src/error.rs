//! What can be wrong with a request, in words a user can act on.

pub(crate) mod baseline;
pub(crate) mod config;
pub(crate) mod policy;
pub(crate) mod resume;

use std::path::PathBuf;

use slowpath_program::LoadError;
use slowpath_program::call::{CallError, DictionaryError};
use slowpath_program::input::InputError;
use slowpath_report::export::ExportError;
use slowpath_report::{CompareError, DocumentError};
use slowpath_search::{CostModelError, SearchError};
use slowpath_source::{ShimError, SourceError};

use baseline::BaselineError;
use config::ConfigError;
use policy::PolicyError;
use resume::ResumeError;
use slowpath_search::work::WorkError;

/// Why there is no result at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}: {source}", file.display())]
    Load { file: PathBuf, source: LoadError },
    #[error("say what to run, with --call SIGNATURE, --fuzz-target, --stdin n or --harness NAME\n{functions}")]
    NoEntry { functions: String },
    #[error("there is no function `{name}` in {}{suggestion}\n{functions}", file.display())]
    NoFunction { name: String, file: PathBuf, suggestion: String, functions: String },
    #[error("`{name}` is a function that {} imports, not one it has; give one of its own\n{functions}", file.display())]
    Imported { name: String, file: PathBuf, functions: String },
    #[error("{option} {text}: this cannot be understood; give it as in {example}")]
    Option { option: String, text: String, example: String },
    #[error("--cost-table: {0}")]
    CostTable(String),
    #[error(transparent)]
    Shim(#[from] ShimError),
    #[error("{}: there is no program in this folder: no .c, .cpp, .rs, .wat or .wasm", folder.display())]
    NoPrograms { folder: PathBuf },
    #[error("{}: there are too many files in this folder; name one of those below it", folder.display())]
    TooManyFiles { folder: PathBuf },
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Cost(#[from] CostModelError),
    #[error("{}: {source}", file.display())]
    Search { file: PathBuf, source: Box<SearchError> },
    #[error("--islands: chance has no part in --strategy {strategy}; islands are for auto, evolve, mutate and pump")]
    NoIslands { strategy: &'static str },
    #[error("the input is missing: give it with --input, for example\n  --input '{example}'")]
    NoInput { example: String },
    #[error("--input is not JSON: {0}")]
    InputNotJson(serde_json::Error),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("size {size}: {source}")]
    RecordedInput { size: i64, source: InputError },
    #[error("{}: {source}", file.display())]
    Document { file: PathBuf, source: DocumentError },
    #[error(
        "{} is not the program that was analysed: it now compiles to {now}, then it was {then}; analyse it again",
        file.display()
    )]
    OtherProgram { file: PathBuf, now: String, then: String },
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: std::io::Error },
    #[error("--corpus {}: the function takes no array of bytes that a file could be", folder.display())]
    NoBytes { folder: PathBuf },
    #[error("--corpus {}: there is no file in it of at most 1 MiB", folder.display())]
    EmptyCorpus { folder: PathBuf },
    #[error("--corpus: cannot read {}: {source}; give a folder that has one input a file", file.display())]
    Corpus { file: PathBuf, source: std::io::Error },
    #[error("--dictionary {}: {source}", file.display())]
    Dictionary { file: PathBuf, source: DictionaryError },
    #[error("--policy {}: {source}", file.display())]
    Policy { file: PathBuf, source: PolicyError },
    #[error("{}: {source}", file.display())]
    Resume { file: PathBuf, source: ResumeError },
    #[error("{}: another run of slowpath is using this folder", folder.display())]
    FolderInUse { folder: PathBuf },
    #[error(transparent)]
    Work(#[from] WorkError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    Compare(#[from] CompareError),
    #[error("--save-policy: {0}")]
    NoPolicy(PolicyError),
    #[error("{}: it names neither a call nor a harness", file.display())]
    NoRecordedEntry { file: PathBuf },
    #[error(transparent)]
    Export(ExportError),
    #[error("the document has no worst input of size {size}; it has sizes {sizes}")]
    NoSuchSize { size: i64, sizes: String },
    #[error("{what} cannot be called from other code: there are only --as corpus, dictionary, ktest and json for it")]
    NotCallable { what: String },
    #[error("{} is not there, and the exported code takes it in; say where it is now with --program", file.display())]
    NoSource { file: PathBuf },
    #[error("{} is no source of C, C++ or Rust, so it cannot be compiled for this machine; --native needs that", file.display())]
    NotNative { file: PathBuf },
    #[error("{}: {what}; that is only done with --trust, for documents of your own", file.display())]
    Untrusted { file: PathBuf, what: String },
}

impl Error {
    /// Whether somebody asked for an end before there was anything.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Error::Source(SourceError::Interrupted { .. }))
    }
}
