//! Sums of inputs: the simplex method on the conditions that share inputs with the question.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_term::ops::mask;
use slowpath_term::{Condition, Evaluator, InputId, TermId};
use smallvec::SmallVec;

use super::Question;
use super::sums::{Read, Sums};
use crate::answer::Verdict;
use crate::linear::{Bound, Feasible, Form, Fraction, Ratio, Rows, Simplex, SmallRatio, Variable};
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
    /// The numbers became too large for the kind of fractions.
    Overflow,
}

struct Attempt<'a> {
    question: &'a Question<'a>,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    columns: FxHashMap<Variable, usize>,
    variables: Vec<Variable>,
    /// Goals and conditions of the path that are disequalities.
    apart: Vec<(TermId, &'a Form, &'a Form)>,
    splits: u32,
    /// What refutes the rows, if no case had to be told apart.
    proof: Option<Proof>,
}

/// Rows by their place, and bounds, that contradict each other.
struct Proof {
    rows: Vec<usize>,
    bounds: Vec<Bound>,
}

/// What cannot be computed with one kind of fractions is tried with a wider one, if there is one.
fn too_large<R: Fraction>() -> Found {
    if R::IS_WIDEST { Found::GaveUp } else { Found::Overflow }
}

pub(super) fn decide(
    question: &Question<'_>,
    track: &mut Track,
    evaluator: &mut Evaluator,
    sums: &mut Sums,
) -> Verdict {
    let terms = question.terms;
    sums.tidy();
    let goals: SmallVec<[Rc<Read>; 2]> = question.goals.iter().map(|&goal| sums.read(terms, track, goal)).collect();
    if goals.iter().all(|goal| goal.rows == Rows::None) {
        return Verdict::Pass;
    }
    // What would be left to Z3 is not refuted by what was found before either, so that answers do not depend on what was asked before.
    if track.len() <= MOST_CONJUNCTS && sums.refute(terms, track, &goals) {
        return Verdict::Unsat;
    }
    let slice = track.slice(terms, question.extra);
    if slice.len() > MOST_CONJUNCTS {
        return Verdict::Pass;
    }
    let mut read: Vec<(TermId, Rc<Read>)> = slice.iter().map(|&t| (t, sums.read(terms, track, t))).collect();
    read.extend(question.goals.iter().copied().zip(goals));
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    let mut apart = Vec::new();
    for (t, read) in &read {
        // Conditions on one input are in its bounds already, unless the question puts them.
        for (row, sum) in read.all().filter(|(row, _)| row.parts.len() > 1 || question.goals.contains(t)) {
            rows.push(row);
            numbers.push(sum);
        }
        if let Rows::Either(a, b) = &read.rows {
            apart.push((*t, a, b));
        }
    }
    let mut attempt = Attempt {
        question,
        track,
        evaluator,
        columns: FxHashMap::default(),
        variables: Vec::new(),
        apart,
        splits: MOST_SPLITS,
        proof: None,
    };
    let mut found = attempt.solve::<SmallRatio>(&mut rows);
    if matches!(found, Found::Overflow) {
        attempt.splits = MOST_SPLITS;
        found = attempt.solve::<Ratio>(&mut rows);
    }
    match found {
        Found::Model(model) => Verdict::Sat(model),
        Found::Refuted => {
            if let Some(proof) = attempt.proof {
                sums.learn(proof.rows.iter().map(|&i| (rows[i], numbers[i])), proof.bounds);
            }
            Verdict::Unsat
        }
        Found::GaveUp | Found::Overflow => Verdict::Pass,
    }
}

impl<'a> Attempt<'a> {
    /// Decides the rows, all of them to be at most 0.
    fn solve<R: Fraction>(&mut self, rows: &mut Vec<&'a Form>) -> Found {
        let Some(mut simplex) = self.tableau::<R>(rows) else { return too_large::<R>() };
        if !simplex.is_small() {
            return Found::GaveUp;
        }
        match simplex.search() {
            Feasible::No => {
                if self.splits == MOST_SPLITS {
                    self.proof = Some(self.proof_of(&simplex));
                }
                Found::Refuted
            }
            Feasible::GaveUp => Found::GaveUp,
            Feasible::Overflow => too_large::<R>(),
            Feasible::Yes => self.look(&mut simplex, rows),
        }
    }

    fn tableau<R: Fraction>(&mut self, rows: &[&Form]) -> Option<Simplex<R>> {
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
                self.columns.insert(variable, simplex.column(lo, hi, value)?);
                self.variables.push(variable);
            }
        }
        for row in rows {
            simplex
                .row(row.parts.iter().map(|&(v, factor)| (self.columns[&v], factor)), row.constant.checked_neg()?)?;
        }
        Some(simplex)
    }

    /// What contradicts itself, by the tableau's own rows and columns.
    fn proof_of<R: Fraction>(&self, simplex: &Simplex<R>) -> Proof {
        let (mut rows, mut bounds) = (Vec::new(), Vec::new());
        for limit in simplex.proof() {
            match self.variables.get(limit.variable) {
                None => rows.push(limit.variable - self.variables.len()),
                Some(&variable) => {
                    let (lo, hi) = self.track.bounds(variable.input, variable.width, variable.signed);
                    bounds.push(Bound { variable, upper: limit.upper, value: if limit.upper { hi } else { lo } });
                }
            }
        }
        Proof { rows, bounds }
    }

    /// Checks the solution as a model; splits on fractions and on disequalities it runs into.
    fn look<R: Fraction>(&mut self, simplex: &mut Simplex<R>, rows: &mut Vec<&'a Form>) -> Found {
        let fraction = self.variables.iter().find(|v| !simplex.value(self.columns[v]).is_integer()).copied();
        if let Some(variable) = fraction {
            let column = self.columns[&variable];
            let floor = simplex.value(column).floor();
            return self.split([(None, Some(floor)), (Some(floor + 1), None)], |attempt, (lo, hi)| {
                let mut half = simplex.clone();
                match half.narrow(column, lo, hi) {
                    None => return too_large::<R>(),
                    Some(Feasible::No) => return Found::Refuted,
                    Some(_) => {}
                }
                match half.search() {
                    Feasible::No => Found::Refuted,
                    Feasible::GaveUp => Found::GaveUp,
                    Feasible::Overflow => too_large::<R>(),
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
        let Some(&(_, a, b)) = self.apart.iter().find(|apart| Condition::Term(apart.0) == failing) else {
            return Found::GaveUp;
        };
        self.split([a, b], |attempt, side| {
            rows.push(side);
            let found = attempt.solve::<R>(rows);
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
                Found::Overflow => return Found::Overflow,
            }
            (self.columns, self.variables) = saved;
        }
        if refuted { Found::Refuted } else { Found::GaveUp }
    }
}
