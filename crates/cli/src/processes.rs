//! The engine that starts `slowpath worker`.

use std::ffi::OsString;

use slowpath::SharedEngine;
use slowpath::work::Processes;

use crate::exit::Failure;

/// So many processes that are told all that this one was told.
pub fn engine(count: usize) -> Result<SharedEngine, Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::bad_input(format!("--engine processes: slowpath itself is not found: {error}")))?;
    // Called from Python, the program is the interpreter.
    if own.file_stem().is_none_or(|name| name != "slowpath") {
        return Err(Failure::bad_input(
            "--engine processes needs the program slowpath itself; use the default, threads",
        ));
    }
    let command: Vec<OsString> =
        [own.into_os_string(), "worker".into()].into_iter().chain(std::env::args_os().skip(2)).collect();
    Ok(SharedEngine::new(Box::new(Processes::new(command, count))))
}
