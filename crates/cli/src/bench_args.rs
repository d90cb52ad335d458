//! The arguments of `slowpath bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use slowpath::units::{parse_count, parse_duration};
use slowpath::{SizesError, Strategy, parse_sizes};

use crate::common_args::{OutputArgs, TargetEngineArgs, jobs, parse_jobs};

/// More seeds than this are taken for a slip.
const MOST_SEEDS: u64 = 1000;

fn parse_seeds(text: &str) -> Result<u64, String> {
    let seeds = parse_count(text)?;
    if seeds > MOST_SEEDS { Err(format!("it must be at most {MOST_SEEDS}")) } else { Ok(seeds) }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "\
Examples:
  A paper's table, each figure with ours below it:
    slowpath bench wise
    slowpath bench xstressor
  One program at some sizes, with the paper's own algorithm:
    slowpath bench wise --program quicksort_jdk15 --sizes 1..12 --strategy wise

Exit codes: 0 no cell is missed, or only as the suite states; 1 a cell is missed;
2 the command line or the suite cannot be used as given.")]
pub struct BenchArgs {
    /// The suite: wise, spf-wca, ese, xstressor, or another folder of `--suites`.
    pub suite: Option<String>,

    /// Small sizes only; a few seconds.
    #[arg(long, conflicts_with = "full", help_heading = "Comparison")]
    pub quick: bool,

    /// Everything the suite names, long explorations included; may take an hour.
    #[arg(long, help_heading = "Comparison")]
    pub full: bool,

    /// Only this program. Can be given several times.
    #[arg(long, value_name = "NAME", help_heading = "Comparison")]
    pub program: Vec<String>,

    /// Only these sizes, as in 1..5,10. Default: the columns of the table, and sizes beyond it.
    #[arg(long, allow_hyphen_values = true, help_heading = "Comparison")]
    sizes: Option<String>,

    /// Which policies guide the search: auto, wise or history; in xstressor any strategy. Default: auto; in xstressor
    /// synthesize.
    #[arg(long, help_heading = "Comparison")]
    pub strategy: Option<Strategy>,

    /// Time for each program. Default: 16s; with --quick 5s, with --full 10m. In ese and xstressor for each run: 60s, 3s
    /// and 10m.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "Comparison")]
    pub budget: Option<Duration>,

    /// A folder of suites, each a folder with a suite.toml. Default: those built in.
    #[arg(long, value_name = "DIR", help_heading = "Comparison")]
    pub suites: Option<PathBuf>,

    /// Seed of everything random.
    #[arg(long, default_value = "0", help_heading = "Comparison")]
    pub seed: u64,

    /// How many seeds evolutions get in ese. Default: 10; with --quick 2.
    #[arg(long, value_name = "COUNT", value_parser = parse_seeds, help_heading = "Comparison")]
    pub seeds: Option<u64>,

    /// Threads. Default: one for each core.
    #[arg(long, value_name = "COUNT", value_parser = parse_jobs, help_heading = "Comparison")]
    jobs: Option<u32>,

    #[command(flatten)]
    pub engine: TargetEngineArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    /// No progress on standard error.
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
}

impl BenchArgs {
    /// The sizes, ascending.
    pub fn sizes(&self) -> Result<Option<Vec<i64>>, SizesError> {
        self.sizes.as_deref().map(parse_sizes).transpose()
    }

    /// How many threads.
    pub fn jobs(&self) -> usize {
        jobs(self.jobs)
    }
}
