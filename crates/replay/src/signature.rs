//! Types of functions, as engines and host functions tell each other.

use slowpath_program::ValType;

/// A function type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    pub params: Vec<ValType>,
    pub results: Vec<ValType>,
}
