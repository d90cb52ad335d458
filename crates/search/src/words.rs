//! Which bytes of the inputs the program reads as words, found by following a few inputs.
//!
//! Files, fuzz targets and `klee_make_symbolic` give bytes. Where a word is all that ever reaches a condition of its bytes, exploration has the
//! word for an unknown (`crates/machine/src/host/words.rs`). What is found here can be wrong of other paths, and then costs time; it is never
//! part of what is true.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use slowpath_machine::{HostFunc, SharedWords, Symbolic, Words, is_byte, resolve_import};
use slowpath_term::{InputId, Model, Node as Shape, TermId, Terms};

use crate::budget::Budget;
use crate::driver::{Driver, Step};
use crate::node::Node;
use crate::rng::Rng;
use crate::target::Target;

/// Inputs that are followed: zeros, and random ones.
const INPUTS: u64 = 3;
/// A path is followed for so long.
const MOST_INSTRUCTIONS: u64 = 300_000;
/// Unknowns that a random input has values for.
const MOST_VALUES: u64 = 1 << 12;
/// A word of eight bytes may turn out to be two, those of two bytes each, those single bytes.
const ROUNDS: usize = 4;

/// What the followed paths show.
#[derive(Default)]
struct Seen {
    /// Bytes that were put together, lowest first.
    chains: BTreeSet<Vec<u32>>,
    /// Words that conditions mention as a whole.
    whole: BTreeSet<u32>,
    /// Parts of words that conditions mention: first byte, and number of bytes.
    parts: BTreeMap<u32, BTreeSet<(u8, u8)>>,
    /// Bytes that conditions mention alone.
    alone: BTreeSet<u32>,
    /// Inputs of bytes: number of the first, and how many.
    inputs: BTreeSet<(u32, u32)>,
}

/// The words of a size; `None` where the budget ended it.
pub(crate) fn find(target: &Target, n: i64, budget: &Budget) -> Option<Words> {
    if !makes_bytes(target, n) {
        return Some(Words::default());
    }
    let mut words = Words::new(disjoint(&look(target, n, budget, &SharedWords::default())?.chains));
    for _ in 0..ROUNDS {
        if words.is_empty() {
            return Some(words);
        }
        let seen = look(target, n, budget, &SharedWords::new(words.clone()))?;
        let finer = refined(&words, &seen);
        if finer == words {
            return Some(extended(words, &seen));
        }
        words = finer;
    }
    Some(words)
}

/// Whether there can be inputs of bytes at all.
fn makes_bytes(target: &Target, n: i64) -> bool {
    let plain = target.inputs(n).is_some_and(|inputs| {
        inputs
            .iter()
            .any(|input| is_byte(input.ty) && input.range.is_none() && input.among.is_none() && input.count > 1)
    });
    let made = |import: &slowpath_program::Import| match resolve_import(&import.module, &import.name) {
        Some(HostFunc::MakeSymbolic) => true,
        Some(HostFunc::Array(ty)) => is_byte(ty),
        _ => false,
    };
    plain || target.program.world.has_unknown() || target.program.imports.iter().any(made)
}

/// Follows some inputs, without a question to the solver: one that an assumption refuses ends there.
fn look(target: &Target, n: i64, budget: &Budget, words: &SharedWords) -> Option<Seen> {
    let mut seen = Seen::default();
    for stream in 0..INPUTS {
        let mut driver = Driver::new(target, budget);
        driver.keeps_model = true;
        driver.asked = Some(Vec::new());
        let mut node: Node<Symbolic> = driver.root_with(n, words).ok()?;
        driver.asks_solver = false;
        if stream > 0 {
            let mut rng = Rng::new(target.seed, stream);
            let own =
                std::mem::replace(&mut node.model, Model::from_values((0..MOST_VALUES).map(|_| rng.next()).collect()));
            let path = node.path.clone();
            if !path.iter().all(|condition| driver.satisfies(&node, condition)) {
                node.model = own;
            }
        }
        loop {
            match driver.advance(&mut node) {
                Step::Decide(choice) => driver.take(&mut node, &choice, choice.current, None, false),
                Step::Done(_) | Step::Cut(_) => break,
                Step::Stop(_) => return None,
            }
            if node.state.meter.raw.instructions > MOST_INSTRUCTIONS {
                break;
            }
        }
        let mut roots = driver.asked.take().unwrap_or_default();
        roots.extend(node.path.iter().map(|condition| driver.terms.condition(condition)));
        seen.note(&driver.terms, &roots, words);
        let bytes = node.state.inputs().iter().filter(|record| is_byte(record.ty));
        seen.inputs.extend(bytes.map(|record| (record.first.0, record.count)));
    }
    Some(seen)
}

