//! What all paths from one point on come to.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigUint;
use slowpath_machine::Answer;
use slowpath_program::SiteId;

use crate::tally::TRAP_EXAMPLES;

/// A list of decisions, by its first one; `None` is the empty list.
pub type Continuation = Option<u32>;

/// A decision and those after it, in few bytes: there are many. The answer with its kind and whether it was forced, and where the
/// next one is.
#[derive(Clone, Copy)]
struct Link {
    answer: u32,
    next: u32,
}

/// No next one.
const END: u32 = u32::MAX;
const CASE: u32 = 1;
const FORCED: u32 = 2;
const ANSWER_BITS: u32 = 2;

/// Lists of decisions that share their ends.
#[derive(Default)]
pub struct Continuations {
    links: Vec<Link>,
    /// Places of links that nobody needs any more.
    free: Vec<u32>,
}

impl Continuations {
    /// A decision, and then others. Values that had to be chosen are no decisions, and such paths are not remembered.
    pub fn before(&mut self, answer: Answer, forced: bool, next: Continuation) -> Continuation {
        let answer = match answer {
            Answer::Bool(side) => u32::from(side) << ANSWER_BITS,
            Answer::Case(case) => case << ANSWER_BITS | CASE,
            Answer::Range(..) | Answer::Value(_) => return next,
        };
        let forced = if forced { FORCED } else { 0 };
        Some(self.put(Link { answer: answer | forced, next: next.unwrap_or(END) }))
    }

    fn put(&mut self, link: Link) -> u32 {
        if let Some(at) = self.free.pop() {
            self.links[at as usize] = link;
            return at;
        }
        self.links.push(link);
        self.links.len() as u32 - 1
    }

    /// Keeps the lists that begin at these places, as they are, and frees what is in none of them.
    pub fn keep_only(&mut self, lists: impl Iterator<Item = u32>) {
        let mut kept = vec![false; self.links.len()];
        for first in lists {
            let mut at = first as usize;
            // From a link that is kept on, all are.
            while at < kept.len() && !std::mem::replace(&mut kept[at], true) {
                at = self.links[at].next as usize;
            }
        }
        let len = kept.iter().rposition(|kept| *kept).map_or(0, |last| last + 1);
        self.links.truncate(len);
        self.free = (0..len as u32).rev().filter(|at| !kept[*at as usize]).collect();
    }

    /// The decisions of a list: each answer, and whether there was no other.
    pub fn decisions(&self, from: Continuation) -> impl Iterator<Item = (Answer, bool)> + '_ {
        let link = |at: u32| self.links.get(at as usize).copied();
        let links = std::iter::successors(from.and_then(link), move |before| link(before.next));
        links.map(|link| {
            let number = link.answer >> ANSWER_BITS;
            let answer = if link.answer & CASE == 0 { Answer::Bool(number != 0) } else { Answer::Case(number) };
            (answer, link.answer & FORCED != 0)
        })
    }

    /// Bytes that they take, without what is free.
    pub fn bytes(&self) -> usize {
        (self.links.len() - self.free.len()) * size_of::<Link>()
    }
}

/// Paths that end in one kind of trap (by its number) after one site: how many, and the first of them.
pub type Traps = BTreeMap<(u32, Option<SiteId>), (BigUint, Vec<Continuation>)>;

/// Paths that the limit of instructions cut short.
#[derive(Clone, Debug)]
pub struct Cut {
    pub paths: BigUint,
    /// The greatest cost of one by then, and the first that cost as much.
    pub cost: u64,
    pub worst: Continuation,
}

/// What all paths from one point on come to. Costs are those of whole paths, or what is left of them from that point on.
#[derive(Clone, Debug, Default)]
pub struct Future {
    /// The greatest cost of a path.
    pub cost: u64,
    /// The most instructions of a path, by whichever model costs are counted.
    pub instructions: u64,
    /// Whether the measured region has begun at the end of some path.
    pub begins: bool,
    /// Inputs that a harness does not allow are no paths, nor are those that were cut: there may be none.
    pub paths: BigUint,
    /// How many paths cost as much as the worst.
    pub worst_paths: BigUint,
    /// The first of these.
    pub worst: Continuation,
    pub traps: Option<Rc<Traps>>,
    pub cut: Option<Box<Cut>>,
}

