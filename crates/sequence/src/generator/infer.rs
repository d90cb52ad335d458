//! Generator inference: all sizes are taken apart in the same way, bottom up, until only numbers are left, and those
//! are fitted as functions of the size.
//!
//! The paper infers a term for each size and then unifies; small sizes are ambiguous, so here one choice of how to take
//! a sequence apart is made for all sizes at once. Simple terms are tried before deep ones, and every term has to make
//! the very sequences it came from.

use super::recurrent::Split;
use super::split::{self, PHASES, Samples, even_runs, frequent_differences, passes, period, runs};
use super::{Generator, Shape};
use crate::parameter::Parameter;
use crate::sum::Atom;
use std::collections::HashMap;

/// Longer sequences are left out of the samples.
const MAX_LENGTH: usize = 4096;
/// Sizes that are looked at, the largest.
const MAX_SIZES: usize = 32;
/// Sizes at the small end that may follow no rule.
const MAX_DROPPED: usize = 3;
const MAX_DEPTH: usize = 4;
/// Parts that may take turns.
const MAX_CYCLE: usize = 6;
/// Sizes that have to be left when the sequences are taken apart.
const MIN_SIZES: usize = 3;
/// Steps of the search, and elements it may look at.
const MAX_STEPS: usize = 1_500;
const MAX_ELEMENTS: usize = 1_000_000;
/// Functions of the size that may be looked for in vain: nothing takes longer.
const MAX_MISSES: usize = 150;

/// The simplest generator that makes the sequences of all sizes, but for a few of the smallest.
pub fn infer(samples: &[(u64, Vec<i64>)]) -> Option<Generator> {
    let samples = prepared(samples)?;
    let mut search = Search::new();
    for effort in 1..=MAX_DEPTH + MAX_DROPPED {
        for dropped in 0..=MAX_DROPPED.min(effort - 1) {
            let (depth, Some(rest)) = (effort - dropped, samples.get(dropped..)) else { continue };
            if depth > MAX_DEPTH || rest.len() < MIN_SIZES {
                continue;
            }
            if let Some(shape) = search.top(rest, depth) {
                return Some(Generator { from: rest[0].0, shape });
            }
        }
    }
    (0..=MAX_DROPPED).find_map(|dropped| {
        let rest = samples.get(dropped..).filter(|rest| rest.len() > MIN_SIZES)?;
        Some(Generator { from: rest[0].0, shape: recurrent(rest)? })
    })
}

/// The sequence of a size by that of a smaller one: loops whose inner loops follow the outer one in ways of their own.
fn recurrent(samples: &[(u64, Vec<i128>)]) -> Option<Shape> {
    Split::all(samples).into_iter().find_map(|split| {
        let mut search = Search::new();
        let part = (1..MAX_DEPTH).find_map(|depth| search.top(&split.parts, depth))?;
        let shape = Shape::Recurrent(Box::new(split.with(part)));
        makes(&shape, samples).then_some(shape)
    })
}

/// The samples by size, each size once. `None`: too few, or two of one size disagree.
fn prepared(samples: &[(u64, Vec<i64>)]) -> Option<Samples> {
    let mut sorted: Vec<&(u64, Vec<i64>)> = samples.iter().filter(|sample| sample.1.len() <= MAX_LENGTH).collect();
    sorted.sort();
    sorted.dedup();
    if sorted.len() < MIN_SIZES || sorted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let first = sorted.len().saturating_sub(MAX_SIZES);
    Some(sorted[first..].iter().map(|(n, values)| (*n, values.iter().copied().map(i128::from).collect())).collect())
}

/// Told of each shape that fits; true ends the search.
type Accept<'a> = &'a mut dyn FnMut(Shape) -> bool;

/// Something to be seen in the sequence of one size.
type See = fn(&[i128]) -> Option<i128>;

struct Search {
    /// What was asked for already: deeper searches ask the same again.
    parameters: HashMap<Vec<(u64, i128)>, Option<Parameter>>,
    steps: usize,
    elements: usize,
    misses: usize,
}

impl Search {
    fn new() -> Search {
        Search { parameters: HashMap::new(), steps: MAX_STEPS, elements: MAX_ELEMENTS, misses: MAX_MISSES }
    }

