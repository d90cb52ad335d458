//! Linear equations, one by one: each either determines a coefficient more or checks those there are.

use super::field::Field;

/// What a consistent system came to.
pub struct Solved<F> {
    pub coefficients: Vec<F>,
    /// The equations that were not needed to determine the coefficients, and agree with them.
    pub checks: Vec<usize>,
}

/// Why a system has no one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// Two equations contradict each other: nor is there a solution with fewer terms.
    Contradiction,
    /// Some coefficient can be anything.
    Undetermined,
}

/// Equations in reduced form: row i has a one in column `pivots[i]`, where all others have a zero.
struct System<F> {
    rows: Vec<Vec<F>>,
    pivots: Vec<usize>,
}

/// Solves for `unknowns` coefficients. Equation i is `equation(i)`: the factors, then the right side.
pub fn solve<F: Field>(
    unknowns: usize,
    equations: usize,
    equation: impl Fn(usize) -> Vec<F>,
) -> Result<Solved<F>, Unsolved> {
    let mut system = System { rows: Vec::new(), pivots: Vec::new() };
    let mut checks = Vec::new();
    for i in 0..equations {
        let row = system.reduce(equation(i));
        match row[..unknowns].iter().position(|factor| !factor.is_zero()) {
            Some(pivot) => system.add(row, pivot),
            None if row[unknowns].is_zero() => checks.push(i),
            None => return Err(Unsolved::Contradiction),
        }
    }
    if system.rows.len() < unknowns {
        return Err(Unsolved::Undetermined);
    }
    let mut by_column: Vec<(usize, F)> =
        system.pivots.into_iter().zip(system.rows).map(|(pivot, row)| (pivot, row[unknowns].clone())).collect();
    by_column.sort_by_key(|(pivot, _)| *pivot);
    Ok(Solved { coefficients: by_column.into_iter().map(|(_, value)| value).collect(), checks })
}

impl<F: Field> System<F> {
    fn reduce(&self, mut row: Vec<F>) -> Vec<F> {
        for (known, &pivot) in self.rows.iter().zip(&self.pivots) {
            subtract(&mut row, known, pivot);
        }
        row
    }

    fn add(&mut self, mut row: Vec<F>, pivot: usize) {
        let factor = row[pivot].inverse();
        for value in &mut row {
            *value = value.times(&factor);
        }
        for known in &mut self.rows {
            subtract(known, &row, pivot);
        }
        self.rows.push(row);
        self.pivots.push(pivot);
    }
}

/// Subtracts the multiple of `other` that makes `row` zero in the column.
fn subtract<F: Field>(row: &mut [F], other: &[F], column: usize) {
    let factor = row[column].clone();
    if !factor.is_zero() {
        for (value, by) in row.iter_mut().zip(other) {
            *value = value.minus_product(&factor, by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::field::Modular;

    fn line(points: &[(u64, u64)]) -> Result<Vec<usize>, Unsolved> {
        let row = |i: usize| vec![1, points[i].0, points[i].1].into_iter().map(Modular::from).collect();
        solve(2, points.len(), row).map(|solved| solved.checks)
    }

    #[test]
    fn equations_that_are_not_needed_check_the_others() {
        assert_eq!(line(&[(1, 5), (2, 7), (3, 9), (4, 11)]), Ok(vec![2, 3]));
    }

    #[test]
    fn contradictions_and_gaps_are_told_apart() {
        assert_eq!(line(&[(1, 5), (2, 7), (3, 10)]), Err(Unsolved::Contradiction));
        assert_eq!(line(&[(1, 5)]), Err(Unsolved::Undetermined));
    }
}
