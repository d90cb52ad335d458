//! Inputs that are made of words of a dictionary, and wait to be written to memory (`write_words`).

use slowpath_program::call::{Dictionary, LengthPlace};

use crate::mode::Mode;
use crate::store::InstanceId;

/// An input that is made of words.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<M: Mode> {
    pub words: Dictionary,
    /// The number of each word.
    pub numbers: Vec<M::Value>,
    pub address: u32,
    /// Parameters that are told how many bytes they come to.
    pub lengths: Vec<usize>,
    /// Places in memory that are told the same.
    pub places: Vec<LengthPlace>,
}

/// Inputs of words that wait to be written to memory, and how far that is.
#[derive(Clone, Debug)]
pub(crate) struct Unwritten<M: Mode> {
    pub inputs: std::rc::Rc<Vec<Tokens<M>>>,
    pub instance: InstanceId,
    pub input: usize,
    pub number: usize,
    pub bytes: u32,
}

impl<M: Mode> Unwritten<M> {
    /// Nothing is written yet.
    pub fn new(inputs: Vec<Tokens<M>>, instance: InstanceId) -> Option<Box<Unwritten<M>>> {
        let inputs = std::rc::Rc::new(inputs);
        (!inputs.is_empty()).then(|| Box::new(Unwritten { inputs, instance, input: 0, number: 0, bytes: 0 }))
    }
}
