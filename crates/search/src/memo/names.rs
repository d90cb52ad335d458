//! Values that a future only copies and compares with inputs: names. States that agree up to other names for the same things have
//! the same future.
//!
//! Let π permute the values of a byte. If a future does nothing with some bytes and some inputs but copy them and branch on whether
//! two of them are equal, then a state with π applied to these bytes does for π of these inputs what the state itself does for
//! them: it takes the same branches at the same cost. So paths correspond one to one, as long as π maps what inputs may be to
//! itself and leaves alone every number that they are compared with and that is no name (`fixed`).

use slowpath_machine::{Place, Recorded, State};
use slowpath_term::{CmpOp, ConvOp, InputId, Node, TermId, Terms, UnOp};

use super::conditions::Conditions;
use super::input_set::InputSet;

/// What a place holds, or held when it was of use, that is a name or made of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Number(u8),
    /// A byte of the input.
    Input(InputId),
    /// One of these two: they were compared.
    Either(InputId, u8),
    /// Whether these two are equal.
    Test(InputId, u8),
}

impl Name {
    /// Whether it may be this.
    pub fn covers(self, found: Name) -> bool {
        match self {
            Name::Either(input, byte) => found == Name::Input(input) || found == Name::Number(byte),
            _ => self == found,
        }
    }

    /// The name that a place holds; None for anything else.
    pub fn at(terms: &Terms, state: &State<Recorded>, place: Place) -> Option<Name> {
        match state.term_at(place) {
            [None, None] => u8::try_from(state.content(place)[0]).ok().map(Name::Number),
            [Some(term), None] => byte_input(terms, term).map(Name::Input),
            _ => None,
        }
    }
}

/// The input of eight bits that a term is, by itself or with zeros before it.
pub fn byte_input(terms: &Terms, term: TermId) -> Option<InputId> {
    match terms.node(term) {
        Node::Var { input, width: 8 } => Some(input),
        Node::Conv { op: ConvOp::ZExt, a, .. } => match terms.node(a) {
            Node::Var { input, width: 8 } => Some(input),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a term says that a byte of the input equals a number; true if that it does not.
pub fn byte_test(terms: &Terms, term: TermId) -> Option<(InputId, u8, bool)> {
    let (term, negated) = match terms.node(term) {
        Node::Un { op: UnOp::Not, a, .. } => (a, true),
        _ => (term, false),
    };
    let Node::Cmp { op: CmpOp::Eq, a, b } = terms.node(term) else { return None };
    let (a, b) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
    Some((byte_input(terms, a)?, u8::try_from(terms.as_const(b)?).ok()?, negated))
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes([u64; 4]);

impl Bytes {
    /// Adds one.
    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte) / 64] |= 1 << (byte % 64);
    }

    /// Whether it is in the set.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: &Bytes) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }
}

/// The names of a future.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Places that hold names, ascending. They are read, and belong to no other places that are.
    pub places: Box<[Place]>,
    /// Numbers that keep their meaning: names are compared with them.
    pub fixed: Bytes,
    /// Inputs that are compared with names, and nothing else.
    pub compared: InputSet,
    /// Inputs of which something else is asked.
    pub otherwise: InputSet,
}

/// How a list of names begins: as they are, or by what tells them apart.
const AS_THEY_ARE: u64 = 0;
const APART: u64 = 1;
/// What an entry of the second kind is.
const FIXED: u64 = 0;
const SEEN: u64 = 1;
const FRESH: u64 = 2;
const INPUT: u64 = 3;

impl Names {
    /// Writes down the names that a state holds, after one that it is about to compare: equal numbers mean that names agree up to a
    /// renaming. As they are, if the path says something about what they are compared with.
    pub fn write(
        &self,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
        out: &mut Vec<u64>,
    ) {
        if self.places.is_empty() && asked.is_none() {
            return;
        }
        let before = out.len();
        let free = conditions.constrained(&self.compared).next().is_none() && state.decided().next().is_none();
        if free && self.write_apart(terms, state, conditions, asked, out) {
            return;
        }
        out.truncate(before);
        out.push(AS_THEY_ARE);
        out.extend(asked.map(u64::from));
        out.extend(self.places.iter().flat_map(|place| state.content(*place)));
    }

    /// Writes names as what tells them apart; false if something is no name.
    fn write_apart(
        &self,
        terms: &Terms,
        state: &State<Recorded>,
        conditions: &Conditions,
        asked: Option<u8>,
        out: &mut Vec<u64>,
    ) -> bool {
        out.push(APART);
        let mut numbers = [0u8; 256];
        let mut last = 0;
        let held = self.places.iter().map(|place| Name::at(terms, state, *place));
        for name in asked.map(|byte| Some(Name::Number(byte))).into_iter().chain(held) {
            let (kind, what) = match name {
                None | Some(Name::Either(..) | Name::Test(..)) => return false,
                Some(Name::Input(input)) => (INPUT, u64::from(input.0)),
                Some(Name::Number(byte)) if self.fixed.contains(byte) => (FIXED, u64::from(byte)),
                Some(Name::Number(byte)) => match &mut numbers[usize::from(byte)] {
                    // Which inputs may be equal to it is the same for its other name.
                    number @ 0 if last < u8::MAX => {
                        last += 1;
                        *number = last;
                        (FRESH, conditions.ranges_with(byte))
                    }
                    0 => return false,
                    number => (SEEN, u64::from(*number)),
                },
            };
            out.push(what << 2 | kind);
        }
        true
    }

    /// Bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of::<Names>() + self.places.len() * size_of::<Place>() + self.compared.bytes() + self.otherwise.bytes()
    }
}
