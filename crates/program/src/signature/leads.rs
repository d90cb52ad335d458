//! Structs that lead to their own kind.

use crate::call::Link;
use crate::types::StructType;

/// Where a pointer leads from a struct to another of its kind.
pub(super) enum Leads {
    /// To a neighbour in a list.
    Beside(Link),
    /// To a list of n below it.
    Below,
    Nowhere,
}

/// Whether two structs are one type, though each file that knows it describes it anew.
pub(super) fn is_same(one: &StructType, other: &StructType) -> bool {
    std::ptr::eq(one, other) || !one.name.is_empty() && one.name == other.name && one.bytes == other.bytes
}
