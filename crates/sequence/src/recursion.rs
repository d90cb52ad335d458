//! Recursive laws: the array of n from the arrays of its halves, as divide and conquer has it.

use crate::parameter::Parameter;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// Longer arrays are left out of the samples.
const MAX_LENGTH: usize = 4096;
/// The smallest sizes are given as they are, those below this one at most.
const MAX_FROM: u64 = 4;
/// Sizes that have to follow: one settles the maps, two are held against them.
const MIN_FOLLOWING: usize = 3;

/// a(n) = f(a(⌈n/2⌉)) and g(a(⌊n/2⌋)) in one array, with f and g affine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecursiveLaw {
    join: Join,
    /// Whether the first part is the one of ⌈n/2⌉.
    larger_first: bool,
    parts: [Map; 2],
    /// The first size that follows the law, and the arrays of the sizes below that it is reduced to.
    from: u64,
    base: Vec<(u64, Vec<i64>)>,
}

/// How two parts become one array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Join {
    /// One after the other.
    Concat,
    /// In turn, the first part at even indices.
    Interleave,
}

/// What becomes of the elements of a half.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Map {
    factor: i64,
    plus: Parameter,
    reversed: bool,
}

/// The ways in which arrays of size n are made of those of their halves, plain ones first.
pub fn infer_recursive(samples: &[(u64, Vec<i64>)]) -> Vec<RecursiveLaw> {
    let mut arrays: HashMap<u64, &Vec<i64>> = HashMap::new();
    for (n, values) in samples.iter().filter(|(_, values)| values.len() <= MAX_LENGTH) {
        if arrays.insert(*n, values).is_some_and(|other| other != values) {
            return Vec::new();
        }
    }
    let mut found: Vec<RecursiveLaw> = Vec::new();
    for from in 2..=MAX_FROM {
        for reversed in [[false, false], [false, true], [true, false], [true, true]] {
            for join in [Join::Concat, Join::Interleave] {
                for larger_first in [true, false] {
                    let law = infer_one(&arrays, from, join, larger_first, reversed);
                    found.extend(law.filter(|law| !found.iter().any(|old| old.agrees(law))));
                }
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// The sizes of the parts of an array of size n.
fn halves(n: u64, larger_first: bool) -> [u64; 2] {
    let (larger, smaller) = (n.div_ceil(2), n / 2);
    if larger_first { [larger, smaller] } else { [smaller, larger] }
}

fn infer_one(
    arrays: &HashMap<u64, &Vec<i64>>,
    from: u64,
    join: Join,
    larger_first: bool,
    reversed: [bool; 2],
) -> Option<RecursiveLaw> {
    let base: Option<Vec<(u64, Vec<i64>)>> =
        (from / 2..from).map(|n| arrays.get(&n).map(|array| (n, (*array).clone()))).collect();
    let mut sizes: Vec<u64> = arrays.keys().copied().filter(|n| *n >= from).collect();
    sizes.sort_unstable();
    // What a half's elements became, for every size whose halves are known.
    let mut images: [Vec<Image>; 2] = [Vec::new(), Vec::new()];
    for n in sizes {
        let of = halves(n, larger_first).map(|half| arrays.get(&half));
        let (Some(array), [Some(first), Some(second)]) = (arrays.get(&n), of) else { continue };
        let parts = join.apart(array, [first.len(), second.len()])?;
        for (which, (half, mut image)) in [first, second].into_iter().zip(parts).enumerate() {
            if reversed[which] {
                image.reverse();
            }
            images[which].push(Image { n, of: half, image });
        }
    }
    let parts = [Map::through(&images[0], reversed[0])?, Map::through(&images[1], reversed[1])?];
    Some(RecursiveLaw { join, larger_first, parts, from, base: base? })
}

/// A half and what became of it in the array of size n.
struct Image<'a> {
    n: u64,
    of: &'a [i64],
    image: Vec<i64>,
}

impl Map {
    /// The map that takes every half to its image.
    fn through(images: &[Image<'_>], reversed: bool) -> Option<Map> {
        if images.len() < MIN_FOLLOWING {
            return None;
        }
        let factor = images.iter().find_map(Image::factor).unwrap_or(Some(1))?;
        let mut plus = Vec::new();
        for Image { n, of, image } in images {
            let mut offsets = of.iter().zip(image).map(|(x, y)| i128::from(*y) - i128::from(factor) * i128::from(*x));
            let Some(offset) = offsets.next() else { continue };
            if offsets.any(|other| other != offset) {
                return None;
            }
            plus.push((*n, offset));
        }
        Some(Map { factor, plus: Parameter::fit(&plus)?, reversed })
    }

    fn apply(&self, half: &[i64], n: u64) -> Option<Vec<i64>> {
        let plus = self.plus.value(n)?;
        let one = |x: &i64| i64::try_from(plus.checked_add(i128::from(self.factor) * i128::from(*x))?).ok();
        if self.reversed { half.iter().rev().map(one).collect() } else { half.iter().map(one).collect() }
    }
}

impl Image<'_> {
    /// What the differences are multiplied by. `None`: all elements are equal; `Some(None)`: by no whole number.
    fn factor(&self) -> Option<Option<i64>> {
        let (x, y) = (*self.of.first()?, *self.image.first()?);
        let other = self.of.iter().position(|value| *value != x)?;
        let (run, rise) = (i128::from(self.of[other]) - i128::from(x), i128::from(self.image[other]) - i128::from(y));
        Some(if rise % run == 0 { i64::try_from(rise / run).ok() } else { None })
    }
}

impl Join {
    /// The parts of these lengths.
    fn apart(self, array: &[i64], lengths: [usize; 2]) -> Option<[Vec<i64>; 2]> {
        let parts = match self {
            Join::Concat => {
                let (first, second) = array.split_at_checked(lengths[0])?;
                [first.to_vec(), second.to_vec()]
            }
            Join::Interleave => [0, 1].map(|start| array.iter().skip(start).step_by(2).copied().collect::<Vec<i64>>()),
        };
        (parts[0].len() == lengths[0] && parts[1].len() == lengths[1]).then_some(parts)
    }

    fn together(self, [first, second]: [Vec<i64>; 2]) -> Option<Vec<i64>> {
        match self {
            Join::Concat => Some([first, second].concat()),
            Join::Interleave => {
                let mut all = Vec::with_capacity(first.len() + second.len());
                let mut second = second.into_iter();
                for value in first {
                    all.push(value);
                    all.extend(second.next());
                }
                second.next().is_none().then_some(all)
            }
        }
    }
}

impl RecursiveLaw {
    /// The array of size n. `None`: longer than `max_len`, too small a size, or an element does not fit.
    pub fn array(&self, n: u64, max_len: usize) -> Option<Vec<i64>> {
        self.array_of(n, max_len, &mut HashMap::new())
    }

    /// Two sizes on every level, so what was made is kept.
    fn array_of(&self, n: u64, max_len: usize, made: &mut HashMap<u64, Vec<i64>>) -> Option<Vec<i64>> {
        if let Some(array) = made.get(&n) {
            return Some(array.clone());
        }
        // Of a law that was read from somewhere the halves of 1 would be 1 again.
        if n < self.from.max(2) {
            return self.base.iter().find(|(size, _)| *size == n).map(|(_, array)| array.clone());
        }
        let [first, second] = halves(n, self.larger_first);
        let (first, second) = (self.array_of(first, max_len, made)?, self.array_of(second, max_len, made)?);
        if first.len() + second.len() > max_len {
            return None;
        }
        let parts = [self.parts[0].apply(&first, n)?, self.parts[1].apply(&second, n)?];
        let array = self.join.together(parts)?;
        made.insert(n, array.clone());
        Some(array)
    }

    fn agrees(&self, other: &RecursiveLaw) -> bool {
        (30..=41).all(|n| self.array(n, MAX_LENGTH) == other.array(n, MAX_LENGTH))
    }
}

impl fmt::Display for RecursiveLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = if self.larger_first { ["⌈n/2⌉", "⌊n/2⌋"] } else { ["⌊n/2⌋", "⌈n/2⌉"] };
        let [first, second] = [0, 1].map(|which| self.parts[which].text(sizes[which]));
        match self.join {
            Join::Concat => write!(f, "a(n) = {first} ++ {second}")?,
            Join::Interleave => write!(f, "a(n) = interleave({first}, {second})")?,
        }
        for (n, values) in &self.base {
            write!(f, ", a({n}) = {values:?}")?;
        }
        Ok(())
    }
}

impl Map {
    fn text(&self, size: &str) -> String {
        let half = if self.reversed { format!("reverse(a({size}))") } else { format!("a({size})") };
        let scaled = match self.factor {
            0 => String::new(),
            1 => half,
            -1 => format!("-{half}"),
            factor => format!("{factor}·{half}"),
        };
        match (scaled.is_empty(), self.plus.to_string()) {
            (true, plus) => format!("0·{half} + {plus}", half = format_args!("a({size})")),
            (false, plus) if plus == "0" => scaled,
            (false, plus) => match plus.strip_prefix('-') {
                Some(minus) if !minus.contains(' ') => format!("{scaled}-{minus}"),
                _ if plus.contains(' ') => format!("{scaled}+({plus})"),
                _ => format!("{scaled}+{plus}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge_worst(n: u64) -> Vec<i64> {
        if n < 2 {
            return vec![0; n as usize];
        }
        let (first, second) = (merge_worst(n.div_ceil(2)), merge_worst(n / 2));
        first.iter().map(|x| 2 * x).chain(second.iter().map(|x| 2 * x + 1)).collect()
    }

    #[test]
    fn the_worst_input_of_merge_sort_is_made_of_its_halves() {
        let samples: Vec<(u64, Vec<i64>)> = (1..=8).map(|n| (n, merge_worst(n))).collect();
        let laws = infer_recursive(&samples);
        assert_eq!(laws[0].to_string(), "a(n) = 2·a(⌈n/2⌉) ++ 2·a(⌊n/2⌋)+1, a(1) = [0]");
        for n in [9, 31, 100, 1000] {
            assert_eq!(laws[0].array(n, 1000), Some(merge_worst(n)));
        }
        assert_eq!(laws[0].array(1001, 1000), None);
        assert_eq!(laws[0].array(u64::MAX, 1000), None);
        assert_eq!(laws[0].array(0, 1000), None);
    }

    #[test]
    fn offsets_may_grow_and_halves_may_be_reversed() {
        fn make(n: u64) -> Vec<i64> {
            if n < 2 {
                return vec![5; n as usize];
            }
            let (smaller, larger) = (make(n / 2), make(n.div_ceil(2)));
            let mut all: Vec<i64> = smaller.iter().map(|x| x + n as i64).collect();
            all.extend(larger.iter().rev().map(|x| -x));
            all
        }
        let samples: Vec<(u64, Vec<i64>)> = (1..=9).map(|n| (n, make(n))).collect();
        let laws = infer_recursive(&samples);
        assert!(laws.iter().any(|law| law.array(77, 100) == Some(make(77))), "{laws:?}");
    }

    #[test]
    fn what_no_halves_explain_has_no_law() {
        let samples: Vec<(u64, Vec<i64>)> = (1..=8).map(|n| (n, (0..n as i64).map(|i| i * i % 7).collect())).collect();
        assert_eq!(infer_recursive(&samples), []);
        assert_eq!(infer_recursive(&[]), []);
        assert_eq!(infer_recursive(&[(1, vec![1]), (1, vec![2])]), []);
        let extremes: Vec<(u64, Vec<i64>)> =
            (0..9).map(|n| (n, (0..n).map(|i| if i % 2 == 0 { i64::MIN } else { i64::MAX }).collect())).collect();
        for law in infer_recursive(&extremes) {
            let _ = law.array(50, 100);
        }
    }
}
