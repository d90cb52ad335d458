//! Why a run cannot be gone on with.

/// The schema of journals that are written and read: raised whenever older ones cannot be read any more.
pub const SCHEMA: u64 = 1;

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::Error),
    #[error("it is too large to be a journal of slowpath's")]
    TooLarge,
    #[error("it is no journal of slowpath's: {0}")]
    NotAJournal(serde_json::Error),
    #[error("it is a journal of schema {0}, but this slowpath reads schema {SCHEMA}; leave --resume out to begin anew")]
    OtherSchema(u64),
    #[error("it is of slowpath {then}, and this is {now}; leave --resume out to begin anew")]
    OtherVersion { then: String, now: String },
    #[error("it is of another {what}: {then}, not {now}; leave --resume out to begin anew")]
    Other { what: &'static str, then: String, now: String },
}
