//! The engine that starts `slowpath worker`.

use std::ffi::OsString;

use slowpath::SharedEngine;
use slowpath::work::Processes;

use crate::exit::Failure;

/// The command of a worker that is told all that `analyze` was told.
pub fn worker(program: Vec<OsString>, given: Vec<OsString>) -> Vec<OsString> {
    program.into_iter().chain([OsString::from("worker")]).chain(given).collect()
}

/// So many processes of a command.
pub fn engine(worker: Option<Vec<OsString>>, count: usize) -> Result<SharedEngine, Failure> {
    let missing = || Failure::bad_input("--engine processes: the program slowpath itself is not found");
    Ok(SharedEngine::new(Box::new(Processes::new(worker.ok_or_else(missing)?, count))))
}
