//! Fitting a formula to some of the elements of all sizes; two sizes are only checked against.

use super::condition::Condition;
use super::{Law, Piece};
use crate::parameter::Parameter;
use crate::sum::{Atom, Place, Product, Sum};

/// Elements with where they are, by size.
pub(super) type Points = Vec<(Place, i128)>;

/// Sizes that a formula is checked against and did not need.
const HELD_OUT: usize = 2;

/// Residues of the index that may have formulas of their own.
pub(super) const MOST_RESIDUES: u8 = 6;

/// Bases of formulas, simplest first.
pub(super) struct Bases {
    /// For pieces, of which there may be many: what is left should be simple.
    pub few: Vec<Vec<Product>>,
    /// For a formula for all elements.
    pub many: Vec<Vec<Product>>,
    /// For matrices, over rows and columns.
    pub rows: Vec<Vec<Product>>,
}

impl Bases {
    pub fn new() -> Bases {
        use Atom::{Column as C, I, N, Row as R};
        let basis = |atoms: &[&[Atom]]| -> Vec<Product> {
            atoms.iter().map(|atoms| atoms.to_vec()).chain([Vec::new()]).collect()
        };
        let half = Atom::FloorN { plus: 0, by: 2 };
        let few = vec![
            basis(&[]),
            basis(&[&[I]]),
            basis(&[&[N]]),
            basis(&[&[I], &[N]]),
            basis(&[&[I], &[half]]),
            basis(&[&[I], &[N], &[half]]),
        ];
        let mut many = few.clone();
        let by = |by| Atom::FloorI { by };
        for unusual in [by(2), by(3), by(4), half, Atom::FloorLog, Atom::CeilLog, Atom::FloorPower, Atom::Ones] {
            many.push(basis(&[&[unusual]]));
            many.push(basis(&[&[unusual], &[N]]));
            many.push(basis(&[&[unusual], &[I]]));
        }
        many.push(basis(&[&[I], &[by(2)], &[N]]));
        many.push(basis(&[&[I], &[by(2)], &[N], &[half]]));
        many.push(basis(&[&[I, I], &[I]]));
        many.push(basis(&[&[I, N], &[I], &[N]]));
        many.push(basis(&[&[N, N], &[N]]));
        many.push(basis(&[&[I, I], &[I], &[N]]));
        many.push(basis(&[&[I, I], &[I, N], &[N, N], &[I], &[N]]));
        many.push(basis(&[&[I, I, I], &[I, I], &[I]]));
        let rows = vec![
            basis(&[]),
            basis(&[&[R]]),
            basis(&[&[C]]),
            basis(&[&[N]]),
            basis(&[&[R], &[C]]),
            basis(&[&[R], &[N]]),
            basis(&[&[C], &[N]]),
            basis(&[&[R], &[C], &[N]]),
            basis(&[&[R, C], &[R], &[C]]),
            basis(&[&[R, C], &[R], &[C], &[N]]),
        ];
        Bases { few, many, rows }
    }
}

/// The first basis with one formula that the smaller sizes settle and all sizes agree with.
pub(super) fn fit_sum(points: &Points, bases: &[Vec<Product>]) -> Option<Sum> {
    let sizes: Vec<i128> = points.chunk_by(|a, b| a.0.n == b.0.n).map(|size| size[0].0.n).collect();
    let first_held_out = *sizes.get(sizes.len().checked_sub(HELD_OUT)?)?;
    let train = points.partition_point(|(at, _)| at.n < first_held_out);
    bases.iter().find_map(|basis| Sum::fit(basis, points[..train].iter(), points.iter()))
}

/// One formula, or one for each residue of the index.
pub(super) fn fit_piece(points: &Points, bases: &[Vec<Product>]) -> Option<Piece> {
    if let Some(sum) = fit_sum(points, bases) {
        return Some(vec![(Vec::new(), sum)]);
    }
    (2..=MOST_RESIDUES)
        .find_map(|by| fit_residues(points, by, false, bases).or_else(|| fit_residues(points, by, true, bases)))
}

/// A formula for each residue of the index, or of the index counted from the end.
pub(super) fn fit_residues(points: &Points, by: u8, from_end: bool, bases: &[Vec<Product>]) -> Option<Piece> {
    let mut piece: Piece = Vec::with_capacity(usize::from(by));
    for is in 0..by {
        let residue =
            |at: &Place| (at.i - if from_end { at.n } else { 0 }).rem_euclid(i128::from(by)) == i128::from(is);
        let class: Points = points.iter().filter(|(at, _)| residue(at)).copied().collect();
        let condition = if from_end { Condition::FromEnd { by, is } } else { Condition::Index { by, is } };
        piece.push((vec![condition], fit_sum(&class, bases)?));
    }
    // What most classes have goes without saying; otherwise the last class is what is left.
    let frequency = |sum: &Sum| piece.iter().filter(|(_, other)| other == sum).count();
    let usual =
        piece.iter().map(|(_, sum)| sum).max_by_key(|sum| frequency(sum)).filter(|sum| frequency(sum) > 1).cloned();
    if let Some(usual) = usual {
        piece.retain(|(_, sum)| *sum != usual);
        piece.push((Vec::new(), usual));
    }
    piece.last_mut()?.0.clear();
    Some(piece)
}

/// A function of the size; small sizes may be left out, for the law as a whole is validated on all of them.
pub(super) fn fit_large(samples: &[(u64, i128)]) -> Option<Parameter> {
    (0..=3.min(samples.len())).find_map(|dropped| Parameter::fit(&samples[dropped..]))
}

/// Whether the law gives all these arrays.
pub(super) fn holds(law: &Law, samples: &[(u64, Vec<i64>)]) -> bool {
    samples.iter().all(|(n, values)| law.array(*n, values.len()).is_some_and(|array| array == *values))
}
