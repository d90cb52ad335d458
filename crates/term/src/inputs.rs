//! Which inputs a term depends on; found on first request, then remembered.

use std::collections::HashMap;
use std::sync::Arc;

use crate::arena::Terms;
use crate::ids::{InputId, TermId};
use crate::input_sets::{MANY, Scratch};

/// Terms that are gone through for one request before the sets of all of them are remembered: the next request is likely to be about a term above
/// them, as where a table was written at unknown places.
const LARGE: usize = 1_024;
/// Words of sixty-four inputs each that may be needed for that; and elements of all sets that are then kept.
const MOST_WORDS: usize = 1 << 24;
const MOST_KEPT: usize = 1 << 20;

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

    fn traverse(&self, t: TermId) -> Arc<[InputId]> {
        let mut scratch = self.scratch.borrow_mut();
        let Scratch { stack, seen, round, found, unknown } = &mut *scratch;
        *round += 1;
        seen.resize(self.len().max(seen.len()), 0);
        found.clear();
        unknown.clear();
        stack.push(t);
        while let Some(t) = stack.pop() {
            if std::mem::replace(&mut seen[t.index()], *round) == *round {
                continue;
            }
            match self.known(t) {
                Some(known) => found.extend_from_slice(known),
                None => {
                    unknown.push(t);
                    stack.extend(self.node(t).children());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        if unknown.len() >= LARGE && unknown.len() * found.len().div_ceil(64) <= MOST_WORDS {
            // Children come before what they are part of.
            unknown.sort_unstable();
            self.remember_all(unknown, found, t);
        }
        found.as_slice().into()
    }

    /// The inputs of a term, if nobody has to look for them.
    fn known(&self, t: TermId) -> Option<&[InputId]> {
        let set = &self.inputs.sets[t.index()];
        match set.count {
            MANY => self.inputs.many[set.few[0].index()].get().map(|known| &**known),
            few => Some(&set.few[..usize::from(few)]),
        }
    }

    /// Works out the sets of these terms, which have no other inputs than those, and remembers them, but for the last one's. Terms with the same inputs
    /// share one set.
    fn remember_all(&self, unknown: &[TermId], inputs: &[InputId], last: TermId) {
        let words = inputs.len().div_ceil(64);
        let place: HashMap<TermId, usize> = unknown.iter().enumerate().map(|(place, t)| (*t, place)).collect();
        let mut bits = vec![0u64; unknown.len() * words];
        let mut shared: HashMap<Box<[u64]>, Arc<[InputId]>> = HashMap::new();
        let mut kept = 0;
        for (at, t) in unknown.iter().enumerate() {
            let (before, own) = bits.split_at_mut(at * words);
            let own = &mut own[..words];
            for child in self.node(*t).children() {
                match place.get(&child) {
                    Some(place) => {
                        let of_child = &before[place * words..][..words];
                        own.iter_mut().zip(of_child).for_each(|(own, more)| *own |= more);
                    }
                    None => {
                        for input in self.known(child).unwrap_or_default() {
                            if let Ok(bit) = inputs.binary_search(input) {
                                own[bit / 64] |= 1 << (bit % 64);
                            }
                        }
                    }
                }
            }
            if *t == last {
                continue;
            }
            let set = match shared.get(&*own) {
                Some(set) => Arc::clone(set),
                None if kept > MOST_KEPT => continue,
                None => {
                    let is_in = |bit: &usize| own[bit / 64] >> (bit % 64) & 1 == 1;
                    let set: Arc<[InputId]> = (0..inputs.len()).filter(is_in).map(|bit| inputs[bit]).collect();
                    kept += set.len();
                    shared.insert((&*own).into(), Arc::clone(&set));
                    set
                }
            };
            let slot = self.inputs.sets[t.index()].few[0].index();
            let _ = self.inputs.many[slot].set(set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::BinOp;

    #[test]
    fn sets_of_large_terms_are_those_of_their_parts() {
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..200).map(|i| terms.var(InputId(i), 32)).collect();
        let mut sums = vec![vars[0]];
        for i in 1..4_000usize {
            let last = sums[sums.len() - 1];
            // Every term is part of many others, and has the inputs up to its own.
            let more = terms.bin(BinOp::Mul, sums[i / 2], vars[(i * 200 / 4_000).min(199)]);
            sums.push(terms.bin(BinOp::Add, last, more));
        }
        let of = |upto: usize| (0..upto as u32).map(InputId).collect::<Vec<_>>();
        assert_eq!(terms.inputs(sums[3_999]), of(200));
        for i in [1_000, 2_000, 3_000] {
            assert!(terms.known(sums[i]).is_some(), "the set of a part is known too");
            assert_eq!(terms.inputs(sums[i]), of(i * 200 / 4_000 + 1));
        }
    }
}
