//! Which inputs a term depends on; found on first request, then remembered.

use crate::arena::Terms;
use crate::ids::{InputId, TermId};
use crate::node::Node;

/// Working space reused between requests.
#[derive(Default)]
pub(crate) struct Scratch {
    stack: Vec<TermId>,
    /// Round in which a term was last visited.
    seen: Vec<u32>,
    round: u32,
    found: Vec<InputId>,
}

impl Terms {
    /// The inputs `t` depends on, ascending, each once.
    pub fn inputs(&self, t: TermId) -> &[InputId] {
        self.inputs[t.index()].get_or_init(|| self.collect_inputs(t))
    }

    fn collect_inputs(&self, t: TermId) -> Box<[InputId]> {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { stack, seen, round, found } = &mut *scratch;
        *round += 1;
        seen.resize(self.len().max(seen.len()), 0);
        found.clear();
        stack.push(t);
        while let Some(t) = stack.pop() {
            if std::mem::replace(&mut seen[t.index()], *round) == *round {
                continue;
            }
            if let Some(known) = self.inputs[t.index()].get() {
                found.extend_from_slice(known);
                continue;
            }
            match self.node(t) {
                Node::Var { input, .. } => found.push(input),
                node => stack.extend(node.children()),
            }
        }
        found.sort_unstable();
        found.dedup();
        found.as_slice().into()
    }
}
