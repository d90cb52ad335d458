//! Path conditions and the solver that decides them.
//!
//! [`Solver::check`] asks whether a path can take one more condition. Layers answer, cheapest first (`layers/mod.rs` lists
//! them); each is exact or silent, and Z3 has the last word. A model is never handed out before evaluation agrees with it.

mod allowance;
mod allowed;
mod answer;
mod block_vec;
mod bucket;
mod config;
mod conjunction;
mod describe;
mod difference;
mod flat;
mod fork_list;
mod halt;
mod interval;
mod layers;
mod linear;
mod numbers;
mod path;
#[cfg_attr(not(feature = "z3"), allow(dead_code, reason = "only Z3 is patient"))]
mod patience;
mod potential;
mod range;
mod readable;
mod sets;
mod solver;
mod stats;
mod track;
#[cfg(feature = "z3")]
mod z3;
#[cfg(not(feature = "z3"))]
#[path = "without_z3.rs"]
mod z3;

pub use allowed::{Allowed, Intervals};
pub use answer::Answer;
pub use bucket::is_bucket;
pub use config::{SolverConfig, SolverKind};
pub use describe::describe;
pub use fork_list::ForkList;
pub use halt::Halt;
pub use path::PathCondition;
pub use solver::Solver;
pub use stats::{Hard, LayerStats, SolverStats};
pub use z3::limit_z3_memory;
