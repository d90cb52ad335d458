//! Changes to concrete inputs, as fuzzers make them: single values, blocks repeated, moved, swapped, sorted, and words of a dictionary.

use slowpath_program::input::{InputValues, NamedInput};
use slowpath_search::Rng;

use crate::dictionary::Dictionary;
use crate::domain::{Domain, Range, bits_of, number_of};

/// Values that programs tend to treat specially, besides the ends of the type.
const INTERESTING: [i128; 8] = [0, 1, -1, 2, 10, 100, 127, 128];
/// The longest unit that a stretch is filled with by repetition.
const LONGEST_UNIT: usize = 8;
/// Changes made to one child: a power of two up to this one.
const MOST_DOUBLINGS: u64 = 4;

/// The means of changing inputs.
pub struct Mutator<'m> {
    pub domain: &'m Domain,
    pub dictionary: &'m Dictionary,
}

impl Mutator<'_> {
    /// Changes an input in one place or in several.
    pub fn change(&self, child: &mut InputValues, rng: &mut Rng) {
        let total = elements(child) as u64;
        if total == 0 {
            return;
        }
        for _ in 0..1u64 << rng.below(MOST_DOUBLINGS + 1).min(rng.below(MOST_DOUBLINGS + 1)) {
            let Some((k, at)) = place(child, rng.below(total) as usize) else { return };
            let range = self.domain.range(k);
            if child.0[k].bits.len() == 1 || rng.below(3) == 0 {
                let elsewhere = self.elsewhere(child, rng);
                let value = self.new_value(&child.0[k], at, elsewhere, range, rng);
                child.0[k].bits[at] = value;
            } else {
                self.change_block(&mut child.0[k], at, range, rng);
            }
        }
    }

    /// Gives the so-manieth of all elements any value of its range.
    pub fn redraw(&self, child: &mut InputValues, element: usize, rng: &mut Rng) {
        let Some((k, at)) = place(child, element) else { return };
        let (low, high) = self.domain.range(k);
        let input = &mut child.0[k];
        input.bits[at] = bits_of(input.ty, low + i128::from(rng.below(span((low, high)))));
    }

    /// Gives the so-manieth of all elements the value of another one of its input, moved by the difference of two more.
    pub fn relate(&self, child: &mut InputValues, element: usize, rng: &mut Rng) {
        let Some((k, at)) = place(child, element) else { return };
        let (low, high) = self.domain.range(k);
        let input = &mut child.0[k];
        let mut draw = || number_of(input.ty, input.bits[rng.below(input.bits.len() as u64) as usize]);
        let moved = draw() + draw() - draw();
        // What leaves the range comes in again at its other end, as machine words do.
        let around = low + (moved - low).rem_euclid(high - low + 1);
        input.bits[at] = bits_of(input.ty, around);
    }

    /// The value of some element of some input.
    fn elsewhere(&self, input: &InputValues, rng: &mut Rng) -> i128 {
        let named = &input.0[rng.below(input.0.len() as u64) as usize];
        let at = rng.below(named.bits.len().max(1) as u64) as usize;
        named.bits.get(at).map_or(0, |bits| number_of(named.ty, *bits))
    }

    /// Another value for one element: random, a step away, special, named by the program, or the value of another element.
    fn new_value(&self, input: &NamedInput, at: usize, elsewhere: i128, range: Range, rng: &mut Rng) -> u64 {
        let (ty, old) = (input.ty, input.bits[at]);
        let (low, high) = range;
        if ty.is_float() && rng.below(4) == 0 && !self.domain.declared {
            return rng.next() & ty.mask();
        }
        let value = match rng.below(8) {
            0 => low + i128::from(rng.below(span(range))),
            1 => number_of(ty, old) + 1 + i128::from(rng.below(4)),
            2 => number_of(ty, old) - 1 - i128::from(rng.below(4)),
            3 => INTERESTING[rng.below(INTERESTING.len() as u64) as usize],
            4 => [low, high][rng.below(2) as usize],
            5 => self.dictionary.number(rng).map_or(elsewhere, i128::from),
            6 => number_of(ty, old) ^ (1 << rng.below(u64::from(ty.bits().clamp(1, 63)))),
            _ => elsewhere,
        };
        bits_of(ty, value.clamp(low, high))
    }

    /// Changes a stretch of an array that begins at an index.
    fn change_block(&self, input: &mut NamedInput, from: usize, (low, high): Range, rng: &mut Rng) {
        let (ty, len) = (input.ty, input.bits.len());
        let mut draw = |below: usize| rng.below(below.max(1) as u64) as usize;
        let longest = if draw(4) == 0 { len } else { (len / 4).clamp(2, 64) };
        let to = (from + 1 + draw(longest)).min(len);
        let (width, other) = (to - from, draw(len));
        let number = |bits: u64| number_of(ty, bits);
        let fit = |value: i128| bits_of(ty, value.clamp(low, high));
        match draw(12) {
            0 => {
                let value = input.bits[other];
                input.bits[from..to].fill(value);
            }
            // A block over another place.
            1 => input.bits.copy_within(from..to, other.min(len - width)),
            // A short unit repeated.
            2 | 3 => {
                let period = 1 + draw(LONGEST_UNIT.min(width));
                for i in from + period..to {
                    input.bits[i] = input.bits[i - period];
                }
            }
            4 => {
                let other = other.min(len - width);
                for i in 0..width {
                    input.bits.swap(from + i, other + i);
                }
            }
            5 => input.bits[from..to].reverse(),
            6 => input.bits[from..to].sort_by_key(|bits| number(*bits)),
            7 => input.bits[from..to].sort_by_key(|bits| std::cmp::Reverse(number(*bits))),
            // A run in steps.
            8 => {
                let step = [1, -1, 2, 0][draw(4)];
                let first = number(input.bits[from]);
                for i in from..to {
                    input.bits[i] = fit(first + step * (i - from) as i128);
                }
            }
            9 => {
                let step = draw(9) as i128 - 4;
                for bits in &mut input.bits[from..to] {
                    *bits = fit(number(*bits) + step);
                }
            }
            // Moved: taken out here, put in there.
            10 => {
                let block: Vec<u64> = input.bits.drain(from..to).collect();
                let at = other.min(input.bits.len());
                input.bits.splice(at..at, block);
            }
            _ => match self.dictionary.word(rng) {
                Some(word) => {
                    for (bits, byte) in input.bits[from..].iter_mut().zip(word) {
                        *bits = fit(i128::from(*byte));
                    }
                }
                None => input.bits[from..to].rotate_left(1),
            },
        }
    }
}

