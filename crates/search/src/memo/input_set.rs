//! Sets of inputs.

use slowpath_term::InputId;

/// A set of inputs, a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputSet(Vec<u64>);

impl InputSet {
    /// Adds one; false if it was there.
    pub fn insert(&mut self, input: InputId) -> bool {
        let word = input.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let bit = 1 << (input.index() % 64);
        let fresh = self.0[word] & bit == 0;
        self.0[word] |= bit;
        fresh
    }

    /// Whether it is in the set.
    pub fn contains(&self, input: InputId) -> bool {
        self.0.get(input.index() / 64).is_some_and(|word| word >> (input.index() % 64) & 1 == 1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds these.
    pub fn extend_from(&mut self, inputs: &[InputId]) {
        for input in inputs {
            self.insert(*input);
        }
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &InputSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// Adds all of another set but those that are in a third.
    pub fn extend_without(&mut self, other: &InputSet, without: impl Iterator<Item = InputId>) {
        let mut other = other.clone();
        without.for_each(|input| other.remove(input));
        self.extend(&other);
    }

    /// Takes one out.
    pub fn remove(&mut self, input: InputId) {
        if let Some(word) = self.0.get_mut(input.index() / 64) {
            *word &= !(1 << (input.index() % 64));
        }
    }

    /// The inputs that are in both sets, ascending.
    pub fn both<'a>(&'a self, other: &'a InputSet) -> impl Iterator<Item = InputId> + 'a {
        self.0.iter().zip(&other.0).enumerate().flat_map(|(at, (mine, theirs))| bits(at, mine & theirs))
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        self.0.len() * 8
    }
}

/// The inputs of one word of a set.
fn bits(at: usize, mut word: u64) -> impl Iterator<Item = InputId> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros();
        word &= word - 1;
        Some(InputId(at as u32 * 64 + bit))
    })
}

#[cfg(test)]
mod tests {
    use super::InputSet;
    use slowpath_term::InputId;

    #[test]
    fn what_is_in_both_sets_is_listed_in_order() {
        let of = |list: &[u32]| {
            let mut set = InputSet::default();
            for i in list {
                assert!(set.insert(InputId(*i)));
            }
            set
        };
        let mut one = of(&[3, 64, 200]);
        one.extend(&of(&[5]));
        one.remove(InputId(200));
        assert!(one.contains(InputId(64)) && !one.contains(InputId(200)) && !one.insert(InputId(3)));
        let both: Vec<u32> = one.both(&of(&[200, 64, 5, 1])).map(|i| i.0).collect();
        assert_eq!(both, [5, 64]);
    }
}
