//! The values that inputs may have.

use slowpath_program::call::InputSpec;

/// The values that an input's elements may have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Values<'v> {
    /// Lowest and highest, both included.
    pub range: Option<(i128, i128)>,
    /// One of these.
    pub among: Option<&'v [i64]>,
    /// So many together are valid UTF-8.
    pub utf8: Option<usize>,
}

impl<'v> Values<'v> {
    /// As the signature of a call says.
    pub fn of_input(spec: &'v InputSpec) -> Values<'v> {
        Values { range: spec.range, among: spec.among.as_deref(), utf8: spec.is_utf8.then(|| spec.row()) }
    }
}
