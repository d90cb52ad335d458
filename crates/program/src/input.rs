//! The values of a run's inputs: by name, as bits, and to and from JSON.

mod json;
mod names;

use std::fmt;

use crate::call::{ElemType, InputSpec, Layout, utf8};

pub use names::NameCounter;

/// The values of all inputs, in the order the run takes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputValues(pub Vec<NamedInput>);

/// The value of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedInput {
    pub name: String,
    pub ty: ElemType,
    /// A single number rather than an array of one.
    pub scalar: bool,
    /// Each element in its low bits; floats as their IEEE bits.
    pub bits: Vec<u64>,
}

/// Why values are not those of a call.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InputError {
    #[error("the input must be a JSON object that gives each input by its name, as in {{\"a\": [3, 1, 2]}}")]
    NotAnObject,
    #[error("the input `{0}` is missing")]
    Missing(String),
    #[error("there is no input `{name}`; the call takes {known}")]
    Unknown { name: String, known: String },
    #[error("the input `{name}` is {given}, but it must be {expected}")]
    WrongShape { name: String, given: String, expected: String },
    #[error("the input `{place}` is {given}, but {expected}")]
    BadElement { place: Place, given: String, expected: String },
}

/// An input, or an element of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub name: String,
    pub index: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{}[{index}]", self.name),
            None => f.write_str(&self.name),
        }
    }
}

impl InputValues {
    /// The input of this name.
    pub fn get(&self, name: &str) -> Option<&NamedInput> {
        self.0.iter().find(|input| input.name == name)
    }

    /// All inputs of a call, each 0 or what its range has nearest to 0.
    pub fn zeros(layout: &Layout) -> InputValues {
        let zero = |spec: &InputSpec| NamedInput {
            name: spec.name.clone(),
            ty: spec.ty,
            scalar: spec.scalar,
            bits: vec![number_bits(spec.ty, nearest_to_zero(spec)); spec.count as usize],
        };
        InputValues(layout.inputs.iter().map(zero).collect())
    }

    /// Whether these are values for this call: every input, nothing else, in number, type and range.
    pub fn check(&self, layout: &Layout) -> Result<(), InputError> {
        if let Some(extra) = self.0.iter().find(|input| !layout.inputs.iter().any(|spec| spec.name == input.name)) {
            return Err(unknown(&extra.name, layout));
        }
        layout.inputs.iter().try_for_each(|spec| match self.get(&spec.name) {
            Some(input) => input.check(spec),
            None => Err(InputError::Missing(spec.name.clone())),
        })
    }
}

impl NamedInput {
    /// Whether this is a value for that input.
    pub fn check(&self, spec: &InputSpec) -> Result<(), InputError> {
        if self.ty != spec.ty || self.scalar != spec.scalar || self.bits.len() != spec.count as usize {
            let given = shape(self.ty, self.scalar, self.bits.len());
            return Err(InputError::WrongShape { name: self.name.clone(), given, expected: spec_shape(spec) });
        }
        for (index, bits) in self.bits.iter().enumerate() {
            check_element(spec, index, *bits)?;
        }
        check_text(spec, &self.bits)
    }

    /// The element at `index` as a value of type `ty`; 0 where there is none.
    ///
    /// Types differ only where values came from JSON before the program said which type it wants: integers are cut to the
    /// width, a number asked for as a float is converted by value.
    pub fn bits_as(&self, ty: ElemType, index: usize) -> u64 {
        let Some(bits) = self.bits.get(index).copied() else { return 0 };
        let converted = match (self.ty, ty) {
            (from, to) if from == to => bits,
            (ElemType::F32, ElemType::F64) => widen_f32(bits),
            (ElemType::F64, ElemType::F32) => narrow_f64(bits),
            (ElemType::F32, _) => f32::from_bits(bits as u32) as i128 as u64,
            (ElemType::F64, _) => f64::from_bits(bits) as i128 as u64,
            (from, ElemType::F32 | ElemType::F64) => number_bits(ty, from.integer(bits)),
            (from, _) => from.integer(bits) as u64,
        };
        if ty == ElemType::Bool { converted & 1 } else { converted & ty.mask() }
    }
}

