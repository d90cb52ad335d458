//! Changes to patterns: their parts get longer, shorter and different, change places, nest, and are crossed with those of others.

use slowpath_search::Rng;
use slowpath_sequence::{Counter, Pattern};

use crate::patterns::JointPattern;

/// The longest unit and the longest part that is not repeated.
const LONGEST_UNIT: usize = 16;
const LONGEST_FIXED: usize = 12;
/// Changes made to one child: a power of two up to this one.
const MOST_DOUBLINGS: u64 = 2;

/// What patterns are changed with, for each input of the call.
pub struct Means {
    pub inputs: Vec<InputMeans>,
    /// Words that units may be made of.
    pub words: Vec<Vec<i64>>,
}

/// What may be an element of one input.
pub struct InputMeans {
    /// Values that the program tells apart, as far as that is known.
    pub alphabet: Vec<i64>,
    pub scalar: bool,
    pub range: (i64, i64),
}

impl InputMeans {
    /// What numbers may be written with: nothing where elements are numbers themselves, which rise in steps.
    pub fn alphabets(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let (low, high) = self.range;
        let fits = move |(first, digits): &(i64, i64)| low <= *first && first + digits - 1 <= high;
        let is_text = !self.scalar && high.saturating_sub(low) <= 255;
        [Counter::LETTERS, Counter::DIGITS].into_iter().filter(move |alphabet| is_text && fits(alphabet))
    }

    fn has_digits(&self) -> bool {
        self.alphabets().next().is_some()
    }

    /// One of the alphabets, or none.
    fn digits(&self, rng: &mut Rng) -> Option<(i64, i64)> {
        let count = self.alphabets().count() as u64;
        self.alphabets().nth(rng.below(count + 1) as usize)
    }

    /// All patterns in which a part of the unit is repeated, and what is around it comes once; where it has names, also with the number of
    /// the repetition instead of one.
    pub fn parts(&self, pattern: &Pattern) -> Vec<Pattern> {
        let length = pattern.unit.len();
        let slices = (0..length).flat_map(|from| (from + 1..=length).map(move |to| (from, to)));
        let mut parts = Vec::new();
        for (from, to) in slices {
            let slice = slice(pattern, from, to);
            let all = from == 0 && to == length;
            let most = if all { usize::MAX } else { 1 };
            parts.extend(self.names(&slice).take(most).filter_map(|at| self.numbered(&slice, at)));
            parts.extend((!all).then_some(slice));
        }
        parts
    }

    /// All patterns in which the beginning of the unit is repeated, and its end as often: what opens something, and what closes it.
    pub fn nested_parts(&self, pattern: &Pattern) -> Vec<Pattern> {
        let unit = &pattern.unit;
        let cuts = (1..unit.len()).flat_map(|to| (to..unit.len()).map(move |from| (to, from)));
        let nested = |(to, from): (usize, usize)| Pattern {
            middle: unit[to..from].to_vec(),
            ..Pattern::nested(&unit[..to], &unit[from..])
        };
        cuts.map(nested).collect()
    }

    /// Places of letters and digits in the unit.
    fn names<'p>(&'p self, pattern: &'p Pattern) -> impl Iterator<Item = usize> + 'p {
        (0..pattern.unit.len()).filter(|at| self.alphabet_of(pattern.unit[*at]).is_some())
    }

    fn alphabet_of(&self, value: i64) -> Option<(i64, i64)> {
        self.alphabets().find(|(first, digits)| (*first..first + digits).contains(&value))
    }

    /// The number of the repetition instead of a letter or digit of the unit.
    fn numbered(&self, pattern: &Pattern, at: usize) -> Option<Pattern> {
        let (first, digits) = self.alphabet_of(*pattern.unit.get(at)?)?;
        let mut numbered = Pattern { counter: Some(Counter { at, first, digits }), ..pattern.clone() };
        // A unit of nothing but its number keeps its letter, with the number before it.
        if numbered.unit.len() > 1 {
            numbered.unit.remove(at);
        }
        Some(numbered)
    }

    fn value(&self, rng: &mut Rng) -> i64 {
        let (low, high) = self.range;
        let from_alphabet = self.alphabet.get(rng.below(self.alphabet.len() as u64) as usize);
        match (from_alphabet, rng.below(12)) {
            (Some(value), 1..) => *value,
            _ => low.wrapping_add(rng.below(high.wrapping_sub(low) as u64).cast_signed()).clamp(low, high),
        }
    }
}

/// An element that a surviving pattern has for an input.
pub type Survivors<'s> = dyn Fn(usize, &mut Rng) -> Option<i64> + 's;

