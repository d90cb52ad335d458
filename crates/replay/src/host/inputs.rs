//! The inputs of a run, by name.

use std::collections::HashMap;

use slowpath_program::input::{InputValues, NamedInput};

/// The inputs of a run. They are sorted by name only when the program first asks for one, which most never do.
pub(super) struct Inputs {
    values: InputValues,
    places: Option<HashMap<String, usize>>,
}

impl Inputs {
    pub(super) fn new(values: &InputValues) -> Inputs {
        Inputs { values: values.clone(), places: None }
    }

    /// The input of this name; of several, the last.
    pub(super) fn get(&mut self, name: &str) -> Option<&NamedInput> {
        let places = self.places.get_or_insert_with(|| {
            self.values.0.iter().enumerate().map(|(place, input)| (input.name.clone(), place)).collect()
        });
        self.values.0.get(*places.get(name)?)
    }

    pub(super) fn were_asked_for(&self) -> bool {
        self.places.is_some()
    }
}
