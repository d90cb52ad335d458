//! The simplex method for feasibility, in the form of Dutertre and de Moura (2006).
//!
//! Every row defines a slack as a sum of columns. Columns stay within their bounds all the time; a slack out of its bounds is
//! exchanged for a column that has room, until all are within bounds, or one slack finds no column: then its row is the proof
//! that there is no solution. The start is the model of the path, of which only the newest row is violated.

use super::ratio::Ratio;

/// Rows times columns; larger problems are left to Z3.
const MOST_CELLS: usize = 40_000;
/// Exchanges tried.
const MOST_PIVOTS: u32 = 400;

/// Outcome of a search for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feasible {
    Yes,
    No,
    /// Numbers or effort became too large.
    GaveUp,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    value: Ratio,
    lo: Option<Ratio>,
    hi: Option<Ratio>,
}

/// A tableau. Variables are numbered: first the columns given, then one slack for each row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    places: Vec<Place>,
    /// Variable of each column of the tableau, and of each row.
    columns: Vec<usize>,
    basis: Vec<usize>,
    /// Row by row.
    cells: Vec<Vec<Ratio>>,
}

impl Simplex {
    /// A column with its bounds and the value it starts with, which lies within.
    pub(crate) fn column(&mut self, lo: i128, hi: i128, value: i128) -> usize {
        debug_assert!(self.basis.is_empty(), "columns come before rows");
        let place = Place { value: Ratio::whole(value), lo: Some(Ratio::whole(lo)), hi: Some(Ratio::whole(hi)) };
        self.places.push(place);
        self.columns.push(self.places.len() - 1);
        self.places.len() - 1
    }

    /// A sum of columns that is to be at most `limit`. Rows are given before the first search.
    pub(crate) fn row(&mut self, parts: impl IntoIterator<Item = (usize, i64)>, limit: i128) -> Option<()> {
        let mut row = vec![Ratio::ZERO; self.columns.len()];
        let mut value = Ratio::ZERO;
        for (column, factor) in parts {
            let factor = Ratio::whole(factor.into());
            row[column] = factor;
            value = value.plus(factor.times(self.places[column].value)?)?;
        }
        self.places.push(Place { value, lo: None, hi: Some(Ratio::whole(limit)) });
        self.basis.push(self.places.len() - 1);
        self.cells.push(row);
        Some(())
    }

    /// Whether the problem is small enough to try.
    pub(crate) fn is_small(&self) -> bool {
        self.basis.len() * self.columns.len() <= MOST_CELLS
    }

    /// The value of a column.
    pub(crate) fn value(&self, column: usize) -> Ratio {
        self.places[column].value
    }

    /// Narrows the bounds of a column; a search must follow.
    pub(crate) fn narrow(&mut self, column: usize, lo: Option<i128>, hi: Option<i128>) -> Option<Feasible> {
        let place = &mut self.places[column];
        if let Some(lo) = lo.map(Ratio::whole)
            && place.lo.is_none_or(|old| old.below(lo) == Some(true))
        {
            place.lo = Some(lo);
        }
        if let Some(hi) = hi.map(Ratio::whole)
            && place.hi.is_none_or(|old| hi.below(old) == Some(true))
        {
            place.hi = Some(hi);
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
    fn shift(&mut self, at: usize, by: Ratio) -> Option<()> {
        if by.is_zero() {
            return Some(());
        }
        let column = self.columns[at];
        self.places[column].value = self.places[column].value.plus(by)?;
        for (row, &slack) in self.cells.iter().zip(&self.basis) {
            if !row[at].is_zero() {
                self.places[slack].value = self.places[slack].value.plus(row[at].times(by)?)?;
            }
        }
        Some(())
    }

    /// Looks for values within all bounds.
    pub(crate) fn search(&mut self) -> Feasible {
        self.try_search().unwrap_or(Feasible::GaveUp)
    }

    fn try_search(&mut self) -> Option<Feasible> {
        for _ in 0..MOST_PIVOTS {
            // The variable with the least number first, on both sides: so the search cannot run in circles.
            let mut violated: Option<(usize, usize, Ratio)> = None;
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
            let mut entering: Option<(usize, usize)> = None;
            for (at, &column) in self.columns.iter().enumerate() {
                let factor = self.cells[r][at];
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
            let Some((_, at)) = entering else { return Some(Feasible::No) };
            let by = target.minus(self.places[slack].value)?.over(self.cells[r][at])?;
            self.shift(at, by)?;
            self.exchange(r, at)?;
        }
        None
    }

    /// The slack of a row and a column trade places.
    fn exchange(&mut self, r: usize, at: usize) -> Option<()> {
        let pivot = self.cells[r][at];
        let mut row = std::mem::take(&mut self.cells[r]);
        // column = (slack - rest) / pivot
        for (i, cell) in row.iter_mut().enumerate() {
            *cell = if i == at { Ratio::ONE.over(pivot)? } else { Ratio::ZERO.minus(*cell)?.over(pivot)? };
        }
        for other in self.cells.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[at];
            if factor.is_zero() {
                continue;
            }
            other[at] = Ratio::ZERO;
            for (cell, &by) in other.iter_mut().zip(&row) {
                if !by.is_zero() {
                    *cell = cell.plus(factor.times(by)?)?;
                }
            }
        }
        self.cells[r] = row;
        std::mem::swap(&mut self.basis[r], &mut self.columns[at]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_is_brought_below_its_limit_or_shown_not_to_fit() {
        for (limit, answer) in [(7, Feasible::Yes), (2, Feasible::Yes), (1, Feasible::No)] {
            let mut simplex = Simplex::default();
            let (x, y) = (simplex.column(1, 10, 5), simplex.column(1, 10, 5));
            simplex.row([(x, 1), (y, 1)], limit).unwrap();
            simplex.row([(x, -1), (y, 1)], 0).unwrap();
            assert_eq!(simplex.search(), answer, "x + y <= {limit}");
        }
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
            let mut simplex = Simplex::default();
            let columns: Vec<usize> = (0..3).map(|_| simplex.column(0, 4, next(5) as i128)).collect();
            let rows: Vec<(Vec<i64>, i128)> =
                (0..4).map(|_| ((0..3).map(|_| next(5) as i64 - 2).collect(), next(9) as i128 - 4)).collect();
            for (factors, limit) in &rows {
                simplex.row(columns.iter().copied().zip(factors.iter().copied()), *limit).unwrap();
            }
            let fits = |v: [i128; 3]| {
                rows.iter().all(|(f, limit)| (0..3).map(|i| v[i] * i128::from(f[i])).sum::<i128>() <= *limit)
            };
            let any = (0..125).any(|k| fits([k / 25, k / 5 % 5, k % 5]));
            match simplex.search() {
                Feasible::No => {
                    infeasible += 1;
                    assert!(!any, "a solution was missed: {rows:?}");
                }
                Feasible::Yes => {
                    let values: Vec<Ratio> = columns.iter().map(|&c| simplex.value(c)).collect();
                    if values.iter().all(|v| v.is_integer()) {
                        assert!(fits([values[0].floor(), values[1].floor(), values[2].floor()]), "{rows:?} {values:?}");
                    }
                }
                Feasible::GaveUp => panic!("small systems are decided"),
            }
        }
        assert!(infeasible > 300);
    }
}