/// Lets the so-manieth of all elements change places with another one of its input.
pub fn exchange(child: &mut InputValues, element: usize, rng: &mut Rng) {
    let Some((k, at)) = place(child, element) else { return };
    let bits = &mut child.0[k].bits;
    let other = rng.below(bits.len() as u64) as usize;
    bits.swap(at, other);
}

/// How many elements all inputs together have.
pub fn elements(input: &InputValues) -> usize {
    input.0.iter().map(|input| input.bits.len()).sum()
}

/// Which input, and which of its elements, the so-manieth element of all is.
fn place(input: &InputValues, mut at: usize) -> Option<(usize, usize)> {
    for (k, named) in input.0.iter().enumerate() {
        if at < named.bits.len() {
            return Some((k, at));
        }
        at -= named.bits.len();
    }
    None
}

/// How many values a range has. One of the 2^64 values of a whole word is left out, which nobody will miss.
fn span((low, high): Range) -> u64 {
    u64::try_from(high - low).unwrap_or(u64::MAX).saturating_add(1)
}

/// Values of two parents: one-point, or a stretch of the other, over all values in order.
pub fn cross(a: &InputValues, b: &InputValues, rng: &mut Rng) -> InputValues {
    let mut child = a.clone();
    let total: usize = child.0.iter().map(|input| input.bits.len()).sum();
    let mut cut = || rng.below(total as u64 + 1) as usize;
    let (first, second) = (cut(), cut());
    let (from, to) = (first.min(second), if first % 2 == 0 { total } else { first.max(second) });
    let mut at = 0;
    for (input, other) in child.0.iter_mut().zip(&b.0).filter(|(x, y)| x.ty == y.ty) {
        for (bits, other) in input.bits.iter_mut().zip(&other.bits) {
            if (from..to).contains(&at) {
                *bits = *other;
            }
            at += 1;
        }
    }
    child
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;

    use super::*;

    #[test]
    fn changed_inputs_keep_their_length_type_and_range() {
        let mut rng = Rng::new(0, 0);
        for (ty, range) in [
            (ElemType::U8, (0, 255)),
            (ElemType::I8, (-3, 5)),
            (ElemType::I64, ElemType::I64.bounds()),
            (ElemType::U64, (7, 7)),
            (ElemType::Bool, (0, 1)),
            (ElemType::F64, (0, 10)),
        ] {
            let named = |scalar: bool, count: usize| NamedInput {
                name: format!("a{count}"),
                ty,
                scalar,
                bits: vec![bits_of(ty, range.0.max(0)); count],
            };
            let template = InputValues(vec![named(false, 9), named(true, 1)]);
            let domain = Domain { template: template.clone(), ranges: vec![range; 2], declared: true };
            let dictionary = Dictionary::of_words([b"key=".to_vec(), b"]".to_vec()], [3, 300, -4]);
            let mutator = Mutator { domain: &domain, dictionary: &dictionary };
            let mut input = template.clone();
            for _ in 0..2000 {
                mutator.change(&mut input, &mut rng);
                input = cross(&input, &template, &mut rng);
                mutator.change(&mut input, &mut rng);
                mutator.redraw(&mut input, 3, &mut rng);
                mutator.relate(&mut input, 9, &mut rng);
                exchange(&mut input, 4, &mut rng);
                for (input, old) in input.0.iter().zip(&template.0) {
                    assert_eq!(input.bits.len(), old.bits.len());
                    for bits in &input.bits {
                        assert_eq!(bits & !ty.mask(), 0);
                        assert!((range.0..=range.1).contains(&number_of(ty, *bits)), "{ty:?} {bits:#x}");
                    }
                }
            }
        }
    }
}
