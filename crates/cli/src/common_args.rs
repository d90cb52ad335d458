//! Arguments that several commands have in common.

use clap::{Args as ClapArgs, ValueEnum};
use slowpath::units::parse_small_count;

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people.
    Human,
    /// A document for programs.
    Json,
}

/// How a result is printed that a change may be judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PublishFormat {
    /// A table for people.
    Human,
    /// A document for programs.
    Json,
    /// A table and the worst input, for job summaries and comments.
    Markdown,
    /// Commands of a GitHub workflow, shown beside the lines of a change.
    Github,
}

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    Threads,
    Processes,
}

/// Who does the targets of a command that has several.
#[derive(ClapArgs, Debug)]
pub struct TargetEngineArgs {
    /// Who does the work: threads of this process, one target after the other, or as many processes as --jobs says, a target each.
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = EngineName::Threads)]
    pub engine: EngineName,

    /// Do targets for another slowpath that was given the same arguments: a line on standard input for each.
    #[arg(long, hide = true)]
    pub worker: bool,
}

#[derive(ClapArgs, Debug)]
pub struct PublishArgs {
    /// How the result is printed.
    #[arg(long, value_enum, default_value = "human", help_heading = "Output")]
    pub format: PublishFormat,
}

#[derive(ClapArgs, Debug)]
pub struct OutputArgs {
    /// How the result is printed.
    #[arg(long, value_enum, default_value = "human", help_heading = "Output")]
    pub format: Format,
}

/// More threads than this are taken for a slip.
const MOST_JOBS: u32 = 1024;

/// How many at a time: as many as the machine has, if nothing is said.
pub fn jobs(asked: Option<u32>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize)
}

pub fn parse_jobs(text: &str) -> Result<u32, String> {
    let jobs = parse_small_count(text)?;
    if jobs > MOST_JOBS { Err(format!("it must be at most {MOST_JOBS}")) } else { Ok(jobs) }
}
