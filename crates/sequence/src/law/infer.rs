//! Law inference: kinds of laws from plain formulas to matrices, each validated on all samples.

use super::condition::Condition;
use super::fit::{Bases, MOST_RESIDUES, Points, fit_large, fit_piece, fit_residues, fit_sum, holds};
use super::rows::infer_rows;
use super::{Case, Law, Piece};
use crate::parameter::Parameter;
use crate::sum::Place;

/// Longer arrays are left out of the samples.
const MAX_LENGTH: usize = 4096;
/// Sizes that are looked at, the largest.
const MAX_SIZES: usize = 32;
/// Laws handed out.
const MAX_LAWS: usize = 8;
/// Sizes without which no law could be checked.
const MIN_SIZES: usize = 3;
/// Sizes at the small end that may follow no law.
const MAX_DROPPED: usize = 2;
const MAX_EXCEPTIONS: usize = 3;
/// A law this easy to read is not worth comparing with others.
const EASY: usize = 5;
/// A law heavier than this is compared with those that leave small sizes out, each of which counts so much.
const LENGTHY: usize = 12;
const PER_DROPPED: usize = 4;

type Samples = [(u64, Vec<i64>)];

/// Laws that give the arrays of all sizes (but for two of the smallest, if need be), simplest first. Each was settled by
/// the smaller sizes and agrees with at least two larger ones. They part at sizes not seen: try them.
pub fn infer_law(samples: &[(u64, Vec<i64>)]) -> Vec<Law> {
    let Some(samples) = prepared(samples) else { return Vec::new() };
    let bases = Bases::new();
    let mut all: Vec<(usize, Law)> = Vec::new();
    for dropped in 0..=MAX_DROPPED {
        let Some(rest) = samples.get(dropped..).filter(|rest| rest.len() >= MIN_SIZES) else { break };
        let mut laws = laws_of(rest, &bases);
        if laws.is_empty() {
            laws.extend((2..=3).find_map(|by| by_remainder(rest, by, &bases)));
        }
        all.extend(laws.into_iter().map(|law| (law.weight() + PER_DROPPED * dropped, Law { from: rest[0].0, ..law })));
        // What takes long to say is often a simple law with an odd start.
        if all.iter().any(|(weight, _)| *weight <= LENGTHY) {
            break;
        }
    }
    all.sort_by_key(|(weight, _)| *weight);
    distinct(all.into_iter().map(|(_, law)| law).collect(), &samples)
}

/// The samples by size, each size once. `None`: two of one size disagree.
fn prepared(samples: &Samples) -> Option<Vec<(u64, Vec<i64>)>> {
    let mut sorted: Vec<(u64, Vec<i64>)> =
        samples.iter().filter(|sample| sample.1.len() <= MAX_LENGTH).cloned().collect();
    sorted.sort();
    sorted.dedup();
    if sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    Some(sorted.split_off(sorted.len().saturating_sub(MAX_SIZES)))
}

fn laws_of(samples: &Samples, bases: &Bases) -> Vec<Law> {
    let points: Points = samples
        .iter()
        .flat_map(|(n, values)| {
            let place = |i: usize| Place { i: i as i128, ..Place::size(*n) };
            values.iter().enumerate().map(move |(i, value)| (place(i), i128::from(*value)))
        })
        .collect();
    let mut found = Vec::new();
    let mut add = |law: Option<Law>| found.extend(law.filter(|law| holds(law, samples)));
    let plain = fit_sum(&points, &bases.many).map(|sum| Law::plain(Parameter::of(sum)));
    let easy = plain.as_ref().is_some_and(|law| law.weight() <= EASY);
    add(plain);
    if easy {
        return found;
    }
    for by in 2..=MOST_RESIDUES {
        for from_end in [false, true] {
            let piece = fit_residues(&points, by, from_end, &bases.few);
            add(piece.and_then(|piece| Law::of_pieces(vec![(None, piece)])));
        }
    }
    for positions in exceptional_positions(samples) {
        add(with_exceptions(samples, &points, &positions, bases));
    }
    for law in with_thresholds(samples, &points, bases) {
        add(Some(law));
    }
    infer_rows(samples, bases, &mut found);
    found
}

