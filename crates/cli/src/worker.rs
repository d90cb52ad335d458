//! `slowpath worker`

use std::io::BufRead;

use slowpath::work::{READY, Work, answer_line, answer_with};

use crate::args::AnalyzeArgs;
use crate::exit::{Exit, Failure};
use crate::{analyze, interrupt, output};

/// Does a task for each line until there are no more.
pub fn main(args: &AnalyzeArgs) -> Result<Exit, Failure> {
    let work = Work::open(&analyze::request(args, interrupt::flag())?)?;
    lines(|line| answer_line(&work, line))
}

/// Does targets for another process of the same command. Whatever this one was to print or save is for that one to.
pub fn targets(doing: impl Fn(&[u8]) -> Result<Vec<u8>, String>) -> Result<Exit, Failure> {
    output::print(&format!("{READY}\n"))?;
    lines(|line| answer_with(line, &doing))
}

fn lines(answer: impl Fn(&str) -> String) -> Result<Exit, Failure> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::bad_input(format!("standard input: {error}")))?;
        output::print(&format!("{}\n", answer(&line)))?;
    }
    Ok(Exit::Done)
}
