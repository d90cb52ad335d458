//! The arguments, and the help that teaches them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use slowpath::units::{parse_bytes, parse_count, parse_duration, parse_small_count};
use slowpath::{
    CostModel, EntryRequest, EvolveParams, FoundBy, HistoryLength, Limits, MOST_ISLANDS, ProgramRequest, SolverConfig,
    SolverKind, Strategy, parse_size, parse_sizes,
};

use crate::bench_args::BenchArgs;
use crate::check_args::{CheckArgs, CompareArgs, CompletionsArgs, ManArgs, MergeArgs};
use crate::common_args::{EngineName, OutputArgs, PublishArgs, parse_jobs};
use crate::export::ExportArgs;
use crate::scan_args::{InitArgs, ListArgs, ScanArgs};
use crate::source_args::SourceArgs;

const EXAMPLES: &str = "\
Examples:
  The worst inputs of a sort, for 1 to 6 elements:
    slowpath analyze sort.c --call 'isort(a: i32[n], n)' --sizes 1..6
  Bytes below 128 only, and how often line 12 can run:
    slowpath analyze parse.c --call 'parse(s: u8[n] in 0..=127, n)' --cost site:parse.c:12
  What there is to call, and everything of it at once:
    slowpath list parse.c
    slowpath scan parse.c --budget 1m
  A harness that builds its own inputs with slowpath.h:
    slowpath analyze tree.c --harness search --sizes 1..5
  What one given input costs:
    slowpath run sort.c --call 'isort(a: i32[n], n)' --size 3 --input '{\"a\": [3, 2, 1]}'

Exit codes: 0 done; 1 a bound is exceeded, a replay disagrees or a benchmark is missed;
2 the command line or the program cannot be used as given; 3 a limit ended the work
before any result.";

const SIGNATURES: &str = "\
Signatures (--call):
  NAME(ARGUMENT, …)  the function, and what it is called with at size n
  where each ARGUMENT is one of
  TYPE          a number that slowpath chooses: i8 u8 i16 u16 i32 u32 i64 u64 f32
                f64 bool char
  TYPE[LENGTH]  an array of them, passed as a pointer; LENGTH is arithmetic over n,
                as in i32[n*n]
  EXPRESSION    a number that is given: n, 2*n+1, 100
  cstr[LENGTH]  so many characters and a NUL; str[LENGTH]: ASCII without a NUL
  out u8[2*n]   memory that the function writes to
  \"text\", [1, 2], @FILE   data that is given
  NAME, NAME[n], NAME { member: ARGUMENT, … }   structs by their name
  null, &FUNCTION           pointers to nothing, to a function
  An input can have a name and values: 'a: i32[n] in 0..=99', 's: cstr[n] in \"ab,\"'.
  Unnamed ones are called arg0, arg1, …
  NAME alone is called by its types, where the debug information has them.
  Of Rust and C++, types of the source may be given with their length:
  'my_crate::parse(&str[n])', 'sort(&mut Vec<u32>[n])', 'ns::f(std::string[n])'

";

/// Finds the inputs that make a piece of code slowest, and says how bad it gets as inputs grow.
///
/// Give slowpath a function, and it explores the function's paths with symbolic inputs, finds the costliest path for
/// every input size, and gives you an input that takes it. Each such input is run again on another engine (wasmtime), which
/// must agree on the cost.
#[derive(Parser, Debug)]
#[command(name = "slowpath", version, after_help = EXAMPLES, max_term_width = 120)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find the worst input of a function at each size.
    Analyze(Box<AnalyzeArgs>),
    /// Run one given input and print what it costs, its result or its trap.
    Run(Box<RunArgs>),
    /// Run the worst inputs of a findings document again, and compare.
    Replay(ReplayArgs),
    /// Compare with published results: the paper's figures and ours, cell by cell.
    Bench(Box<BenchArgs>),
    /// Make an HTML page of a findings document.
    Report(ReportArgs),
    /// Check the targets of a slowpath.toml by their bounds, for CI.
    Check(Box<CheckArgs>),
    /// Compare two findings documents: what got worse.
    Compare(CompareArgs),
    /// Make one findings document of several of the same target: the worst of each size.
    Merge(MergeArgs),
    /// Print completions for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands.
    Man(ManArgs),
    /// Make tests, a benchmark or corpus files of the worst inputs of a findings document.
    Export(ExportArgs),
    /// Show what can be called, with types and a ready --call; `slowpath FILE` does the same.
    List(ListArgs),
    /// Analyse everything that can be called, and rank it by growth.
    Scan(ScanArgs),
    /// Write a slowpath.toml with the growth that a scan finds.
    Init(InitArgs),
    /// Do tasks for another slowpath: a line on standard input for each, a line on standard output for what it came to.
    #[command(hide = true)]
    Worker(Box<AnalyzeArgs>),
}