    fn top(&mut self, all: &[(u64, Vec<i128>)], depth: usize) -> Option<Shape> {
        let present: Samples = all.iter().filter(|(_, values)| !values.is_empty()).cloned().collect();
        if present.is_empty() {
            let zero = || Box::new(Shape::One(Parameter::constant(0)));
            return Some(Shape::Const { value: zero(), count: zero() });
        }
        let mut found = None;
        self.each(&present, depth, &mut |shape| {
            let fits = makes(&shape, all);
            if fits {
                found = Some(shape);
            }
            fits
        });
        found
    }

    /// The first shape for the sequences, or `None`.
    fn child(&mut self, samples: &Samples, depth: usize) -> Option<Box<Shape>> {
        let mut found = None;
        self.each(samples, depth, &mut |shape| {
            let fits = makes(&shape, samples);
            if fits {
                found = Some(Box::new(shape));
            }
            fits
        });
        found
    }

    fn parameter(&mut self, samples: Vec<(u64, i128)>) -> Option<Parameter> {
        if let Some(known) = self.parameters.get(&samples) {
            return known.clone();
        }
        if self.misses == 0 {
            return None;
        }
        let found = Parameter::fit(&samples);
        self.misses -= usize::from(found.is_none());
        self.parameters.insert(samples, found.clone());
        found
    }

    /// A function of the size from what `of` sees in each sequence where it sees something.
    fn fitted(&mut self, samples: &Samples, of: impl Fn(&[i128]) -> Option<i128>) -> Option<Parameter> {
        self.parameter(samples.iter().filter_map(|(n, values)| Some((*n, of(values)?))).collect())
    }

    /// Shows every shape found for the sequences, simple ones first, until one is taken.
    fn each(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        let elements: usize = samples.iter().map(|(_, values)| values.len()).sum();
        if self.steps == 0 || self.elements < elements || samples.len() < MIN_SIZES {
            return false;
        }
        self.steps -= 1;
        self.elements -= elements;
        if samples.iter().all(|(_, values)| values.len() == 1) {
            return self.fitted(samples, |values| values.first().copied()).is_some_and(|one| accept(Shape::One(one)));
        }
        if depth == 0 {
            return false;
        }
        if self.by_stride(samples, depth, accept)
            || self.scaling(samples, accept)
            || self.mirrored_scaling(samples, accept)
        {
            return true;
        }
        depth >= 2
            && (self.repeat(samples, depth, accept)
                || self.cycle(samples, depth, accept)
                || self.passes(samples, depth, accept)
                || self.concat(samples, depth, accept)
                || self.steps(samples, depth, accept))
    }

    /// `incre` and `const`: runs of one stride, which may itself depend on the size.
    fn by_stride(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        let Some((_, largest)) = samples.last() else { return false };
        let frequent = frequent_differences(largest);
        let mut strides: Vec<Parameter> = Vec::new();
        for stride in frequent.iter().take(3).filter_map(|stride| i64::try_from(*stride).ok()) {
            strides.push(Parameter::constant(stride));
        }
        let seen: [See; 3] = [
            |values| values.get(..2).and_then(split::difference),
            |values| frequent_differences(values).first().copied(),
            |values| values.len().checked_sub(2).and_then(|at| split::difference(&values[at..])),
        ];
        for see in seen {
            if let Some(stride) = self.fitted(samples, see).filter(|stride| !strides.contains(stride)) {
                strides.push(stride);
            }
        }
        strides.iter().any(|stride| {
            self.runs(samples, stride, depth, accept, |values, stride| Some(runs(values, stride)))
                || (depth >= 2 && self.runs(samples, stride, depth, accept, even_runs))
        })
    }

