//! A point of the exploration: a state, the condition under which it is reached, an input that reaches it.

use std::cell::Cell;

use slowpath_machine::{Answer, Mode, State, Symbolic};
use slowpath_program::SiteId;
use slowpath_solver::{ForkList, PathCondition};
use slowpath_term::Model;

/// One decision of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub site: SiteId,
    /// Which activation of the enclosing function.
    pub activation: u32,
    pub answer: Answer,
    /// Whether no other answer was possible.
    pub forced: bool,
}

/// The answers of a path, comparable: the canonical order of paths.
pub(crate) fn canonical(decisions: &[Decision]) -> Vec<u64> {
    let key = |d: &Decision| match d.answer {
        Answer::Bool(b) => u64::from(!b),
        Answer::Case(i) => u64::from(i),
        Answer::Value(v) => v,
        Answer::Range(..) => 0,
    };
    decisions.iter().map(key).collect::<Vec<u64>>()
}

/// The decisions of a path; forks share their common part.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// A decision takes one entry, a wide one two.
    packed: ForkList<Packed>,
    len: usize,
}

/// A decision in few bytes: site, activation, and what was answered. There are many.
type Packed = [u32; 3];

/// What the two lowest bits of the last number of an entry say.
const CASE: u32 = 0;
const BOOL: u32 = 1;
/// The entry before this one has a decision; the first two numbers of this one are its answer.
const WIDE: u32 = 2;
/// No decision: bounds that the solver gave. The entry before has the lower one, this one the upper.
const RANGE: u32 = 3;
const KIND_BITS: u32 = 2;
const FORCED: u32 = 1 << KIND_BITS;
const ANSWER_BITS: u32 = 3;

impl Trail {
    /// One more decision.
    #[inline]
    pub fn push(&mut self, decision: Decision) {
        let Decision { site, activation, answer, forced } = decision;
        let forced = if forced { FORCED } else { 0 };
        self.len += 1;
        let narrow = match answer {
            Answer::Bool(side) => u32::from(side) << ANSWER_BITS | BOOL,
            Answer::Case(case) if case < 1 << (32 - ANSWER_BITS) => case << ANSWER_BITS | CASE,
            _ => return self.push_wide(decision),
        };
        self.packed.push([site.0, activation, narrow | forced]);
    }

    #[cold]
    fn push_wide(&mut self, decision: Decision) {
        let Decision { site, activation, answer, forced } = decision;
        self.packed.push([site.0, activation, u32::from(forced)]);
        let (kind, value) = match answer {
            Answer::Bool(side) => (BOOL, u64::from(side)),
            Answer::Case(case) => (CASE, u64::from(case)),
            Answer::Value(value) | Answer::Range(value, _) => (WIDE, value),
        };
        self.packed.push([value as u32, (value >> 32) as u32, kind << KIND_BITS | WIDE]);
    }

    /// Bounds that the machine was told. They are no decision, but what it did then went by them.
    #[cold]
    pub(crate) fn push_range(&mut self, low: u64, high: u64) {
        for bound in [low, high] {
            self.packed.push([bound as u32, (bound >> 32) as u32, RANGE]);
        }
    }

    /// Number of decisions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was decided yet.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All decisions, first to last.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut answers = self.answers();
        answers.retain(|answered| !matches!(answered.answer, Answer::Range(..)));
        answers
    }

    /// All decisions, and the bounds that were kept, first to last.
    pub(crate) fn answers(&self) -> Vec<Decision> {
        let mut out = Vec::with_capacity(self.len);
        let mut newest_first = self.packed.newest_first();
        while let Some([site, activation, last]) = newest_first.next() {
            let number = last >> ANSWER_BITS;
            let decision =
                |site, activation, answer, forced| Decision { site: SiteId(site), activation, answer, forced };
            match last % (1 << KIND_BITS) {
                WIDE => {
                    // What were site and activation are the answer, and the entry before has the rest.
                    let value = u64::from(activation) << 32 | u64::from(site);
                    let answer = match last >> KIND_BITS {
                        BOOL => Answer::Bool(value != 0),
                        CASE => Answer::Case(value as u32),
                        _ => Answer::Value(value),
                    };
                    let Some([site, activation, forced]) = newest_first.next() else { break };
                    out.push(decision(site, activation, answer, forced != 0));
                }
                RANGE => {
                    let bound = |entry: Packed| u64::from(entry[1]) << 32 | u64::from(entry[0]);
                    let Some(low) = newest_first.next() else { break };
                    let answer = Answer::Range(bound(low), bound([site, activation, last]));
                    out.push(decision(0, 0, answer, true));
                }
                BOOL => out.push(decision(site, activation, Answer::Bool(number != 0), last & FORCED != 0)),
                _ => out.push(decision(site, activation, Answer::Case(number), last & FORCED != 0)),
            }
        }
        out.reverse();
        out
    }
}

/// A point of the exploration. `M` says whether what it reads and writes is noted.
#[derive(Clone)]
pub struct Node<M: Mode = Symbolic> {
    pub state: State<M>,
    pub path: PathCondition,
    /// Satisfies `path`.
    pub model: Model,
    pub trail: Trail,
    /// What Z3 took for questions along the path, in steps.
    pub(crate) z3_steps: Cell<u64>,
}

impl<M: Mode> Node<M> {
    /// A state that nothing was asked about.
    pub(crate) fn at(state: State<M>) -> Node<M> {
        let (path, model, trail) = Default::default();
        Node { state, path, model, trail, z3_steps: Cell::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trail_gives_back_what_was_decided() {
        let answers = [
            Answer::Bool(true),
            Answer::Bool(false),
            Answer::Case(0),
            Answer::Case(5),
            Answer::Case(u32::MAX),
            Answer::Case(1 << 29),
            Answer::Value(0),
            Answer::Value(u64::MAX - 3),
        ];
        let (mut trail, mut decisions) = (Trail::default(), Vec::new());
        for (i, answer) in answers.iter().cycle().take(40).enumerate() {
            let (site, activation) = (SiteId(u32::MAX - i as u32), i as u32 * 0x0fff_ffff);
            let decision = Decision { site, activation, answer: *answer, forced: i % 3 == 0 };
            trail.push(decision);
            decisions.push(decision);
        }
        assert_eq!((trail.decisions(), trail.len()), (decisions, 40));
    }

    #[test]
    fn bounds_are_kept_between_decisions_and_are_none() {
        let decision = Decision { site: SiteId(7), activation: 1, answer: Answer::Value(u64::MAX), forced: true };
        let mut trail = Trail::default();
        trail.push_range(3, u64::MAX - 1);
        trail.push(decision);
        trail.push_range(0, 0);
        assert_eq!((trail.decisions(), trail.len()), (vec![decision], 1));
        let answers: Vec<Answer> = trail.answers().iter().map(|answered| answered.answer).collect();
        assert_eq!(answers, [Answer::Range(3, u64::MAX - 1), decision.answer, Answer::Range(0, 0)]);
    }
}
