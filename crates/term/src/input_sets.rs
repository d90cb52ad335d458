//! The inputs of every term, as they are kept.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::ids::{InputId, TermId};
use crate::node::Node;

/// Working space reused between requests.
#[derive(Default)]
pub(crate) struct Scratch {
    pub stack: Vec<TermId>,
    /// Round in which a term was last visited.
    pub seen: Vec<u32>,
    pub round: u32,
    pub found: Vec<InputId>,
    /// Terms on the way whose inputs nobody has asked for yet.
    pub unknown: Vec<TermId>,
}

/// The inputs of every term: one or two are kept in place, more are found when somebody asks.
#[derive(Default)]
pub(crate) struct InputSets {
    pub sets: Vec<InputSet>,
    pub many: Vec<OnceCell<Arc<[InputId]>>>,
}

/// The inputs of a term: the first so many of the two, or if `MANY`, those at a place of the other table.
#[derive(Clone, Copy)]
pub(crate) struct InputSet {
    pub count: u8,
    pub few: [InputId; 2],
}

/// The count of a set of more than two.
pub(crate) const MANY: u8 = u8::MAX;

impl InputSets {
    /// The set of one more term, from those of its children.
    #[inline]
    pub(crate) fn add(&mut self, node: &Node) {
        let mut set = InputSet { count: 0, few: [InputId(0); 2] };
        if let Node::Var { input, .. } = *node {
            set = InputSet { count: 1, few: [input, InputId(0)] };
        }
        for child in node.children() {
            set = union(set, self.sets[child.index()]);
        }
        if set.count == MANY {
            set.few[0] = InputId(self.many.len() as u32);
            self.many.push(OnceCell::new());
        }
        self.sets.push(set);
    }
}

/// Both together, ascending; MANY if they are more than two.
#[inline]
fn union(a: InputSet, b: InputSet) -> InputSet {
    let many = InputSet { count: MANY, few: [InputId(0); 2] };
    match (a.count, b.count) {
        (MANY, _) | (_, MANY) => many,
        (_, 0) => a,
        (0, _) => b,
        (1, 1) if a.few[0] == b.few[0] => a,
        (1, 1) => InputSet { count: 2, few: [a.few[0].min(b.few[0]), a.few[0].max(b.few[0])] },
        (2, 1) if a.few.contains(&b.few[0]) => a,
        (1, 2) if b.few.contains(&a.few[0]) => b,
        (2, 2) if a.few == b.few => a,
        _ => many,
    }
}
