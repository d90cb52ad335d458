//! Sums that may wrap around, quotients, remainders and parts of words: by cases of how often they wrap, each a linear problem.
//!
//! The first try leaves every wrap as it is under the path's model. Then the simplex method decides over the fractions, and unknowns that come
//! out as fractions are split on, the wraps first: there are few of each. Refuted is what is refuted in all cases.

use rustc_hash::FxHashMap;
use slowpath_term::ops::mask;
use slowpath_term::{Condition, Evaluator, InputId, TermId};

use super::Question;
use crate::answer::Verdict;
use crate::linear::{Feasible, Form, Fraction, ModularReader, Rows, Simplex, Unknown};
use crate::sets::integer;
use crate::track::Track;

/// Cases tried for one question.
const MOST_SPLITS: u32 = 192;
/// Longer slices are left to Z3.
const MOST_CONJUNCTS: usize = 200;
/// Steps of work that a question stands for, and every case of it.
const STEPS: u64 = 1_000;
const STEPS_PER_CASE: u64 = 200;

/// So many questions are tried for each that was decided, and some more to begin with; of the others one in so many.
const TRIES_PER_ANSWER: u32 = 4;
const FIRST_TRIES: u32 = 32;
const ONE_IN: u32 = 8;

type Sum = Form<Unknown>;

/// How much good the layer did so far: where it only passes on, it is seldom asked.
#[derive(Default)]
pub(super) struct Record {
    asked: u32,
    passed: u32,
    decided: u32,
}

impl Record {
    fn is_worth_it(&mut self) -> bool {
        self.asked = self.asked.wrapping_add(1);
        self.passed < FIRST_TRIES + TRIES_PER_ANSWER * self.decided || self.asked.is_multiple_of(ONE_IN)
    }

    fn note(&mut self, verdict: &Verdict) {
        let count = if matches!(verdict, Verdict::Pass) { &mut self.passed } else { &mut self.decided };
        *count += 1;
        // What was long ago counts less.
        if self.passed + self.decided > 1 << 12 {
            self.passed /= 2;
            self.decided /= 2;
        }
    }
}

enum Found {
    Model(slowpath_term::Model),
    Refuted,
    GaveUp,
}

/// A column: what it stands for, its bounds, and its value under the path's model.
#[derive(Clone, Copy)]
struct Column {
    unknown: Unknown,
    lo: i128,
    hi: i128,
    value: i128,
}

struct Attempt<'a> {
    question: &'a Question<'a>,
    track: &'a Track,
    evaluator: &'a mut Evaluator,
    columns: Vec<Column>,
    places: FxHashMap<Unknown, usize>,
    /// Goals and conditions of the path that are disequalities.
    apart: Vec<(TermId, Sum, Sum)>,
    splits: u32,
}

pub(super) fn decide(
    question: &Question<'_>,
    slice: &[TermId],
    track: &Track,
    evaluator: &mut Evaluator,
    record: &mut Record,
    work: &mut u64,
) -> Verdict {
    if slice.len() > MOST_CONJUNCTS || !record.is_worth_it() {
        return Verdict::Pass;
    }
    let verdict = try_decide(question, slice, track, evaluator, work);
    record.note(&verdict);
    verdict
}

fn try_decide(
    question: &Question<'_>,
    slice: &[TermId],
    track: &Track,
    evaluator: &mut Evaluator,
    work: &mut u64,
) -> Verdict {
    let mut reader = ModularReader::new(question.terms, |input, width, signed| track.bounds(input, width, signed));
    let goals: Vec<Rows<Unknown>> = question.goals.iter().map(|&goal| reader.read(goal)).collect();
    if goals.iter().all(|rows| *rows == Rows::None) {
        return Verdict::Pass;
    }
    *work += STEPS;
    let mut read: Vec<(TermId, Rows<Unknown>)> = question.goals.iter().copied().zip(goals).collect();
    read.extend(slice.iter().map(|&t| (t, reader.read(t))));
    let mut rows = Vec::new();
    let mut apart = Vec::new();
    for (t, read) in read {
        match read {
            // Conditions on one input are in its bounds already, unless the question puts them.
            Rows::All(list) => {
                rows.extend(list.into_iter().filter(|row| row.parts.len() > 1 || question.goals.contains(&t)))
            }
            Rows::Either(a, b) => apart.push((t, a, b)),
            Rows::None => {}
        }
    }
    rows.append(&mut reader.rows);
    let Some(columns) = columns(question, &reader, &rows, &apart) else { return Verdict::Pass };
    let places = columns.iter().enumerate().map(|(place, column)| (column.unknown, place)).collect();
    let mut attempt = Attempt { question, track, evaluator, columns, places, apart, splits: MOST_SPLITS };
    let found = attempt.as_it_wraps(&mut rows).unwrap_or_else(|| attempt.solve(&mut rows));
    *work += STEPS_PER_CASE * u64::from(MOST_SPLITS - attempt.splits);
    match found {
        Found::Model(model) => Verdict::Sat(model),
        Found::Refuted => Verdict::Unsat,
        Found::GaveUp => Verdict::Pass,
    }
}

