//! Orders between inputs: the model is repaired along the graph of differences, or a negative cycle refutes.
//!
//! Disequalities and gaps in domains are not differences. Where the repaired model runs into one, both of its sides are tried;
//! if both are refuted, so is the question.

use slowpath_term::ops::mask;
use slowpath_term::{Condition, Evaluator, InputId, Model, TermId};

use super::Question;
use crate::allowance::Allowance;
use crate::answer::Verdict;
use crate::difference::{Atom, Atoms, Point, Relaxation, Relaxed, World};
use crate::sets::{Set, integer};
use crate::track::Track;

/// Inputs whose values are looked at to move one past all of them.
const MOST_COMPARED: usize = 1 << 14;
/// Disequalities and gaps tried for one question.
const MOST_SPLITS: u32 = 24;

/// What is known after some attempts.
enum Found {
    Model(Model),
    Refuted,
    GaveUp,
}

struct Attempt<'a> {
    question: &'a Question<'a>,
    track: &'a mut Track,
    evaluator: &'a mut Evaluator,
    relaxation: &'a mut Relaxation,
    splits: u32,
    /// What the question may use.
    allowance: &'a mut Allowance,
}

pub(super) fn decide(
    question: &Question<'_>,
    track: &mut Track,
    evaluator: &mut Evaluator,
    relaxation: &mut Relaxation,
    allowance: &mut Allowance,
) -> Verdict {
    let mut attempt = Attempt { question, track, evaluator, relaxation, splits: MOST_SPLITS, allowance };
    let read: Vec<Atoms> = question.goals.iter().map(|&goal| attempt.read(goal)).collect();
    if read.iter().all(|atoms| *atoms == Atoms::None) {
        return Verdict::Pass;
    }
    // An equality can be read signed or unsigned; each reading has its own part of the graph.
    let readings = if read.iter().any(|atoms| matches!(atoms, Atoms::All(list) if list.len() > 2)) { 2 } else { 1 };
    for reading in 0..readings {
        let mut atoms = Vec::new();
        for goal in &read {
            match goal {
                Atoms::One(atom) => atoms.push(*atom),
                Atoms::All(list) => atoms.extend(list.chunks(2).nth(reading).or(list.chunks(2).next()).unwrap_or(&[])),
                Atoms::None | Atoms::Either(..) => {}
            }
        }
        attempt.relaxation.begin();
        match attempt.all(&atoms) {
            Found::Model(model) => return Verdict::Sat(model),
            Found::Refuted => return Verdict::Unsat,
            Found::GaveUp => {}
        }
    }
    Verdict::Pass
}

