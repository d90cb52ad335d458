//! What all paths from one point on come to.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigUint;
use slowpath_machine::Answer;
use slowpath_program::SiteId;

use crate::tally::TRAP_EXAMPLES;

/// A list of decisions, by its first one; `None` is the empty list.
pub type Way = Option<u32>;

/// A decision and those after it.
#[derive(Clone, Copy)]
struct Link {
    answer: Answered,
    forced: bool,
    next: Way,
}

/// The answer to a decision. Values that had to be chosen are no decisions, and such paths are not remembered.
#[derive(Clone, Copy)]
enum Answered {
    Bool(bool),
    Case(u32),
}

/// Lists of decisions that share their ends.
#[derive(Default)]
pub struct Ways(Vec<Link>);

impl Ways {
    /// A decision, and then others.
    pub fn before(&mut self, answer: Answer, forced: bool, next: Way) -> Way {
        let answer = match answer {
            Answer::Bool(side) => Answered::Bool(side),
            Answer::Case(case) => Answered::Case(case),
            Answer::Range(..) | Answer::Value(_) => return next,
        };
        self.0.push(Link { answer, forced, next });
        Some(self.0.len() as u32 - 1)
    }

    /// The decisions of a list: each answer, and whether there was no other.
    pub fn decisions(&self, way: Way) -> impl Iterator<Item = (Answer, bool)> + '_ {
        let links =
            std::iter::successors(way.map(|at| self.0[at as usize]), |link| link.next.map(|at| self.0[at as usize]));
        links.map(|link| {
            let answer = match link.answer {
                Answered::Bool(side) => Answer::Bool(side),
                Answered::Case(case) => Answer::Case(case),
            };
            (answer, link.forced)
        })
    }

    /// Bytes they take.
    pub fn bytes(&self) -> usize {
        self.0.len() * size_of::<Link>()
    }
}

/// Paths that end in one kind of trap (by its number) after one site: how many, and the first of them.
pub type Traps = BTreeMap<(u32, Option<SiteId>), (BigUint, Vec<Way>)>;

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
    pub worst: Way,
    pub traps: Option<Rc<Traps>>,
}

impl Future {
    /// Takes in what one side of a decision comes to, after those before it.
    pub fn add_side(&mut self, ways: &mut Ways, answer: Answer, forced: bool, side: &Future) {
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

    /// Bytes it takes, about.
    pub fn bytes(&self) -> usize {
        let traps = self.traps.as_ref().map_or(0, |traps| traps.len() * (96 + TRAP_EXAMPLES * size_of::<Way>()));
        size_of::<Future>() + (self.paths.bits() + self.worst_paths.bits()) as usize / 8 + traps
    }
}
