//! Simpler values for inputs that cost the same, and values made to fit what a call allows.

use slowpath_program::call::Entry;
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::{Budget, ConcreteRun, Example, Target};

/// Simpler values in the place of those of an array.
type Simplification = fn(&[i64]) -> Vec<i64>;

/// Ways to make the values of an array simpler, simplest first.
const SIMPLIFICATIONS: [Simplification; 6] = [
    |values| vec![values.iter().max().copied().unwrap_or(0); values.len()],
    // 1 where the values rise.
    |values| (0..values.len()).map(|i| i64::from(i > 0 && values[i] > values[i - 1])).collect(),
    |values| values.iter().map(|value| value.rem_euclid(2)).collect(),
    |values| values.iter().map(|value| value.rem_euclid(3)).collect(),
    // How long they have been rising, or will be falling.
    |values| rising(values.iter()),
    |values| {
        let mut falling = rising(values.iter().rev());
        falling.reverse();
        falling
    },
];

/// For each value how many before it rise to it without a break.
fn rising<'a>(values: impl Iterator<Item = &'a i64>) -> Vec<i64> {
    let mut before: Option<(i64, i64)> = None;
    let height = |value: &i64| {
        let height = before.filter(|(last, _)| last < value).map_or(0, |(_, height)| height + 1);
        before = Some((*value, height));
        height
    };
    values.map(height).collect()
}

/// The samples with simpler arrays, each made simpler in one simplification at all sizes, wherever all of them cost what they did.
pub(crate) fn samples(target: &Target, samples: &[Example], budget: &Budget) -> Option<Vec<Example>> {
    let mut now = samples.to_vec();
    let mut changed = false;
    for k in 0..samples.first()?.input.0.len() {
        let better = SIMPLIFICATIONS.iter().find_map(|simplification| {
            let made: Vec<Example> =
                now.iter().map(|sample| by(target, sample, k, *simplification)).collect::<Option<_>>()?;
            let costs = |sample: &Example| {
                ConcreteRun::of(target, sample.size, &sample.input, budget).ok().filter(|run| run.outcome.is_some())
            };
            made.iter().all(|sample| costs(sample).is_some_and(|run| run.cost == sample.cost)).then_some(made)
        });
        if let Some(better) = better {
            changed |= better.iter().zip(&now).any(|(new, old)| new.input != old.input);
            now = better;
        }
    }
    changed.then_some(now)
}

/// The sample with its k-th input changed. `None`: it is no array of whole numbers, or the call does not allow that.
fn by(target: &Target, sample: &Example, k: usize, simplification: Simplification) -> Option<Example> {
    let named = sample.input.0.get(k).filter(|named| !named.scalar && !named.ty.is_float())?;
    let values: Vec<i64> =
        named.bits.iter().map(|bits| i64::try_from(named.ty.integer(*bits)).ok()).collect::<Option<_>>()?;
    let mut input = sample.input.clone();
    input.0[k].bits = bits(named, &simplification(&values))?;
    allowed(target, sample.size, &input).then(|| Example { input, ..sample.clone() })
}

/// The values as bits of the input's type. `None`: one that does not fit would wrap into another one.
fn bits(like: &NamedInput, values: &[i64]) -> Option<Vec<u64>> {
    let (mask, (least, most)) = (like.ty.mask(), like.ty.bounds());
    let fits = values.iter().all(|v| least <= i128::from(*v) && i128::from(*v) <= most);
    fits.then(|| values.iter().map(|v| *v as u64 & mask).collect())
}

/// Whether a call of this size may be given these inputs. Harnesses judge for themselves when they run.
fn allowed(target: &Target, n: i64, input: &InputValues) -> bool {
    match &target.entry {
        Entry::Call(spec) => spec.layout(n, 0).is_ok_and(|layout| input.check(&layout).is_ok()),
        Entry::Harness { .. } => true,
    }
}

/// The inputs with these values, if the call allows them.
pub(crate) fn named(target: &Target, n: i64, values: &[(NamedInput, Vec<i64>)]) -> Option<InputValues> {
    let one = |(like, values): &(NamedInput, Vec<i64>)| Some(NamedInput { bits: bits(like, values)?, ..like.clone() });
    let input = values.iter().map(one).collect::<Option<_>>().map(InputValues)?;
    allowed(target, n, &input).then_some(input)
}

/// The inputs with values that are allowed: once in proportion, which keeps their order, once by remainder, which keeps neighbours apart.
pub(crate) fn clamped(target: &Target, n: i64, values: &[(NamedInput, Vec<i64>)]) -> Vec<InputValues> {
    let range = |like: &NamedInput| -> (i128, i128) {
        let declared = match &target.entry {
            Entry::Call(spec) => spec.layout(n, 0).ok().and_then(|layout| {
                layout.inputs.iter().find(|input| input.name == like.name).and_then(|input| input.range)
            }),
            Entry::Harness { .. } => None,
        };
        declared.unwrap_or_else(|| like.ty.bounds())
    };
    let fitted = |by: fn(i128, (i128, i128), (i128, i128)) -> i128| {
        let one = |(like, values): &(NamedInput, Vec<i64>)| {
            let (low, high) = range(like);
            let least = values.iter().min().map_or(0, |v| i128::from(*v));
            let most = values.iter().max().map_or(0, |v| i128::from(*v));
            let fits = low <= least && most <= high;
            let fit = |value: &i64| {
                let wide = i128::from(*value);
                let fitted = if fits { wide } else { by(wide, (least, most), (low, high)) };
                i64::try_from(fitted).unwrap_or(*value)
            };
            (like.clone(), values.iter().map(fit).collect())
        };
        named(target, n, &values.iter().map(one).collect::<Vec<_>>())
    };
    let in_proportion = fitted(|v, (least, most), (low, high)| {
        // Every allowed value for as many as every other. Differences have 64 bits, so that their products fit.
        low + (v - least) * (high - low).saturating_add(1).min(i128::from(i64::MAX)) / (most - least + 1)
    });
    let by_remainder = fitted(|v, _, (low, high)| low + (v - low).rem_euclid((high - low + 1).max(1)));
    in_proportion.into_iter().chain(by_remainder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_count_from_where_they_begin() {
        assert_eq!(rising([1, 2, 3, 0, 2, 2, 7].iter()), [0, 1, 2, 0, 1, 0, 1]);
        assert_eq!(SIMPLIFICATIONS[5](&[9, 5, 4, 6, 6]), [2, 1, 0, 0, 0]);
        assert_eq!(SIMPLIFICATIONS[1](&[4, 5, 3, 5]), [0, 1, 0, 1]);
    }
}