fn parse_islands(text: &str) -> Result<u32, String> {
    let islands = parse_small_count(text)?;
    if islands > MOST_ISLANDS { Err(format!("it must be at most {MOST_ISLANDS}")) } else { Ok(islands) }
}

/// The default of `--budget`.
pub const USUAL_BUDGET: Duration = Duration::from_secs(60);

/// A program's memory ends where its 32-bit addresses do.
fn parse_memory(text: &str) -> Result<u64, String> {
    Ok(parse_bytes(text)?.min(4 << 30))
}

/// Which layers of the solver decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    /// All of them, cheapest first.
    Layered,
    /// Z3 alone; slow, to check the others.
    #[cfg(feature = "z3")]
    Z3,
}

#[derive(ClapArgs, Debug)]
pub struct ProgramArgs {
    /// The program: .c, .cpp, .rs, .wat or .wasm, or the folder of a cargo or C project.
    #[arg(required_unless_present = "krate")]
    file: Option<PathBuf>,

    #[command(flatten)]
    source: SourceArgs,

    /// Compile with your own flags (default -O2) instead of branch-faithfully; branches may then be merged.
    #[arg(
        long,
        value_name = "FLAGS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "-O2",
        allow_hyphen_values = true,
        help_heading = "Program"
    )]
    optimize: Option<String>,

    /// Flags for the compiler, such as '-I include -DSMALL'. Can be given several times.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, help_heading = "Program")]
    cflags: Vec<String>,

    /// The function and its inputs, as in 'isort(a: i32[n], n)', or its name alone; see below.
    #[arg(long, value_name = "SIGNATURE", conflicts_with = "harness", help_heading = "Program")]
    call: Option<String>,

    /// A function of n that makes its own inputs with slowpath.h.
    #[arg(long, value_name = "NAME", help_heading = "Program")]
    harness: Option<String>,

    /// What to count: instructions, branches, decisions, calls, memory, stack, output, heap, custom (slowpath_cost) or
    /// site:FILE:LINE (how often a line runs).
    #[arg(long, value_name = "MODEL", default_value = "instructions", help_heading = "Program")]
    pub cost: CostModel,
}

impl ProgramArgs {
    /// The program as the library takes it.
    pub fn program(&self) -> ProgramRequest {
        let words = |text: &String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        ProgramRequest {
            file: self.file.clone().or_else(|| self.source.krate()).unwrap_or_default(),
            optimize: self.optimize.as_ref().map(words),
            cflags: self.source.flags().chain(self.cflags.iter().flat_map(words)).collect(),
            options: self.source.options(),
            cache: self.source.cache(),
            keep: self.source.keep(),
            trust_build: self.source.trusts_build(),
            compile_limit: self.source.compile_limit(),
            interrupt: None,
        }
    }

    /// What to run in it.
    pub fn entry(&self) -> EntryRequest {
        let options = self.source.options();
        match (&self.call, &self.harness) {
            (Some(call), _) => EntryRequest::Call(call.clone()),
            (None, Some(harness)) => EntryRequest::Harness(harness.clone()),
            (None, None) if options.fuzz_target.is_some() => EntryRequest::fuzz_target(),
            (None, None) if options.is_whole_program() => EntryRequest::whole_program(),
            (None, None) => EntryRequest::Missing,
        }
    }
}

/// Limits of a single path.
#[derive(ClapArgs, Debug)]
pub struct PathLimits {
    /// Instructions on one path.
    #[arg(long, value_name = "COUNT", default_value = "1e9", value_parser = parse_count, help_heading = "Limits")]
    max_instructions: u64,

    /// Depth of calls.
    #[arg(long, value_name = "COUNT", default_value = "20000", value_parser = parse_small_count, help_heading = "Limits")]
    max_depth: u32,

    /// Memory of the program; growing past it fails.
    #[arg(long, value_name = "BYTES", default_value = "1GiB", value_parser = parse_memory, help_heading = "Limits")]
    max_memory: u64,
}