/// The unknowns of all rows, inputs first, then helpers, each after those it is made of.
fn columns<F: Fn(InputId, u8, bool) -> (i128, i128)>(
    question: &Question<'_>,
    reader: &ModularReader<'_, F>,
    rows: &[Sum],
    apart: &[(TermId, Sum, Sum)],
) -> Option<Vec<Column>> {
    let sums = rows.iter().chain(apart.iter().flat_map(|(_, a, b)| [a, b]));
    let mut unknowns: Vec<Unknown> = sums.flat_map(|sum| sum.parts.iter().map(|part| part.0)).collect();
    unknowns.extend((0..reader.helpers.len() as u32).map(Unknown::Helper));
    unknowns.sort_unstable();
    unknowns.dedup();
    let mut values: FxHashMap<Unknown, i128> = FxHashMap::default();
    let mut columns = Vec::with_capacity(unknowns.len());
    for unknown in unknowns {
        let (lo, hi) = reader.bounds_of_unknown(unknown)?;
        let value = match unknown {
            Unknown::Input { input, width, signed } => integer(question.model.get(input) & mask(width), width, signed),
            Unknown::Helper(place) => {
                reader.helpers.get(place as usize)?.value(|unknown| values.get(&unknown).copied())?
            }
        };
        if value < lo || value > hi {
            return None;
        }
        values.insert(unknown, value);
        columns.push(Column { unknown, lo, hi, value });
    }
    Some(columns)
}

impl Attempt<'_> {
    /// A model in which everything wraps as often as it does under the path's.
    fn as_it_wraps(&mut self, rows: &mut Vec<Sum>) -> Option<Found> {
        if !self.columns.iter().any(|column| matches!(column.unknown, Unknown::Helper(_))) {
            return None;
        }
        let free = self.columns.clone();
        for column in self.columns.iter_mut().filter(|column| matches!(column.unknown, Unknown::Helper(_))) {
            (column.lo, column.hi) = (column.value, column.value);
        }
        let splits = std::mem::replace(&mut self.splits, MOST_SPLITS / 16);
        let found = self.solve(rows);
        self.columns = free;
        self.splits = splits - (MOST_SPLITS / 16 - self.splits);
        matches!(found, Found::Model(_)).then_some(found)
    }

    /// Decides the rows, all of them to be at most 0.
    fn solve(&mut self, rows: &mut Vec<Sum>) -> Found {
        let Some(mut simplex) = self.tableau(rows) else { return Found::GaveUp };
        self.search(&mut simplex, rows)
    }

    fn search(&mut self, simplex: &mut Simplex, rows: &mut Vec<Sum>) -> Found {
        match simplex.search() {
            Feasible::No => Found::Refuted,
            Feasible::GaveUp | Feasible::Overflow => Found::GaveUp,
            Feasible::Yes => self.look(simplex, rows),
        }
    }

    fn tableau(&self, rows: &[Sum]) -> Option<Simplex> {
        let mut simplex = Simplex::default();
        for column in &self.columns {
            simplex.column(column.lo, column.hi, column.value)?;
        }
        for row in rows {
            let mut parts = Vec::with_capacity(row.parts.len());
            for (unknown, factor) in &row.parts {
                parts.push((*self.places.get(unknown)?, *factor));
            }
            simplex.row(parts, row.constant.checked_neg()?)?;
        }
        simplex.is_small().then_some(simplex)
    }

    /// Checks the solution as a model; splits on fractions and on disequalities it runs into.
    fn look(&mut self, simplex: &mut Simplex, rows: &mut Vec<Sum>) -> Found {
        // Helpers come last, and are split on first.
        if let Some(column) = (0..self.columns.len()).rev().find(|&column| !simplex.value(column).is_integer()) {
            let floor = simplex.value(column).floor();
            return self.split([(None, Some(floor)), (Some(floor + 1), None)], |attempt, (lo, hi)| {
                let mut half = simplex.clone();
                match half.narrow(column, lo, hi) {
                    None => Found::GaveUp,
                    Some(Feasible::No) => Found::Refuted,
                    Some(_) => attempt.search(&mut half, rows),
                }
            });
        }
        let Question { terms, model, goals, .. } = *self.question;
        let mut changes: Vec<(InputId, u64)> = Vec::new();
        for (place, column) in self.columns.iter().enumerate() {
            if let Unknown::Input { input, width, .. } = column.unknown {
                let value = simplex.value(place).floor() as u64 & mask(width);
                if model.get(input) & mask(width) != value {
                    changes.push((input, value));
                }
            }
        }
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
        let mut refuted = true;
        for side in sides {
            if self.splits == 0 {
                return Found::GaveUp;
            }
            self.splits -= 1;
            match with(self, side) {
                Found::Model(model) => return Found::Model(model),
                Found::Refuted => {}
                Found::GaveUp => refuted = false,
            }
        }
        if refuted { Found::Refuted } else { Found::GaveUp }
    }
}