impl Future {
    /// What is left of it from a point on, up to which whole paths have this cost and so many instructions.
    pub fn from(mut self, cost: u64, instructions: u64) -> Future {
        self.cost = self.cost.saturating_sub(cost);
        self.instructions = self.instructions.saturating_sub(instructions);
        if let Some(cut) = &mut self.cut {
            cut.cost = cut.cost.saturating_sub(cost);
        }
        self
    }

    /// Whole paths, of which this is left from a point on with this cost and so many instructions.
    pub fn after(mut self, cost: u64, instructions: u64) -> Future {
        self.cost = self.cost.saturating_add(cost);
        self.instructions = self.instructions.saturating_add(instructions);
        if let Some(cut) = &mut self.cut {
            cut.cost = cut.cost.saturating_add(cost);
        }
        self
    }

    /// The lists of decisions that it knows.
    pub fn lists(&self) -> impl Iterator<Item = u32> + '_ {
        let traps = self.traps.iter().flat_map(|traps| traps.values()).flat_map(|(_, examples)| examples);
        let cut = self.cut.as_ref().and_then(|cut| cut.worst);
        self.worst.into_iter().chain(cut).chain(traps.copied().flatten())
    }

    /// Takes in what one side of a decision comes to, after those before it.
    pub fn add_side(&mut self, ways: &mut Continuations, answer: Answer, forced: bool, side: &Future) {
        self.instructions = self.instructions.max(side.instructions);
        self.begins |= side.begins;
        if let Some(cut) = &side.cut {
            self.add_cut(ways, answer, forced, cut);
        }
        if side.paths == BigUint::ZERO {
            return;
        }
        if self.paths == BigUint::ZERO || side.cost > self.cost {
            self.cost = side.cost;
            self.worst_paths = side.worst_paths.clone();
            self.worst = ways.before(answer, forced, side.worst);
        } else if side.cost == self.cost {
            self.worst_paths += &side.worst_paths;
        }
        self.paths += &side.paths;
        if let Some(traps) = &side.traps {
            let mine = Rc::make_mut(self.traps.get_or_insert_default());
            for (key, (count, examples)) in traps.iter() {
                let entry = mine.entry(*key).or_default();
                entry.0 += count;
                for example in examples.iter().take(TRAP_EXAMPLES.saturating_sub(entry.1.len())) {
                    entry.1.push(ways.before(answer, forced, *example));
                }
            }
        }
    }

    fn add_cut(&mut self, ways: &mut Continuations, answer: Answer, forced: bool, side: &Cut) {
        if self.cut.as_ref().is_none_or(|cut| side.cost > cut.cost) {
            let worst = ways.before(answer, forced, side.worst);
            let paths = self.cut.take().map_or(BigUint::ZERO, |cut| cut.paths);
            self.cut = Some(Box::new(Cut { paths, cost: side.cost, worst }));
        }
        self.cut.iter_mut().for_each(|cut| cut.paths += &side.paths);
    }
}

#[cfg(test)]
mod tests {
    use slowpath_machine::Answer;

    use super::Continuations;

    #[test]
    fn lists_that_are_kept_stay_what_they_are_and_the_room_of_others_is_used_again() {
        let mut ways = Continuations::default();
        let end = ways.before(Answer::Bool(true), false, None);
        let dropped = ways.before(Answer::Case(7), false, end);
        let kept = ways.before(Answer::Case(3), true, end);
        let _ = ways.before(Answer::Bool(false), false, dropped);
        let before = ways.bytes();
        ways.keep_only(kept.into_iter());
        assert_eq!(ways.bytes(), before / 2);
        let list = [(Answer::Case(3), true), (Answer::Bool(true), false)];
        assert_eq!(ways.decisions(kept).collect::<Vec<_>>(), list);
        assert_eq!(ways.before(Answer::Bool(false), false, kept), dropped, "the place of the one that was dropped");
        assert_eq!(ways.decisions(dropped).skip(1).collect::<Vec<_>>(), list);
        ways.keep_only(std::iter::empty());
        assert_eq!(ways.bytes(), 0);
    }
}
