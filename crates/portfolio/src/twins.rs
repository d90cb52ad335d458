//! Parameters of the same kind that have several parts: two objects, two lists of the same items. What compares or merges two things goes furthest
//! where they are equal, and chance does not make all parts so at once.
//!
//! Two plain arrays are none: simple shapes make those equal, and a search that does it again and again stays there (of two sets of 24 keys that
//! are looked up in each other it came to 15,032 to 19,946 instructions instead of 22,865 to 23,579, with four seeds).

use slowpath_program::input::InputValues;
use slowpath_search::Rng;

use crate::domain::Domain;

/// Pairs of parameters that one can be copied over the other.
#[derive(Clone, Debug, Default)]
pub struct Twins(Vec<[Vec<usize>; 2]>);

impl Twins {
    /// The pairs among the inputs of a size.
    pub fn of(domain: &Domain) -> Twins {
        let inputs = &domain.template.0;
        // The inputs of one parameter stand behind each other, and are called after it: `a.child.type` is one of `a`.
        let mut parameters: Vec<(&str, Vec<usize>)> = Vec::new();
        for (k, input) in inputs.iter().enumerate() {
            let parameter = input.name.split('.').next().unwrap_or_default();
            match parameters.last_mut() {
                Some((last, parts)) if *last == parameter => parts.push(k),
                _ => parameters.push((parameter, vec![k])),
            }
        }
        let is_alike = |(a, b): (&usize, &usize)| {
            let member = |k: usize| inputs[k].name.split_once('.').map_or("", |(_, member)| member);
            let kind = |k: usize| (inputs[k].ty, inputs[k].bits.len(), domain.ranges.get(k));
            member(*a) == member(*b) && kind(*a) == kind(*b)
        };
        let mut pairs = Vec::new();
        for (i, (_, one)) in parameters.iter().enumerate().filter(|(_, (_, parts))| parts.len() > 1) {
            for (_, other) in &parameters[i + 1..] {
                if one.len() == other.len() && one.iter().zip(other).all(is_alike) {
                    pairs.push([one.clone(), other.clone()]);
                }
            }
        }
        Twins(pairs)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes the two of some pair equal, one way or the other.
    pub fn equate(&self, input: &mut InputValues, rng: &mut Rng) {
        if self.0.is_empty() {
            return;
        }
        let pair = &self.0[rng.below(self.0.len() as u64) as usize];
        let from = rng.below(2) as usize;
        for (from, to) in pair[from].iter().zip(&pair[1 - from]) {
            let bits = input.0[*from].bits.clone();
            input.0[*to].bits = bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    fn domain(inputs: &[(&str, ElemType, usize)]) -> Domain {
        let named = |(name, ty, count): &(&str, ElemType, usize)| NamedInput {
            name: (*name).to_owned(),
            ty: *ty,
            scalar: *count == 1,
            bits: vec![0; *count],
        };
        let template = InputValues(inputs.iter().map(named).collect());
        Domain { ranges: vec![(0, 100); inputs.len()], template, declared: true }
    }

    #[test]
    fn lists_of_the_same_items_are_made_equal_and_nothing_else_is() {
        let (u8, i32) = (ElemType::U8, ElemType::I32);
        let inputs =
            [("a.kind", i32, 1), ("a.name", u8, 3), ("b.kind", i32, 1), ("b.name", u8, 3), ("c", u8, 3), ("n", i32, 1)];
        let domain = domain(&inputs);
        let twins = Twins::of(&domain);
        assert_eq!(twins.0, [[vec![0, 1], vec![2, 3]]]);
        let mut input = domain.template.clone();
        for (k, named) in input.0.iter_mut().enumerate() {
            named.bits.fill(k as u64);
        }
        twins.equate(&mut input, &mut Rng::new(0, 0));
        let firsts: Vec<u64> = input.0.iter().map(|named| named.bits[0]).collect();
        assert!(firsts == [0, 1, 0, 1, 4, 5] || firsts == [2, 3, 2, 3, 4, 5], "{firsts:?}");
    }

    #[test]
    fn other_types_other_members_and_plain_arrays_have_none() {
        let (u8, i32) = (ElemType::U8, ElemType::I32);
        let beside = |kind: (&'static str, ElemType, usize), name: (&'static str, ElemType, usize)| {
            vec![("a.kind", i32, 1), ("a.name", u8, 3), kind, name]
        };
        for inputs in [
            beside(("b.kind", u8, 1), ("b.name", u8, 3)),
            beside(("b.kind", i32, 1), ("b.name", u8, 4)),
            beside(("b.kind", i32, 1), ("b.text", u8, 3)),
            vec![("a", u8, 3), ("b", u8, 3)],
        ] {
            assert!(Twins::of(&domain(&inputs)).is_empty(), "{inputs:?}");
        }
    }
}
