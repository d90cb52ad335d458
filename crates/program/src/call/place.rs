//! Places for what an argument points to: one thing behind the other, structs with all that they point to.

use super::data::{Member, StructSpec, TextKind};
use super::elem::MOST_ELEMENTS;
use super::layout::{Arg, FixedBytes, InputSpec, Layout, LengthPlace};
use super::{CallError, CallSpec, ElemType, Expr, Param, ParamKind};

const PAGE: u64 = 65536;
/// No C type needs more.
const ALIGNMENT: u64 = 16;
const ADDRESS_END: u64 = 1 << 32;

/// The memory behind the program's own, as it is filled.
struct Room {
    n: i64,
    memory_bytes: u64,
    start: u64,
    next: u64,
    end: u64,
    elements: i128,
    inputs: Vec<InputSpec>,
    fixed: Vec<FixedBytes>,
    lengths: Vec<LengthPlace>,
}

/// So many things of one kind, so many bytes apart: the structs of an array, or what a member of each points to.
#[derive(Clone, Copy)]
struct Rows {
    address: u32,
    count: u32,
    bytes: u32,
}

impl CallSpec {
    /// Lays the inputs out behind the `memory_bytes` the program has after its initialisation.
    pub fn layout(&self, n: i64, memory_bytes: u64) -> Result<Layout, CallError> {
        if n < 0 {
            return Err(CallError::NegativeSize(n));
        }
        let mut room = Room::behind(n, memory_bytes)?;
        let mut args: Vec<Arg> =
            self.params.iter().enumerate().map(|(k, param)| room.argument(k, param)).collect::<Result<_, _>>()?;
        for position in 0..args.len() {
            let ParamKind::EndOf(name) = &self.params[position].kind else { continue };
            let of = self.params.iter().position(|param| param.name == *name);
            let start = of.and_then(|of| Some((args.get(of)?, self.params[of].kind.bytes(n)?)));
            let (Arg::Pointer(start), bytes) = start.ok_or_else(|| CallError::NoEnd(name.clone()))? else {
                return Err(CallError::NoEnd(name.clone()));
            };
            args[position] = Arg::Pointer(start.saturating_add(bytes));
        }
        for (param, arg) in self.params.iter().zip(&mut args) {
            if let ParamKind::LengthOf(name) = &param.kind {
                let found = room.inputs.iter().position(|input| input.name == *name && input.words.is_some());
                *arg = Arg::Length(found.ok_or_else(|| CallError::NoTokens(name.clone()))?);
            }
        }
        room.finish(args)
    }
}

