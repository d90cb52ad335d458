//! What can be wrong with a suite, in words a user can act on.

use std::path::PathBuf;

use slowpath::Error;

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    #[error("there is no suite `{name}`; there are {known}")]
    NoSuite { name: String, known: String },
    #[error("--suites {}: there is no folder with a suite.toml in it", folder.display())]
    NoSuites { folder: PathBuf },
    #[error("the suite {suite} has no program `{name}`; it has {known}")]
    NoProgram { suite: String, name: String, known: String },
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: std::io::Error },
    #[error("{}: {source}", file.display())]
    Toml { file: PathBuf, source: Box<toml::de::Error> },
    #[error("{}: program {program}: {field}: {what}", file.display())]
    Field { file: PathBuf, program: String, field: String, what: String },
    #[error("--strategy {strategy}: the suite {suite} is compared with auto, wise or history")]
    Strategy { suite: String, strategy: &'static str },
    /// Already in the words of a worker.
    #[error("{what}")]
    Worker { program: String, what: String },
    #[error("the program {program}: {source}")]
    Program { program: String, source: Box<Error> },
}
