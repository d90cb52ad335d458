//! A model: one value for every input. Cheap to clone; a change makes a new one.

use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ids::InputId;

#[derive(Debug)]
struct Inner {
    id: u64,
    values: Vec<u64>,
}

/// Values of the inputs of a path. Inputs without a value are 0.
#[derive(Clone, Debug)]
pub struct Model(Rc<Inner>);

impl Model {
    /// The model in which every input is 0.
    pub fn new() -> Model {
        Model::from_values(Vec::new())
    }

    /// The model with input `i` at `values[i]`.
    pub fn from_values(values: Vec<u64>) -> Model {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Model(Rc::new(Inner { id: NEXT.fetch_add(1, Ordering::Relaxed), values }))
    }

    /// Value of an input; 0 if none was given.
    #[inline(always)]
    pub fn get(&self, input: InputId) -> u64 {
        self.0.values.get(input.index()).copied().unwrap_or(0)
    }

    /// This model with one input changed.
    pub fn with(&self, input: InputId, value: u64) -> Model {
        self.with_all([(input, value)])
    }

    /// This model with some inputs changed.
    pub fn with_all(&self, changes: impl IntoIterator<Item = (InputId, u64)>) -> Model {
        let mut values = self.0.values.clone();
        for (input, value) in changes {
            if values.len() <= input.index() {
                values.resize(input.index() + 1, 0);
            }
            values[input.index()] = value;
        }
        Model::from_values(values)
    }

    /// The values given, by input index; inputs beyond are 0.
    pub fn values(&self) -> &[u64] {
        &self.0.values
    }

    /// Differs between any two models of this process, whatever their values; memo tables are stamped with it.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        self.0.id
    }
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}
