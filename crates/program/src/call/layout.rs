//! A signature for one size: which inputs there are, where they lie in memory, what the function is called with.

use super::check::check_harness;
use super::data::Among;
use super::dictionary::Dictionary;
use super::{CallError, ElemType, Entry};
use crate::val_type::ValType;

/// One named input: a number, or an array of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputSpec {
    pub name: String,
    pub ty: ElemType,
    /// 1 for a scalar.
    pub count: u32,
    pub scalar: bool,
    /// Where it lies in memory; what is passed by value lies nowhere.
    pub address: Option<u32>,
    /// Elements that lie one behind the other; then so many bytes from the first of these to the next such row.
    pub row: u32,
    pub row_bytes: u32,
    /// Lowest and highest value, both included. Of a float it excludes NaN.
    pub range: Option<(i128, i128)>,
    /// The values that elements are one of, within the range.
    pub among: Option<Among>,
    /// Each row is valid UTF-8.
    pub is_utf8: bool,
    /// Each element is the number of a word of these. What lies at the address are the words, one behind the other, and a NUL.
    pub words: Option<Dictionary>,
}

impl InputSpec {
    /// Where an element lies; the number of a word lies nowhere.
    pub fn element_address(&self, index: u32) -> Option<u32> {
        if self.words.is_some() {
            return None;
        }
        let row = self.row.max(1);
        Some(self.address? + index / row * self.row_bytes + index % row * self.ty.bytes())
    }

    /// Elements that lie one behind the other, and belong together.
    pub fn row(&self) -> usize {
        self.row.max(1) as usize
    }

    /// Whether an element may have this value, as far as the set of values goes.
    pub fn is_among(&self, value: i128) -> bool {
        let contains = |among: &Among| i64::try_from(value).is_ok_and(|value| among.binary_search(&value).is_ok());
        self.among.as_ref().is_none_or(contains)
    }
}

/// One argument of the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The scalar input at this index of `Layout::inputs`.
    Input(usize),
    /// How many bytes the words of the input at this index of `Layout::inputs` come to.
    Length(usize),
    Pointer(u32),
    Value(i64),
}

/// Bytes of memory that are given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedBytes {
    pub address: u32,
    pub bytes: Vec<u8>,
}

/// A number in memory that is how many bytes words come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LengthPlace {
    /// The words, by their place in `Layout::inputs`.
    pub input: usize,
    pub address: u32,
    pub ty: ElemType,
}

/// Everything a run needs besides the values of the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub inputs: Vec<InputSpec>,
    pub args: Vec<Arg>,
    /// What memory holds besides inputs; all else that was grown for them is zero.
    pub fixed: Vec<FixedBytes>,
    /// Members of structs that are the length of words.
    pub lengths: Vec<LengthPlace>,
    /// Where the arrays begin: the memory's size, in pages, before it is grown for them.
    pub first_page: u32,
    /// How many pages the memory has to grow.
    pub pages: u32,
}

impl Layout {
    /// The bits of an argument, as the function's parameter of type `ty` takes them. `input` gives the bits of a scalar input, and how
    /// many bytes the words of another come to.
    pub fn arg_bits(&self, position: usize, ty: ValType, input: impl Fn(usize) -> u64) -> Result<u64, CallError> {
        match self.args[position] {
            Arg::Pointer(address) => Ok(u64::from(address)),
            Arg::Input(index) => Ok(self.inputs[index].ty.extend(input(index))),
            Arg::Length(index) => Ok(input(index)),
            Arg::Value(value) => value_bits(value, ty).ok_or_else(|| CallError::ValueDoesNotFit {
                position: position + 1,
                name: value.to_string(),
                value,
                ty: ty.to_string(),
            }),
        }
    }
}

impl Entry {
    /// Whether a function with these parameters can be this entry.
    pub fn check(&self, params: &[ValType]) -> Result<(), CallError> {
        match self {
            Entry::Call(spec) => spec.check(params),
            Entry::Harness { name } => check_harness(name, params),
        }
    }
}

/// A number as a parameter: an i32 takes anything that fits 32 bits, signed or not.
pub(crate) fn value_bits(value: i64, ty: ValType) -> Option<u64> {
    match ty {
        ValType::I32 => {
            let fits = (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&value);
            fits.then_some(u64::from(value as u32))
        }
        ValType::I64 => Some(value as u64),
        _ => None,
    }
}

/// The argument list of a harness: n, or nothing.
pub fn harness_args(name: &str, params: &[ValType], n: i64) -> Result<Vec<u64>, CallError> {
    check_harness(name, params)?;
    let does_not_fit =
        |ty: &ValType| CallError::ValueDoesNotFit { position: 1, name: "n".to_owned(), value: n, ty: ty.to_string() };
    params.iter().map(|ty| value_bits(n, *ty).ok_or_else(|| does_not_fit(ty))).collect()
}
