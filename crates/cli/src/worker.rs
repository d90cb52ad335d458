//! `slowpath worker`, and the engine that starts it.

use std::ffi::OsString;
use std::io::BufRead;

use slowpath::SharedEngine;
use slowpath::work::{Processes, Work, answer_line};

use crate::args::AnalyzeArgs;
use crate::exit::{Exit, Failure};
use crate::{analyze, output};

/// Does a task for each line until there are no more.
pub fn main(args: &AnalyzeArgs) -> Result<Exit, Failure> {
    let work = Work::open(&analyze::request(args)?)?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
        output::print(&format!("{}\n", answer_line(&work, &line)))?;
    }
    Ok(Exit::Done)
}

/// So many processes that are told all that this one was told.
pub fn processes(count: usize) -> Result<SharedEngine, Failure> {
    let own = std::env::current_exe()
        .map_err(|error| Failure::bad_input(format!("--engine processes: slowpath itself is not found: {error}")))?;
    let command: Vec<OsString> =
        [own.into_os_string(), "worker".into()].into_iter().chain(std::env::args_os().skip(2)).collect();
    Ok(SharedEngine::new(Box::new(Processes::new(command, count))))
}
