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
pub struct Continuations(Vec<Link>);

impl Continuations {
    /// A decision, and then others. Values that had to be chosen are no decisions, and such paths are not remembered.
    pub fn before(&mut self, answer: Answer, forced: bool, next: Continuation) -> Continuation {
        let answer = match answer {
            Answer::Bool(side) => u32::from(side) << ANSWER_BITS,
            Answer::Case(case) => case << ANSWER_BITS | CASE,
            Answer::Range(..) | Answer::Value(_) => return next,
        };
        let forced = if forced { FORCED } else { 0 };
        self.0.push(Link { answer: answer | forced, next: next.unwrap_or(END) });
        Some(self.0.len() as u32 - 1)
    }

    /// The decisions of a list: each answer, and whether there was no other.
    pub fn decisions(&self, from: Continuation) -> impl Iterator<Item = (Answer, bool)> + '_ {
        let link = |at: u32| self.0.get(at as usize).copied();
        let links = std::iter::successors(from.and_then(link), move |before| link(before.next));
        links.map(|link| {
            let number = link.answer >> ANSWER_BITS;
            let answer = if link.answer & CASE == 0 { Answer::Bool(number != 0) } else { Answer::Case(number) };
            (answer, link.answer & FORCED != 0)
        })
    }

    /// Bytes they take.
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<Link>()
    }
}

/// Paths that end in one kind of trap (by its number) after one site: how many, and the first of them.
pub type Traps = BTreeMap<(u32, Option<SiteId>), (BigUint, Vec<Continuation>)>;

/// What all paths from one point on come to. Costs are those of whole paths, or what is left of them from that point on.
#[derive(Clone, Debug, Default)]
pub struct Future {
    /// The greatest cost of a path.
    pub cost: u64,
    /// The most instructions of a path, by whichever model costs are counted.
    pub instructions: u64,
    /// Whether the measured region has begun at the end of some path.
    pub begins: bool,
    /// Inputs that a harness does not allow are no paths: there may be none.
    pub paths: BigUint,
    /// How many paths cost as much as the worst.
    pub worst_paths: BigUint,
    /// The first of these.
    pub worst: Continuation,
    pub traps: Option<Rc<Traps>>,
}

impl Future {
    /// Takes in what one side of a decision comes to, after those before it.
    pub fn add_side(&mut self, ways: &mut Continuations, answer: Answer, forced: bool, side: &Future) {
        self.instructions = self.instructions.max(side.instructions);
        self.begins |= side.begins;
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
}
