//! What is asked for.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use slowpath_portfolio::FoundBy;
use slowpath_report::SourceOptions;
use slowpath_search::{Budget, CostModel, EvolveParams, HistoryLength};
use slowpath_solver::SolverConfig;

use crate::keep::{Keep, SharedEngine};

/// The program, and how to compile it.
#[derive(Clone, Debug)]
pub struct ProgramRequest {
    pub file: PathBuf,
    /// The user's own optimisation flags. Default: none, compile branch-faithfully.
    pub optimize: Option<Vec<String>>,
    /// Flags for the compiler in either mode.
    pub cflags: Vec<String>,
    /// What else there is to say about the program.
    pub options: SourceOptions,
    /// Where compiled objects are kept for the next time. Default: nowhere.
    pub cache: Option<PathBuf>,
    /// Where the compiler's commands and the module are left to be looked at. Default: nowhere.
    pub keep: Option<PathBuf>,
    /// Whether code that runs while a crate of the registry is built may run. Default: no.
    pub trust_build: bool,
    /// Time for compiling. Default: what the compilation as a whole has by itself.
    pub compile_limit: Option<Duration>,
    /// Set from outside to stop compiling. Default: nobody does.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl ProgramRequest {
    /// A file with every default.
    pub fn new(file: impl Into<PathBuf>) -> ProgramRequest {
        ProgramRequest {
            file: file.into(),
            optimize: None,
            cflags: Vec::new(),
            options: SourceOptions::default(),
            cache: None,
            keep: None,
            trust_build: false,
            compile_limit: None,
            interrupt: None,
        }
    }

    /// Whether it is a crate, of the registry or of a folder.
    pub(crate) fn is_crate(&self) -> bool {
        self.options.krate.is_some() || slowpath_source::is_cargo_project(&self.file)
    }

    /// The program of an analysis that is to take so long: compiling takes no longer than that either, or half a minute if that is more, unless the
    /// user said how long. What cargo builds for the first time takes its minutes.
    pub fn within(mut self, budget: Duration) -> ProgramRequest {
        const LEAST: Duration = Duration::from_secs(30);
        const USUAL: Duration = Duration::from_secs(120);
        if self.compile_limit.is_none() && !self.is_crate() {
            self.compile_limit = Some(budget.max(LEAST).min(USUAL));
        }
        self
    }
}

/// What to run in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryRequest {
    /// A signature.
    Call(String),
    /// A harness, by its name.
    Harness(String),
    /// Nothing was said; the answer is a list of what there is.
    Missing,
}

impl EntryRequest {
    /// The function that libFuzzer calls, with n bytes.
    pub fn fuzz_target() -> EntryRequest {
        EntryRequest::Call("LLVMFuzzerTestOneInput(data: u8[n], n)".to_owned())
    }

    /// The program from its beginning.
    pub fn whole_program() -> EntryRequest {
        EntryRequest::Harness("_start".to_owned())
    }
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Exhaustive while that is cheap, then guided by the best policy of either kind.
    #[default]
    Auto,
    Exhaustive,
    /// Every path, each future once.
    Memo,
    /// Branch policies.
    Wise,
    /// History-based policies.
    History,
    DepthFirst,
    Random,
    /// Evolutionary symbolic execution.
    Evolve,
    /// Genetic search over concrete inputs, on wasmtime.
    Mutate,
    /// Inputs that repeat a short unit, found by how their cost grows.
    Pump,
    /// The path condition of each size, from generators that small worst paths taught.
    Synthesize,
}

impl Strategy {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Exhaustive => "exhaustive",
            Strategy::Memo => "memo",
            Strategy::Wise => "wise",
            Strategy::History => "history",
            Strategy::DepthFirst => "dfs",
            Strategy::Random => "random",
            Strategy::Evolve => "evolve",
            Strategy::Mutate => "mutate",
            Strategy::Pump => "pump",
            Strategy::Synthesize => "synthesize",
        }
    }
}

impl Strategy {
    /// As the portfolio knows it.
    pub(crate) fn of_portfolio(self, from_policy: bool) -> slowpath_portfolio::Strategy {
        use slowpath_portfolio::Strategy as Of;
        match self {
            Strategy::Auto => Of::Auto,
            Strategy::Exhaustive => Of::Exhaustive,
            Strategy::Memo => Of::Memo,
            Strategy::Wise => Of::Wise,
            Strategy::History => Of::History,
            Strategy::DepthFirst => Of::DepthFirst,
            Strategy::Random => Of::Random,
            Strategy::Evolve => Of::Evolve { from_policy },
            Strategy::Mutate => Of::Mutate,
            Strategy::Pump => Of::Pump,
            Strategy::Synthesize => Of::Synthesize,
        }
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategy, String> {
        match text {
            "auto" => Ok(Strategy::Auto),
            "exhaustive" => Ok(Strategy::Exhaustive),
            "memo" => Ok(Strategy::Memo),
            "wise" => Ok(Strategy::Wise),
            "history" => Ok(Strategy::History),
            "dfs" => Ok(Strategy::DepthFirst),
            "random" => Ok(Strategy::Random),
            "evolve" => Ok(Strategy::Evolve),
            "mutate" => Ok(Strategy::Mutate),
            "pump" => Ok(Strategy::Pump),
            "synthesize" => Ok(Strategy::Synthesize),
            _ => {
                Err("there are auto, exhaustive, memo, wise, history, synthesize, evolve, dfs, random, mutate and pump"
                    .to_owned())
            }
        }
    }
}

/// What one path, and the search as a whole, may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Instructions on one path. Default 1,000,000,000.
    pub instructions: u64,
    /// Depth of calls. Default 20,000.
    pub depth: u32,
    /// Linear memory of the program in bytes. Default 1 GiB.
    pub memory: u64,
    /// Cells that a symbolic address may cover. Default 256.
    pub cells: u64,
    /// Nesting of selects that stay one term. Default 2.
    pub select_depth: u32,
    /// Paths at one size. Default: no limit.
    pub paths: Option<u64>,
    /// Memory for the search as a whole in bytes, the solver included. Default: half of what is free.
    pub search_memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            instructions: 1_000_000_000,
            depth: 20_000,
            memory: 1 << 30,
            cells: 256,
            select_depth: 2,
            paths: None,
            search_memory: None,
        }
    }
}

