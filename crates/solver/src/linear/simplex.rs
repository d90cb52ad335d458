//! The simplex method for feasibility, in the form of Dutertre and de Moura (2006).
//!
//! Every row defines a slack as a sum of columns. Columns stay within their bounds all the time; a slack out of its bounds is
//! exchanged for a column that has room, until all are within bounds, or one slack finds no column: then its row is the proof
//! that there is no solution. The start is the model of the path, of which only the newest row is violated.

use super::ratio::{Fraction, Ratio};

/// Rows times columns; larger problems are left to Z3.
const MOST_CELLS: usize = 40_000;
/// Exchanges tried.
const MOST_PIVOTS: u32 = 400;

/// Outcome of a search for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feasible {
    Yes,
    No,
    /// The effort became too large.
    GaveUp,
    /// Numbers became too large for the kind of fractions.
    Overflow,
}

#[derive(Clone, Copy, Debug)]
struct Place<R> {
    value: R,
    lo: Option<R>,
    hi: Option<R>,
}

/// A bound of a variable by its number, lower or upper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) variable: usize,
    pub(crate) upper: bool,
}

/// A tableau. Variables are numbered: first the columns given, then one slack for each row.
#[derive(Clone, Debug)]
pub(crate) struct Simplex<R = Ratio> {
    places: Vec<Place<R>>,
    /// Variable of each column of the tableau, and of each row.
    columns: Vec<usize>,
    basis: Vec<usize>,
    /// Row by row.
    cells: Vec<R>,
    /// The row of an exchange, while it is on its way.
    row: Vec<R>,
    /// Bounds that contradict each other, once that was found.
    proof: Vec<Limit>,
}

impl<R> Default for Simplex<R> {
    fn default() -> Simplex<R> {
        Simplex {
            places: Vec::new(),
            columns: Vec::new(),
            basis: Vec::new(),
            cells: Vec::new(),
            row: Vec::new(),
            proof: Vec::new(),
        }
    }
}

impl<R: Fraction> Simplex<R> {
    /// A column with its bounds and the value it starts with, which lies within.
    pub(crate) fn column(&mut self, lo: i128, hi: i128, value: i128) -> Option<usize> {
        debug_assert!(self.basis.is_empty(), "columns come before rows");
        let place = Place { value: R::whole(value)?, lo: Some(R::whole(lo)?), hi: Some(R::whole(hi)?) };
        self.places.push(place);
        self.columns.push(self.places.len() - 1);
        Some(self.places.len() - 1)
    }

    /// A sum of columns that is to be at most `limit`. Rows are given before the first search.
    pub(crate) fn row(&mut self, parts: impl IntoIterator<Item = (usize, i64)>, limit: i128) -> Option<()> {
        let begin = self.cells.len();
        self.cells.resize(begin + self.columns.len(), R::ZERO);
        let mut value = R::ZERO;
        for (column, factor) in parts {
            let factor = R::whole(factor.into())?;
            self.cells[begin + column] = factor;
            value = value.plus(factor.times(self.places[column].value)?)?;
        }
        self.places.push(Place { value, lo: None, hi: Some(R::whole(limit)?) });
        self.basis.push(self.places.len() - 1);
        Some(())
    }

    /// Whether the problem is small enough to try.
    pub(crate) fn is_small(&self) -> bool {
        self.basis.len() * self.columns.len() <= MOST_CELLS
    }

    /// The value of a column.
    pub(crate) fn value(&self, column: usize) -> R {
        self.places[column].value
    }

    /// After a search that found no solution: bounds that contradict each other.
    pub(crate) fn proof(&self) -> &[Limit] {
        &self.proof
    }

