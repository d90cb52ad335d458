//! What a future depends on, and what a state holds of it.

use std::rc::Rc;

use slowpath_machine::{Place, Recorded, State};
use slowpath_solver::Intervals;
use slowpath_term::{InputId, TermId, Terms};

use super::conditions::Conditions;
use super::input_set::InputSet;
use super::names::Names;
use super::partition::Partition;
use super::projection::slice;

/// What a future depends on.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// Places that are read before they are written, ascending.
    pub places: Box<[Place]>,
    /// Inputs that the path condition is asked about.
    pub inputs: InputSet,
    /// Of inputs that the path condition restricts and of which only conditions on them alone are asked: what these tell apart,
    /// ascending. Of all others everything matters.
    pub told_apart: Vec<(InputId, Rc<Partition>)>,
    /// Values that are only copied and compared; if there are none, all inputs may be asked anything.
    pub names: Option<Rc<Names>>,
    /// Whether the limit of instructions cut a path: where it did depends on how many ran before.
    pub instructions: bool,
}

/// The values that are left of each input of which only blocks matter; None where more is said about it than that.
pub type Left = Vec<Option<Intervals>>;

impl Reads {
    /// Whether futures that depend on either can be looked for together.
    pub fn is_alike(&self, other: &Reads) -> bool {
        let inputs = |reads: &Reads| reads.told_apart.len();
        self.places == other.places
            && self.inputs == other.inputs
            && inputs(self) == inputs(other)
            && self.names == other.names
            && self.instructions == other.instructions
            && self.told_apart.iter().zip(&other.told_apart).all(|(mine, theirs)| mine.0 == theirs.0)
    }

    /// Tells apart what the other does too, which is alike; false if that was so before.
    pub fn join(self: &mut Rc<Reads>, other: &Reads) -> bool {
        let mut all = self.told_apart.iter().zip(&other.told_apart);
        if all.all(|(mine, theirs)| Rc::ptr_eq(&mine.1, &theirs.1) || mine.1.refines(&theirs.1)) {
            return false;
        }
        for (mine, theirs) in Rc::make_mut(self).told_apart.iter_mut().zip(&other.told_apart) {
            if !mine.1.refines(&theirs.1) {
                mine.1 = Rc::new(mine.1.join(&theirs.1));
            }
        }
        true
    }

    /// What a state holds there, and what its path says about these inputs: states that agree on it, and on where they are,
    /// have the same future. `asked` is a name that the state is about to compare. What is left of inputs of which only blocks matter is handed back; its blocks belong to it
    /// too (`write_blocks`).
    pub fn of(
        &self,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
        out: &mut Vec<u64>,
    ) -> Left {
        if self.instructions {
            out.push(state.meter.raw.instructions);
        }
        match &self.names {
            Some(names) => names.write(terms, state, conditions, asked, out),
            None => out.extend(asked.map(u64::from)),
        }
        for place in &self.places {
            match place {
                Place::Byte(_) => out.push(state.content(*place)[0]),
                Place::Register(_) | Place::Global(_) => out.extend(state.content(*place)),
            }
        }
        let left: Left = self.told_apart.iter().map(|(input, _)| conditions.values_left(*input)).collect();
        if left.iter().any(|values| values.is_some()) {
            let mut rest = self.inputs.clone();
            for ((input, _), _) in self.told_apart.iter().zip(&left).filter(|(_, values)| values.is_some()) {
                rest.remove(*input);
            }
            slice(conditions, &rest, out);
        } else {
            slice(conditions, &self.inputs, out);
        }
        self.decided(terms, state, out);
        left
    }

    /// Writes down the blocks that the values left are in, and how many numbers that takes.
    pub fn write_blocks(&self, left: &Left, out: &mut Vec<u64>) {
        let begin = out.len();
        for ((_, partition), values) in self.told_apart.iter().zip(left) {
            let count = out.len();
            out.push(0);
            if let Some(values) = values {
                partition.write_blocks(values.iter().copied(), out);
            }
            out[count] = (out.len() - count) as u64;
        }
        if !self.told_apart.is_empty() {
            out.push((out.len() - begin) as u64);
        }
    }

    /// Choices that the path has made inside values are looked up for other values of the same inputs.
    fn decided(&self, terms: &Terms, state: &State<Recorded>, out: &mut Vec<u64>) {
        if state.decided().next().is_none() {
            return;
        }
        let mut inputs = self.inputs.clone();
        for term in self.places.iter().flat_map(|place| state.term_at(*place)).flatten() {
            inputs.extend_from(terms.inputs(term));
        }
        let matters = |cond: &TermId| terms.inputs(*cond).iter().any(|input| inputs.contains(*input));
        let decided = state.decided().filter(|(cond, _)| matters(cond));
        let mut words: Vec<u64> =
            decided.map(|(cond, side)| u64::from(cond.raw().get()) << 1 | u64::from(side)).collect();
        words.sort_unstable();
        out.extend(words);
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        let told_apart: usize = self.told_apart.iter().map(|(_, partition)| 32 + partition.bytes()).sum();
        let names = self.names.as_ref().map_or(0, |names| names.bytes());
        self.places.len() * size_of::<Place>() + self.inputs.bytes() + told_apart + names
    }
}
