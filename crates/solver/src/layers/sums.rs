//! The path as sums: each condition read once for as long as the bounds of inputs stay, the rows that hold, and the refutations that were found.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_term::{Condition, TermId, Terms};
use smallvec::SmallVec;

use crate::linear::{Bound, Cores, Form, Reader, Rows, Variable};
use crate::track::Track;

/// Conditions that are kept as they were read; then all are forgotten.
const MOST_READ: usize = 1 << 16;

/// A condition as rows, and the numbers of their sums where all of them hold.
pub(super) struct Read {
    pub(super) rows: Rows,
    sums: SmallVec<[u32; 2]>,
}

impl Read {
    /// The rows that all hold, with the numbers of their sums.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Form, u32)> {
        let rows: &[Form] = if let Rows::All(rows) = &self.rows { rows } else { &[] };
        rows.iter().zip(self.sums.iter().copied())
    }
}

/// A conjunct of the path whose rows are held.
struct Followed {
    /// Length of `held` with it.
    held: u32,
    /// Changes of domains at the time it was read: without one of them it may read otherwise.
    narrowings: u32,
}

/// What is kept between questions.
#[derive(Default)]
pub(super) struct Sums {
    cores: Cores,
    /// By condition: the domains by which it was read, and what that came to.
    read: FxHashMap<TermId, (u64, Rc<Read>)>,
    followed: Vec<Followed>,
    /// Sums, and what was held of them before.
    held: Vec<(u32, i128)>,
}

impl Sums {
    /// Forgets everything once it is too much. Nothing that was read before may be used after.
    pub(super) fn tidy(&mut self) {
        if self.cores.is_full() {
            *self = Sums::default();
        }
    }

    /// A condition as rows, by the bounds that inputs have now.
    pub(super) fn read(&mut self, terms: &Terms, track: &Track, t: TermId) -> Rc<Read> {
        let domains = track.domains_name();
        if let Some((name, read)) = self.read.get(&t)
            && *name == domains
        {
            return Rc::clone(read);
        }
        let reader = Reader::new(terms, |input, width, signed| track.bounds(input, width, signed));
        let rows = reader.read(t);
        let sums = match &rows {
            Rows::All(rows) => rows.iter().map(|row| self.cores.number(&row.parts)).collect(),
            Rows::Either(..) | Rows::None => SmallVec::new(),
        };
        let read = Rc::new(Read { rows, sums });
        if self.read.len() >= MOST_READ {
            self.read.clear();
        }
        self.read.insert(t, (domains, Rc::clone(&read)));
        read
    }

    /// Whether a refutation that was found before refutes these goals on the path.
    pub(super) fn refute(&mut self, terms: &Terms, track: &mut Track, goals: &[Rc<Read>]) -> bool {
        if self.cores.is_empty() {
            return false;
        }
        self.follow(terms, track);
        let before = self.held.len();
        goals.iter().for_each(|goal| self.hold(goal));
        let bounds = |Variable { input, width, signed }| track.bounds(input, width, signed);
        let refuted = goals.iter().flat_map(|goal| goal.all()).any(|(_, sum)| self.cores.refute(sum, bounds));
        self.release(before);
        refuted
    }

    /// Remembers what contradicts itself: rows of conditions that were read, and bounds.
    pub(super) fn learn<'a>(
        &mut self,
        rows: impl IntoIterator<Item = (&'a Form, u32)>,
        bounds: impl IntoIterator<Item = Bound>,
    ) {
        self.cores.learn(rows.into_iter().map(|(row, sum)| (sum, row.constant)), bounds);
    }

    /// Brings the rows that are held to those of the path. A condition that is no row by the bounds that there are when it is read is not read again when
    /// they become tighter: what that fails to refute the tableau refutes.
    fn follow(&mut self, terms: &Terms, track: &mut Track) {
        let unchanged = track.take_unchanged();
        let stays = |followed: &Followed, len| {
            len <= unchanged.conjuncts && followed.narrowings as usize <= unchanged.narrowings
        };
        let mut keep = self.followed.len();
        while keep > 0 && !stays(&self.followed[keep - 1], keep) {
            keep -= 1;
        }
        self.followed.truncate(keep);
        self.release(self.followed.last().map_or(0, |last| last.held as usize));
        for condition in track.conjuncts_from(keep) {
            if let Condition::Term(term) = condition {
                let read = self.read(terms, track, term);
                self.hold(&read);
            }
            let (held, narrowings) = (self.held.len() as u32, track.narrowings() as u32);
            self.followed.push(Followed { held, narrowings });
        }
    }

    fn hold(&mut self, read: &Read) {
        for (row, sum) in read.all() {
            if let Some(before) = self.cores.hold(sum, row.constant) {
                self.held.push((sum, before));
            }
        }
    }

    fn release(&mut self, keep: usize) {
        while self.held.len() > keep
            && let Some((sum, before)) = self.held.pop()
        {
            self.cores.release(sum, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use slowpath_term::{BinOp, CmpOp, InputId};

    use super::*;
    use crate::path::PathCondition;

    /// Whether a goal is refuted on a path by what was learned.
    fn refuted(sums: &mut Sums, terms: &mut Terms, track: &mut Track, path: &PathCondition, goal: TermId) -> bool {
        track.follow(terms, path);
        track.make(terms);
        let goals = [sums.read(terms, track, goal)];
        sums.refute(terms, track, &goals)
    }

    #[test]
    fn what_was_read_by_bounds_is_forgotten_with_them() {
        let mut terms = Terms::new();
        let (x, y) = (terms.var(InputId(0), 32), terms.var(InputId(1), 32));
        let [five, six, ten] = [5, 6, 10].map(|n| terms.constant(32, n));
        let sum = terms.bin(BinOp::Add, x, y);
        // Without bounds the sum may wrap, and says nothing of x.
        let small = terms.cmp(CmpOp::Ule, sum, five);
        let bounds = [x, y].map(|input| terms.cmp(CmpOp::Ule, input, ten));
        let goal = terms.cmp(CmpOp::Ule, six, x);
        let short = PathCondition::new().push(small);
        let bounded = bounds.iter().fold(short.clone(), |path, &bound| path.push(bound));

        let (mut sums, mut track) = (Sums::default(), Track::default());
        track.follow(&mut terms, &bounded);
        track.make(&mut terms);
        // x + y - 5 <= 0 and 6 - x <= 0, where y is not negative.
        let read = [small, goal].map(|t| sums.read(&terms, &track, t));
        let rows: Vec<(&Form, u32)> = read.iter().flat_map(|read| read.all()).collect();
        assert_eq!(rows.len(), 2);
        let variable = rows[0].0.parts[1].0;
        sums.learn(rows, [Bound { variable, upper: false, value: 0 }]);

        assert!(refuted(&mut sums, &mut terms, &mut track, &bounded, goal));
        assert!(!refuted(&mut sums, &mut terms, &mut track, &short, goal), "the sum may wrap");
        assert!(!refuted(&mut sums, &mut terms, &mut track, &short.push(bounds[0]), goal), "it still may");
        let other = PathCondition::new().push(bounds[1]).push(bounds[0]);
        assert!(!refuted(&mut sums, &mut terms, &mut track, &other, goal), "without the sum");
        let whole = other.push(small);
        assert!(refuted(&mut sums, &mut terms, &mut track, &whole, goal), "in any order");
        assert!(refuted(&mut sums, &mut terms, &mut track, &whole.push(goal), goal), "the path may grow");
    }
}