impl Means {
    /// Makes these the values of arrays, as far as they are allowed there.
    pub fn learn(&mut self, letters: &[i64]) {
        for input in self.inputs.iter_mut().filter(|input| !input.scalar) {
            let allowed = letters.iter().copied().filter(|letter| (input.range.0..=input.range.1).contains(letter));
            input.alphabet = allowed.collect();
        }
    }

    /// A child of one or two parents.
    pub fn child(
        &self,
        parent: &JointPattern,
        other: &JointPattern,
        survivors: &Survivors<'_>,
        rng: &mut Rng,
    ) -> JointPattern {
        let mut child = if rng.below(4) == 0 { cross(parent, other, rng) } else { parent.clone() };
        for _ in 0..1u64 << rng.below(MOST_DOUBLINGS + 1).min(rng.below(MOST_DOUBLINGS + 1)) {
            self.change(&mut child, survivors, rng);
        }
        child.0.iter_mut().for_each(trim);
        child
    }

    fn change(&self, child: &mut JointPattern, survivors: &Survivors<'_>, rng: &mut Rng) {
        let k = rng.below(self.inputs.len() as u64) as usize;
        let (Some(means), Some(pattern)) = (self.inputs.get(k), child.0.get_mut(k)) else { return };
        if means.scalar {
            pattern.unit = vec![means.value(rng)];
        } else if rng.below(3) == 0 {
            self.restructure(pattern, means, rng);
        } else {
            let value = if rng.below(2) == 0 { survivors(k, rng) } else { None };
            let value = value.unwrap_or_else(|| means.value(rng));
            self.edit(pattern, value, rng);
        }
    }

    /// Changes the elements of one part, where it takes one with this value.
    fn edit(&self, pattern: &mut Pattern, value: i64, rng: &mut Rng) {
        let part = part(pattern, rng);
        let at = rng.below(part.len() as u64 + 1) as usize;
        let inside = at.min(part.len().saturating_sub(1));
        match rng.below(8) {
            0 | 1 if !part.is_empty() => part[inside] = value,
            2 if !part.is_empty() => {
                part.remove(inside);
            }
            3 if !self.words.is_empty() => {
                let word = &self.words[rng.below(self.words.len() as u64) as usize];
                part.splice(at..at, word.iter().copied());
            }
            4 => part.extend_from_within(..),
            5 if part.len() > 1 => {
                let other = rng.below(part.len() as u64) as usize;
                part.swap(inside, other);
            }
            6 if part.len() > 1 => part.rotate_left(1),
            7 if !part.is_empty() => part[inside] = part[inside].saturating_add([1, -1][rng.below(2) as usize]),
            _ => part.insert(at, value),
        }
    }

    /// Changes what the parts are to each other.
    fn restructure(&self, pattern: &mut Pattern, means: &InputMeans, rng: &mut Rng) {
        let (a, b) = (means.value(rng), means.value(rng));
        match rng.below(18) {
            // Nested: a second unit, of its own or the first one backwards.
            0 => pattern.second = vec![a],
            1 => pattern.second = pattern.unit.iter().rev().copied().collect(),
            2 => pattern.second.clear(),
            // Something around each repetition.
            3 => {
                pattern.unit.insert(0, a);
                pattern.unit.push(b);
            }
            4 => pattern.prefix.clear(),
            5 => pattern.suffix.clear(),
            6 => pattern.middle.clear(),
            // What came once comes in every repetition, and the other way round.
            7 => pattern.unit.append(&mut pattern.suffix),
            8 => {
                let mut prefix = std::mem::take(&mut pattern.prefix);
                prefix.append(&mut pattern.unit);
                pattern.unit = prefix;
            }
            9 => pattern.prefix = pattern.unit.clone(),
            10 => std::mem::swap(&mut pattern.unit, &mut pattern.second),
            // A part of a repetition is what is repeated: many attributes in one element, after many elements with one.
            14 | 15 if pattern.unit.len() > 1 => {
                let from = rng.below(pattern.unit.len() as u64) as usize;
                let to = from + 1 + rng.below((pattern.unit.len() - from) as u64) as usize;
                *pattern = slice(pattern, from, to);
            }
            // Names that are the same in all repetitions get numbers instead.
            16 | 17 if means.has_digits() => {
                let names: Vec<usize> = means.names(pattern).collect();
                let at = names.get(rng.below(names.len().max(1) as u64) as usize);
                if let Some(numbered) = at.and_then(|at| means.numbered(pattern, *at)) {
                    *pattern = numbered;
                }
            }
            // Repetitions that differ, or no longer.
            11 | 12 if means.has_digits() => {
                let alphabet = means.digits(rng);
                let at = rng.below(pattern.unit.len() as u64 + 1) as usize;
                pattern.counter = alphabet.map(|(first, digits)| Counter { at, first, digits });
            }
            _ => pattern.step = [0, 0, 1, -1, 2, a][rng.below(6) as usize],
        }
    }
}