/// The allowed value that is nearest to zero.
fn nearest_to_zero(spec: &InputSpec) -> i128 {
    match (&spec.among, spec.range) {
        (Some(among), _) => among.iter().min_by_key(|value| value.unsigned_abs()).map_or(0, |value| i128::from(*value)),
        (None, range) => range.map_or(0, |(low, high)| 0.clamp(low, high)),
    }
}

/// A whole number as the bits of a type; an integer must fit it.
fn number_bits(ty: ElemType, value: i128) -> u64 {
    match ty {
        ElemType::F32 => u64::from((value as f32).to_bits()),
        ElemType::F64 => (value as f64).to_bits(),
        _ => value as u64 & ty.mask(),
    }
}

/// By value, and NaNs with their payload: `as` may change it.
fn widen_f32(bits: u64) -> u64 {
    let value = f32::from_bits(bits as u32);
    if value.is_nan() {
        let (sign, payload) = (bits >> 31 & 1, bits & 0x7f_ffff);
        return sign << 63 | 0x7ff << 52 | payload << 29;
    }
    f64::from(value).to_bits()
}

fn narrow_f64(bits: u64) -> u64 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        let (sign, payload) = (bits >> 63, bits >> 29 & 0x7f_ffff);
        // A payload that only had low bits must not turn into infinity.
        return sign << 31 | 0xff << 23 | if payload == 0 { 1 << 22 } else { payload };
    }
    u64::from((value as f32).to_bits())
}

fn check_element(spec: &InputSpec, index: usize, bits: u64) -> Result<(), InputError> {
    let fits = bits & !spec.ty.mask() == 0 && (spec.ty != ElemType::Bool || bits <= 1);
    let in_range = spec.range.is_none_or(|(low, high)| match spec.ty {
        ElemType::F32 => (low as f64..=high as f64).contains(&f64::from(f32::from_bits(bits as u32))),
        ElemType::F64 => (low as f64..=high as f64).contains(&f64::from_bits(bits)),
        ty => (low..=high).contains(&ty.integer(bits)),
    });
    let among = spec.among.is_none() || spec.is_among(spec.ty.integer(bits));
    if fits && in_range && among {
        return Ok(());
    }
    let expected = match spec.range {
        Some(_) if in_range && !among => "the call names the values it may have, and this is none of them".to_owned(),
        Some((low, high)) => format!("the call allows {low}..={high}"),
        None => format!("a {} has {} bits", spec.ty, spec.ty.bits()),
    };
    Err(InputError::BadElement { place: place(spec, index), given: json::element(spec.ty, bits).to_string(), expected })
}

/// Whether the elements are what they have to be together.
fn check_text(spec: &InputSpec, bits: &[u64]) -> Result<(), InputError> {
    if spec.is_utf8 && !bits.chunks(spec.row()).all(utf8::is_valid) {
        let given = format!("{bits:?}");
        let expected = "the call asks for valid UTF-8".to_owned();
        return Err(InputError::BadElement { place: Place { name: spec.name.clone(), index: None }, given, expected });
    }
    Ok(())
}

fn place(spec: &InputSpec, index: usize) -> Place {
    Place { name: spec.name.clone(), index: (!spec.scalar).then_some(index) }
}

fn unknown(name: &str, layout: &Layout) -> InputError {
    let names: Vec<&str> = layout.inputs.iter().map(|spec| spec.name.as_str()).collect();
    let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    InputError::Unknown { name: name.to_owned(), known }
}

fn shape(ty: ElemType, scalar: bool, count: usize) -> String {
    if scalar { format!("a single {ty}") } else { format!("an array of {count} {ty}") }
}

fn spec_shape(spec: &InputSpec) -> String {
    shape(spec.ty, spec.scalar, spec.count as usize)
}
