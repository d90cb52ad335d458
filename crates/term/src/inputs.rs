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
        self.few_inputs(t).unwrap_or_else(|| self.traverse(t))
    }

    /// The common cases, without a traversal: an input, or an operator on inputs and constants.
    fn few_inputs(&self, t: TermId) -> Option<Box<[InputId]>> {
        let input = |t: TermId| match self.node(t) {
            Node::Var { input, .. } => Some(Some(input)),
            Node::Const { .. } => Some(None),
            _ => None,
        };
        let (a, b) = match self.node(t) {
            Node::Var { input, .. } => (Some(input), None),
            Node::Cmp { a, b, .. } | Node::Bin { a, b, .. } => (input(a)?, input(b)?),
            Node::Un { a, .. } | Node::Conv { a, .. } | Node::Extract { a, .. } => (input(a)?, None),
            _ => return None,
        };
        Some(match (a, b) {
            (Some(a), Some(b)) if a != b => Box::new([a.min(b), a.max(b)]),
            (Some(a), _) | (None, Some(a)) => Box::new([a]),
            (None, None) => Box::new([]),
        })
    }

    fn traverse(&self, t: TermId) -> Box<[InputId]> {
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
