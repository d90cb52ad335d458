//! Bytes that a program reads as words: which bytes of its inputs are one unknown together.
//!
//! Memory holds such a byte as a part of its word, so that a load of the whole is the input itself, whatever the order of the bytes. A byte
//! that is read alone is a part of its word, which is as right, only harder for the solver.

use std::collections::BTreeMap;
use std::sync::Arc;

use slowpath_program::call::ElemType;
use slowpath_program::input::InputValues;
use slowpath_term::{InputId, Model};

/// Words over the bytes of inputs, by the numbers of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The bytes of each word, lowest first.
    groups: Vec<Vec<u32>>,
    /// Group and place of each byte.
    places: BTreeMap<u32, (u32, u8)>,
}

/// A byte as a part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The input that stands for the whole: the first of its bytes.
    pub word: InputId,
    /// Which byte of it, from the lowest on.
    pub index: u8,
    /// Bytes of the word.
    pub bytes: u8,
}

impl Words {
    /// Words of 2, 4 or 8 bytes each; other groups are left out, and so are those with a byte of an earlier one.
    pub fn new(groups: impl IntoIterator<Item = Vec<u32>>) -> Words {
        let mut words = Words::default();
        for group in groups {
            let taken = |(i, byte): (usize, &u32)| words.places.contains_key(byte) || group[..i].contains(byte);
            if !matches!(group.len(), 2 | 4 | 8) || group.iter().enumerate().any(taken) {
                continue;
            }
            let number = words.groups.len() as u32;
            words.places.extend(group.iter().zip(0u8..).map(|(byte, index)| (*byte, (number, index))));
            words.groups.push(group);
        }
        words
    }

    /// Whether every byte stands alone.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The bytes of each word, lowest first.
    pub fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }

    /// The word that stands for a byte of an input of `count` elements from `first` on. The input has to have all its bytes: another
    /// path may make other inputs.
    pub fn lane(&self, ty: ElemType, first: InputId, count: u32, byte: InputId) -> Option<Lane> {
        if !is_byte(ty) {
            return None;
        }
        let (group, index) = *self.places.get(&byte.0)?;
        let group = self.groups.get(group as usize)?;
        let inside = |id: &u32| (first.0..first.0 + count).contains(id);
        let word = group.iter().copied().filter(inside).min()?;
        group.iter().all(inside).then_some(Lane { word: InputId(word), index, bytes: group.len() as u8 })
    }

    /// The value of a byte under a model.
    pub(crate) fn byte(lane: Lane, model: &Model) -> u64 {
        model.get(lane.word) >> (8 * lane.index) & 0xff
    }

    /// The model of given inputs, which are numbered in the order they are made, one number for each element.
    pub fn model(&self, input: &InputValues) -> Model {
        let mut values: Vec<u64> = Vec::new();
        for named in &input.0 {
            let (first, count) = (InputId(values.len() as u32), named.bits.len() as u32);
            values.resize(values.len() + named.bits.len(), 0);
            for (id, bits) in (first.0..).zip(&named.bits) {
                match self.lane(named.ty, first, count, InputId(id)) {
                    Some(lane) => values[lane.word.index()] |= (bits & 0xff) << (8 * lane.index),
                    None => values[id as usize] = *bits,
                }
            }
        }
        Model::from_values(values)
    }
}

/// Whether elements of a type are plain bytes.
pub fn is_byte(ty: ElemType) -> bool {
    ty.bits() == 8 && ty != ElemType::Bool
}

/// Words as an exploration shares them.
pub type SharedWords = Arc<Words>;

#[cfg(test)]
mod tests {
    use super::*;
    use slowpath_program::input::NamedInput;

    #[test]
    fn a_word_needs_all_its_bytes_in_one_input_of_bytes() {
        let words = Words::new([vec![4, 5, 6, 7], vec![9, 8], vec![7, 10], vec![11, 12, 13]]);
        assert_eq!(words.groups(), [vec![4, 5, 6, 7], vec![9, 8]], "no byte twice, and no word of three bytes");
        let lane = |first, count, byte| words.lane(ElemType::U8, InputId(first), count, InputId(byte));
        assert_eq!(lane(4, 6, 6), Some(Lane { word: InputId(4), index: 2, bytes: 4 }));
        assert_eq!(lane(4, 6, 8), Some(Lane { word: InputId(8), index: 1, bytes: 2 }), "the higher byte comes first");
        assert_eq!(lane(5, 6, 6), None, "the input begins in the midst of it");
        assert_eq!(lane(4, 3, 6), None, "and here it ends there");
        assert_eq!(words.lane(ElemType::U16, InputId(4), 6, InputId(6)), None);
    }

    #[test]
    fn a_model_has_the_words_of_given_bytes() {
        let words = Words::new([vec![2, 3], vec![5, 4]]);
        let named = |name: &str, ty, bits| NamedInput { name: name.to_owned(), ty, scalar: false, bits };
        let input =
            InputValues(vec![named("n", ElemType::I32, vec![7]), named("a", ElemType::U8, vec![1, 2, 3, 4, 5])]);
        assert_eq!(words.model(&input).values(), [7, 1, 0x0302, 0, 0x0405, 0]);
    }
}
