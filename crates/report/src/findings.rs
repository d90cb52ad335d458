//! What an analysis found: one plain, versioned document. Every field is either about the program or named as a measurement.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use slowpath_program::identity::identity;

use crate::flame::Flame;
use crate::growth::GrowthReport;
use crate::input_law::InputLawReport;
use crate::number::{about, count};
use crate::policy::PolicyReport;
use crate::source_options::SourceOptions;
use crate::source_text::SourceText;
use crate::synthesis::SynthesisReport;
use crate::tree::Tree;

/// The version of the document. It changes when a reader of the old one would misunderstand the new one.
pub const SCHEMA: u32 = 1;

/// The whole document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    pub schema: u32,
    /// The version of slowpath that wrote it.
    pub slowpath: String,
    pub target: TargetInfo,
    pub strategy: String,
    pub cost_model: String,
    pub settings: Settings,
    /// By size, smallest first.
    pub results: Vec<SizeResult>,
    /// What was learned, where something was.
    pub policy: Option<PolicyReport>,
    /// The worst inputs as formulas, where they follow some.
    pub input_law: Option<InputLawReport>,
    /// How path conditions were synthesised, where they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<SynthesisReport>,
    /// How the worst cost grows; none where there are too few sizes to say anything.
    pub fit: Option<GrowthReport>,
    /// Everything that makes the results less than the whole truth.
    pub limits: Vec<String>,
    /// The program's source, where it was at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceText>,
    /// Every path of the largest exact sizes that have few, smallest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<Tree>,
    /// Where the worst input of the largest size spends itself, by function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flame: Option<Flame>,
    /// What the whole analysis took; a measurement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
    /// Only on request: where the solver's time went, over all sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<SolverWork>,
}

impl Findings {
    /// Whether any size has a worst case.
    pub fn has_result(&self) -> bool {
        self.results.iter().any(|result| result.cost.is_some())
    }
}

/// Time and work of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// By the clock of the search; where it goes by work, steps of ten nanoseconds.
    pub seconds: f64,
    /// Steps of work, as `--effort` counts them.
    pub steps: u64,
}

/// What was analysed, with all that is needed to build and call it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetInfo {
    pub file: String,
    pub function: String,
    /// The signature, where the function's inputs were made for it.
    pub call: Option<String>,
    /// The name of the harness, where it made its own.
    pub harness: Option<String>,
    pub compilation: Compilation,
    /// What was said about the program besides.
    #[serde(default, skip_serializing_if = "SourceOptions::is_empty")]
    pub options: SourceOptions,
    pub module: ModuleIdentity,
    /// What is worth knowing about how the module came to be.
    pub notes: Vec<String>,
}

impl TargetInfo {
    /// What is run, in the user's words.
    pub fn title(&self) -> String {
        match self.options.call.as_ref().or(self.call.as_ref()) {
            Some(call) => call.clone(),
            None if self.options.is_whole_program() => "the whole program".to_owned(),
            None => format!("{} (harness)", self.function),
        }
    }
}

/// How the module was made from its source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compilation {
    /// `branch-faithful`, `optimized` or `as given`.
    pub mode: String,
    /// The user's own flags, instead of ours.
    pub optimize: Option<Vec<String>>,
    pub cflags: Vec<String>,
}

/// Enough to notice that a module is not the one that was analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleIdentity {
    /// Without names and debug information.
    pub bytes: u64,
    /// FNV-1a over the same, in hexadecimal. Guards against mistakes, not against malice.
    pub fnv1a: String,
}

impl ModuleIdentity {
    /// The identity of a module, given as its bytes.
    pub fn of(wasm: &[u8]) -> ModuleIdentity {
        let identity = identity(wasm);
        ModuleIdentity { bytes: identity.bytes, fnv1a: format!("{:016x}", identity.fnv1a) }
    }
}

/// The settings that can change a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub seed: u64,
    pub solver: String,
    pub solver_timeout_ms: u32,
    pub budget_seconds: f64,
    /// Steps of work that took the place of time; then `seconds` anywhere are steps too, of ten nanoseconds each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<u64>,
    /// None: as many as there are.
    pub max_paths: Option<u64>,
    pub max_instructions: u64,
    pub max_depth: u32,
    pub max_memory: u64,
    pub max_cells: u64,
    pub max_select_depth: u32,
}