impl PathLimits {
    /// As the library takes them, the others by default.
    pub fn limits(&self) -> Limits {
        Limits {
            instructions: self.max_instructions,
            depth: self.max_depth,
            memory: self.max_memory,
            ..Limits::default()
        }
    }
}

/// A probability.
fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if (0.0..=1.0).contains(&rate) => Ok(rate),
        _ => Err("it must be a number from 0 to 1".to_owned()),
    }
}

/// More individuals than this are taken for a slip.
const MOST_INDIVIDUALS: u32 = 100_000;

fn parse_population(text: &str) -> Result<u32, String> {
    match parse_small_count(text)? {
        0 | 1 => Err("it must be at least 2".to_owned()),
        size if size > MOST_INDIVIDUALS => Err(format!("it must be at most {MOST_INDIVIDUALS}")),
        size => Ok(size),
    }
}

/// A number that may be 0.
fn parse_count_or_zero(text: &str) -> Result<u64, String> {
    if text.trim() == "0" { Ok(0) } else { parse_count(text) }
}

/// The parameters of the strategies evolve and mutate.
#[derive(ClapArgs, Debug)]
pub struct EvolveArgs {
    /// Individuals of a generation.
    #[arg(long, value_name = "COUNT", default_value = "50", value_parser = parse_population, help_heading = "Evolve")]
    population: u32,

    /// How many of the costliest individuals always survive.
    #[arg(long, value_name = "COUNT", default_value = "5", value_parser = parse_count_or_zero, help_heading = "Evolve")]
    elitism: u64,

    /// Probability that conditions are dropped from what an offspring inherits.
    #[arg(long, value_name = "RATE", default_value = "0.2", value_parser = parse_rate, help_heading = "Evolve")]
    mutation_rate: f64,

    /// Generations from one local search to the next; 0 for none.
    #[arg(long, value_name = "COUNT", default_value = "10", value_parser = parse_count_or_zero, help_heading = "Evolve")]
    ls_period: u64,

    /// Attempts in a row that may fail before a local search ends.
    #[arg(long, value_name = "COUNT", default_value = "25", value_parser = parse_count, help_heading = "Evolve")]
    ls_attempts: u64,

    /// Generations at each size. Default: as many as the budget allows.
    #[arg(long, value_name = "COUNT", value_parser = parse_count_or_zero, help_heading = "Evolve")]
    generations: Option<u64>,

    /// Stop at a size as soon as this cost is reached.
    #[arg(long, value_name = "COST", value_parser = parse_count, help_heading = "Evolve")]
    known_optimum: Option<u64>,

    /// Learn a policy on small sizes first, and begin with the path it finds.
    #[arg(long, help_heading = "Evolve")]
    pub from_policy: bool,
}

impl EvolveArgs {
    /// As the library takes them.
    pub fn params(&self) -> EvolveParams {
        EvolveParams {
            population: self.population as usize,
            elite: usize::try_from(self.elitism).unwrap_or(usize::MAX),
            mutation: self.mutation_rate,
            ls_period: self.ls_period,
            ls_attempts: self.ls_attempts,
            generations: self.generations,
            known_optimum: self.known_optimum,
            patience: None,
            stream: 0,
        }
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = SIGNATURES.to_owned() + EXAMPLES, allow_negative_numbers = true)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    pub program: ProgramArgs,

    /// The sizes n to analyse: 1..10,20,50 (both ends included) or 10..100:10 in steps. Default: the small sizes that can be
    /// explored completely, then doublings until a run takes long or the growth is clear.
    #[arg(long, allow_hyphen_values = true, help_heading = "Search")]
    sizes: Option<String>,

    /// How to search: auto, exhaustive, memo, wise, history, synthesize, evolve, dfs, random, mutate or pump.
    #[arg(long, default_value = "auto", help_heading = "Search")]
    pub strategy: Strategy,

    /// Techniques of `auto` to leave out, to see what each is good for: memo, pump, policy, synthesis, ... (a list by commas).
    #[arg(long, value_name = "TECHNIQUES", value_delimiter = ',', value_parser = parse_technique, help_heading = "Search")]
    pub without: Vec<Vec<FoundBy>>,

