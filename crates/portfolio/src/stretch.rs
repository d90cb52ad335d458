//! The worst input of one size made into inputs of another: repeated, padded, spread out, continued, cut.

use std::ops::Deref;

use slowpath_program::input::InputValues;

use crate::domain::{Domain, bits_of, number_of};
use crate::series::{apart, joined, joined_domain};

/// The values of an array that is not empty, and how far apart they are: looked at once, not for every new element.
struct Source {
    values: Vec<i128>,
    span: i128,
}

impl Source {
    fn of(values: Vec<i128>) -> Source {
        let span = values.iter().max().zip(values.iter().min()).map_or(0, |(most, least)| most - least);
        Source { values, span }
    }
}

impl Deref for Source {
    type Target = [i128];

    fn deref(&self) -> &[i128] {
        &self.values
    }
}

/// The element at index `i` of `new` elements.
type Stretch = fn(&Source, usize, usize) -> i128;

const STRETCHES: [Stretch; 9] = [
    // Repeated.
    |old, i, _| old[i % old.len()],
    // Padded at the end, at the front, and in the middle.
    |old, i, _| old[i.min(old.len() - 1)],
    |old, i, new| old[(i + old.len()).saturating_sub(new).min(old.len() - 1)],
    |old, i, new| {
        let (half, more) = (old.len() / 2, new.saturating_sub(old.len()));
        old[if i < half { i } else { i.saturating_sub(more).max(half) }.min(old.len() - 1)]
    },
    // Spread out evenly.
    |old, i, new| old[(i * old.len() / new.max(1)).min(old.len() - 1)],
    // Each repetition continues where the one before ended.
    |old, i, _| {
        let (turns, at) = (i / old.len(), i % old.len());
        old[at] + turns as i128 * (old.span + 1)
    },
    // The first and the last step go on, where values rise or fall.
    |old, i, _| match (old.get(i), &old[..]) {
        (Some(value), _) => *value,
        (None, [.., before, last]) => last + (last - before) * (i + 1 - old.len()) as i128,
        (None, _) => old[0],
    },
    |old, i, new| {
        let more = new.saturating_sub(old.len());
        match (i.checked_sub(more).and_then(|at| old.get(at)), &old[..]) {
            (Some(value), _) => *value,
            (None, [first, second, ..]) => first - (second - first) * (more - i) as i128,
            (None, _) => old[0],
        }
    },
    // In proportion, in place and in value.
    |old, i, new| {
        old[(i * old.len() / new.max(1)).min(old.len() - 1)] * new as i128 / old.len() as i128 + (i % 2) as i128
    },
];

/// Inputs of the domain's size made of one of another size, one by one. Lengths that do not depend on the size keep their values.
pub fn stretched<'d>(source: &'d InputValues, domain: &'d Domain) -> impl Iterator<Item = InputValues> + 'd {
    let (source, joined_domain) = (joined(source), joined_domain(domain));
    STRETCHES.iter().map(move |stretch| {
        let mut input = joined_domain.template.clone();
        for (k, named) in input.0.iter_mut().enumerate() {
            let Some(old) = source.get(&named.name).filter(|old| !old.bits.is_empty()) else { continue };
            let values = Source::of(old.bits.iter().map(|bits| number_of(old.ty, *bits)).collect());
            let (low, high) = joined_domain.range(k);
            let (new, ty, same) = (named.bits.len(), named.ty, named.bits.len() == values.len());
            for (i, bits) in named.bits.iter_mut().enumerate() {
                let value = if same { values[i] } else { stretch(&values, i, new) };
                *bits = bits_of(ty, value.clamp(low, high));
            }
        }
        apart(input, &domain.template)
    })
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    fn array(values: &[i64]) -> InputValues {
        let bits = values.iter().map(|v| *v as u64 & ElemType::I32.mask()).collect();
        InputValues(vec![NamedInput { name: "a".into(), ty: ElemType::I32, scalar: false, bits }])
    }

    #[test]
    fn falling_values_go_on_falling_and_patterns_repeat() {
        let range = ElemType::I32.bounds();
        let domain = Domain { template: array(&[0; 6]), ranges: vec![range], declared: true };
        let of = |values: &[i64]| stretched(&array(values), &domain).collect::<Vec<_>>();
        assert!(of(&[3, 2, 1]).contains(&array(&[3, 2, 1, 0, -1, -2])));
        assert!(of(&[3, 2, 1]).contains(&array(&[6, 5, 4, 3, 2, 1])));
        assert!(of(&[7, 9]).contains(&array(&[7, 9, 7, 9, 7, 9])));
        assert!(of(&[1, 1, 2]).contains(&array(&[1, 1, 1, 1, 2, 2])));
        assert!(of(&[4]).contains(&array(&[4; 6])));
    }
}