impl Seen {
    fn note(&mut self, terms: &Terms, roots: &[TermId], words: &Words) {
        let all = (1..=terms.len() as u32).filter_map(NonZeroU32::new).map(TermId::from_raw);
        self.chains.extend(all.filter_map(|term| chain(terms, term)));
        let words: BTreeSet<u32> = words.groups().iter().filter_map(|group| group.iter().min().copied()).collect();
        let word_of = |term: TermId| match terms.node(term) {
            Shape::Var { input, width } if width > 8 && words.contains(&input.0) => Some(input.0),
            _ => None,
        };
        let mut met = vec![false; terms.len()];
        let mut waiting = roots.to_vec();
        while let Some(term) = waiting.pop() {
            if std::mem::replace(&mut met[term.index()], true) {
                continue;
            }
            if let Some(word) = word_of(term) {
                self.whole.insert(word);
            }
            match terms.node(term) {
                Shape::Var { input: InputId(byte), width: 8 } => {
                    self.alone.insert(byte);
                }
                Shape::Extract { width, lo, a } if lo.is_multiple_of(8) && width.is_multiple_of(8) => {
                    match word_of(a) {
                        Some(word) => {
                            self.parts.entry(word).or_default().insert((lo / 8, width / 8));
                        }
                        None => waiting.push(a),
                    }
                }
                shape => waiting.extend(shape.children()),
            }
        }
    }
}

/// The bytes that a term puts together, lowest first.
fn chain(terms: &Terms, term: TermId) -> Option<Vec<u32>> {
    let byte = |term: TermId| match terms.node(term) {
        Shape::Var { input, width: 8 } => Some(input.0),
        _ => None,
    };
    let (mut bytes, mut rest) = (Vec::new(), term);
    while let Shape::Concat { a, b } = terms.node(rest) {
        bytes.push(byte(a)?);
        rest = b;
    }
    if bytes.is_empty() {
        return None;
    }
    bytes.push(byte(rest)?);
    bytes.reverse();
    Some(bytes)
}

/// Of bytes that were put together in several ways the longest, if the others are parts of it; else none.
fn disjoint(chains: &BTreeSet<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut longest: Vec<&Vec<u32>> = chains.iter().filter(|chain| matches!(chain.len(), 2 | 4 | 8)).collect();
    longest.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let mut kept: Vec<(&Vec<u32>, bool)> = Vec::new();
    let mut owner: BTreeMap<u32, usize> = BTreeMap::new();
    for chain in longest {
        let owners: BTreeSet<usize> = chain.iter().filter_map(|byte| owner.get(byte).copied()).collect();
        let is_part = |of: usize| kept[of].0.windows(chain.len()).any(|part| part == chain.as_slice());
        if owners.is_empty() {
            owner.extend(chain.iter().map(|byte| (*byte, kept.len())));
            kept.push((chain, true));
        } else if owners.len() > 1 || !owners.iter().all(|of| is_part(*of)) {
            owners.into_iter().for_each(|of| kept[of].1 = false);
        }
    }
    kept.into_iter().filter(|chain| chain.1).map(|chain| chain.0.clone()).collect()
}