/// Sets of positions at which elements may be exceptions: those that leave a line, and the usual ones.
fn exceptional_positions(samples: &Samples) -> Vec<Vec<Parameter>> {
    let mut sets: Vec<Vec<Parameter>> = Vec::new();
    let Some((_, largest)) = samples.last() else { return sets };
    let slope = most_frequent(largest.windows(2).map(|pair| i128::from(pair[1]) - i128::from(pair[0])));
    for slope in [Some(0), slope.filter(|slope| *slope != 0)].into_iter().flatten() {
        let count = off_the_line(largest, slope).len();
        if (1..=MAX_EXCEPTIONS).contains(&count) {
            // Where fewer elements keep to the line than leave it, there is no telling which is which.
            let telling = samples.iter().filter(|(_, values)| values.len() > 2 * count);
            let off: Vec<(u64, Vec<usize>)> = telling
                .map(|(n, values)| (*n, off_the_line(values, slope)))
                .filter(|off| off.1.len() == count)
                .collect();
            let at = |which: usize| off.iter().map(|(n, at)| (*n, at[which] as i128)).collect::<Vec<_>>();
            sets.extend((0..count).map(|which| fit_large(&at(which))).collect::<Option<Vec<_>>>());
        }
    }
    let place = |of: fn(i128) -> i128| {
        fit_large(&samples.iter().map(|(n, values)| (*n, of(values.len() as i128))).collect::<Vec<_>>())
    };
    let (first, second, middle) = (Parameter::constant(0), Parameter::constant(1), place(|len| len / 2));
    let (last, before) = (place(|len| len - 1), place(|len| len - 2));
    sets.push(vec![first.clone()]);
    sets.extend(last.clone().map(|last| vec![last]));
    sets.extend(last.clone().map(|last| vec![first.clone(), last]));
    sets.extend(middle.map(|middle| vec![middle]));
    sets.push(vec![first, second]);
    sets.extend(last.zip(before).map(|(last, before)| vec![last, before]));
    sets
}

/// The indices whose elements are not on the line of this slope that most are on.
fn off_the_line(values: &[i64], slope: i128) -> Vec<usize> {
    let level = |i: usize| i128::from(values[i]).wrapping_sub(slope.wrapping_mul(i as i128));
    let Some(usual) = most_frequent((0..values.len()).map(level)) else { return Vec::new() };
    (0..values.len()).filter(|i| level(*i) != usual).collect()
}

fn most_frequent(values: impl Iterator<Item = i128>) -> Option<i128> {
    let mut sorted: Vec<i128> = values.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).map(|run| run[0])
}

fn with_exceptions(samples: &Samples, points: &Points, positions: &[Parameter], bases: &Bases) -> Option<Law> {
    let mut values: Vec<Vec<(u64, i128)>> = vec![Vec::new(); positions.len()];
    let mut rest = Points::new();
    let mut points = points.iter();
    for (n, array) in samples {
        let places: Vec<Option<i128>> = positions.iter().map(|position| position.value(*n)).collect();
        for point in points.by_ref().take(array.len()) {
            match places.iter().position(|place| *place == Some(point.0.i)) {
                Some(which) => values[which].push((*n, point.1)),
                None => rest.push(*point),
            }
        }
    }
    let base = fit_piece(&rest, &bases.few)?;
    let mut law = Law::of_pieces(vec![(None, base)])?;
    for (position, values) in positions.iter().zip(&values).rev() {
        law.cases.insert(0, Case { when: vec![Condition::At(position.clone())], value: fit_large(values)? });
    }
    Some(law)
}

/// Names a position in the array of one size.
type Split = dyn Fn(&[i64]) -> Option<usize>;

/// Positions where one formula may end and another begin.
fn thresholds(samples: &Samples) -> Vec<Parameter> {
    let breaks = |values: &[i64], period: usize| -> Vec<usize> {
        let steady = |i: usize| {
            let at = |back: usize| i128::from(values[i - back * period]);
            at(0) - at(1) == at(1) - at(2)
        };
        (2 * period..values.len()).filter(|i| !steady(*i)).collect()
    };
    let splits: Vec<Box<Split>> = vec![
        Box::new(move |values| breaks(values, 1).first().copied()),
        Box::new(move |values| breaks(values, 1).last().map(|at| at - 1)),
        Box::new(|values| Some(values.len() / 2)),
        Box::new(|values| Some(values.len().div_ceil(2))),
        Box::new(|_| Some(1)),
        Box::new(|values| values.len().checked_sub(1)),
        Box::new(move |values| breaks(values, 2).first().copied()),
        Box::new(move |values| breaks(values, 2).last().map(|at| at - 3)),
        Box::new(move |values| breaks(values, 2).last().map(|at| at - 2)),
        Box::new(|_| Some(2)),
        Box::new(|values| values.len().checked_sub(2)),
        Box::new(|values| Some(values.len() / 2 + 1)),
        Box::new(|values| Some(values.len() / 4)),
        Box::new(|values| Some(values.len() / 3)),
    ];
    let mut all: Vec<Parameter> = Vec::new();
    for way in splits {
        let seen: Vec<(u64, i128)> =
            samples.iter().filter_map(|(n, values)| Some((*n, way(values)? as i128))).collect();
        if let Some(position) = fit_large(&seen)
            && !all.iter().any(|old| old.agrees_up_to_64(&position))
        {
            all.push(position);
        }
    }
    all
}