    /// Narrows the bounds of a column; a search must follow.
    pub(crate) fn narrow(&mut self, column: usize, lo: Option<i128>, hi: Option<i128>) -> Option<Feasible> {
        let place = &mut self.places[column];
        if let Some(lo) = lo {
            let lo = R::whole(lo)?;
            if place.lo.is_none_or(|old| old.below(lo) == Some(true)) {
                place.lo = Some(lo);
            }
        }
        if let Some(hi) = hi {
            let hi = R::whole(hi)?;
            if place.hi.is_none_or(|old| hi.below(old) == Some(true)) {
                place.hi = Some(hi);
            }
        }
        let Place { value, lo, hi } = *place;
        if let (Some(lo), Some(hi)) = (lo, hi)
            && hi.below(lo)?
        {
            return Some(Feasible::No);
        }
        // A column outside the tableau's rows moves at once; a slack is brought back by the search.
        if let Some(at) = self.columns.iter().position(|&c| c == column) {
            let target = match (lo, hi) {
                (Some(lo), _) if value.below(lo)? => lo,
                (_, Some(hi)) if hi.below(value)? => hi,
                _ => value,
            };
            self.shift(at, target.minus(value)?)?;
        }
        Some(Feasible::Yes)
    }

    /// Moves the column at a place of the tableau, and the slacks with it.
    fn shift(&mut self, at: usize, by: R) -> Option<()> {
        if by.is_zero() {
            return Some(());
        }
        let column = self.columns[at];
        self.places[column].value = self.places[column].value.plus(by)?;
        for (row, &slack) in self.cells.chunks_exact(self.columns.len()).zip(&self.basis) {
            if !row[at].is_zero() {
                self.places[slack].value = self.places[slack].value.plus(row[at].times(by)?)?;
            }
        }
        Some(())
    }

    /// Looks for values within all bounds.
    pub(crate) fn search(&mut self) -> Feasible {
        self.try_search().unwrap_or(Feasible::Overflow)
    }

    fn try_search(&mut self) -> Option<Feasible> {
        for _ in 0..MOST_PIVOTS {
            // The variable with the least number first, on both sides: so the search cannot run in circles.
            let mut violated: Option<(usize, usize, R)> = None;
            for (r, &slack) in self.basis.iter().enumerate() {
                let Place { value, lo, hi } = self.places[slack];
                let target = match (lo, hi) {
                    (Some(lo), _) if value.below(lo)? => lo,
                    (_, Some(hi)) if hi.below(value)? => hi,
                    _ => continue,
                };
                if violated.is_none_or(|(best, ..)| slack < best) {
                    violated = Some((slack, r, target));
                }
            }
            let Some((slack, r, target)) = violated else { return Some(Feasible::Yes) };
            let upward = self.places[slack].value.below(target)?;
            let row = &self.cells[r * self.columns.len()..][..self.columns.len()];
            let mut entering: Option<(usize, usize)> = None;
            for (at, (&column, &factor)) in self.columns.iter().zip(row).enumerate() {
                if factor.is_zero() {
                    continue;
                }
                let Place { value, lo, hi } = self.places[column];
                let room = if factor.is_positive() == upward {
                    hi.map_or(Some(true), |hi| value.below(hi))?
                } else {
                    lo.map_or(Some(true), |lo| lo.below(value))?
                };
                if room && entering.is_none_or(|(best, _)| column < best) {
                    entering = Some((column, at));
                }
            }
            let Some((_, at)) = entering else {
                self.prove(slack, r, upward);
                return Some(Feasible::No);
            };
            let by = target.minus(self.places[slack].value)?.over(row[at])?;
            self.shift(at, by)?;
            self.exchange(r, at)?;
        }
        Some(Feasible::GaveUp)
    }

    /// A slack that is out of its bounds, and every column of its row that would have to move is at one of its own.
    fn prove(&mut self, slack: usize, r: usize, upward: bool) {
        let row = &self.cells[r * self.columns.len()..][..self.columns.len()];
        let columns = self.columns.iter().zip(row).filter(|(_, factor)| !factor.is_zero());
        let limits = columns.map(|(&variable, factor)| Limit { variable, upper: factor.is_positive() == upward });
        self.proof = limits.chain([Limit { variable: slack, upper: !upward }]).collect();
    }

