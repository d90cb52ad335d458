//! Formulas
mod generator;
mod law;
mod parameter;
mod ranks;
mod ratio;
mod solve;
mod sum;
mod text;
pub use generator::{Generator, infer};
pub use law::{Law, infer_law};
pub use parameter::Parameter;
pub use ranks::{rank_samples, ranks};