/// Words of which conditions mention only parts become these. Where they mention both, or parts that overlap, bytes are the better unknowns.
fn refined(words: &Words, seen: &Seen) -> Words {
    let mut finer = Vec::new();
    for group in words.groups() {
        let word = group.iter().min().copied().unwrap_or(0);
        match seen.parts.get(&word) {
            None => finer.push(group.clone()),
            Some(_) if seen.whole.contains(&word) => {}
            Some(parts) => {
                let ends = parts.iter().map(|(from, count)| from + count);
                if ends.zip(parts.iter().skip(1)).all(|(end, next)| end <= next.0) {
                    let part = |&(from, count): &(u8, u8)| group.get(from.into()..(from + count).into());
                    finer.extend(parts.iter().filter_map(part).map(<[u32]>::to_vec));
                }
            }
        }
    }
    Words::new(finer)
}

/// Words that are all alike go on to both ends of their input: what no followed path read is likely to be read in the same way.
fn extended(words: Words, seen: &Seen) -> Words {
    let mut groups = words.groups().to_vec();
    for &(first, count) in &seen.inputs {
        let inside = |group: &&Vec<u32>| group.iter().all(|byte| (first..first + count).contains(byte));
        let shape = |group: &Vec<u32>| -> (u32, Vec<u32>) {
            let start = group.iter().min().copied().unwrap_or(first);
            let offsets: Vec<u32> = group.iter().map(|byte| byte - start).collect();
            ((start - first) % group.len() as u32, offsets)
        };
        let shapes: BTreeSet<(u32, Vec<u32>)> = words.groups().iter().filter(inside).map(shape).collect();
        let Some((phase, offsets)) = shapes.first().filter(|_| shapes.len() == 1) else { continue };
        let length = offsets.len() as u32;
        if offsets.iter().any(|offset| *offset >= length) {
            continue;
        }
        let starts = (first + phase..).step_by(offsets.len()).take_while(|start| start + length <= first + count);
        for start in starts.filter(|start| !(*start..start + length).any(|byte| seen.alone.contains(&byte))) {
            groups.push(offsets.iter().map(|offset| start + offset).collect());
        }
    }
    // What was there already is left out by its bytes.
    Words::new(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_chains_the_longest_counts_unless_they_contradict_each_other() {
        let chains = |list: &[&[u32]]| list.iter().map(|chain| chain.to_vec()).collect::<BTreeSet<_>>();
        let kept = |list: &[&[u32]]| disjoint(&chains(list));
        assert_eq!(kept(&[&[0, 1], &[0, 1, 2], &[0, 1, 2, 3], &[5, 4]]), [vec![0, 1, 2, 3], vec![5, 4]]);
        assert!(kept(&[&[0, 1, 2, 3], &[2, 3, 4, 5]]).is_empty(), "as a search for the end of a text does");
        assert_eq!(kept(&[&[0, 1, 2, 3], &[3, 2, 1, 0], &[8, 9]]), [vec![8, 9]], "read in both orders");
    }

    #[test]
    fn words_are_split_where_only_parts_count() {
        let words = Words::new([(0..8).collect::<Vec<u32>>(), vec![8, 9, 10, 11], vec![12, 13, 14, 15]]);
        let mut seen = Seen::default();
        seen.parts.insert(0, BTreeSet::from([(0, 4), (4, 2), (6, 1)]));
        seen.parts.insert(8, BTreeSet::from([(0, 1)]));
        seen.whole.extend([8, 12]);
        let finer = refined(&words, &seen);
        assert_eq!(finer.groups(), [vec![0, 1, 2, 3], vec![4, 5], vec![12, 13, 14, 15]]);
    }

    #[test]
    fn words_that_are_alike_go_on_to_the_end() {
        let mut seen = Seen::default();
        seen.inputs.insert((1, 14));
        seen.alone.insert(12);
        let words = extended(Words::new([vec![5, 4, 3, 2]]), &seen);
        assert_eq!(words.groups(), [vec![5, 4, 3, 2], vec![9, 8, 7, 6]], "a byte that is read alone, and half a word");
    }
}
