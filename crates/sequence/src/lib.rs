//! Formulas for what grows with a size n, inferred from small sizes and validated on larger ones.
//!
//! A [`Parameter`] is a function of n alone. A [`Generator`] makes a sequence for every n: the `incre`/`const` grammar
//! of XSTRESSOR and what loops need beyond it. A [`Law`] gives the elements of an array by index and size; a [`Pattern`] repeats short units. All
//! arithmetic is exact; what does not fit is `None`. Nothing is accepted that the samples merely allow: samples beyond the degrees of freedom have to agree.

mod generator;
mod law;
mod parameter;
mod pattern;
#[cfg(test)]
mod random;
mod ranks;
mod ratio;
mod solve;
mod sum;
mod text;

pub use generator::{Generator, infer};
pub use law::{Law, infer_law};
pub use parameter::Parameter;
pub use pattern::{Counter, Pattern, factorisations};
pub use ranks::{rank_samples, ranks};