/// How sure a result is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confidence {
    /// Every path was explored.
    #[serde(rename = "exact")]
    Exact,
    /// The policy that led here found the exact worst case of every larger size it was validated on.
    #[serde(rename = "validated")]
    Validated,
    /// Local search around it found nothing worse.
    #[serde(rename = "challenged")]
    Challenged,
    /// The worst of what was seen.
    #[serde(rename = "best-found")]
    BestFound,
}

impl Confidence {
    /// All of them, the surest first.
    pub const ALL: [Confidence; 4] =
        [Confidence::Exact, Confidence::Validated, Confidence::Challenged, Confidence::BestFound];

    /// As in the document.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Exact => "exact",
            Confidence::Validated => "validated",
            Confidence::Challenged => "challenged",
            Confidence::BestFound => "best-found",
        }
    }
}

/// What was found at one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeResult {
    pub size: i64,
    /// The worst cost; none where no path came to its end.
    pub cost: Option<u64>,
    /// The run was cut at a limit, so the input costs at least `cost`.
    #[serde(default)]
    pub at_least: bool,
    /// Every counter of the worst path.
    pub costs: Map<String, Value>,
    /// Paths followed to their end, traps included; the greatest number of 64 bits where they are more.
    pub paths: u64,
    /// The number of paths in decimal digits, where it takes more than 64 bits: futures that are remembered are counted, not
    /// followed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_count: Option<String>,
    /// How many of them cost as much as the worst.
    pub worst_paths: u64,
    pub complete: bool,
    /// Questions asked of the solver; a measurement, like `seconds`: several jobs may repeat some.
    pub solver_queries: u64,
    /// Those of them that reached the SMT solver.
    pub smt_queries: u64,
    pub seconds: f64,
    pub confidence: Confidence,
    /// The technique that found the worst input, such as `policy` or `concrete evolution`.
    #[serde(default)]
    pub found_by: Option<String>,
    /// An input with the worst cost.
    pub input: Option<Value>,
    /// The trap the worst path ends in.
    pub trap: Option<String>,
    /// Another engine ran the input and agrees.
    pub verified: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average: Option<AverageCost>,
    pub traps: Vec<TrapReport>,
    /// Paths that a limit cut short, which may cost more than the worst reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
    /// Why the search at this size ended early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The lines that the worst input runs most often, busiest first; at the largest size, and
    /// at one about half as large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hot_lines: Vec<HotLine>,
}

impl SizeResult {
    /// The number of paths for people: `1,234`, or `about 1.07·10³⁰¹` where they are very many.
    pub fn paths_text(&self) -> String {
        match self.path_count.as_deref() {
            Some(digits) if digits.len() > 3 && digits.is_ascii() => about(digits),
            _ => count(self.paths),
        }
    }

    /// The worst cost for people: `1,234`, `> 1,000` where the run was cut, `-` where there is none.
    pub fn cost_text(&self) -> String {
        cost_text(self.cost, self.at_least)
    }
}

/// A cost for people, with a `>` where it is only a bound from below.
pub(crate) fn cost_text(cost: Option<u64>, at_least: bool) -> String {
    let more = if at_least { "> " } else { "" };
    cost.map_or_else(|| "-".to_owned(), |cost| format!("{more}{}", count(cost)))
}

/// What one source line does when the worst input runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HotLine {
    /// As the user gave it, or as the debug information names it. None where there is none.
    pub file: Option<String>,
    /// None: a whole function without debug information.
    pub line: Option<u32>,
    pub function: String,
    /// How often it runs; of several pieces (the parts of a `for`) as often as the busiest.
    pub count: u64,
    /// Its part of all instructions that run, from 0 to 1.
    pub share: f64,
    /// Conditionals executed on it.
    pub branches: u64,
    /// How often the compiled condition was true. It may be the opposite of what the line tests.
    pub taken: u64,
    /// How often it was false.
    pub not_taken: u64,
    /// The line itself, where the source is at hand.
    pub text: Option<String>,
    /// Whether the file is beside the analysed one or below it: the user's own.
    #[serde(default)]
    pub own: bool,
    /// The part of all instructions that run while the line is on the stack, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inclusive: Option<f64>,
    /// The part that runs on the line or in foreign code it calls. Over all lines this adds up to the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged: Option<f64>,
    /// Foreign functions it calls, most costly first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CalledFunction>,
}

