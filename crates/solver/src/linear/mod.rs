//! Linear arithmetic: conditions on sums of inputs, such as one route being shorter than another.
//!
//! A condition enters only where bounds show that nothing in it wraps around; then it is one on integers. The simplex method
//! decides it over the fractions: no fractions, no integers; and fractions found are split on until they are whole.

mod form;
mod ratio;
mod simplex;

pub(crate) use form::{Form, Reader, Rows, Variable};
pub(crate) use simplex::{Feasible, Simplex};