/// Registers that calls may have on average when they are as deep as they may be: more than functions of compilers need. A hostile function
/// has fifty thousand, and every path holds those of all its calls.
const REGISTERS_PER_CALL: usize = 200;
/// Room for two calls of the largest functions there are.
const LEAST_REGISTERS: usize = 2 << 20;
const MOST_REGISTERS: usize = 16 << 20;

/// The part of the search's memory that a program may take before its function is called: it does so in every run.
const STARTUP_SHARE: u64 = 4;

impl Limits {
    /// What the machine gets of it.
    pub fn machine(&self) -> slowpath_machine::Limits {
        slowpath_machine::Limits {
            instructions: self.instructions,
            call_depth: self.depth,
            registers: (self.depth as usize).saturating_mul(REGISTERS_PER_CALL).clamp(LEAST_REGISTERS, MOST_REGISTERS),
            memory: self.memory,
            startup: self.search_memory.map_or(u64::MAX, |bytes| bytes / STARTUP_SHARE),
            cells: self.cells,
            select_depth: self.select_depth,
            ..Default::default()
        }
    }
}

/// Everything an analysis needs to know.
#[derive(Clone, Debug)]
pub struct AnalyzeRequest {
    pub program: ProgramRequest,
    pub entry: EntryRequest,
    /// Ascending. None: grow from 1 until the budget is used.
    pub sizes: Option<Vec<i64>>,
    pub strategy: Strategy,
    /// Techniques of the strategy that are left out.
    pub without: Vec<FoundBy>,
    /// How far back history policies look.
    pub history: HistoryLength,
    /// A file of policies to use instead of learning any.
    pub policy: Option<PathBuf>,
    /// A file of words that inputs may be made of, in AFL's format.
    pub dictionary: Option<PathBuf>,
    /// How many paths the random strategy follows at each size.
    pub random_paths: u64,
    /// For the strategies evolve and mutate.
    pub evolve: EvolveParams,
    /// Whether an evolution begins with the path of a learned policy.
    pub evolve_from_policy: bool,
    pub cost: CostModel,
    pub limits: Limits,
    /// For the whole analysis.
    pub budget: Duration,
    /// Steps of work for the whole analysis instead of time: the same result on every machine.
    pub effort: Option<u64>,
    pub solver: SolverConfig,
    pub seed: u64,
    pub jobs: usize,
    /// A folder of inputs that are tried first.
    pub corpus: Option<PathBuf>,
    /// Random inputs to run at each size for the average cost.
    pub average: Option<u64>,
    /// Whether the document says where the solver's time went.
    pub stats: bool,
    /// Where what is known is kept to be gone on with. Default: nowhere.
    pub keep: Option<Keep>,
    /// Who carries explorations and islands. Default: threads.
    pub engine: Option<SharedEngine>,
    /// How many searches with seeds of their own go before it, and exchange what they find. Default: none.
    pub islands: u32,
    /// Set from outside to end with what there is.
    pub interrupt: Arc<AtomicBool>,
}

impl AnalyzeRequest {
    /// What the whole analysis may use.
    pub(crate) fn whole_budget(&self) -> Budget {
        /// Bytes a term of the search takes, its place in the tables included.
        const BYTES_PER_TERM: u64 = 107;
        /// What the terms of one thread take at most, on every machine.
        const MOST_FOR_TERMS: u64 = 2 << 30;
        let terms = self.limits.search_memory.unwrap_or(MOST_FOR_TERMS) / BYTES_PER_TERM;
        let whole = self.effort.map_or_else(|| Budget::of_time(self.budget), Budget::of_effort);
        Budget {
            paths: self.limits.paths.unwrap_or(u64::MAX),
            terms: usize::try_from(terms).unwrap_or(usize::MAX).max(1000),
            interrupt: Arc::clone(&self.interrupt),
            ..whole
        }
    }

    /// A request with every default.
    pub fn new(file: impl Into<PathBuf>, entry: EntryRequest) -> AnalyzeRequest {
        AnalyzeRequest {
            program: ProgramRequest::new(file),
            entry,
            sizes: None,
            strategy: Strategy::Auto,
            without: Vec::new(),
            history: HistoryLength::Adaptive,
            policy: None,
            dictionary: None,
            random_paths: 100,
            evolve: EvolveParams::default(),
            evolve_from_policy: false,
            cost: CostModel::Instructions,
            limits: Limits::default(),
            budget: Duration::from_secs(60),
            effort: None,
            solver: SolverConfig::default(),
            seed: 0,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            corpus: None,
            average: None,
            stats: false,
            keep: None,
            engine: None,
            islands: 0,
            interrupt: Arc::default(),
        }
    }
}
