//! Path conditions and the solver that decides them.
//!
//! [`Solver::check`] asks whether a path can take one more condition. Layers answer, cheapest first (`layers/mod.rs` lists
//! them); each is exact or silent, and Z3 has the last word. A model is never handed out before evaluation agrees with it.

mod allowance;
mod allowed;
mod answer;
mod block_vec;
mod config;
mod conjunction;
mod difference;
mod fork_list;
mod interval;
mod layers;
mod linear;
mod path;
mod patience;
mod potential;
mod range;
mod readable;
mod sets;
mod solver;
mod stats;
mod track;
mod z3;

pub use allowed::{Allowed, Intervals};
pub use answer::Answer;
pub use config::{SolverConfig, SolverKind};
pub use fork_list::ForkList;
pub use path::PathCondition;
pub use solver::Solver;
pub use stats::{LayerStats, SolverStats};
