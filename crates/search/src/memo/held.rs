//! The names that are needed on the way, while a run is followed backwards.

use rustc_hash::FxHashMap;
use slowpath_machine::Place;
use slowpath_term::{TermId, Terms};

use super::input_set::InputSet;
use super::names::{Bytes, Name};

/// The names that are needed at some point of a run, which is followed backwards.
#[derive(Default)]
pub struct Held {
    /// Where they are, and what they were when they were needed.
    pub places: FxHashMap<Place, Name>,
    pub fixed: Bytes,
    pub otherwise: InputSet,
}

impl Held {
    /// Names that are needed at these places.
    pub fn of(names: impl IntoIterator<Item = (Place, Name)>) -> Held {
        Held { places: names.into_iter().collect(), ..Held::default() }
    }

    /// The name came from something that is no name: it keeps its meaning.
    pub fn fix(&mut self, name: Name) {
        match name {
            Name::Number(byte) => self.fixed.insert(byte),
            Name::Input(input) => {
                self.otherwise.insert(input);
            }
            Name::Either(input, byte) | Name::Test(input, byte) => {
                self.otherwise.insert(input);
                self.fixed.insert(byte);
            }
        }
    }

    /// Something else is done with what this term is made of.
    pub fn use_otherwise(&mut self, terms: &Terms, term: TermId) {
        self.otherwise.extend_from(terms.inputs(term));
    }
}
