//! Non-negative least squares: the active set method of Lawson and Hanson.

use nalgebra::{DMatrix, DVector};

/// The x without negative entries that brings `a·x` nearest to `b`.
pub fn nnls(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let columns = a.ncols();
    let mut x = DVector::zeros(columns);
    let mut free: Vec<usize> = Vec::new();
    // Each round frees a column; three times their number is the customary bound.
    for _ in 0..3 * columns {
        let gradient = a.tr_mul(&(b - a * &x));
        let scale = b.norm() * 1e-12;
        let next = (0..columns)
            .filter(|j| !free.contains(j) && gradient[*j] > scale * a.column(*j).norm())
            .max_by(|i, j| gradient[*i].total_cmp(&gradient[*j]));
        let Some(next) = next else { break };
        free.push(next);
        if !settle(a, b, &mut x, &mut free) {
            free.retain(|j| *j != next);
            break;
        }
    }
    x
}

/// Solves for the free columns, and fixes those at zero that would turn negative, until none does.
fn settle(a: &DMatrix<f64>, b: &DVector<f64>, x: &mut DVector<f64>, free: &mut Vec<usize>) -> bool {
    while !free.is_empty() {
        let Some(z) = least_squares(&a.select_columns(free.iter()), b) else { return false };
        let step = free
            .iter()
            .zip(z.iter())
            .filter(|(_, z)| **z <= 0.0)
            .map(|(&j, z)| x[j] / (x[j] - z))
            .filter(|step| step.is_finite())
            .fold(f64::INFINITY, f64::min);
        if z.iter().all(|z| *z > 0.0) {
            for (&j, &z) in free.iter().zip(z.iter()) {
                x[j] = z;
            }
            return true;
        }
        let step = if step.is_finite() { step } else { 0.0 };
        let mut kept = Vec::new();
        for (&j, &z) in free.iter().zip(z.iter()) {
            x[j] += step * (z - x[j]);
            if z > 0.0 || x[j] > 1e-14 {
                kept.push(j);
            } else {
                x[j] = 0.0;
            }
        }
        if kept.len() == free.len() {
            return false;
        }
        *free = kept;
    }
    true
}

/// Ordinary least squares, or none if the columns depend on each other.
pub fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> Option<DVector<f64>> {
    if a.nrows() < a.ncols() {
        return None;
    }
    let qr = a.clone().qr();
    let r = qr.r();
    let largest = r.diagonal().amax();
    if r.diagonal().iter().any(|d| d.abs() <= largest * 1e-11) {
        return None;
    }
    let x = r.solve_upper_triangular(&qr.q().tr_mul(b))?;
    x.iter().all(|value| value.is_finite()).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_combination_is_found() {
        let a = DMatrix::from_row_slice(4, 2, &[1.0, 1.0, 1.0, 2.0, 1.0, 3.0, 1.0, 4.0]);
        let x = nnls(&a, &DVector::from_column_slice(&[5.0, 7.0, 9.0, 11.0]));
        assert!((x[0] - 3.0).abs() < 1e-9 && (x[1] - 2.0).abs() < 1e-9, "{x}");
    }

    #[test]
    fn a_coefficient_that_would_be_negative_is_zero() {
        let a = DMatrix::from_row_slice(3, 2, &[1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
        let x = nnls(&a, &DVector::from_column_slice(&[0.0, 2.0, 4.0]));
        assert_eq!(x[0], 0.0);
        assert!((x[1] - 16.0 / 14.0).abs() < 1e-9, "{x}");
    }
}
