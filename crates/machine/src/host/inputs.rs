//! The inputs a run has made so far, and where their values come from.

use std::rc::Rc;

use slowpath_program::call::ElemType;
use slowpath_program::input::{InputValues, NameCounter, NamedInput};
use slowpath_term::{ConvOp, InputId, Model, Terms};

use crate::mode::Mode;
use crate::state::State;

/// One named input, whose elements are numbered from `first` on.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRecord {
    pub name: String,
    pub ty: ElemType,
    pub scalar: bool,
    pub first: InputId,
    pub count: u32,
}

/// Where the values of inputs come from.
#[derive(Clone, Debug, Default)]
pub enum InputSource {
    /// Each is a fresh variable (symbolic mode).
    #[default]
    Symbolic,
    /// Given by name; a missing one is zero.
    Given(Rc<InputValues>),
}

/// What host functions remember. It is part of the state, so that a fork has its own.
#[derive(Clone, Debug)]
pub struct HostState {
    pub(crate) records: Vec<InputRecord>,
    pub(crate) next: u32,
    pub(crate) names: NameCounter,
    pub(crate) source: InputSource,
    pub(crate) clock: u64,
    pub(crate) random: u64,
}

impl Default for HostState {
    fn default() -> HostState {
        HostState {
            records: Vec::new(),
            next: 0,
            names: NameCounter::default(),
            source: InputSource::Symbolic,
            clock: 0,
            random: 0x9E37_79B9_7F4A_7C15,
        }
    }
}

impl<M: Mode> State<M> {
    /// Says where inputs come from; before the entry is called.
    pub fn set_input_source(&mut self, source: InputSource) {
        Rc::make_mut(&mut self.host).source = source;
    }

    /// The inputs made so far on this path.
    pub fn inputs(&self) -> &[InputRecord] {
        &self.host.records
    }

    /// The values of this path's inputs under a model.
    pub fn input_values(&self, model: &Model) -> InputValues {
        let named = |r: &InputRecord| NamedInput {
            name: r.name.clone(),
            ty: r.ty,
            scalar: r.scalar,
            bits: (0..r.count).map(|i| model.get(InputId(r.first.0 + i)) & r.ty.mask()).collect(),
        };
        InputValues(self.inputs().iter().map(named).collect())
    }

    /// Makes the elements of a new input, each a value of the element's own width.
    pub fn new_input(&mut self, terms: &mut Terms, base: &str, ty: ElemType, scalar: bool, count: u32) -> Vec<M::Value> {
        let host = Rc::make_mut(&mut self.host);
        let name = host.names.fresh(base);
        let first = InputId(host.next);
        host.next += count;
        let values = match &host.source {
            InputSource::Given(values) => {
                let given = values.get(&name);
                (0..count)
                    .map(|i| {
                        let bits = given.map_or(0, |g| g.bits_as(ty, i as usize)) & ty.mask();
                        M::value(if ty == ElemType::Bool { bits & 1 } else { bits })
                    })
                    .collect()
            }
            InputSource::Symbolic => (0..count)
                .map(|i| {
                    let id = InputId(first.0 + i);
                    let term = if ty == ElemType::Bool {
                        let bit = terms.var(id, 1);
                        terms.conv(ConvOp::ZExt, 8, bit)
                    } else {
                        terms.var(id, ty.bits())
                    };
                    M::from_term(terms, term)
                })
                .collect(),
        };
        host.records.push(InputRecord { name, ty, scalar, first, count });
        values
    }

    /// An element as it is passed to a function: small integers extended to 32 bits.
    pub fn as_argument(terms: &mut Terms, ty: ElemType, value: M::Value) -> M::Value {
        let bits = ty.bits().max(8);
        if bits >= 32 {
            return value;
        }
        let op = if ty.is_signed() { ConvOp::SExt } else { ConvOp::ZExt };
        M::conv(terms, op, bits, 32, value)
    }
}
