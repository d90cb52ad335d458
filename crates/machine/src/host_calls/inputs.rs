//! The inputs a run has made so far: making them, and their values.

use std::rc::Rc;

use slowpath_program::call::{ElemType, utf8};
use slowpath_program::input::{InputValues, NamedInput};
use slowpath_term::{ConvOp, InputId, Model, Terms};

use crate::host::{InputRecord, InputSource, SharedWords, Values, Words, element};
use crate::mode::Mode;
use crate::state::State;

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
        let value = |r: &InputRecord, i| match r.lane(i) {
            Some(lane) => Words::byte(lane, model),
            None => model.get(InputId(r.first.0 + i)) & r.ty.mask(),
        };
        let named = |r: &InputRecord| NamedInput {
            name: r.name.clone(),
            ty: r.ty,
            scalar: r.scalar,
            bits: (0..r.count).map(|i| value(r, i)).collect(),
        };
        InputValues(self.inputs().iter().map(named).collect())
    }

    /// Which bits each unknown of this path has, by number: none where it is a part of another. And whether it is read as a signed
    /// number; of words nobody said, and most are.
    pub fn unknowns(&self) -> Vec<(u64, bool)> {
        let mut all = Vec::new();
        for record in self.inputs() {
            all.resize(record.first.index() + record.count as usize, (record.ty.mask(), record.ty.is_signed()));
            for id in record.first.0..record.first.0 + record.count {
                if let Some(lane) = record.lane(id - record.first.0) {
                    let whole = slowpath_term::ops::mask(8 * lane.bytes);
                    all[id as usize] = (if lane.word.0 == id { whole } else { 0 }, true);
                }
            }
        }
        all
    }

    /// The values of the inputs a concrete run has made.
    pub fn made_inputs(&self) -> InputValues {
        self.input_values(&Model::from_values(self.host.values.clone()))
    }

    /// Makes the elements of a new input, each a value of the element's own width (a bool is a byte).
    pub fn new_input(
        &mut self,
        terms: &mut Terms,
        base: &str,
        ty: ElemType,
        scalar: bool,
        count: u32,
        allowed: Values<'_>,
    ) -> Vec<M::Value> {
        let host = Rc::make_mut(&mut self.host);
        let name = host.names.fresh(base);
        let first = InputId(host.next);
        host.next += count;
        let from = host.values.len();
        match &mut host.source {
            InputSource::Symbolic | InputSource::InWords(_) => {}
            InputSource::Given(values) => {
                let given = values.get(&name);
                host.values.extend((0..count).map(|i| given.map_or(0, |g| g.bits_as(ty, i as usize)) & ty.mask()));
            }
            InputSource::Random(state) => {
                host.values.extend((0..count).map(|_| draw(state, ty, &allowed)));
                if let Some(row) = allowed.utf8 {
                    host.values[from..].chunks_mut(row).for_each(utf8::make_valid);
                }
            }
        }
        let words = match &host.source {
            InputSource::InWords(words) => Some(SharedWords::clone(words)),
            _ => None,
        };
        let record = InputRecord { name, ty, scalar, first, count, words };
        host.records.push(record.clone());
        if host.values.len() > from {
            return host.values[from..].iter().map(|bits| M::value(*bits)).collect();
        }
        (0..count)
            .map(|i| {
                let term = element(terms, &record, i);
                M::from_term(terms, term)
            })
            .collect()
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

/// A random element (SplitMix64).
fn draw(state: &mut u64, ty: ElemType, allowed: &Values<'_>) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    if let Some(among) = allowed.among.filter(|among| !among.is_empty()) {
        let index = (u128::from(z) * among.len() as u128) >> 64;
        return among.get(index as usize).map_or(0, |value| *value as u64 & ty.mask());
    }
    let range = allowed.range;
    if ty.is_float() {
        let (low, high) = range.map_or((-1e6, 1e6), |(l, h)| (l as f64, h as f64));
        let value = low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64);
        return if ty == ElemType::F32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    }
    let (low, high) = range.unwrap_or_else(|| ty.bounds());
    let span = (high - low + 1).max(1) as u128;
    let offset = if span > u128::from(u64::MAX) { u128::from(z) } else { (u128::from(z) * span) >> 64 };
    (low + offset as i128) as u64 & ty.mask()
}
