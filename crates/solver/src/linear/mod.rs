//! Linear arithmetic: conditions on sums of inputs, such as one route being shorter than another.
//!
//! A condition enters where bounds show that nothing in it wraps around; then it is one on integers (`form.rs`). Else how often it wraps is an
//! unknown of its own, and so is every quotient (`modular.rs`). The simplex method decides it over the fractions: no fractions, no integers; and
//! fractions found are split on until they are whole. What was refuted is remembered by what refuted it (`cores.rs`).

mod cores;
mod form;
mod modular;
mod ratio;
mod simplex;

pub(crate) use cores::{Bound, Cores};
pub(crate) use form::{Form, Reader, Rows, Variable};
pub(crate) use modular::{ModularReader, Unknown};
pub(crate) use ratio::{Fraction, Ratio, SmallRatio};
pub(crate) use simplex::{Feasible, Simplex};
