//! slowpath finds the inputs that make a piece of code slowest, and says how bad it gets as inputs grow.
//!
//! This is the pipeline as a library: [`analyze`] takes a request and gives back a [`Findings`] document, [`run`] executes one
//! given input, [`replay`] runs the inputs of a document again. The algorithms live in the crates below; here they are
//! only put in order. [`analyze_subject`] is the analysis of a program that is already loaded, for whoever compares many runs of it. The
//! command line is a crate of its own, `slowpath-cli`.

mod analyze;
pub mod check;
mod compile;
mod corpus;
mod dictionary_file;
mod document;
mod entry;
mod error;
mod export;
mod growth;
mod host_source;
mod hot_lines;
mod input_law;
mod island;
mod islands;
mod keep;
mod listing;
mod memory;
mod merge;
mod methods;
mod native;
mod panics;
mod parcel;
mod policy;
mod policy_file;
mod progress;
mod records;
mod relative_path;
mod replay;
mod request;
mod resume;
mod run;
mod runner;
mod scan;
mod setup;
mod shard;
mod sizes;
mod source_text;
mod sources;
mod subject;
mod synthesis;
mod tree;
mod trust;
pub mod units;
mod verify;
mod wanted;
pub mod work;
mod world;
mod writing;

pub use analyze::{Purpose, analyze, analyze_and_keep, analyze_subject};
pub use error::Error;
pub use error::policy::PolicyError;
pub use export::{ExportRequest, Exported, export};
pub use growth::{Promise, keeps};
pub use islands::MOST_ISLANDS;
pub use keep::{Keep, SharedEngine};
pub use listing::list;
pub use memory::give_back_with;
pub use merge::{MergeError, merge};
pub use native::{NativeReplay, NativeSize, Timing, replay_native};
pub use policy_file::{PolicyFile, fuzz_policy};
pub use progress::Progress;
pub use replay::{Replay, ReplayedSize, read_findings, replay};
pub use request::{AnalyzeRequest, EntryRequest, Limits, ProgramRequest, Strategy};
pub use resume::fuzz_journal;
pub use run::{RunReport, RunRequest, run};
pub use scan::{ScanRequest, configuration, look_at, scan};
pub use shard::Shard;
pub use sizes::{LARGEST_SIZE, SizesError, parse_size, parse_sizes};
pub use slowpath_fit::Class;
pub use slowpath_portfolio::{Event, FoundBy, Guided};
pub use slowpath_report::{Findings, SourceOptions};
pub use slowpath_search::{Clock, CostModel, EvolveParams, HistoryLength, steps_of};
pub use slowpath_solver::{SolverConfig, SolverKind};
pub use slowpath_source::{default_cache, is_crate_name, sweep_abandoned};
pub use subject::Subject;
pub use trust::Trust;
pub use verify::other_engine;
pub use writing::Analysis;
