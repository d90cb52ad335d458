//! `slowpath worker`

use std::io::BufRead;

use slowpath::work::{Work, answer_line};

use crate::args::AnalyzeArgs;
use crate::exit::{Exit, Failure};
use crate::{analyze, interrupt, output};

/// Does a task for each line until there are no more.
pub fn main(args: &AnalyzeArgs) -> Result<Exit, Failure> {
    let work = Work::open(&analyze::request(args, interrupt::flag())?)?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
        output::print(&format!("{}\n", answer_line(&work, &line)))?;
    }
    Ok(Exit::Done)
}