/// Laws of two pieces and, if there is none, of three.
fn with_thresholds(samples: &Samples, points: &Points, bases: &Bases) -> Vec<Law> {
    let positions = thresholds(samples);
    let at_most = |limit: &Parameter, from: Option<&Parameter>| -> Points {
        let inside = |at: &Place| {
            let place = |of: &Parameter| u64::try_from(at.n).ok().and_then(|n| of.value(n));
            place(limit).is_some_and(|limit| at.i < limit)
                && from.is_none_or(|from| place(from).is_some_and(|from| at.i >= from))
        };
        points.iter().filter(|(at, _)| inside(at)).copied().collect()
    };
    let end = Parameter::constant(i64::MAX);
    let starts: Vec<(&Parameter, Piece)> = positions
        .iter()
        .filter_map(|position| Some((position, fit_piece(&at_most(position, None), &bases.few)?)))
        .collect();
    let ends: Vec<Option<Piece>> =
        positions.iter().map(|position| fit_piece(&at_most(&end, Some(position)), &bases.few)).collect();
    let below = |position: &Parameter| Some(Condition::Below(position.clone()));
    let mut laws = Vec::new();
    for (first, piece) in &starts {
        for (position, rest) in positions.iter().zip(&ends) {
            if let (true, Some(rest)) = (position == *first, rest) {
                laws.extend(Law::of_pieces(vec![(below(first), piece.clone()), (None, rest.clone())]));
            }
        }
    }
    if laws.iter().any(|law| holds(law, samples)) {
        return laws;
    }
    for (first, piece) in &starts {
        for (second, rest) in positions.iter().zip(&ends).filter(|(second, _)| second != first) {
            let Some(rest) = rest else { continue };
            let middle = at_most(second, Some(first));
            let Some(middle) = fit_piece(&middle, &bases.few) else { continue };
            laws.extend(Law::of_pieces(vec![
                (below(first), piece.clone()),
                (below(second), middle),
                (None, rest.clone()),
            ]));
        }
    }
    laws
}

/// A law for even sizes and another for odd ones, or one for each remainder by three.
fn by_remainder(samples: &Samples, by: u8, bases: &Bases) -> Option<Law> {
    let mut cases = Vec::new();
    let mut widths = Vec::new();
    for is in 0..by {
        let class: Vec<(u64, Vec<i64>)> =
            samples.iter().filter(|(n, _)| n % u64::from(by) == u64::from(is)).cloned().collect();
        let law = laws_of(&class, bases).into_iter().min_by_key(Law::weight)?;
        widths.push(law.width);
        let all = law.cases.into_iter().chain([Case { when: Vec::new(), value: law.otherwise }]);
        cases.extend(all.map(|case| {
            let size = Condition::Size { by, is };
            Case { when: std::iter::once(size).chain(case.when).collect(), value: case.value }
        }));
    }
    let (otherwise, width) = (cases.pop()?.value, widths.pop()?);
    let law = Law { from: 1, width, cases, otherwise };
    (widths.iter().all(|width| *width == law.width) && holds(&law, samples)).then_some(law)
}

/// Of those that give the same arrays at a few unseen sizes only one.
fn distinct(mut laws: Vec<Law>, samples: &Samples) -> Vec<Law> {
    let lengths: Vec<(u64, i128)> = samples.iter().map(|(n, values)| (*n, values.len() as i128)).collect();
    let length = fit_large(&lengths);
    let largest = lengths.last().map_or(1, |(n, _)| *n).min(1 << 20);
    let mut seen: Vec<Vec<Option<Vec<i64>>>> = Vec::new();
    laws.retain(|law| {
        let array = |n: u64| {
            let length = length.as_ref().and_then(|length| usize::try_from(length.value(n)?).ok()).unwrap_or(64);
            law.array(n, length.min(MAX_LENGTH))
        };
        let arrays = [largest + 1, largest + 2, 2 * largest + 3, 2 * largest + 6].map(array).to_vec();
        // A law that has no arrays beyond the samples predicts nothing.
        if arrays.iter().all(Option::is_none) || seen.contains(&arrays) {
            return false;
        }
        seen.push(arrays);
        true
    });
    laws.truncate(MAX_LAWS);
    laws
}
