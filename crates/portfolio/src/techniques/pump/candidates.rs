//! First patterns: single values, words, what inputs that are known are examples of, and all pairs of values that a program tells apart.

use slowpath_program::input::InputValues;
use slowpath_sequence::{Counter, Pattern, factorisations};

use super::change::{InputMeans, Means};
use crate::dictionary::Dictionary;
use crate::domain::{Domain, number_of};
use crate::patterns::JointPattern;

/// Values of one input that single-valued patterns are made of: all bytes.
const MOST_VALUES: usize = 256;
/// Values that are told apart, of which all pairs are tried.
const MOST_LETTERS: usize = 40;
/// The largest power of two that numbers rise by.
const LARGEST_POWER: u32 = 16;
/// Numbers that the program names which are tried as steps.
const MOST_STEPS: usize = 24;
/// What ends a line.
const NEWLINE: i64 = 10;
/// Patterns of one known input.
const MOST_OF_INPUT: usize = 400;

/// Values that elements of an input may have, those first that programs name: characters, then others; then all that are left of a
/// byte, or a few numbers that programs tend to treat specially.
pub fn values(domain: &Domain, k: usize, dictionary: &Dictionary) -> Vec<i64> {
    let (low, high) = domain.range(k);
    let allowed = |value: &i64| low <= i128::from(*value) && i128::from(*value) <= high;
    let numbers = dictionary.numbers();
    let ends = [low, high].into_iter().filter_map(|end| i64::try_from(end).ok());
    // A letter stands for all that no program names.
    let letter = i64::from(b'a');
    let named = numbers.iter().copied().filter(is_text).chain([letter, 0, 1].into_iter().chain(ends));
    let named = named.chain(numbers.iter().copied());
    let all = named.chain(32..127).chain(0..32).chain(127..256).chain(-128..0);
    let mut values: Vec<i64> = Vec::new();
    for value in all.filter(allowed) {
        if values.len() >= MOST_VALUES {
            break;
        }
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Whether a number that a program names is likely to be meant as a character: printable, or one that ends lines and columns.
pub fn is_text(number: &i64) -> bool {
    matches!(number, 9 | 10 | 13 | 32..127)
}

/// One pattern for every array; scalars get the first of their values.
fn of_all(template: &InputValues, values: &[Vec<i64>], pattern: &Pattern) -> JointPattern {
    let of = |k: usize| values.get(k).and_then(|values| values.first()).copied().unwrap_or(0);
    let one = |(k, scalar): (usize, bool)| if scalar { Pattern::repeated(&[of(k)]) } else { pattern.clone() };
    JointPattern(template.0.iter().map(|input| input.scalar).enumerate().map(one).collect())
}

/// Every value by itself in all arrays; in steps, where numbers are not mere bytes; and every word.
pub fn singles(domain: &Domain, values: &[Vec<i64>], words: &[Vec<i64>]) -> Vec<JointPattern> {
    let template = &domain.template;
    let Some(first) = template.0.iter().position(|input| !input.scalar) else { return Vec::new() };
    let single = values[first].iter().map(|value| Pattern::repeated(&[*value]));
    // Keys of hash tables that want the same place differ by powers of two.
    let wide = template.0[first].ty.bits() > 8;
    let powers = (1..=if wide { LARGEST_POWER } else { 0 }).map(|power| 1i64 << power);
    // And what a program adds to one element to come to the next, it names.
    let named = values[first].iter().copied().filter(|value| wide && value.abs() > 1).take(MOST_STEPS);
    let stepped =
        [1, -1].into_iter().chain(powers).chain(named).map(|step| Pattern { step, ..Pattern::repeated(&[0]) });
    let numbers = single.chain(stepped).map(|pattern| of_all(template, values, &pattern));
    numbers.chain(repeated_words(domain, values, words)).collect()
}

/// Every word by itself in all arrays.
pub fn repeated_words(domain: &Domain, values: &[Vec<i64>], words: &[Vec<i64>]) -> Vec<JointPattern> {
    words.iter().map(|word| of_all(&domain.template, values, &Pattern::repeated(word))).collect()
}

/// Names that all differ, each with a letter after it or before it.
pub fn numbered(domain: &Domain, values: &[Vec<i64>], means: &Means, letters: &[i64]) -> Vec<JointPattern> {
    let Some(first) = domain.template.0.iter().position(|input| !input.scalar) else { return Vec::new() };
    let letters = &letters[..letters.len().min(MOST_LETTERS)];
    let alphabets = means.inputs[first].alphabets();
    let places = alphabets.flat_map(|(first, digits)| [0, 1].map(|at| Counter { at, first, digits }));
    let units = places.flat_map(|counter| letters.iter().map(move |letter| (counter, letter)));
    let pattern =
        |(counter, letter): (Counter, &i64)| Pattern { counter: Some(counter), ..Pattern::repeated(&[*letter]) };
    units.map(pattern).map(|pattern| of_all(&domain.template, values, &pattern)).collect()
}

/// Letters in all ways that two of them can be put: one of each in turn, one after the other, equally often, and one that ends or begins a
/// repetition of the other; where the program knows lines, also with a line for each repetition. Where there are several arrays, also one letter or
/// both for the first and one for the rest.
pub fn pairs(domain: &Domain, values: &[Vec<i64>], letters: &[i64]) -> Vec<JointPattern> {
    let lines = letters.contains(&NEWLINE);
    let (template, letters) = (&domain.template, &letters[..letters.len().min(MOST_LETTERS)]);
    let arrays: Vec<usize> = (0..template.0.len()).filter(|k| !template.0[*k].scalar).collect();
    let mut all = Vec::new();
    for sum in 0..2 * letters.len() {
        // Pairs of the first letters come first.
        let from = (sum + 1).saturating_sub(letters.len());
        for (i, j) in (from..letters.len().min(sum + 1)).map(|i| (i, sum - i)).filter(|(i, j)| i != j) {
            let (a, b) = (letters[i], letters[j]);
            if let [first, _, ..] = arrays[..] {
                for unit in [&[a][..], &[a, b]] {
                    let mut joint = of_all(template, values, &Pattern::repeated(&[b]));
                    joint.0[first] = Pattern::repeated(unit);
                    all.push(joint);
                }
            }
            let repeated = Pattern::repeated(&[a]);
            for pattern in [
                Pattern::repeated(&[a, b]),
                Pattern::nested(&[a], &[b]),
                Pattern { suffix: vec![b], ..repeated.clone() },
                Pattern { prefix: vec![b], ..repeated },
            ] {
                all.push(of_all(template, values, &pattern));
            }
            if lines && a != NEWLINE && b != NEWLINE {
                let lines = [Pattern::nested(&[a, NEWLINE], &[b]), Pattern::repeated(&[a, b, NEWLINE])];
                all.extend(lines.map(|pattern| of_all(template, values, &pattern)));
            }
        }
    }
    all
}

/// Patterns that an input is an example of: one of its arrays taken apart, the others by their own first pattern.
pub fn of_input(input: &InputValues) -> Vec<JointPattern> {
    let of = |named: &slowpath_program::input::NamedInput| {
        let number = |bits: &u64| i64::try_from(number_of(named.ty, *bits)).unwrap_or(i64::MAX);
        let values: Vec<i64> = named.bits.iter().map(number).collect();
        let mut patterns = if named.scalar { Vec::new() } else { factorisations(&values) };
        if patterns.is_empty() {
            patterns.push(Pattern::repeated(if values.is_empty() { &[0] } else { &values }));
        }
        patterns
    };
    let each: Vec<Vec<Pattern>> = input.0.iter().map(of).collect();
    let first = JointPattern(each.iter().map(|patterns| patterns[0].clone()).collect());
    let mut all = Vec::new();
    for (k, patterns) in each.iter().enumerate() {
        for pattern in patterns.iter().take(MOST_OF_INPUT) {
            let mut joint = first.clone();
            joint.0[k] = pattern.clone();
            all.push(joint);
        }
    }
    all
}

/// What patterns of a call can be changed with.
pub fn means(domain: &Domain, values: &[Vec<i64>], words: &[Vec<i64>]) -> Means {
    let input = |(k, input): (usize, &slowpath_program::input::NamedInput)| {
        let (low, high) = domain.range(k);
        let range = (low.max(i64::MIN.into()) as i64, high.min(i64::MAX.into()) as i64);
        InputMeans { alphabet: values[k].clone(), scalar: input.scalar, range }
    };
    Means { inputs: domain.template.0.iter().enumerate().map(input).collect(), words: words.to_vec() }
}

#[cfg(test)]
mod tests {
    use slowpath_program::call::ElemType;
    use slowpath_program::input::NamedInput;

    use super::*;

    #[test]
    fn what_a_program_names_comes_first_and_every_byte_comes() {
        let named = NamedInput { name: "s".into(), ty: ElemType::U8, scalar: false, bits: vec![0; 8] };
        let domain = Domain { template: InputValues(vec![named]), ranges: vec![(0, 255)], declared: true };
        let dictionary = Dictionary::of_words([], [i64::from(b'['), 1024, 3]);
        let values = values(&domain, 0, &dictionary);
        assert_eq!(values[0], i64::from(b'['));
        assert_eq!((values.len(), values.contains(&1024)), (256, false));
        let joint = pairs(&domain, std::slice::from_ref(&values), &values[..3]);
        assert_eq!(joint.len(), 6 * 4);
    }

    #[test]
    fn an_input_is_taken_apart() {
        let named = |name: &str, text: &[u8]| NamedInput {
            name: name.into(),
            ty: ElemType::U8,
            scalar: false,
            bits: text.iter().map(|byte| u64::from(*byte)).collect(),
        };
        let input = InputValues(vec![named("p", b"a*a*a*b"), named("t", b"aaaaaa")]);
        let star = Pattern { suffix: vec![98], ..Pattern::repeated(&[97, 42]) };
        assert!(of_input(&input).contains(&JointPattern(vec![star, Pattern::repeated(&[97])])));
    }
}