    fn runs(
        &mut self,
        samples: &Samples,
        stride: &Parameter,
        depth: usize,
        accept: Accept<'_>,
        take_apart: impl for<'a> Fn(&'a [i128], i128) -> Option<Vec<&'a [i128]>>,
    ) -> bool {
        let (mut starts, mut lasts, mut counts) = (Samples::new(), Samples::new(), Samples::new());
        let constant = *stride == Parameter::constant(0);
        // A line through two points explains nothing, unless it is that of counting.
        let counting = [-1, 0, 1].map(Parameter::constant).contains(stride);
        let mut longest = 0;
        for (n, values) in samples {
            let Some(runs) = stride.value(*n).and_then(|stride| take_apart(values, stride)) else { return false };
            longest = runs.iter().map(|run| run.len()).max().unwrap_or(0);
            starts.push((*n, runs.iter().map(|run| run[0]).collect()));
            if constant {
                counts.push((*n, runs.iter().map(|run| run.len() as i128).collect()));
            } else {
                lasts.push((*n, runs.iter().map(|run| run[run.len() - 1]).collect()));
            }
        }
        if longest < if counting { 2 } else { 3 } {
            return false;
        }
        let Some(start) = self.child(&starts, depth - 1) else { return false };
        if constant {
            self.child(&counts, depth - 1).is_some_and(|count| accept(Shape::Const { value: start, count }))
        } else {
            self.child(&lasts, depth - 1)
                .is_some_and(|last| accept(Shape::Incre { start, last, stride: stride.clone() }))
        }
    }

    /// Numbers that are multiplied or divided again and again.
    fn scaling(&mut self, samples: &Samples, accept: Accept<'_>) -> bool {
        let Some((_, largest)) = samples.last() else { return false };
        let &[first, second, _, ..] = &largest[..] else { return false };
        if first <= 0 || second <= 0 {
            return false;
        }
        let (Ok(up), Ok(down)) = (i64::try_from(second / first), i64::try_from(first / second)) else { return false };
        let follows = |rule: &dyn Fn(i128) -> Option<i128>| {
            samples.iter().all(|(_, values)| values.windows(2).all(|pair| rule(pair[0]) == Some(pair[1])))
        };
        if up >= 2 && follows(&|value| value.checked_mul(i128::from(up))) {
            let Some(start) = self.fitted(samples, |values| values.first().copied()) else { return false };
            let half = Parameter::atom(Atom::FloorN { plus: 0, by: 2 });
            let last = self.fitted(samples, |values| values.last().copied());
            return [Parameter::n_plus(0), Parameter::n_plus(-1), half]
                .into_iter()
                .chain(last)
                .any(|bound| accept(Shape::Geometric { start: start.clone(), ratio: up, bound }));
        }
        let least = samples.iter().filter_map(|(_, values)| values.last()).min().copied();
        let Some(least) = least.and_then(|least| i64::try_from(least).ok()).filter(|least| *least >= 0) else {
            return false;
        };
        // 5, 2, 1 halves, 3, 1, 0 too: the ratio of two rounded numbers may be one more than the divisor. (i - 1) / 2 is the parent of
        // i in a heap, (i + 1) / 2 half of it rounded up.
        let mut ways = (down.saturating_sub(1).max(2)..=down.max(2)).flat_map(|by| [0, -1, 1].map(|plus| (by, plus)));
        let next = |value: i128, by: i64, plus: i64| Some(value.checked_add(i128::from(plus))? / i128::from(by));
        let Some((by, plus)) = ways.find(|(by, plus)| follows(&|value| next(value, *by, *plus))) else { return false };
        let start = self.fitted(samples, |values| values.first().copied());
        start.is_some_and(|start| accept(Shape::Dividing { start, by, least, plus }))
    }

    /// Formulas for numbers counted from the end of an array of n.
    fn mirrored_scaling(&mut self, samples: &Samples, accept: Accept<'_>) -> bool {
        let about = Parameter::n_plus(-1);
        let mirrored = |(n, values): &(u64, Vec<i128>)| {
            let about = about.value(*n)?;
            Some((*n, values.iter().map(|value| about.checked_sub(*value)).collect::<Option<Vec<i128>>>()?))
        };
        let Some(mirrored) = samples.iter().map(mirrored).collect::<Option<Samples>>() else { return false };
        self.scaling(&mirrored, &mut |body| accept(Shape::Mirror { about: about.clone(), body: Box::new(body) }))
    }

    fn repeat(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        if samples.last().is_none_or(|(_, values)| period(values) == values.len()) {
            return false;
        }
        let Some(times) = self.fitted(samples, |values| Some((values.len() / period(values)) as i128)) else {
            return false;
        };
        let bodies = samples.iter().map(|(n, values)| (*n, values[..period(values)].to_vec())).collect();
        self.child(&bodies, depth - 1).is_some_and(|body| accept(Shape::Repeat { body, times }))
    }

    fn cycle(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        (2..=MAX_CYCLE).any(|by| {
            let mut parts = Vec::with_capacity(by);
            for rest in 0..by {
                let part: Samples = samples
                    .iter()
                    .map(|(n, values)| (*n, values.iter().skip(rest).step_by(by).copied().collect::<Vec<_>>()))
                    .filter(|(_, values)| !values.is_empty())
                    .collect();
                let Some(shape) = self.child(&part, depth - 1) else { return false };
                parts.push(*shape);
            }
            accept(Shape::Cycle(parts))
        })
    }

    fn passes(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        let bounds = [Parameter::n_plus(-1), Parameter::n_plus(0), Parameter::n_plus(-2)];
        let mut apart = Vec::new();
        for (n, values) in samples {
            let Some(passes) = passes(values) else { return false };
            apart.push((*n, passes));
        }
        if apart.last().is_none_or(|(_, passes)| passes.len() < 2) {
            return false;
        }
        let starts = apart.iter().map(|(n, passes)| (*n, passes.iter().map(|pass| pass.start).collect())).collect();
        for bound in bounds {
            // A single element has any stride; such sizes only have to come out right in the end.
            let telling = apart.iter().filter(|(_, passes)| passes.iter().any(|pass| pass.stride.is_some()));
            let strides = telling.map(|(n, passes)| Some((*n, strides_within(passes, bound.value(*n)?)?)));
            let Some(strides) = strides.collect::<Option<Samples>>() else { continue };
            let Some(stride) = self.child(&strides, depth - 1) else { continue };
            let Some(start) = self.child(&starts, depth - 1) else { return false };
            if accept(Shape::Passes { start, stride, bound }) {
                return true;
            }
        }
        false
    }

    fn concat(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        let mut seen: Vec<Vec<usize>> = Vec::new();
        PHASES.iter().any(|place| {
            let places: Vec<usize> = samples.iter().map(|(n, values)| place(*n, values).min(values.len())).collect();
            let (Some(last), Some((_, largest))) = (places.last(), samples.last()) else { return false };
            if *last == 0 || *last == largest.len() || seen.contains(&places) {
                return false;
            }
            let part = |of: fn(&[i128], usize) -> &[i128]| -> Samples {
                let parts = samples.iter().zip(&places).map(|((n, values), at)| (*n, of(values, *at).to_vec()));
                parts.filter(|(_, values)| !values.is_empty()).collect()
            };
            let (left, right) = (part(|values, at| &values[..at]), part(|values, at| &values[at..]));
            seen.push(places);
            let Some(left) = self.child(&left, depth - 1) else { return false };
            let Some(right) = self.child(&right, depth - 1) else { return false };
            accept(Shape::Concat([left, right].into_iter().flat_map(|part| part.flat()).collect()))
        })
    }

    fn steps(&mut self, samples: &Samples, depth: usize, accept: Accept<'_>) -> bool {
        let mut steps = Samples::new();
        for (n, values) in samples {
            let all: Option<Vec<i128>> = values.windows(2).map(split::difference).collect();
            match all {
                Some(all) if !all.is_empty() => steps.push((*n, all)),
                Some(_) => {}
                None => return false,
            }
        }
        let Some(first) = self.fitted(samples, |values| values.first().copied()) else { return false };
        self.child(&steps, depth - 1).is_some_and(|steps| accept(Shape::Steps { first, steps }))
    }
}

/// The stride of each pass up to `bound`. A pass of one element fits any large one: the passes before it say which.
fn strides_within(passes: &[split::Pass], bound: i128) -> Option<Vec<i128>> {
    let mut strides: Vec<i128> = Vec::with_capacity(passes.len());
    for pass in passes {
        let stride = match (pass.stride, &strides[..]) {
            (Some(stride), _) => stride,
            (None, [.., before, last]) if *before > 0 && last % before == 0 && last > before => {
                last.checked_mul(last / before)?
            }
            (None, [.., before, last]) => last.checked_mul(2)?.checked_sub(*before)?,
            (None, [only]) => only.checked_mul(2)?,
            (None, []) => return None,
        };
        if pass.last > bound || pass.last.checked_add(stride)? <= bound {
            return None;
        }
        strides.push(stride);
    }
    Some(strides)
}

impl Shape {
    fn flat(self) -> Vec<Shape> {
        match self {
            Shape::Concat(parts) => parts,
            other => vec![other],
        }
    }
}

/// Whether the shape makes exactly these sequences.
fn makes(shape: &Shape, samples: &[(u64, Vec<i128>)]) -> bool {
    samples.iter().all(|(n, values)| shape.make(*n, values.len()).is_some_and(|made| made == *values))
}
