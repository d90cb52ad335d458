//! What can be wrong with a baseline.

/// The version of the file.
pub(crate) const SCHEMA: u32 = 1;

/// Why a baseline cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("{0}: {1}")]
    Unreadable(String, std::io::Error),
    #[error(
        "{0}: not a baseline: {1}; `slowpath check --update-baseline` writes a new one once this is out of the way"
    )]
    NotOne(String, serde_json::Error),
    #[error("{0}: a baseline of schema {1}, but this slowpath reads schema {SCHEMA}")]
    OtherSchema(String, u32),
}
