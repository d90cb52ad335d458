//! A signature for one size: which inputs there are, where they lie in memory, what the function is called with.

use super::check::check_harness;
use super::elem::MOST_ELEMENTS;
use super::{CallError, CallSpec, ElemType, Entry, Param, ParamKind};
use crate::module::ValType;

const PAGE: u64 = 65536;
/// No C type needs more.
const ALIGNMENT: u64 = 16;
const ADDRESS_END: u64 = 1 << 32;

/// One named input: a number, or an array of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputSpec {
    pub name: String,
    pub ty: ElemType,
    /// 1 for a scalar.
    pub count: u32,
    pub scalar: bool,
    /// Where an array lies; a scalar is passed by value.
    pub address: Option<u32>,
    /// Lowest and highest value, both included. Of a float it excludes NaN.
    pub range: Option<(i128, i128)>,
}

/// One argument of the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The scalar input at this index of `Layout::inputs`.
    Input(usize),
    Pointer(u32),
    Value(i64),
}

/// Everything a run needs besides the values of the inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub inputs: Vec<InputSpec>,
    pub args: Vec<Arg>,
    /// Where the arrays begin: the memory's size, in pages, before it is grown for them.
    pub first_page: u32,
    /// How many pages the memory has to grow.
    pub pages: u32,
}

impl CallSpec {
    /// Lays the inputs out behind the `memory_bytes` the program has after its initialisation.
    pub fn layout(&self, n: i64, memory_bytes: u64) -> Result<Layout, CallError> {
        if n < 0 {
            return Err(CallError::NegativeSize(n));
        }
        let no_room = || CallError::NoRoom { memory_bytes };
        let start =
            memory_bytes.checked_next_multiple_of(PAGE).filter(|start| *start <= ADDRESS_END).ok_or_else(no_room)?;
        let mut next = start;
        let mut end = start;
        let mut elements: i128 = 0;
        let (mut inputs, mut args) = (Vec::new(), Vec::new());
        for (position, param) in self.params.iter().enumerate() {
            match &param.kind {
                ParamKind::Value(expr) => {
                    let value = expr.eval(n)?;
                    let value = i64::try_from(value).map_err(|_| CallError::ValueTooLarge {
                        position: position + 1,
                        expr: expr.to_string(),
                        value,
                        n,
                    })?;
                    args.push(Arg::Value(value));
                }
                ParamKind::Scalar(ty) => {
                    elements += 1;
                    args.push(Arg::Input(inputs.len()));
                    inputs.push(InputSpec {
                        name: param.name.clone(),
                        ty: *ty,
                        count: 1,
                        scalar: true,
                        address: None,
                        range: range(param, *ty, 1, n)?,
                    });
                }
                ParamKind::Array(ty, length) => {
                    let count = array_length(param, length.eval(n)?, n)?;
                    elements += i128::from(count);
                    let address = u32::try_from(next).map_err(|_| no_room())?;
                    end = next + u64::from(count) * u64::from(ty.bytes());
                    next = end.next_multiple_of(ALIGNMENT);
                    args.push(Arg::Pointer(address));
                    inputs.push(InputSpec {
                        name: param.name.clone(),
                        ty: *ty,
                        count,
                        scalar: false,
                        address: Some(address),
                        range: range(param, *ty, count, n)?,
                    });
                }
            }
            if elements > MOST_ELEMENTS {
                return Err(CallError::TooManyElements { count: elements, n });
            }
        }
        if end > ADDRESS_END {
            return Err(no_room());
        }
        // Both are at most 65,536 pages.
        let first_page = (start / PAGE) as u32;
        let pages = (end - start).div_ceil(PAGE) as u32;
        Ok(Layout { inputs, args, first_page, pages })
    }
}

fn array_length(param: &Param, count: i128, n: i64) -> Result<u32, CallError> {
    if count < 0 {
        return Err(CallError::NegativeLength { name: param.name.clone(), count, n });
    }
    u32::try_from(count).ok().filter(|_| count <= MOST_ELEMENTS).ok_or(CallError::TooManyElements { count, n })
}

/// The range of an input, given or implied by its type. An empty range is no harm where there is no element.
fn range(param: &Param, ty: ElemType, count: u32, n: i64) -> Result<Option<(i128, i128)>, CallError> {
    let Some((low, high)) = &param.range else {
        return Ok((ty == ElemType::Bool).then_some((0, 1)));
    };
    let (low, high) = (low.eval(n)?, high.eval(n)?);
    if count == 0 {
        return Ok(None);
    }
    if low > high {
        return Err(CallError::EmptyRange { name: param.name.clone(), low, high, n });
    }
    let (least, greatest) = ty.bounds();
    if low < least || high > greatest {
        let hint = match ty {
            ElemType::Char => "; a char is signed here, write u8 for bytes up to 255",
            ElemType::F32 | ElemType::F64 => " exactly",
            _ => "",
        };
        return Err(CallError::RangeOutsideType {
            name: param.name.clone(),
            ty: ty.name(),
            range: format!("{low}..={high}"),
            holds: format!("{least}..={greatest}"),
            hint,
        });
    }
    Ok(Some((low, high)))
}

impl Layout {
    /// The bits of an argument, as the function's parameter of type `ty` takes them. `scalar` gives the bits of a scalar input.
    pub fn arg_bits(&self, position: usize, ty: ValType, scalar: impl Fn(usize) -> u64) -> Result<u64, CallError> {
        match self.args[position] {
            Arg::Pointer(address) => Ok(u64::from(address)),
            Arg::Input(index) => Ok(self.inputs[index].ty.extend(scalar(index))),
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