    /// How many of the last decisions history policies look at: a number, unlimited or adaptive (several are tried).
    #[arg(
        long,
        value_name = "LENGTH",
        default_value = "adaptive",
        value_parser = parse_history,
        conflicts_with = "policy",
        help_heading = "Search"
    )]
    pub history: HistoryLength,

    /// Save the learned policies to a file, as readable JSON.
    #[arg(long, value_name = "FILE", conflicts_with = "policy", help_heading = "Search")]
    pub save_policy: Option<PathBuf>,

    /// Use the policies of a file that --save-policy wrote for the same program instead of learning. Needs --sizes.
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub policy: Option<PathBuf>,

    /// Words that inputs may be made of, in AFL's format: lines such as name="value" or "value", with \xNN for any byte.
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    pub dictionary: Option<PathBuf>,

    /// How many paths the random strategy follows at each size.
    #[arg(long, value_name = "COUNT", default_value = "100", value_parser = parse_count, help_heading = "Search")]
    pub paths: u64,

    /// A folder of inputs, as fuzzers keep them: they are tried first, stretched to other sizes.
    #[arg(long, value_name = "DIR", help_heading = "Search")]
    pub corpus: Option<PathBuf>,

    /// Also run so many random inputs at each size, and report their mean cost.
    #[arg(long, value_name = "COUNT", value_parser = parse_count, help_heading = "Search")]
    pub average: Option<u64>,

    /// Seed of everything random.
    #[arg(long, default_value = "0", help_heading = "Search")]
    pub seed: u64,

    /// Threads to search with; the result does not depend on it. Default: all cores.
    #[arg(long, value_name = "COUNT", value_parser = parse_jobs, help_heading = "Search")]
    jobs: Option<u32>,

    /// Which layers of the solver decide.
    #[arg(long, value_enum, default_value = "layered", help_heading = "Search")]
    solver: Solver,

    /// Time for the whole analysis, which begins once the program is compiled: 500ms, 60s, 5m, 2h. What was found by then is reported.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration, help_heading = "Limits")]
    pub budget: Duration,

    /// Work for the whole analysis instead of time, in steps of about ten nanoseconds: the same result on every machine, whatever --jobs.
    #[arg(long, value_name = "STEPS", value_parser = parse_count, conflicts_with = "budget", help_heading = "Limits")]
    pub effort: Option<u64>,

    #[command(flatten)]
    pub evolve: EvolveArgs,

    #[command(flatten)]
    path_limits: PathLimits,

    /// Paths to explore at one size. Default: no limit.
    #[arg(long, value_name = "COUNT", value_parser = parse_count, help_heading = "Limits")]
    max_paths: Option<u64>,

    /// Memory cells that an unknown address may cover before one address is chosen.
    #[arg(long, value_name = "COUNT", default_value = "256", value_parser = parse_count, help_heading = "Limits")]
    max_cells: u64,

    /// Nesting of selects that are kept as one value before they split the path.
    #[arg(long, value_name = "COUNT", default_value = "2", help_heading = "Limits")]
    max_select_depth: u32,

    /// Memory for the search as a whole, the solver included. Default: half of what is free.
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, help_heading = "Limits")]
    max_search_memory: Option<u64>,

    /// Time for one question to Z3, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "2000", value_parser = parse_small_count, help_heading = "Limits")]
    solver_timeout: u32,

    /// Time for all questions to Z3 along one path, in milliseconds.
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = parse_small_count, help_heading = "Limits")]
    solver_path_timeout: u32,

    #[command(flatten)]
    pub output: PublishArgs,

    /// Also write the document to DIR/findings.json, and meanwhile what is known to DIR/journal.json.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,

    /// Go on with what the journal in --out DIR has; never reports less than before.
    #[arg(long, requires = "out", help_heading = "Output")]
    pub resume: bool,

    /// With --out: time between two states that are kept.
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_duration, help_heading = "Output")]
    pub checkpoint: Duration,

    /// Who explores paths: threads of this process, or as many processes (--jobs).
    #[arg(long, value_name = "ENGINE", value_enum, default_value_t = EngineName::Threads, help_heading = "Search")]
    pub engine: EngineName,

    /// So many searches with seeds of their own go first (evolutions and patterns), exchange what they find, and have half of the budget together; as many at a time as --jobs says.
    #[arg(long, value_name = "COUNT", value_parser = parse_islands, help_heading = "Search")]
    pub islands: Option<u32>,

    /// Exit with 1 if the worst cost grows faster than this: 'n log n', 'n^2', 'linear', '2^n' ...
    #[arg(long, value_name = "CLASS", value_parser = expected_class, help_heading = "Output")]
    pub expect: Option<slowpath_fit::Class>,

    /// Say where the solver's time went.
    #[arg(long, help_heading = "Output")]
    pub stats: bool,

    /// Every size in the table, and every line of every list.
    #[arg(long, help_heading = "Output")]
    pub all: bool,

    /// No progress on standard error.
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
}

