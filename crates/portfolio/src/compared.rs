//! Values that the program compares, put in each other's place: in single elements, and in bytes that a program reads as one word.

use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::Rng;

use crate::domain::{Domain, bits_of, number_of};

/// Bytes that a word may have, longest first.
const WORDS: [usize; 3] = [8, 4, 2];

/// Puts one side of a pair in the place of the other, or where that is nowhere, in any place.
pub fn put(child: &mut InputValues, pairs: &[(i64, i64)], domain: &Domain, rng: &mut Rng) {
    let Some(&(a, b)) = pairs.get(rng.below(pairs.len().max(1) as u64) as usize) else { return };
    let (from, to) = if rng.below(2) == 0 { (a, b) } else { (b, a) };
    // What is compared may be wanted on either side.
    let to = to.saturating_add([0, 0, 0, -1, 1][rng.below(5) as usize]);
    if child.0.is_empty() {
        return;
    }
    let first = rng.below(child.0.len() as u64) as usize;
    for turn in 0..child.0.len() {
        let k = (first + turn) % child.0.len();
        let (low, high) = domain.range(k);
        if replace(&mut child.0[k], from, to, (low, high), rng) {
            return;
        }
    }
    let (low, high) = domain.range(first);
    let named = &mut child.0[first];
    let at = rng.below(named.bits.len().max(1) as u64) as usize;
    if at < named.bits.len() {
        write(named, at, to, fitting(named, to), (low, high));
    }
}

/// Replaces one occurrence of a number, the first one behind a random place. Whether there is one.
fn replace(named: &mut NamedInput, from: i64, to: i64, range: (i128, i128), rng: &mut Rng) -> bool {
    let len = named.bits.len();
    let start = rng.below(len.max(1) as u64) as usize;
    let places = || (start..len).chain(0..start);
    let (ty, number) = (named.ty, i128::from(from));
    if let Some(at) = places().find(|at| number_of(ty, named.bits[*at]) == number) {
        write(named, at, to, 1, range);
        return true;
    }
    if ty.bits() != 8 {
        return false;
    }
    // A number of one byte is no word: it would be found wherever there are zeros.
    for width in WORDS.into_iter().filter(|width| *width <= len && from.unsigned_abs() > 0xFF) {
        let bytes = &from.to_le_bytes()[..width];
        let spells = |at: usize, reversed: bool| {
            let byte = |i: usize| bytes[if reversed { width - 1 - i } else { i }];
            at + width <= len && (0..width).all(|i| named.bits[at + i] & 0xFF == u64::from(byte(i)))
        };
        let found = places().find_map(|at| [false, true].into_iter().find(|r| spells(at, *r)).map(|r| (at, r)));
        if let Some((at, reversed)) = found {
            write(named, at, to, width, range);
            if reversed {
                named.bits[at..at + width].reverse();
            }
            return true;
        }
    }
    false
}

/// How many elements a number takes: bytes, where it does not fit into one.
fn fitting(named: &NamedInput, number: i64) -> usize {
    if named.ty.bits() != 8 || (-128..=255).contains(&number) {
        return 1;
    }
    if i32::try_from(number).is_ok() || u32::try_from(number).is_ok() { 4 } else { 8 }
}

/// Writes a number as one element, or as so many bytes, lowest first; what lies beyond the end is left out.
fn write(named: &mut NamedInput, at: usize, number: i64, width: usize, (low, high): (i128, i128)) {
    let ty = named.ty;
    let fit = |value: i128| bits_of(ty, value.clamp(low, high));
    if width == 1 {
        named.bits[at] = fit(i128::from(number));
        return;
    }
    for (bits, byte) in named.bits[at..].iter_mut().zip(&number.to_le_bytes()[..width]) {
        *bits = fit(number_of(ty, u64::from(*byte)));
    }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;

    use super::*;

    fn put_once(ty: ElemType, bits: Vec<u64>, pair: (i64, i64), seed: u64) -> Vec<u64> {
        let input = InputValues(vec![NamedInput { name: "a".into(), ty, scalar: false, bits }]);
        let domain = Domain { template: input.clone(), ranges: vec![ty.bounds()], declared: true };
        let mut child = input;
        put(&mut child, &[pair], &domain, &mut Rng::new(seed, 0));
        child.0.remove(0).bits
    }

    #[test]
    fn an_element_becomes_what_it_was_compared_with() {
        let all: Vec<Vec<u64>> =
            (0..40).map(|seed| put_once(ElemType::I32, vec![5, 77, 5], (77, 4_000), seed)).collect();
        assert!(all.contains(&vec![5, 4_000, 5]) && all.contains(&vec![5, 3_999, 5]), "{all:?}");
        assert!(all.iter().all(|bits| bits.len() == 3));
    }

    #[test]
    fn bytes_that_spell_a_word_are_found_in_either_order() {
        let little = vec![9, 0x44, 0x33, 0x22, 0x11, 9];
        let big = vec![9, 0x11, 0x22, 0x33, 0x44, 9];
        let pair = (0x1122_3344, 0x5566_7788);
        let of = |bits: &Vec<u64>| -> Vec<Vec<u64>> {
            (0..40).map(|seed| put_once(ElemType::U8, bits.clone(), pair, seed)).collect()
        };
        assert!(of(&little).contains(&vec![9, 0x88, 0x77, 0x66, 0x55, 9]));
        assert!(of(&big).contains(&vec![9, 0x55, 0x66, 0x77, 0x88, 9]));
    }

    #[test]
    fn what_is_nowhere_is_put_anywhere_and_stays_inside() {
        for seed in 0..200 {
            let bits = put_once(ElemType::U8, vec![1, 2, 3], (70_000, 80_000), seed);
            assert!(bits.len() == 3 && bits.iter().all(|bits| *bits <= 255));
        }
        assert!(put_once(ElemType::U8, vec![], (1, 2), 0).is_empty());
    }
}