/// A foreign function that a line calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalledFunction {
    pub function: String,
    /// Its part of all instructions, with what it calls.
    pub share: f64,
}

impl HotLine {
    /// `sort.c:12`, or the function where there are no lines.
    pub fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => self.function.clone(),
        }
    }

    /// The part of the cost that the line answers for.
    pub fn answers_for(&self) -> f64 {
        self.charged.unwrap_or(self.share)
    }
}

/// The lines to look at, the guiltiest first: the user's own with what they call, and where there are none, all.
pub fn guilty(lines: &[HotLine]) -> Vec<&HotLine> {
    let own: Vec<&HotLine> = lines.iter().filter(|line| line.own).collect();
    let mut out = if own.is_empty() { lines.iter().collect() } else { own };
    out.sort_by(|a, b| b.answers_for().total_cmp(&a.answers_for()).then(b.count.cmp(&a.count)));
    out
}

/// The cost of random inputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AverageCost {
    pub runs: u64,
    pub mean: f64,
    pub least: u64,
    pub most: u64,
    /// Draws outside what the program allows, or past a limit.
    pub discarded: u64,
}

/// A trap that some input causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrapReport {
    pub trap: String,
    /// `file:line`, or the function where there is no debug information.
    pub place: Option<String>,
    pub paths: u64,
    /// Some of the inputs.
    pub inputs: Vec<Value>,
    /// What the panic that it is says for each of these inputs; empty where that is not known, or the trap says it itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// Another engine ran them and traps in the same way.
    pub verified: bool,
}

impl TrapReport {
    /// Each way in which it ends, in words, with the first input that leads there: one, or a panic at each place in the source.
    pub fn kinds(&self) -> Vec<(&str, Option<&Value>)> {
        if self.messages.is_empty() {
            return vec![(&self.trap, self.inputs.first())];
        }
        // `panicked at FILE:LINE: what`, of which what may differ from input to input.
        let place = |message: &str| message.splitn(4, ':').take(2).collect::<Vec<_>>().join(":");
        let mut kinds: Vec<(&str, Option<&Value>)> = Vec::new();
        for (message, input) in self.messages.iter().zip(&self.inputs) {
            if !kinds.iter().any(|(known, _)| place(known) == place(message)) {
                kinds.push((message, Some(input)));
            }
        }
        kinds
    }

    /// Where it is, unless its words say so.
    pub fn place_beside(&self) -> Option<&str> {
        self.place.as_deref().filter(|_| self.messages.is_empty())
    }
}

/// Paths that a limit cut short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    pub paths: u64,
    /// The input of one of them.
    pub input: Option<Value>,
}

/// What the solver did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolverWork {
    pub queries: u64,
    pub smt_queries: u64,
    pub unknown: u64,
    pub rejected_models: u64,
    pub layers: Vec<LayerWork>,
    /// Conditions that Z3 was asked about, by line and kind, those it took longest for first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hard: Vec<HardWork>,
    /// What techniques of `auto` took, and Z3's part of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub techniques: Vec<TechniqueWork>,
}

/// Conditions of one kind at one line that Z3 was asked about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HardWork {
    pub condition: String,
    pub asked: u64,
    pub unknown: u64,
    pub nanos: u64,
}

/// What one technique took, and Z3's part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TechniqueWork {
    pub name: String,
    pub seconds: f64,
    pub smt_queries: u64,
    pub smt_seconds: f64,
}

/// What one layer of the solver did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerWork {
    pub name: String,
    pub seen: u64,
    pub sat: u64,
    pub unsat: u64,
    pub passed: u64,
    pub nanos: u64,
}
