//! Hash-consed bit-vector and float terms: built simplified, evaluated exactly.
//!
//! A term is a bit-vector of 1 to 64 bits over the inputs of one path. Booleans have width 1; floats are their IEEE bit
//! patterns. [`ops`] fixes what every operator means on plain numbers; [`Terms`] builds terms, and everything it rewrites
//! keeps that meaning (the tests in `tests/` hold it to that).

mod arena;
mod bounds;
mod eval;
mod facts;
mod ids;
mod input_sets;
mod inputs;
mod intern;
mod ites;
mod model;
mod node;
pub mod ops;
mod rules;

pub use arena::Terms;
pub use eval::Evaluator;
pub use ids::{InputId, TermId};
pub use ites::Choice;
pub use model::Model;
pub use node::{BinOp, CmpOp, Comparison, Condition, ConvOp, Node, UnOp};
