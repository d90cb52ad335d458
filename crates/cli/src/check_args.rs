//! The arguments of check, compare, completions and man.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use clap_complete::Shell;
use slowpath::Shard;
use slowpath::units::parse_count;

use crate::common_args::{OutputArgs, PublishArgs, TargetEngineArgs, parse_jobs};

/// How the result of a check is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// Lines for people.
    Human,
    /// A document for programs.
    Json,
    /// XML with a test case for each bound.
    Junit,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// A table and the worst inputs, for job summaries and comments.
    Markdown,
    /// Commands of a GitHub workflow, shown beside the lines of a change.
    Github,
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    /// The configuration: targets and their bounds.
    #[arg(long, value_name = "FILE", default_value = slowpath::check::DEFAULT_CONFIG)]
    pub config: PathBuf,

    /// Check only this target. Can be given several times.
    #[arg(long = "target", value_name = "NAME")]
    pub targets: Vec<String>,

    /// Check only this part of the targets, such as 2/5, the second of five: for several machines.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,

    /// Write the costs found to the baseline file that the configuration names, instead of comparing with it.
    #[arg(long)]
    pub update_baseline: bool,

    /// Pass although a bound could not be judged, as strict = false in the configuration does.
    #[arg(long)]
    pub lenient: bool,

    /// Do whatever the configuration asks for: any flags, files and a baseline anywhere, build scripts of cargo projects.
    #[arg(long)]
    pub trust: bool,

    /// Threads to search with, instead of what the configuration says; with --engine processes, how many of these.
    #[arg(long, value_name = "COUNT", value_parser = parse_jobs)]
    pub jobs: Option<u32>,

    /// Steps of work for each target, instead of the time or work that the configuration says: the same result on every machine.
    #[arg(long, value_name = "STEPS", value_parser = parse_count)]
    pub effort: Option<u64>,

    #[command(flatten)]
    pub engine: TargetEngineArgs,

    /// How the result is printed.
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,

    /// Also write JUnit XML to this file.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Also write SARIF to this file.
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Also write the result in Markdown to the end of this file, as job summaries want it.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,

    /// Also write the findings document of each target to DIR/NAME.json.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// No progress on standard error.
    #[arg(long)]
    pub quiet: bool,
}

#[derive(ClapArgs, Debug)]
pub struct CompareArgs {
    /// The findings before: a findings.json, or the directory it is in.
    pub old: PathBuf,

    /// The findings now.
    pub new: PathBuf,

    #[command(flatten)]
    pub output: PublishArgs,
}

#[derive(ClapArgs, Debug)]
pub struct MergeArgs {
    /// Findings documents of one target: each a findings.json, or the directory it is in.
    #[arg(required = true)]
    pub documents: Vec<PathBuf>,

    /// Write the merged document to DIR/findings.json.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(ClapArgs, Debug)]
pub struct CompletionsArgs {
    /// The shell to write completions for.
    pub shell: Shell,
}

#[derive(ClapArgs, Debug)]
pub struct ManArgs {
    /// Write a page for every command to this directory, instead of one to standard output.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Print one page with the options of all commands, as Markdown.
    #[arg(long, conflicts_with = "out")]
    pub markdown: bool,
}
