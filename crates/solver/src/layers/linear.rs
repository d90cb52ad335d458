//! Sums of inputs: the simplex method on the conditions that share inputs with the question.

use rustc_hash::FxHashMap;
use slowpath_term::ops::mask;
use slowpath_term::{Condition, Evaluator, InputId, TermId};

use super::Question;
use crate::answer::Verdict;
use crate::linear::{Feasible, Form, Reader, Rows, Simplex, Variable};
use crate::sets::integer;
use crate::track::Track;

/// Cases of disequalities and of fractions tried for one question.
const MOST_SPLITS: u32 = 16;
/// Longer slices are left to Z3.
const MOST_CONJUNCTS: usize = 400;

enum Found {
    Model(slowpath_term::Model),
    Refuted,
    GaveUp,
}

struct Attempt<'a> {
    question: &'a Question<'a>,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    columns: FxHashMap<Variable, usize>,
    variables: Vec<Variable>,
    /// Goals and conditions of the path that are disequalities.
    apart: Vec<(TermId, Form, Form)>,
    splits: u32,
}

pub(super) fn decide(question: &Question<'_>, track: &Track, evaluator: &mut Evaluator) -> Verdict {
    let terms = question.terms;
    let reader = Reader { terms, bounds: |input, width, signed| track.bounds(input, width, signed) };
    let goals: Vec<Rows> = question.goals.iter().map(|&goal| reader.read(goal)).collect();
    if goals.iter().all(|rows| *rows == Rows::None) {
        return Verdict::Pass;
    }
    let slice = track.slice(terms, question.extra);
    if slice.len() > MOST_CONJUNCTS {
        return Verdict::Pass;
    }
    let mut attempt = Attempt {
        question,
        track,
        evaluator,
        columns: FxHashMap::default(),
        variables: Vec::new(),
        apart: Vec::new(),
        splits: MOST_SPLITS,
    };
    let read = slice.iter().map(|&t| (t, reader.read(t))).chain(question.goals.iter().copied().zip(goals));
    let mut rows = Vec::new();
    for (t, read) in read {
        match read {
            // Conditions on one input are in its bounds already, unless the question puts them.
            Rows::All(list) => {
                rows.extend(list.into_iter().filter(|row| row.parts.len() > 1 || question.goals.contains(&t)))
            }
            Rows::Either(a, b) => attempt.apart.push((t, a, b)),
            Rows::None => {}
        }
    }
    match attempt.solve(&mut rows) {
        Found::Model(model) => Verdict::Sat(model),
        Found::Refuted => Verdict::Unsat,
        Found::GaveUp => Verdict::Pass,
    }
}

impl Attempt<'_> {
    /// Decides the rows, all of them to be at most 0.
    fn solve(&mut self, rows: &mut Vec<Form>) -> Found {
        let Some(mut simplex) = self.tableau(rows) else { return Found::GaveUp };
        match simplex.search() {
            Feasible::No => Found::Refuted,
            Feasible::GaveUp => Found::GaveUp,
            Feasible::Yes => self.look(&mut simplex, rows),
        }
    }

    fn tableau(&mut self, rows: &[Form]) -> Option<Simplex> {
        let mut simplex = Simplex::default();
        self.columns.clear();
        self.variables.clear();
        for &(variable, _) in rows.iter().flat_map(|row| &row.parts) {
            if !self.columns.contains_key(&variable) {
                let Variable { input, width, signed } = variable;
                let (lo, hi) = self.track.bounds(input, width, signed);
                let value = integer(self.question.model.get(input) & mask(width), width, signed);
                if value < lo || value > hi {
                    return None;
                }
                self.columns.insert(variable, simplex.column(lo, hi, value));
                self.variables.push(variable);
            }
        }
        for row in rows {
            simplex
                .row(row.parts.iter().map(|&(v, factor)| (self.columns[&v], factor)), row.constant.checked_neg()?)?;
        }
        simplex.is_small().then_some(simplex)
    }

    /// Checks the solution as a model; splits on fractions and on disequalities it runs into.
    fn look(&mut self, simplex: &mut Simplex, rows: &mut Vec<Form>) -> Found {
        let fraction = self.variables.iter().find(|v| !simplex.value(self.columns[v]).is_integer()).copied();
        if let Some(variable) = fraction {
            let column = self.columns[&variable];
            let floor = simplex.value(column).floor();
            return self.split([(None, Some(floor)), (Some(floor + 1), None)], |attempt, (lo, hi)| {
                let mut half = simplex.clone();
                match half.narrow(column, lo, hi) {
                    None => return Found::GaveUp,
                    Some(Feasible::No) => return Found::Refuted,
                    Some(_) => {}
                }
                match half.search() {
                    Feasible::No => Found::Refuted,
                    Feasible::GaveUp => Found::GaveUp,
                    Feasible::Yes => attempt.look(&mut half, rows),
                }
            });
        }
        let Question { terms, model, goals, .. } = *self.question;
        let changes: Vec<(InputId, u64)> = self
            .variables
            .iter()
            .map(|v| (v.input, simplex.value(self.columns[v]).floor() as u64 & mask(v.width)))
            .filter(|&(input, value)| model.get(input) != value)
            .collect();
        let candidate = model.with_all(changes.iter().copied());
        let changed: Vec<InputId> = changes.iter().map(|change| change.0).collect();
        let failing =
            goals.iter().map(|&goal| Condition::Term(goal)).find(|&g| !self.evaluator.satisfies(terms, &candidate, g));
        let failing = failing.or_else(|| self.track.first_violated(terms, self.evaluator, &candidate, &changed));
        let Some(failing) = failing else { return Found::Model(candidate) };
        let Some((_, a, b)) = self.apart.iter().find(|apart| Condition::Term(apart.0) == failing).cloned() else {
            return Found::GaveUp;
        };
        self.split([a, b], |attempt, side| {
            rows.push(side);
            let found = attempt.solve(rows);
            rows.pop();
            found
        })
    }

    /// One of the two sides must hold: refuted only if both are.
    fn split<T>(&mut self, sides: [T; 2], mut with: impl FnMut(&mut Self, T) -> Found) -> Found {
        if self.splits == 0 {
            return Found::GaveUp;
        }
        self.splits -= 1;
        let mut refuted = true;
        for side in sides {
            // A side rebuilds the tableau for its own rows; the other side must find its own again.
            let saved = (self.columns.clone(), self.variables.clone());
            match with(self, side) {
                Found::Model(model) => return Found::Model(model),
                Found::Refuted => {}
                Found::GaveUp => refuted = false,
            }
            (self.columns, self.variables) = saved;
        }
        if refuted { Found::Refuted } else { Found::GaveUp }
    }
}
