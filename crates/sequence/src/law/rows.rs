//! Laws of matrices: formulas over row and column, by how the two lie to each other.

use super::Law;
use super::condition::{Condition, Relation};
use super::fit::{Bases, Points, fit_large, fit_sum, holds};
use crate::parameter::Parameter;
use crate::sum::{Place, Sum};

/// Matrix laws for one way to cut the arrays into rows.
const MAX_LAWS: usize = 3;

pub(super) fn infer_rows(samples: &[(u64, Vec<i64>)], bases: &Bases, found: &mut Vec<Law>) {
    for width in widths(samples) {
        let mut laws = Vec::new();
        if let Some(points) = points_in_rows(samples, &width) {
            by_relations(&points, bases, &mut |law| {
                let law = Law { width: Some(width.clone()), ..law };
                if holds(&law, samples) {
                    laws.push(law);
                }
                laws.len() < MAX_LAWS
            });
        }
        found.append(&mut laws);
    }
}

/// The row lengths under which all arrays are matrices of more than one row.
fn widths(samples: &[(u64, Vec<i64>)]) -> Vec<Parameter> {
    let square = |_: u64, len: usize| Some(len.isqrt()).filter(|root| root * root == len);
    let columns = |n: u64, _: usize| usize::try_from(n).ok();
    let rows = |n: u64, len: usize| len.checked_div(usize::try_from(n).ok()?);
    let ways: [&dyn Fn(u64, usize) -> Option<usize>; 3] = [&square, &columns, &rows];
    let mut all: Vec<Parameter> = Vec::new();
    for way in ways {
        let values: Option<Vec<(u64, i128)>> = samples
            .iter()
            .map(|(n, values)| {
                let width = way(*n, values.len())?;
                let whole = width > 0 && values.len() % width == 0 || values.is_empty();
                whole.then_some((*n, width as i128))
            })
            .collect();
        let largest = samples.last().and_then(|(n, values)| Some((way(*n, values.len())?, values.len())));
        let (Some(values), Some((width, len))) = (values, largest) else { continue };
        if width < 2 || len <= width {
            continue;
        }
        if let Some(width) = fit_large(&values)
            && !all.iter().any(|old| old.agrees_up_to_64(&width))
        {
            all.push(width);
        }
    }
    all
}

fn points_in_rows(samples: &[(u64, Vec<i64>)], width: &Parameter) -> Option<Points> {
    let mut points = Points::new();
    for (n, values) in samples {
        let base = Place { width: width.value(*n)?, ..Place::size(*n) };
        let here = values.iter().enumerate().map(|(i, value)| (Place { i: i as i128, ..base }, i128::from(*value)));
        points.extend(here);
    }
    Some(points)
}

/// One formula, then two by a relation, then three by two relations.
fn by_relations(points: &Points, bases: &Bases, show: &mut dyn FnMut(Law) -> bool) {
    if let Some(sum) = fit_sum(points, &bases.rows) {
        show(Law::plain(Parameter::of(sum)));
        return;
    }
    let apart = |points: &Points, relation: Relation| -> (Option<Sum>, Points) {
        let (inside, outside): (Points, Points) = points.iter().partition(|(at, _)| lies(at, relation));
        (fit_sum(&inside, &bases.rows), outside)
    };
    let mut open = Vec::new();
    for relation in Relation::ALL {
        if let (Some(inside), outside) = apart(points, relation) {
            match fit_sum(&outside, &bases.rows) {
                Some(rest) => {
                    let pieces = vec![(Some(Condition::Rows(relation)), plain(inside)), (None, plain(rest))];
                    if !Law::of_pieces(pieces).is_some_and(&mut *show) {
                        return;
                    }
                }
                None => open.push((relation, inside, outside)),
            }
        }
    }
    for (first, inside, outside) in open {
        for second in Relation::ALL.into_iter().filter(|second| *second != first) {
            let (Some(middle), rest) = apart(&outside, second) else { continue };
            let Some(rest) = fit_sum(&rest, &bases.rows) else { continue };
            let pieces = vec![
                (Some(Condition::Rows(first)), plain(inside.clone())),
                (Some(Condition::Rows(second)), plain(middle)),
                (None, plain(rest)),
            ];
            if !Law::of_pieces(pieces).is_some_and(&mut *show) {
                return;
            }
        }
    }
}

fn plain(sum: Sum) -> super::Piece {
    vec![(Vec::new(), sum)]
}

fn lies(at: &Place, relation: Relation) -> bool {
    let narrow = |value: i128| i64::try_from(value).ok();
    match (narrow(at.i), narrow(at.width)) {
        (Some(i), Some(width)) if width > 0 => relation.holds(i / width, i % width, width),
        _ => false,
    }
}
