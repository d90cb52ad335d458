//! Which inputs a term depends on; found on first request, then remembered.

use crate::arena::Terms;
use crate::ids::{InputId, TermId};
use crate::input_sets::{MANY, Scratch};

impl Terms {
    /// The inputs `t` depends on, ascending, each once.
    #[inline]
    pub fn inputs(&self, t: TermId) -> &[InputId] {
        let set = &self.inputs.sets[t.index()];
        match set.count {
            MANY => self.inputs.many[set.few[0].index()].get_or_init(|| self.traverse(t)),
            few => &set.few[..usize::from(few)],
        }
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
            let set = &self.inputs.sets[t.index()];
            match set.count {
                MANY => match self.inputs.many[set.few[0].index()].get() {
                    Some(known) => found.extend_from_slice(known),
                    None => stack.extend(self.node(t).children()),
                },
                few => found.extend_from_slice(&set.few[..usize::from(few)]),
            }
        }
        found.sort_unstable();
        found.dedup();
        found.as_slice().into()
    }
}
