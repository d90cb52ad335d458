//! What the exit code says.

use std::process::ExitCode;

use slowpath::Error;

/// The exit codes, as `--help` documents them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, and within bounds.
    Done = 0,
    /// A bound is exceeded, or a replay does not agree.
    Exceeded = 1,
    /// The command line or the program cannot be used as given.
    BadInput = 2,
    /// A limit ended the work before there was any result.
    Stopped = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command failed, and how it exits.
#[derive(Debug)]
pub struct Failure {
    pub code: Exit,
    pub message: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let code = if error.is_interrupted() { Exit::Stopped } else { Exit::BadInput };
        Failure { code, message: error.to_string() }
    }
}

impl Failure {
    /// A request that cannot be used as given.
    pub fn bad_input(message: impl Into<String>) -> Failure {
        Failure { code: Exit::BadInput, message: message.into() }
    }
}
