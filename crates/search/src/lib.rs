//! Decides which paths of a program to follow. It sees decisions and costs; it reads no file and prints nothing.

mod average;
mod budget;
mod concrete;
mod cost;
mod driver;
mod evolve;
mod exhaustive;
mod findings;
mod guided;
mod hot_lines;
mod learn;
mod node;
mod parallel;
pub mod policy;
mod random;
mod reproduce;
mod rng;
mod target;

pub use average::{Average, average};
pub use budget::{Budget, Stop};
pub use concrete::{ConcreteRun, run_concrete};
pub use cost::{CostModel, CostModelError};
pub use driver::{Choice, Driver, Side, Step};
pub use evolve::{Challenge, EvolveParams, challenge, evolve};
pub use exhaustive::depth_first;
pub use findings::{How, PathFinding, SizeFinding, TrapFinding};
pub use guided::guided;
pub use hot_lines::{HotLine, hot_lines};
pub use learn::{Candidate, Chosen, Family, HistoryLength, Learned, learn};
pub use node::{Decision, Node, Trail};
pub use parallel::{exhaustive, exhaustive_lesson};
pub use random::random_paths;
pub use reproduce::reproduce;
pub use rng::Rng;
pub use target::{SearchError, Target};
