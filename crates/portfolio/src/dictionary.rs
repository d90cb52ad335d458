//! Numbers and words that a program names itself: the constants of its code, the texts of its data.

use slowpath_program::Program;
use slowpath_search::Rng;

/// Words longer than this are prose, shorter ones single characters.
const WORDS: std::ops::RangeInclusive<usize> = 2..=24;
/// Numbers and words kept, the first ones.
const MOST: usize = 512;

/// What a program names.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    numbers: Vec<i64>,
    words: Vec<Vec<u8>>,
}

impl Dictionary {
    /// The constants and texts of a program, its libraries' included, and words that the user gave, which come first.
    pub fn of(program: &Program, given: &[Vec<u8>]) -> Dictionary {
        // The user's own functions come before those of libraries, which the linker takes in last.
        let mut numbers: Vec<i64> = Vec::new();
        for number in program.funcs.iter().flat_map(|f| f.body.iter().flat_map(|body| &body.constants)) {
            if numbers.len() >= MOST {
                break;
            }
            if !numbers.contains(number) {
                numbers.push(*number);
            }
        }
        let words = |data: &[u8]| -> Vec<Vec<u8>> {
            let texts = data.split(|byte| !byte.is_ascii_graphic());
            texts.filter(|word| WORDS.contains(&word.len())).map(<[u8]>::to_vec).collect()
        };
        let words = program.data.iter().flat_map(|data| words(&data.bytes)).take(MOST);
        // A word of one byte is a number that matters.
        numbers.extend(given.iter().filter(|word| word.len() == 1).flatten().map(|byte| i64::from(*byte)));
        Dictionary::of_words(given.iter().cloned().chain(words), numbers)
    }

    /// These words and numbers.
    pub fn of_words(words: impl IntoIterator<Item = Vec<u8>>, numbers: impl IntoIterator<Item = i64>) -> Dictionary {
        let mut numbers: Vec<i64> = numbers.into_iter().collect();
        numbers.sort_unstable_by_key(|number| (number.unsigned_abs(), *number));
        numbers.dedup();
        numbers.truncate(MOST);
        Dictionary { numbers, words: words.into_iter().collect() }
    }

    /// The numbers, small ones first.
    pub fn numbers(&self) -> &[i64] {
        &self.numbers
    }

    /// The words, those of the user first.
    pub fn words(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// One of the numbers.
    pub fn number(&self, rng: &mut Rng) -> Option<i64> {
        self.numbers.get(rng.below(self.numbers.len().max(1) as u64) as usize).copied()
    }

    /// One of the words.
    pub fn word(&self, rng: &mut Rng) -> Option<&[u8]> {
        self.words.get(rng.below(self.words.len().max(1) as u64) as usize).map(Vec::as_slice)
    }
}
