//! Non-negative least squares: the active set method of Lawson and Hanson.

use super::linear::{Column, dot, least_squares, norm, residual};

/// The x without negative entries that brings `a·x` nearest to `b`; `a` by its columns.
pub fn nnls(a: &[Column], b: &Column) -> Vec<f64> {
    let columns = a.len();
    let mut x = vec![0.0; columns];
    let mut free: Vec<usize> = Vec::new();
    // Each round frees a column; three times their number is the customary bound.
    for _ in 0..3 * columns {
        let left = residual(a, &x, b);
        let gradient: Vec<f64> = a.iter().map(|column| dot(column, &left)).collect();
        let scale = norm(b) * 1e-12;
        let next = (0..columns)
            .filter(|j| !free.contains(j) && gradient[*j] > scale * norm(&a[*j]))
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
fn settle(a: &[Column], b: &Column, x: &mut [f64], free: &mut Vec<usize>) -> bool {
    while !free.is_empty() {
        let chosen: Vec<&Column> = free.iter().map(|j| &a[*j]).collect();
        let Some(z) = least_squares(&chosen, b) else { return false };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_combination_is_found() {
        let x = nnls(&[vec![1.0; 4], vec![1.0, 2.0, 3.0, 4.0]], &vec![5.0, 7.0, 9.0, 11.0]);
        assert!((x[0] - 3.0).abs() < 1e-9 && (x[1] - 2.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn a_coefficient_that_would_be_negative_is_zero() {
        let x = nnls(&[vec![1.0; 3], vec![1.0, 2.0, 3.0]], &vec![0.0, 2.0, 4.0]);
        assert_eq!(x[0], 0.0);
        assert!((x[1] - 16.0 / 14.0).abs() < 1e-9, "{x:?}");
    }
}
