//! Difference logic: conditions of the form x - y ≤ c and x ≤ c over the integer values of inputs.
//!
//! Satisfiability of such conditions is the absence of a negative cycle in a graph, witnessed by a potential: a number for each
//! node with π(x) - π(y) ≤ c for every condition (Cotton and Maler, 2006). The model of the path is such a potential already,
//! so following the path costs nothing, going back costs nothing, and one more condition is a local repair of the model.
//!
//! Bit-vectors wrap around and integers do not: a condition enters the graph only where bounds show that nothing wraps.

mod atoms;
mod graph;
mod relax;

pub(crate) use atoms::{Atom, Atoms, Point};
pub(crate) use graph::Graph;
pub(crate) use relax::{Relaxation, Relaxed, World};
