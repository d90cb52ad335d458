//! What a future asks about the inputs.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use slowpath_machine::Place;
use slowpath_solver::Allowed;
use slowpath_term::{InputId, TermId, Terms};

use super::conditions::Conditions;
use super::input_set::InputSet;
use super::partition::Partition;
use super::reads::Reads;

/// The inputs that a future asks about, and what it can tell apart of their values.
#[derive(Default)]
pub struct Asked {
    /// All of them.
    pub inputs: InputSet,
    /// Those of which more is asked than conditions on them alone.
    pub exact: InputSet,
    /// What conditions on one input alone tell apart.
    pub told_apart: FxHashMap<InputId, Rc<Partition>>,
}

impl Asked {
    /// Takes in what a future asks that begins later on.
    pub fn extend(&mut self, later: &Reads) {
        self.inputs.extend(&later.inputs);
        // What is not told apart there is not restricted there, and then not before, or everything about it matters.
        self.exact.extend_without(&later.inputs, later.told_apart.iter().map(|(input, _)| *input));
        for (input, partition) in &later.told_apart {
            self.tell_apart(*input, partition);
        }
    }

    /// What a future depends on that reads these places and asks this, at the end of a path with these conditions.
    pub fn reads(mut self, places: Box<[Place]>, conditions: &Conditions) -> Reads {
        let simple = conditions.constrained(&self.inputs).filter(|input| !self.exact.contains(*input));
        let told_apart = simple.map(|input| (input, self.told_apart.remove(&input).unwrap_or_default())).collect();
        Reads { places, told_apart, inputs: self.inputs, names: None, instructions: false }
    }

    /// Takes in that values of an input are told apart.
    pub fn tell_apart(&mut self, input: InputId, partition: &Rc<Partition>) {
        let known = self.told_apart.entry(input).or_insert_with(|| Rc::clone(partition));
        if !Rc::ptr_eq(known, partition) && !known.refines(partition) {
            *known = if partition.refines(known) { Rc::clone(partition) } else { Rc::new(known.join(partition)) };
        }
    }
}

/// Finds what conditions tell apart, and remembers it.
#[derive(Default)]
pub struct Tests {
    allowed: Allowed,
    known: FxHashMap<TermId, Option<Rc<Partition>>>,
}

impl Tests {
    /// Adds what is asked by a condition; `alone` says that nothing else is compared in it.
    pub fn add(&mut self, terms: &Terms, condition: TermId, alone: bool, asked: &mut Asked) {
        let inputs = terms.inputs(condition);
        asked.inputs.extend_from(inputs);
        match inputs[..] {
            [input] if alone && terms.width(condition) == 1 => match self.partition(terms, condition) {
                Some(partition) => asked.tell_apart(input, &partition),
                None => asked.exact.extend_from(inputs),
            },
            _ => asked.exact.extend_from(inputs),
        }
    }

    /// What a condition on one input tells apart; None if that is not easily said.
    pub fn partition(&mut self, terms: &Terms, condition: TermId) -> Option<Rc<Partition>> {
        let allowed = &mut self.allowed;
        let known = self.known.entry(condition);
        known.or_insert_with(|| Some(Rc::new(Partition::of(&allowed.values(terms, condition)?)))).clone()
    }
}
