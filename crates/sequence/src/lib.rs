//! Formulas
mod generator;
mod parameter;
mod ranks;
mod ratio;
mod solve;
mod sum;
mod text;
pub use generator::{Generator, infer};
pub use parameter::Parameter;
pub use ranks::{rank_samples, ranks};
