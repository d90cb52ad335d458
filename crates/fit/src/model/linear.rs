//! As much linear algebra as fitting needs: small matrices by their columns, least squares and a pseudo-inverse.

/// A column of a matrix.
pub type Column = Vec<f64>;

/// The scalar product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The length.
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// What is left of `b` when the columns, each times its coefficient, are taken away.
pub fn residual(columns: &[Column], x: &[f64], b: &[f64]) -> Column {
    let mut left = b.to_vec();
    for (column, x) in columns.iter().zip(x) {
        left.iter_mut().zip(column).for_each(|(left, value)| *left -= value * x);
    }
    left
}

/// Rotates all columns alike, so that in each only what is on or above the diagonal is left, and cuts off the rows that are then zero:
/// by Householder's reflections. Lengths and angles stay.
pub fn triangle(mut columns: Vec<Column>) -> Vec<Column> {
    let rows = columns.first().map_or(0, Vec::len);
    let steps = rows.min(columns.len());
    for k in 0..steps {
        let (done, rest) = columns.split_at_mut(k + 1);
        let column = &mut done[k];
        let length = norm(&column[k..]);
        if length == 0.0 {
            continue;
        }
        // Away from zero, so that nothing cancels.
        let head = if column[k] > 0.0 { -length } else { length };
        let mut mirror = column[k..].to_vec();
        mirror[0] -= head;
        let scale = 2.0 / dot(&mirror, &mirror);
        for other in rest {
            let by = scale * dot(&mirror, &other[k..]);
            other[k..].iter_mut().zip(&mirror).for_each(|(value, mirror)| *value -= by * mirror);
        }
        column[k..].fill(0.0);
        column[k] = head;
    }
    columns.iter_mut().for_each(|column| column.truncate(steps));
    columns
}

/// Ordinary least squares, or none if the columns depend on each other.
pub fn least_squares(columns: &[&Column], b: &Column) -> Option<Column> {
    let width = columns.len();
    if b.len() < width {
        return None;
    }
    let reduced = triangle(columns.iter().copied().chain([b]).cloned().collect());
    let diagonal = |k: usize| reduced[k][k];
    let largest = (0..width).map(|k| diagonal(k).abs()).fold(0.0, f64::max);
    if (0..width).any(|k| diagonal(k).abs() <= largest * 1e-11) {
        return None;
    }
    let mut x = vec![0.0; width];
    for k in (0..width).rev() {
        let known: f64 = (k + 1..width).map(|j| reduced[j][k] * x[j]).sum();
        x[k] = (reduced[width][k] - known) / diagonal(k);
    }
    x.iter().all(|value| value.is_finite()).then_some(x)
}

/// The pseudo-inverse of a symmetric matrix: eigenvalues up to `least` count as zero. By Jacobi's rotations.
pub fn symmetric_pseudo_inverse(mut a: Vec<Column>, least: f64) -> Vec<Column> {
    let size = a.len();
    let mut vectors: Vec<Column> =
        (0..size).map(|i| (0..size).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    // A few sweeps are enough for matrices of any size that laws have.
    for _ in 0..60 {
        let pairs = || (0..size).flat_map(|p| (p + 1..size).map(move |q| (p, q)));
        if pairs().all(|(p, q)| a[p][q].abs() <= f64::EPSILON * (a[p][p] * a[q][q]).abs().sqrt()) {
            break;
        }
        for (p, q) in pairs() {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for row in a.iter_mut() {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (upper, lower) = a.split_at_mut(q);
            for (x, y) in upper[p].iter_mut().zip(&mut lower[0]) {
                (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
            }
            for vector in &mut vectors {
                (vector[p], vector[q]) = (c * vector[p] - s * vector[q], s * vector[p] + c * vector[q]);
            }
        }
    }
    let inverse = |k: usize| if a[k][k].abs() > least { 1.0 / a[k][k] } else { 0.0 };
    let entry = |i: usize, j: usize| (0..size).map(|k| vectors[i][k] * inverse(k) * vectors[j][k]).sum();
    (0..size).map(|j| (0..size).map(|i| entry(i, j)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn least_squares_are_those_worked_out_in_rationals() {
        let columns = [vec![1.0; 5], vec![1.0, 2.0, 3.0, 4.0, 5.0], vec![1.0, 4.0, 9.0, 16.0, 25.0]];
        let b = vec![1.0, 3.0, 2.0, 5.0, 4.0];
        // Normal equations: [5 15 55; 15 55 225; 55 225 979] x = [15; 53; 211].
        let x = least_squares(&columns.iter().collect::<Vec<_>>(), &b).unwrap();
        close(&x, &[-0.4, 58.0 / 35.0, -1.0 / 7.0]);
        close(&[norm(&residual(&columns, &x, &b)).powi(2)], &[116.0 / 35.0]);
        assert_eq!(least_squares(&[&columns[0], &columns[0]], &b), None, "they depend on each other");
        assert_eq!(least_squares(&[&vec![1.0], &vec![2.0]], &vec![1.0]), None, "too few rows");
    }

    #[test]
    fn a_triangle_keeps_lengths_and_angles() {
        let columns = vec![vec![3.0, 4.0, 0.0, 12.0], vec![1.0, -2.0, 2.0, 0.0], vec![0.0, 0.0, 0.0, 0.0]];
        let reduced = triangle(columns.clone());
        assert!(reduced.iter().all(|column| column.len() == 3) && reduced[0][1] == 0.0 && reduced[0][2] == 0.0);
        for i in 0..3 {
            for j in 0..3 {
                close(&[dot(&reduced[i], &reduced[j])], &[dot(&columns[i], &columns[j])]);
            }
        }
    }

    #[test]
    fn a_pseudo_inverse_inverts_what_can_be() {
        // The inverse of Hilbert's matrix has whole numbers.
        let hilbert: Vec<Column> = (0..3).map(|i| (0..3).map(|j| 1.0 / f64::from(i + j + 1)).collect()).collect();
        let inverse = symmetric_pseudo_inverse(hilbert, 1e-14);
        let expected = [[9.0, -36.0, 30.0], [-36.0, 192.0, -180.0], [30.0, -180.0, 180.0]];
        for (found, expected) in inverse.iter().zip(expected) {
            found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{inverse:?}"));
        }
        let singular = symmetric_pseudo_inverse(vec![vec![2.0, 2.0], vec![2.0, 2.0]], 1e-14);
        singular.iter().for_each(|column| close(column, &[0.125, 0.125]));
        assert_eq!(symmetric_pseudo_inverse(vec![vec![0.0]], 1e-14), [[0.0]]);
    }
}
