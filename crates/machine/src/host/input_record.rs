//! One input that a run has made: its numbers, and the terms of its elements.

use slowpath_program::call::ElemType;
use slowpath_term::{ConvOp, InputId, TermId, Terms};

use super::words::{Lane, SharedWords};

/// One named input, whose elements are numbered from `first` on.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRecord {
    pub name: String,
    pub ty: ElemType,
    pub scalar: bool,
    pub first: InputId,
    pub count: u32,
    /// Where some of its bytes are words.
    pub(crate) words: Option<SharedWords>,
}

impl InputRecord {
    /// The word that stands for an element.
    pub fn lane(&self, element: u32) -> Option<Lane> {
        self.words.as_ref()?.lane(self.ty, self.first, self.count, InputId(self.first.0 + element))
    }
}

/// The term of an element.
pub(crate) fn element(terms: &mut Terms, record: &InputRecord, i: u32) -> TermId {
    if let Some(lane) = record.lane(i) {
        let word = terms.var(lane.word, 8 * lane.bytes);
        return terms.extract(word, 8 * lane.index, 8);
    }
    let id = InputId(record.first.0 + i);
    if record.ty == ElemType::Bool {
        let bit = terms.var(id, 1);
        return terms.conv(ConvOp::ZExt, 8, bit);
    }
    terms.var(id, record.ty.bits())
}