impl Attempt<'_> {
    /// A goal as differences. A condition on one input is read as the ends of what it leaves of the domain.
    fn read(&mut self, goal: TermId) -> Atoms {
        let terms = self.question.terms;
        if let Some((point, set)) = self.restricted(goal) {
            let (lo, hi) = set.hull(point.signed);
            let at_most = Atom { plus: Some(point), minus: None, limit: hi };
            let at_least = Atom { plus: None, minus: Some(point), limit: -lo };
            return Atoms::All(vec![at_most, at_least]);
        }
        let track = &*self.track;
        Atoms::of(terms, goal, |input, width, signed| track.bounds(input, width, signed))
    }

    /// For a goal on one input: the input as the graph knows it, and what the goal leaves of its domain.
    fn restricted(&mut self, goal: TermId) -> Option<(Point, Set)> {
        let solution = self.track.solutions.of(self.question.terms, goal)?;
        let input = solution.input;
        let set = match self.track.domain(input) {
            Some(domain) => domain.intersect(&solution.set),
            None => solution.set.clone(),
        };
        if set.is_empty() {
            return None;
        }
        Some((self.point_in_graph(input, set.width()), set))
    }

    fn point_in_graph(&self, input: InputId, width: u8) -> Point {
        let signed = Point { input, width, signed: true };
        let used = self.track.graph.degrees(signed) != (0, 0);
        Point { signed: used, ..signed }
    }

    /// Requires all atoms, then looks for a model.
    fn all(&mut self, atoms: &[Atom]) -> Found {
        let Some((first, rest)) = atoms.split_first() else { return self.look() };
        self.with(first, |attempt| attempt.all(rest))
    }

    /// Requires one atom for the time of what is done next.
    fn with(&mut self, atom: &Atom, next: impl FnOnce(&mut Self) -> Found) -> Found {
        let tightness = self.relaxation.tightness();
        let relaxed = {
            let track = &*self.track;
            let bounds = |input, width, signed| track.bounds(input, width, signed);
            let world = World { graph: &track.graph, model: self.question.model, bounds };
            self.relaxation.require(&world, atom)
        };
        self.allowance.spend(self.relaxation.take_visits());
        let found = match relaxed {
            _ if self.allowance.is_spent() => Found::GaveUp,
            Relaxed::Cycle => Found::Refuted,
            Relaxed::Broken => Found::GaveUp,
            Relaxed::Holds => {
                let pushed = self.track.graph.push_atom(atom);
                let found = next(self);
                self.track.graph.pop(u32::from(pushed));
                found
            }
        };
        self.relaxation.loosen(tightness);
        found
    }

    /// Checks the potential as a model; splits where it runs into a disequality or a gap.
    fn look(&mut self) -> Found {
        let Question { terms, model, goals, .. } = *self.question;
        if let Some(model) = self.leap() {
            return Found::Model(model);
        }
        let changes: Vec<(InputId, u64)> = self.relaxation.changes().collect();
        let candidate = model.with_all(changes.iter().copied());
        if let Some(&goal) = goals.iter().find(|&&goal| !self.evaluator.holds(terms, &candidate, goal)) {
            return match self.restricted(goal) {
                Some((point, set)) => self.split_gap(point, &set),
                None => self.split_disequality(goal),
            };
        }
        let mut changed: Vec<InputId> = changes.into_iter().map(|change| change.0).collect();
        changed.sort_unstable();
        changed.dedup();
        match self.track.first_violated(terms, self.evaluator, &candidate, &changed) {
            None => Found::Model(candidate),
            // An order between inputs that fails is an edge that was not kept: no side to try.
            Some(Condition::Compares(_)) => Found::GaveUp,
            Some(Condition::Term(conjunct)) => match terms.inputs(conjunct) {
                &[input] => match self.track.domain(input).cloned() {
                    Some(set) if !set.contains(candidate.get(input)) => {
                        self.split_gap(self.point_in_graph(input, set.width()), &set)
                    }
                    _ => Found::GaveUp,
                },
                _ => self.split_disequality(conjunct),
            },
        }
    }

    /// Where one input alone moved and nothing holds it, moves it past all others at once: a search that goes on in the
    /// same direction (an element sinking through a sorted array) then needs no further question.
    fn leap(&mut self) -> Option<Model> {
        let Question { terms, model, goals, .. } = *self.question;
        let [point] = self.relaxation.changed() else { return None };
        let (point, values) = (*point, model.values());
        if values.len() > MOST_COMPARED {
            return None;
        }
        let read = |bits: u64| integer(bits & mask(point.width), point.width, point.signed);
        let (before, after) = (read(model.get(point.input)), self.relaxation.value(model, point));
        let (lo, hi) = self.track.bounds(point.input, point.width, point.signed);
        let graph = &self.track.graph;
        let (below, above) = graph.degrees(point);
        let target = if after < before && below == 0 {
            (values.iter().map(|v| read(*v)).min()? - 1).clamp(lo, after)
        } else if after > before && above == 0 {
            (values.iter().map(|v| read(*v)).max()? + 1).clamp(after, hi)
        } else {
            return None;
        };
        let candidate = model.with(point.input, target as u64 & mask(point.width));
        let good = goals.iter().all(|goal| self.evaluator.holds(terms, &candidate, *goal))
            && self.track.first_violated(terms, self.evaluator, &candidate, &[point.input]).is_none();
        good.then_some(candidate)
    }

    fn split_disequality(&mut self, t: TermId) -> Found {
        let track = &*self.track;
        match Atoms::of(self.question.terms, t, |input, width, signed| track.bounds(input, width, signed)) {
            Atoms::Either(a, b) => self.split(&[a, b]),
            _ => Found::GaveUp,
        }
    }

    /// The value of `point` lies in no part of `set`: it has to go to the part below or to the part above.
    fn split_gap(&mut self, point: Point, set: &Set) -> Found {
        let value = self.relaxation.value(self.question.model, point);
        let parts = set.ordered(point.signed);
        if parts.iter().any(|&(lo, hi)| lo <= value && value <= hi) {
            // Some other reading of the input was moved; this one cannot help.
            return Found::GaveUp;
        }
        let below = parts.iter().rev().find(|part| part.1 < value);
        let above = parts.iter().find(|part| part.0 > value);
        let mut sides = Vec::with_capacity(2);
        sides.extend(below.map(|part| Atom { plus: Some(point), minus: None, limit: part.1 }));
        sides.extend(above.map(|part| Atom { plus: None, minus: Some(point), limit: -part.0 }));
        self.split(&sides)
    }

    /// One of these must hold: refuted only if all are.
    fn split(&mut self, sides: &[Atom]) -> Found {
        if self.splits == 0 {
            return Found::GaveUp;
        }
        self.splits -= 1;
        let mut refuted = true;
        for side in sides {
            match self.with(side, Attempt::look) {
                Found::Model(model) => return Found::Model(model),
                Found::Refuted => {}
                Found::GaveUp => refuted = false,
            }
        }
        if refuted { Found::Refuted } else { Found::GaveUp }
    }
}