/// A slice of the unit is repeated; what was before it and after it comes once, and what stood between two units has no place any more.
fn slice(pattern: &Pattern, from: usize, to: usize) -> Pattern {
    let (unit, step) = (&pattern.unit, pattern.step);
    Pattern {
        prefix: [&pattern.prefix, &unit[..from]].concat(),
        suffix: [&unit[to..], &pattern.suffix].concat(),
        step,
        filler: pattern.filler,
        ..Pattern::repeated(&unit[from..to])
    }
}

/// One of the parts, the first unit as often as all others together.
fn part<'p>(pattern: &'p mut Pattern, rng: &mut Rng) -> &'p mut Vec<i64> {
    match rng.below(8) {
        0 => &mut pattern.prefix,
        1 => &mut pattern.suffix,
        2 if !pattern.second.is_empty() => &mut pattern.middle,
        3 | 4 if !pattern.second.is_empty() => &mut pattern.second,
        _ => &mut pattern.unit,
    }
}

/// Parts of two patterns, input by input.
fn cross(a: &JointPattern, b: &JointPattern, rng: &mut Rng) -> JointPattern {
    let mut child = a.clone();
    for (one, other) in child.0.iter_mut().zip(&b.0) {
        match rng.below(6) {
            0 => one.unit.extend(&other.unit),
            1 => one.second.clone_from(&other.unit),
            2 => one.prefix.clone_from(if rng.below(2) == 0 { &other.prefix } else { &other.unit }),
            3 => one.suffix.clone_from(if rng.below(2) == 0 { &other.suffix } else { &other.unit }),
            4 => one.clone_from(other),
            _ => {}
        }
    }
    child
}

/// Keeps parts short, what belongs to a second unit with it, and the first unit there.
fn trim(pattern: &mut Pattern) {
    if pattern.unit.is_empty() {
        std::mem::swap(&mut pattern.unit, &mut pattern.second);
    }
    if pattern.unit.is_empty() {
        pattern.unit.push(pattern.prefix.first().or(pattern.suffix.first()).copied().unwrap_or(0));
    }
    if pattern.second.is_empty() {
        pattern.middle.clear();
    }
    if let Some(counter) = &mut pattern.counter {
        counter.at = counter.at.min(pattern.unit.len()).min(LONGEST_UNIT);
        (pattern.middle, pattern.second) = (Vec::new(), Vec::new());
    }
    pattern.second_fills &= !pattern.second.is_empty();
    pattern.unit.truncate(LONGEST_UNIT);
    pattern.second.truncate(LONGEST_UNIT);
    for fixed in [&mut pattern.prefix, &mut pattern.middle, &mut pattern.suffix] {
        fixed.truncate(LONGEST_FIXED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_attributes_in_one_element_come_of_many_elements_with_one() {
        let text = |text: &str| text.bytes().map(i64::from).collect::<Vec<_>>();
        let means = InputMeans { alphabet: text("<>=/ "), scalar: false, range: (0, 255) };
        let wanted = Pattern {
            prefix: text("<a"),
            suffix: text("/>"),
            counter: Some(Counter { at: 1, first: Counter::LETTERS.0, digits: Counter::LETTERS.1 }),
            ..Pattern::repeated(&text(" =''"))
        };
        let parts = means.parts(&Pattern::repeated(&text("<a b=''/>")));
        assert!(parts.contains(&wanted));
        assert!(parts.iter().all(|part| part.prefix.len() + part.unit.len() + part.suffix.len() >= 8));
    }

    #[test]
    fn children_have_a_unit_and_stay_short() {
        let range = (0, 255);
        let means = Means {
            inputs: vec![
                InputMeans { alphabet: vec![40, 41], scalar: false, range },
                InputMeans { alphabet: vec![], scalar: true, range: (i64::MIN, i64::MAX) },
            ],
            words: vec![vec![1, 2, 3]],
        };
        let mut rng = Rng::new(0, 0);
        let mut parents = vec![JointPattern(vec![Pattern::repeated(&[1]), Pattern::repeated(&[7])])];
        for _ in 0..5_000 {
            let pick = |rng: &mut Rng| rng.below(parents.len() as u64) as usize;
            let (a, b) = (pick(&mut rng), pick(&mut rng));
            let child = means.child(&parents[a], &parents[b], &|_, _| None, &mut rng);
            for pattern in &child.0 {
                assert!((1..=LONGEST_UNIT).contains(&pattern.unit.len()) && pattern.second.len() <= LONGEST_UNIT);
                assert!(pattern.fixed() <= 3 * LONGEST_FIXED);
                assert!(!pattern.second.is_empty() || pattern.middle.is_empty());
            }
            if parents.len() < 500 {
                parents.push(child);
            }
        }
    }
}
