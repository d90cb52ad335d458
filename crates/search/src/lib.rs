//! Decides which paths of a program to follow. It sees decisions and costs; it reads no file and prints nothing.

mod average;
mod budget;
mod call_stacks;
mod clock;
mod concrete;
mod cost;
mod driver;
mod engine;
mod every_path;
mod evolve;
mod exhaustive;
mod explorations;
mod findings;
mod follow_input;
mod guided;
mod hot_lines;
mod learn;
mod memo;
mod node;
mod parallel;
pub mod policy;
mod prefix;
mod random;
mod reproduce;
mod rng;
mod synthesize;
mod tally;
mod target;
mod words;
pub mod work;

/// The version that work, journals and policies are compared by.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub use average::{Average, average};
pub use budget::{Budget, Stop};
pub use call_stacks::FlameFrame;
pub use clock::{Clock, STEPS_PER_SECOND, steps_of};
pub use concrete::{ConcreteRun, run_concrete};
pub use cost::{CostModel, CostModelError};
pub use driver::{Choice, Driver, Side, Step};
pub use every_path::{WholePath, every_path};
pub use evolve::{Challenge, EvolveParams, challenge, evolve};
pub use exhaustive::depth_first;
pub use findings::{PathFinding, Provenance, SizeFinding, TrapFinding};
pub use follow_input::follow_input;
pub use guided::{GuidedOptions, guided};
pub use hot_lines::{Code, HotLine, RunProfile, run_profile};
pub use learn::{Candidate, Family, HistoryLength, Learned, PolicySet, explore, learn, learn_from_paths};
pub use memo::{LeftOut, Memoised, memo, memo_without};
pub use node::{Decision, Node, Trail};
pub use parallel::{exhaustive, exhaustive_with_summary};
pub use random::random_paths;
pub use reproduce::reproduce;
pub use rng::Rng;
pub use synthesize::{Example, Point, Synthesis, Unmodelled};
pub use target::{SearchError, Target, WordsBySize};