impl AnalyzeArgs {
    /// The sizes, ascending.
    pub fn sizes(&self) -> Result<Option<Vec<i64>>, slowpath::SizesError> {
        self.sizes.as_deref().map(parse_sizes).transpose()
    }

    /// Every limit but the time.
    pub fn limits(&self) -> Limits {
        Limits {
            paths: self.max_paths,
            cells: self.max_cells,
            select_depth: self.max_select_depth,
            search_memory: self.max_search_memory,
            ..self.path_limits.limits()
        }
    }

    /// The solver's settings.
    pub fn solver(&self) -> SolverConfig {
        SolverConfig {
            kind: match self.solver {
                Solver::Layered => SolverKind::Layered,
                #[cfg(feature = "z3")]
                Solver::Z3 => SolverKind::Z3,
            },
            z3_timeout_ms: self.solver_timeout,
            z3_path_ms: self.solver_path_timeout,
            ..SolverConfig::default()
        }
    }

    /// How many threads.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize)
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = SIGNATURES.to_owned() + EXAMPLES, allow_negative_numbers = true)]
pub struct RunArgs {
    #[command(flatten)]
    pub program: ProgramArgs,

    /// The size n. Default 1.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Program")]
    size: Option<String>,

    /// The inputs, as JSON or @FILE: an object from name to number or array, as a finding's `input` holds it.
    #[arg(long, value_name = "JSON", help_heading = "Program")]
    pub input: Option<String>,

    #[command(flatten)]
    pub limits: PathLimits,

    #[command(flatten)]
    pub output: OutputArgs,
}

impl RunArgs {
    /// The size.
    pub fn size(&self) -> Result<i64, slowpath::SizesError> {
        self.size.as_deref().map_or(Ok(1), parse_size)
    }
}

#[derive(ClapArgs, Debug)]
pub struct ReplayArgs {
    /// A findings.json, or the directory it is in.
    pub findings: PathBuf,

    /// Where the program is now, if it is no longer where it was.
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,

    /// Compile the C source for this machine instead, and time worst and random inputs side by side.
    #[arg(long)]
    pub native: bool,

    /// Do whatever the document asks for: any flags, files anywhere, build scripts, and with --native its calls on this machine.
    #[arg(long)]
    pub trust: bool,

    /// Let the build scripts and procedural macros of a crate of the registry run on this machine.
    #[arg(long)]
    pub trust_build: bool,

    /// Every counter of every size, not only those that disagree.
    #[arg(long)]
    pub all: bool,

    /// With --native: time for compiling, and again for all runs together.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    pub timeout: Duration,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// Longer histories than this are taken for a slip.
const LONGEST_HISTORY: usize = 1024;

fn parse_technique(text: &str) -> Result<Vec<FoundBy>, String> {
    let names = || FoundBy::OPTIONAL.map(|by| by.to_string().replace(' ', "-")).join(", ");
    FoundBy::optional(text).ok_or_else(|| format!("it must be one of {}", names()))
}

fn parse_history(text: &str) -> Result<HistoryLength, String> {
    match (text, text.parse::<usize>()) {
        ("adaptive", _) => Ok(HistoryLength::Adaptive),
        ("unlimited", _) => Ok(HistoryLength::Unlimited),
        (_, Ok(length)) if length <= LONGEST_HISTORY => Ok(HistoryLength::Fixed(length)),
        _ => Err(format!("it must be a number from 0 to {LONGEST_HISTORY}, unlimited or adaptive")),
    }
}

fn expected_class(text: &str) -> Result<slowpath_fit::Class, String> {
    text.parse().map_err(|error: slowpath_fit::ParseClassError| error.to_string())
}

#[derive(ClapArgs, Debug)]
pub struct ReportArgs {
    /// A findings.json, the directory it is in, or that of several (check --out): then the page is an index of them.
    pub findings: PathBuf,

    /// The page to write. Default: report.html beside the findings.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// An earlier findings.json of the same target, or the directory it is in: the page shows what has changed.
    #[arg(long, value_name = "FINDINGS")]
    pub baseline: Option<PathBuf>,

    /// Native times, as replay --native --format json prints them: the page shows the slowdown that was measured.
    #[arg(long, value_name = "FILE")]
    pub native: Option<PathBuf>,
}
