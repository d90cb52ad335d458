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

pub fn parse_jobs(text: &str) -> Result<u32, String> {
    let jobs = parse_small_count(text)?;
    if jobs > MOST_JOBS { Err(format!("it must be at most {MOST_JOBS}")) } else { Ok(jobs) }
}