    /// The slack of a row and a column trade places.
    fn exchange(&mut self, r: usize, at: usize) -> Option<()> {
        let width = self.columns.len();
        let pivot = self.cells[r * width + at];
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend_from_slice(&self.cells[r * width..][..width]);
        // column = (slack - rest) / pivot
        for (i, cell) in row.iter_mut().enumerate() {
            if i == at {
                *cell = R::ONE.over(pivot)?;
            } else if !cell.is_zero() {
                *cell = R::ZERO.minus(*cell)?.over(pivot)?;
            }
        }
        for (i, other) in self.cells.chunks_exact_mut(width).enumerate() {
            let factor = other[at];
            if factor.is_zero() || i == r {
                continue;
            }
            other[at] = R::ZERO;
            for (cell, &by) in other.iter_mut().zip(&row) {
                if !by.is_zero() {
                    *cell = cell.plus(factor.times(by)?)?;
                }
            }
        }
        self.cells[r * width..][..width].copy_from_slice(&row);
        self.row = row;
        std::mem::swap(&mut self.basis[r], &mut self.columns[at]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ratio::SmallRatio;
    use super::*;

    #[test]
    fn a_sum_is_brought_below_its_limit_or_shown_not_to_fit() {
        for (limit, answer) in [(7, Feasible::Yes), (2, Feasible::Yes), (1, Feasible::No)] {
            let mut simplex: Simplex<Ratio> = Simplex::default();
            let [x, y] = [5, 5].map(|value| simplex.column(1, 10, value).unwrap());
            simplex.row([(x, 1), (y, 1)], limit).unwrap();
            simplex.row([(x, -1), (y, 1)], 0).unwrap();
            assert_eq!(simplex.search(), answer, "x + y <= {limit}");
        }
    }

    /// What decides a random system, and what shows it.
    fn solve<R: Fraction>(starts: [i128; 3], rows: &[(Vec<i64>, i128)]) -> (Feasible, Vec<Limit>, Option<[i128; 3]>) {
        let mut simplex: Simplex<R> = Simplex::default();
        let columns = starts.map(|value| simplex.column(0, 4, value).unwrap());
        for (factors, limit) in rows {
            simplex.row(columns.into_iter().zip(factors.iter().copied()), *limit).unwrap();
        }
        let answer = simplex.search();
        let values = columns.map(|column| simplex.value(column));
        let whole = values.iter().all(|value| value.is_integer());
        (answer, simplex.proof().to_vec(), whole.then(|| values.map(|value| value.floor())))
    }

    #[test]
    fn small_systems_agree_with_trying_all_values() {
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut infeasible = 0;
        for _ in 0..3000 {
            let starts = std::array::from_fn(|_| next(5) as i128);
            let rows: Vec<(Vec<i64>, i128)> =
                (0..4).map(|_| ((0..3).map(|_| next(5) as i64 - 2).collect(), next(9) as i128 - 4)).collect();
            let fits = |v: [i128; 3], (f, limit): &(Vec<i64>, i128)| {
                (0..3).map(|i| v[i] * i128::from(f[i])).sum::<i128>() <= *limit
            };
            let any = (0..125).any(|k| rows.iter().all(|row| fits([k / 25, k / 5 % 5, k % 5], row)));
            let (answer, proof, values) = solve::<Ratio>(starts, &rows);
            assert_eq!((answer, proof.clone(), values), solve::<SmallRatio>(starts, &rows));
            match answer {
                Feasible::No => {
                    infeasible += 1;
                    assert!(!any, "a solution was missed: {rows:?}");
                    // What the proof leaves out may be anything.
                    let bounded = |v: i128, variable: usize| {
                        let limited = |upper| proof.contains(&Limit { variable, upper });
                        (v >= 0 || !limited(false)) && (v <= 4 || !limited(true))
                    };
                    let used = || rows.iter().enumerate().filter(|(i, _)| proof.iter().any(|l| l.variable == 3 + i));
                    for k in 0..16 * 16 * 16 {
                        let v = [k / 256 - 6, k / 16 % 16 - 6, k % 16 - 6];
                        let within = (0..3).all(|i| bounded(v[i], i));
                        assert!(!within || !used().all(|(_, row)| fits(v, row)), "{rows:?} {proof:?} {v:?}");
                    }
                }
                Feasible::Yes => {
                    if let Some(values) = values {
                        assert!(rows.iter().all(|row| fits(values, row)), "{rows:?} {values:?}");
                    }
                }
                Feasible::GaveUp | Feasible::Overflow => panic!("small systems are decided"),
            }
        }
        assert!(infeasible > 300);
    }
}