impl Room {
    /// Empty, at size `n`.
    fn behind(n: i64, memory_bytes: u64) -> Result<Room, CallError> {
        let start = memory_bytes.checked_next_multiple_of(PAGE).filter(|start| *start <= ADDRESS_END);
        let start = start.ok_or(CallError::NoRoom { memory_bytes })?;
        let (next, end) = (start, start);
        let (inputs, fixed, lengths) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Room { n, memory_bytes, start, next, end, elements: 0, inputs, fixed, lengths })
    }

    /// The layout of all that was placed.
    fn finish(self, args: Vec<Arg>) -> Result<Layout, CallError> {
        if self.end > ADDRESS_END {
            return Err(CallError::NoRoom { memory_bytes: self.memory_bytes });
        }
        // Both are at most 65,536 pages.
        let first_page = (self.start / PAGE) as u32;
        let pages = (self.end - self.start).div_ceil(PAGE) as u32;
        Ok(Layout { inputs: self.inputs, args, fixed: self.fixed, lengths: self.lengths, first_page, pages })
    }

    /// Places what an argument of the function needs.
    fn argument(&mut self, position: usize, param: &Param) -> Result<Arg, CallError> {
        let n = self.n;
        match &param.kind {
            ParamKind::Value(expr) => {
                let value = expr.eval(n)?;
                let too_large =
                    |_| CallError::ValueTooLarge { position: position + 1, expr: expr.to_string(), value, n };
                Ok(Arg::Value(i64::try_from(value).map_err(too_large)?))
            }
            ParamKind::Scalar(ty) => {
                let index = self.inputs.len();
                self.input(param, &param.name, *ty, 1, None)?;
                Ok(Arg::Input(index))
            }
            // What it is the length of may come later, and is looked up when all is placed.
            ParamKind::LengthOf(_) | ParamKind::EndOf(_) | ParamKind::Null => Ok(Arg::Value(0)),
            // Before the program is known, as when an input is only read, any index will do.
            ParamKind::Function(function) => Ok(Arg::Value(i64::from(function.index.unwrap_or(0)))),
            _ => Ok(Arg::Pointer(self.pointed(param, &param.name, 1)?.address)),
        }
    }

    /// Memory for so many bytes.
    fn take(&mut self, bytes: u64) -> Result<u32, CallError> {
        let address = u32::try_from(self.next).map_err(|_| CallError::NoRoom { memory_bytes: self.memory_bytes })?;
        self.end = self.next.saturating_add(bytes);
        self.next = self.end.checked_next_multiple_of(ALIGNMENT).unwrap_or(u64::MAX);
        if self.end > ADDRESS_END {
            return Err(CallError::NoRoom { memory_bytes: self.memory_bytes });
        }
        Ok(address)
    }

    /// Memory for so many rows of so many bytes, each as aligned as the first.
    fn take_rows(&mut self, count: u32, bytes: u64) -> Result<Rows, CallError> {
        let step = if count > 1 { bytes.next_multiple_of(ALIGNMENT) } else { bytes };
        let address = self.take(step.saturating_mul(u64::from(count)))?;
        let bytes = u32::try_from(step).map_err(|_| CallError::NoRoom { memory_bytes: self.memory_bytes })?;
        Ok(Rows { address, count, bytes })
    }

    /// What a pointer points to, for each of so many pointers.
    fn pointed(&mut self, param: &Param, name: &str, rows: u32) -> Result<Rows, CallError> {
        let n = self.n;
        match &param.kind {
            ParamKind::Array(ty, length) => {
                let count = length_of(name, length, n)?;
                let place = self.take_rows(rows, u64::from(count) * u64::from(ty.bytes()))?;
                self.input_rows(param, name, *ty, count, place)?;
                Ok(place)
            }
            ParamKind::Text(kind, length) => {
                let count = length_of(name, length, n)?;
                let place = self.take_rows(rows, u64::from(count) + u64::from(kind.terminator()))?;
                self.input_rows(param, name, ElemType::U8, count, place)?;
                Ok(place)
            }
            ParamKind::Tokens(words, length) => {
                let count = length_of(name, length, n)?;
                if rows > 1 {
                    return Err(CallError::TokensOfMany(name.to_owned()));
                }
                // Room for the longest, since which words they are is not known here.
                let place = self.take_rows(rows, u64::from(count) * words.longest() as u64 + 1)?;
                self.input_rows(param, name, words.index_type(), count, place)?;
                Ok(place)
            }
            ParamKind::Out(ty, length) => {
                let count = length_of(name, length, n)?;
                self.take_rows(rows, u64::from(count) * u64::from(ty.bytes()))
            }
            ParamKind::Fixed(data) => {
                let bytes = data.bytes();
                // All may share what nobody is meant to write to, but somebody may.
                let place = self.take_rows(rows, bytes.len() as u64)?;
                self.count(rows)?;
                for row in 0..rows {
                    self.fixed.push(FixedBytes { address: place.at(row), bytes: bytes.clone() });
                }
                Ok(place)
            }
            ParamKind::Struct(spec, length) => {
                let count = length.as_ref().map_or(Ok(1), |length| length_of(name, length, n))?;
                let bytes = spec.bytes.ok_or_else(|| CallError::UnknownStruct { name: spec.name.clone() })?;
                if count == 0 && spec.is_linked() {
                    // The list without elements.
                    return Ok(Rows { address: 0, count: rows, bytes: 0 });
                }
                let all = u64::from(bytes) * u64::from(count);
                let place = self.take_rows(rows, all)?;
                // A list ends with its array.
                if rows == 1 || place.bytes as u64 == all && !spec.is_linked() {
                    let each = Rows { address: place.address, count: rows.saturating_mul(count), bytes };
                    self.structs(spec, name, each, rows == 1 && length.is_none())?;
                } else {
                    self.count(rows)?;
                    for row in 0..rows {
                        let each = Rows { address: place.at(row), count, bytes };
                        self.structs(spec, &format!("{name}.{row}"), each, false)?;
                    }
                }
                Ok(place)
            }
            ParamKind::Scalar(_)
            | ParamKind::Value(_)
            | ParamKind::LengthOf(_)
            | ParamKind::EndOf(_)
            | ParamKind::Null
            | ParamKind::Link(_)
            | ParamKind::Function(_) => Ok(Rows { address: 0, count: rows, bytes: 0 }),
        }
    }

    /// The members of so many structs.
    fn structs(&mut self, spec: &StructSpec, name: &str, rows: Rows, single: bool) -> Result<(), CallError> {
        for member in &spec.members {
            let offset = member.offset.ok_or_else(|| CallError::UnknownStruct { name: spec.name.clone() })?;
            let address = rows.address.checked_add(offset);
            let address = address.ok_or(CallError::NoRoom { memory_bytes: self.memory_bytes })?;
            if let ParamKind::Link(link) = member.param.kind {
                let beside = |row| link.of(row, rows.count).map_or(0, |other| rows.at(other));
                self.in_each(Rows { address, ..rows }, |row| beside(row).to_le_bytes().to_vec())?;
                continue;
            }
            if let ParamKind::LengthOf(_) = member.param.kind {
                continue;
            }
            let name = format!("{name}.{}", member.param.name);
            self.member(member, &name, Rows { address, ..rows }, single)?;
        }
        spec.members.iter().try_for_each(|member| self.length(member, name, rows))
    }

    /// The length of a neighbour's words, which has its place by now.
    fn length(&mut self, member: &Member, name: &str, rows: Rows) -> Result<(), CallError> {
        let ParamKind::LengthOf(of) = &member.param.kind else { return Ok(()) };
        let missing = || CallError::NoTokens(of.clone());
        let of = format!("{name}.{of}");
        let input = self.inputs.iter().position(|input| input.name == of && input.words.is_some());
        let address = member.offset.and_then(|offset| rows.address.checked_add(offset)).ok_or_else(missing)?;
        let ty = member.width.unwrap_or(ElemType::U32);
        self.lengths.push(LengthPlace { input: input.ok_or_else(missing)?, address, ty });
        Ok(())
    }

    fn member(&mut self, member: &Member, name: &str, rows: Rows, single: bool) -> Result<(), CallError> {
        let n = self.n;
        match (&member.param.kind, member.is_inline) {
            (ParamKind::Scalar(ty), _) => {
                self.input(&member.param, name, *ty, rows.count, Some((rows, 1)))?;
                if let Some(input) = self.inputs.last_mut() {
                    input.scalar = single;
                }
                Ok(())
            }
            (ParamKind::Value(expr), _) => {
                let (value, ty) = (expr.eval(n)?, member.width.unwrap_or(ElemType::I32));
                let (least, greatest) = ty.bounds();
                if !(least..=greatest).contains(&value) {
                    let (expr, ty) = (expr.to_string(), ty.name());
                    return Err(CallError::MemberDoesNotFit { name: name.to_owned(), expr, value, ty, n });
                }
                let bytes = value.to_le_bytes()[..ty.bytes() as usize].to_vec();
                self.in_each(rows, |_| bytes.clone())
            }
            (ParamKind::Array(ty, length), true) => {
                let count = length_of(name, length, n)?;
                self.input_rows(&member.param, name, *ty, count, rows)
            }
            (ParamKind::Struct(inner, None), true) => self.structs(inner, name, rows, single),
            (ParamKind::Null, _) => Ok(()),
            (ParamKind::Function(function), _) => {
                let bytes = function.index.unwrap_or(0).to_le_bytes().to_vec();
                self.in_each(rows, |_| bytes.clone())
            }
            _ => {
                let pointed = self.pointed(&member.param, name, rows.count)?;
                self.in_each(rows, |row| pointed.at(row).to_le_bytes().to_vec())
            }
        }
    }

    /// Puts bytes into each row.
    fn in_each(&mut self, rows: Rows, bytes: impl Fn(u32) -> Vec<u8>) -> Result<(), CallError> {
        self.count(rows.count)?;
        self.fixed.extend((0..rows.count).map(|row| FixedBytes { address: rows.at(row), bytes: bytes(row) }));
        Ok(())
    }

    /// Counts so many elements, of which there must not be too many.
    fn count(&mut self, elements: u32) -> Result<(), CallError> {
        self.elements += i128::from(elements);
        if self.elements > MOST_ELEMENTS {
            return Err(CallError::TooManyElements { count: self.elements, n: self.n });
        }
        Ok(())
    }

    /// An input of so many elements in each row.
    fn input_rows(&mut self, param: &Param, name: &str, ty: ElemType, each: u32, rows: Rows) -> Result<(), CallError> {
        let count = i128::from(each) * i128::from(rows.count);
        let all = u32::try_from(count).map_err(|_| CallError::TooManyElements { count, n: self.n })?;
        self.input(param, name, ty, all, Some((rows, each)))
    }

    fn input(
        &mut self,
        param: &Param,
        name: &str,
        ty: ElemType,
        count: u32,
        place: Option<(Rows, u32)>,
    ) -> Result<(), CallError> {
        self.count(count)?;
        let range = range(param, name, ty, count, self.n)?;
        self.inputs.push(InputSpec {
            name: name.to_owned(),
            ty,
            count,
            scalar: place.is_none(),
            address: place.map(|(rows, _)| rows.address),
            row: place.map_or(1, |(_, each)| each),
            row_bytes: place.map_or(0, |(rows, _)| rows.bytes),
            range,
            among: param.among.clone(),
            is_utf8: matches!(param.kind, ParamKind::Text(TextKind::Utf8, _)),
            words: match &param.kind {
                ParamKind::Tokens(words, _) => Some(words.clone()),
                _ => None,
            },
        });
        Ok(())
    }
}

