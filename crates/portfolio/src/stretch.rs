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

/// How the element at index `i` of `new` elements is made.
enum Stretch {
    /// The one at this index of so many, as it is, whatever its type.
    Place(fn(usize, usize, usize) -> usize),
    /// A number of its own.
    Number(fn(&Source, usize, usize) -> i128),
}

const STRETCHES: [Stretch; 9] = [
    // Repeated.
    Stretch::Place(|old, i, _| i % old),
    // Padded at the end, at the front, and in the middle.
    Stretch::Place(|old, i, _| i.min(old - 1)),
    Stretch::Place(|old, i, new| (i + old).saturating_sub(new).min(old - 1)),
    Stretch::Place(|old, i, new| {
        let (half, more) = (old / 2, new.saturating_sub(old));
        if i < half { i } else { i.saturating_sub(more).max(half) }.min(old - 1)
    }),
    // Spread out evenly.
    Stretch::Place(spread_out),
    // Each repetition continues where the one before ended.
    Stretch::Number(|old, i, _| {
        let (turns, at) = (i / old.len(), i % old.len());
        old[at] + turns as i128 * (old.span + 1)
    }),
    // The first and the last step go on, where values rise or fall.
    Stretch::Number(|old, i, _| match (old.get(i), &old[..]) {
        (Some(value), _) => *value,
        (None, [.., before, last]) => last + (last - before) * (i + 1 - old.len()) as i128,
        (None, _) => old[0],
    }),
    Stretch::Number(|old, i, new| {
        let more = new.saturating_sub(old.len());
        match (i.checked_sub(more).and_then(|at| old.get(at)), &old[..]) {
            (Some(value), _) => *value,
            (None, [first, second, ..]) => first - (second - first) * (more - i) as i128,
            (None, _) => old[0],
        }
    }),
    // In proportion, in place and in value.
    Stretch::Number(|old, i, new| {
        old[spread_out(old.len(), i, new)] * new as i128 / old.len() as i128 + (i % 2) as i128
    }),
];

fn spread_out(old: usize, i: usize, new: usize) -> usize {
    (i * old / new.max(1)).min(old - 1)
}

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
            // What a number is rounded to is another float: infinity, for one, is no number at all.
            let as_it_is = ty.is_float() && old.ty == ty;
            let fit = |value: i128| bits_of(ty, value.clamp(low, high));
            let copy = |at: usize| if as_it_is { old.bits[at] } else { fit(values[at]) };
            for (i, bits) in named.bits.iter_mut().enumerate() {
                *bits = match stretch {
                    _ if same => copy(i),
                    Stretch::Place(place) => copy(place(values.len(), i, new)),
                    Stretch::Number(number) => fit(number(&values, i, new)),
                };
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
    fn floats_are_copied_bit_by_bit() {
        let floats = |values: &[f64]| {
            let bits = values.iter().map(|value| value.to_bits()).collect();
            InputValues(vec![NamedInput { name: "x".into(), ty: ElemType::F64, scalar: false, bits }])
        };
        let domain = Domain { template: floats(&[0.0; 3]), ranges: vec![(-9, 9)], declared: true };
        let odd = [f64::INFINITY, 5e-324, 0.1];
        assert!(stretched(&floats(&odd[..1]), &domain).any(|input| input == floats(&[f64::INFINITY; 3])));
        assert!(stretched(&floats(&odd[1..]), &domain).any(|input| input == floats(&[5e-324, 0.1, 5e-324])));
        assert!(stretched(&floats(&odd), &domain).all(|input| input == floats(&odd)));
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
