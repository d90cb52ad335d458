//! Pointers that were read from a place that is not known: a choice among addresses, as deep as the places were.
//!
//! What is read through one is the same choice among what is read at each address. So the next pointer of a list, its key and
//! the one after it all hang on the conditions of the first choice, and no condition compares addresses.

use rustc_hash::FxHashMap;
use slowpath_term::{BinOp, ConvOp, Node, TermId, Terms, ops};

/// Choices looked at in one address, for each address that it may have: more are not worth it.
const CHOICES_PER_PLACE: u64 = 4;
/// How far they may be nested, which bounds recursion.
const DEEPEST: u32 = 512;

/// An address that is a choice among constants.
pub(crate) struct Pointers {
    term: TermId,
    /// The choice without what is added to it.
    choice: TermId,
    /// What happens to the chosen address, innermost first.
    then: Vec<Then>,
    places: Vec<u64>,
}

/// What an address is put through after it was chosen.
#[derive(Clone, Copy)]
enum Then {
    Plus {
        number: u64,
        width: u8,
    },
    /// Wider, with zeros.
    Wider,
}

impl Then {
    fn apply(self, address: u64) -> u64 {
        match self {
            Then::Plus { number, width } => address.wrapping_add(number) & ops::mask(width),
            Then::Wider => address,
        }
    }
}

impl Pointers {
    /// The addresses that `t` chooses among, if it is such a choice and they are at most `most`.
    pub fn of(terms: &Terms, t: TermId, most: u64) -> Option<Pointers> {
        let (mut choice, mut then) = (t, Vec::new());
        loop {
            match terms.node(choice) {
                Node::Bin { op: BinOp::Add, width, a, b } => {
                    let (number, rest) = match (terms.as_const(a), terms.as_const(b)) {
                        (Some(number), None) => (number, b),
                        (None, Some(number)) => (number, a),
                        _ => return None,
                    };
                    then.push(Then::Plus { number, width });
                    choice = rest;
                }
                Node::Conv { op: ConvOp::ZExt, a, .. } => {
                    then.push(Then::Wider);
                    choice = a;
                }
                Node::Ite { .. } => break,
                _ => return None,
            }
        }
        then.reverse();
        let mut seen: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut places = Vec::new();
        let mut stack = vec![(choice, 0)];
        while let Some((t, depth)) = stack.pop() {
            if depth > DEEPEST || seen.len() as u64 > CHOICES_PER_PLACE * most {
                return None;
            }
            // Met again further down, it counts for how deep it is there.
            if seen.get(&t).is_some_and(|known| *known >= depth) {
                continue;
            }
            seen.insert(t, depth);
            match terms.node(t) {
                Node::Const { bits, .. } => places.push(then.iter().fold(bits, |at, then| then.apply(at))),
                Node::Ite { then, els, .. } => stack.extend([(then, depth + 1), (els, depth + 1)]),
                _ => return None,
            }
        }
        places.sort_unstable();
        places.dedup();
        (places.len() as u64 <= most).then_some(Pointers { term: t, choice, then, places })
    }

    /// The address as a whole.
    pub fn term(&self) -> TermId {
        self.term
    }

    /// What it can be, ascending.
    pub fn places(&self) -> &[u64] {
        &self.places
    }

    /// An equal choice among what `read` gives for each address.
    pub fn map(&self, terms: &mut Terms, read: &mut dyn FnMut(&mut Terms, u64) -> TermId) -> TermId {
        self.map_choice(terms, self.choice, read, &mut FxHashMap::default())
    }

    fn map_choice(
        &self,
        terms: &mut Terms,
        t: TermId,
        read: &mut dyn FnMut(&mut Terms, u64) -> TermId,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        if let Some(known) = done.get(&t) {
            return *known;
        }
        let mapped = match terms.node(t) {
            Node::Ite { cond, then, els, site } => {
                let then = self.map_choice(terms, then, read, done);
                let els = self.map_choice(terms, els, read, done);
                terms.ite(cond, then, els, site)
            }
            // `of` let nothing but constants through.
            _ => {
                let bits = terms.as_const(t).unwrap_or(0);
                read(terms, self.then.iter().fold(bits, |at, then| then.apply(at)))
            }
        };
        done.insert(t, mapped);
        mapped
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::{CmpOp, InputId};

    use super::*;

    #[test]
    fn what_is_read_through_a_pointer_hangs_on_the_choice_of_the_pointer() {
        let mut terms = Terms::new();
        let key = terms.var(InputId(0), 32);
        let zero = terms.constant(32, 0);
        let cond = terms.cmp(CmpOp::Eq, key, zero);
        let (a, b) = (terms.constant(32, 4096), terms.constant(32, 900_000));
        let pointer = terms.ite(cond, a, b, 0);
        let wide = terms.conv(ConvOp::ZExt, 64, pointer);
        let offset = terms.constant(64, 8);
        let address = terms.bin(BinOp::Add, wide, offset);
        let pointers = Pointers::of(&terms, address, 256).expect("a choice");
        assert_eq!(pointers.places(), [4104, 900_008]);
        let read = pointers.map(&mut terms, &mut |terms, at| terms.constant(32, at + 1));
        let (a, b) = (terms.constant(32, 4105), terms.constant(32, 900_009));
        assert_eq!(read, terms.ite(cond, a, b, 0));
        assert!(Pointers::of(&terms, address, 1).is_none(), "too many");
        assert!(Pointers::of(&terms, key, 256).is_none(), "no choice");
    }
}