impl ParamKind {
    /// From the first element to behind the last, of what has elements of its own.
    fn bytes(&self, n: i64) -> Option<u32> {
        let (length, width) = match self {
            ParamKind::Array(ty, length) | ParamKind::Out(ty, length) => (length, ty.bytes()),
            ParamKind::Text(_, length) => (length, 1),
            ParamKind::Struct(spec, Some(length)) => (length, spec.bytes?),
            _ => return None,
        };
        u32::try_from(length.eval(n).ok()?).ok()?.checked_mul(width)
    }
}

impl Rows {
    fn at(&self, row: u32) -> u32 {
        self.address + row * self.bytes
    }
}

fn length_of(name: &str, length: &Expr, n: i64) -> Result<u32, CallError> {
    let count = length.eval(n)?;
    if count < 0 {
        return Err(CallError::NegativeLength { name: name.to_owned(), count, n });
    }
    u32::try_from(count).ok().filter(|_| count <= MOST_ELEMENTS).ok_or(CallError::TooManyElements { count, n })
}

/// The range of an input, given or implied by its type. An empty range is no harm where there is no element.
fn range(param: &Param, name: &str, ty: ElemType, count: u32, n: i64) -> Result<Option<(i128, i128)>, CallError> {
    let (least, greatest) = match &param.kind {
        ParamKind::Text(kind, _) => kind.bounds(),
        _ => ty.bounds(),
    };
    if let ParamKind::Tokens(words, _) = &param.kind {
        return Ok(Some((0, words.words().len() as i128 - 1)));
    }
    if let Some(among) = &param.among {
        return Ok(among.first().zip(among.last()).map(|(low, high)| (i128::from(*low), i128::from(*high))));
    }
    let Some((low, high)) = &param.range else {
        let implied = ty == ElemType::Bool || matches!(param.kind, ParamKind::Text(..));
        return Ok(implied.then_some((least, greatest)));
    };
    let (low, high) = (low.eval(n)?, high.eval(n)?);
    if count == 0 {
        return Ok(None);
    }
    if low > high {
        return Err(CallError::EmptyRange { name: name.to_owned(), low, high, n });
    }
    if low < least || high > greatest {
        let hint = match (&param.kind, ty) {
            (ParamKind::Text(..), _) => "",
            (_, ElemType::Char) => "; a char is signed here, write u8 for bytes up to 255",
            (_, ElemType::F32 | ElemType::F64) => " exactly",
            _ => "",
        };
        let ty = match &param.kind {
            ParamKind::Text(kind, _) => kind.name(),
            _ => ty.name(),
        };
        return Err(CallError::RangeOutsideType {
            name: name.to_owned(),
            ty,
            range: format!("{low}..={high}"),
            holds: format!("{least}..={greatest}"),
            hint,
        });
    }
    Ok(Some((low, high)))
}
