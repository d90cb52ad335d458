//! The engine that starts `slowpath worker`.

use std::ffi::OsString;

use slowpath::SharedEngine;
use slowpath::work::Processes;

use crate::common_args::{EngineName, TargetEngineArgs};
use crate::exit::Failure;

/// The command of a worker that is told all that `analyze` was told.
pub fn worker(program: Vec<OsString>, given: Vec<OsString>) -> Vec<OsString> {
    program.into_iter().chain([OsString::from("worker")]).chain(given).collect()
}

/// The command of a worker that does targets of a command with several.
pub fn target_worker(program: Vec<OsString>, command: &str, given: Vec<OsString>) -> Vec<OsString> {
    let command = [OsString::from(command), OsString::from("--worker")];
    program.into_iter().chain(command).chain(given).collect()
}

/// The engine for targets that the arguments ask for, if any.
pub fn of_targets(
    args: &TargetEngineArgs,
    worker: Option<Vec<OsString>>,
    count: usize,
) -> Result<Option<SharedEngine>, Failure> {
    match args.engine {
        EngineName::Threads => Ok(None),
        EngineName::Processes => engine(worker, count).map(Some),
    }
}

/// So many processes of a command.
pub fn engine(worker: Option<Vec<OsString>>, count: usize) -> Result<SharedEngine, Failure> {
    let missing = || Failure::bad_input("--engine processes: the program slowpath itself is not found");
    Ok(SharedEngine::new(Box::new(Processes::new(worker.ok_or_else(missing)?, count))))
}
