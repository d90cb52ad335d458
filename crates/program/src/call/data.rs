//! What an argument can be besides a number: text, buffers, fixed data, functions, structs.

use std::fmt;
use std::sync::Arc;

use super::lex::quote;
use super::reserved::needs_the_word;
use super::{ElemType, Param, ParamKind};

/// The values that an element may have, ascending.
pub type Among = Arc<[i64]>;

/// How text lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextKind {
    /// Bytes that are not NUL, then a NUL.
    CStr,
    /// ASCII, which is valid UTF-8, without a NUL behind it.
    Str,
    /// Any valid UTF-8, without a NUL behind it.
    Utf8,
}

impl TextKind {
    /// How it is written in a signature.
    pub fn name(self) -> &'static str {
        match self {
            TextKind::CStr => "cstr",
            TextKind::Str => "str",
            TextKind::Utf8 => "utf8",
        }
    }

    /// The least and greatest byte.
    pub fn bounds(self) -> (i128, i128) {
        match self {
            TextKind::CStr => (1, 255),
            TextKind::Str => (0, 127),
            TextKind::Utf8 => (0, super::utf8::GREATEST),
        }
    }

    /// Bytes of memory behind the last character.
    pub fn terminator(self) -> u32 {
        match self {
            TextKind::CStr => 1,
            TextKind::Str | TextKind::Utf8 => 0,
        }
    }
}

/// Memory whose contents are given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedData {
    /// None where the function's own type decides; then it is taken for i32.
    pub ty: Option<ElemType>,
    /// Written as text, and followed by a NUL.
    pub is_text: bool,
    pub values: Vec<i64>,
}

impl FixedData {
    /// The type of its elements.
    pub fn elem(&self) -> ElemType {
        self.ty.unwrap_or(if self.is_text { ElemType::U8 } else { ElemType::I32 })
    }

    /// As it lies in memory.
    pub fn bytes(&self) -> Vec<u8> {
        let width = self.elem().bytes() as usize;
        let mut bytes: Vec<u8> =
            self.values.iter().flat_map(|value| value.to_le_bytes().into_iter().take(width)).collect();
        if self.is_text {
            bytes.push(0);
        }
        bytes
    }
}

impl fmt::Display for FixedData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_text {
            return f.write_str(&quote(self.values.iter().map(|value| *value as u8)));
        }
        write!(f, "{}", List(&self.values))?;
        self.ty.map_or(Ok(()), |ty| write!(f, " as {ty}"))
    }
}

/// `[1, 2, 3]`
struct List<'a>(&'a [i64]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.0.iter().map(i64::to_string).collect();
        write!(f, "[{}]", values.join(", "))
    }
}

/// A set of values as it is written in a signature: as text where all are characters.
pub(super) fn show_among(among: &[i64]) -> String {
    let bytes: Option<Vec<u8>> = among.iter().map(|value| u8::try_from(*value).ok()).collect();
    match bytes {
        Some(bytes) => quote(bytes),
        None => List(among).to_string(),
    }
}

/// A function whose address is passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionRef {
    pub name: String,
    /// Its place in the table, once the program is known.
    pub index: Option<u32>,
}

/// A struct in memory: a type of the program, or its members one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StructSpec {
    /// Empty for one without a name.
    pub name: String,
    /// Of a struct whose layout is known, how many bytes it takes.
    pub bytes: Option<u32>,
    pub members: Vec<Member>,
}

/// A member of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name and what it is.
    pub param: Param,
    /// From the beginning of the struct, once known.
    pub offset: Option<u32>,
    /// Part of the struct itself, where it would otherwise be a pointer.
    pub is_inline: bool,
    /// The type of a number that is given, once known.
    pub width: Option<ElemType>,
}

impl StructSpec {
    /// Whether it is made to be one of a list.
    pub fn is_linked(&self) -> bool {
        self.members.iter().any(|member| match &member.param.kind {
            ParamKind::Link(_) => true,
            ParamKind::Struct(inner, None) if member.is_inline => inner.is_linked(),
            _ => false,
        })
    }

    /// Whether everything that a layout needs is known.
    pub fn is_complete(&self) -> bool {
        self.bytes.is_some()
    }

    /// Lays the members out as C does, where nothing says otherwise. Leaves the struct incomplete where a member's size is not known.
    pub fn lay_out_as_c(&mut self) {
        let (mut end, mut alignment) = (0u32, 1);
        for member in &mut self.members {
            let Some((bytes, align)) = member.size() else { return };
            let natural = end.next_multiple_of(align);
            let offset = *member.offset.get_or_insert(natural);
            end = end.max(offset.saturating_add(bytes));
            alignment = alignment.max(align);
        }
        if !self.members.is_empty() {
            self.bytes = Some(self.bytes.map_or(end.next_multiple_of(alignment), |given| given.max(end)));
        }
    }

    /// Where C would put the members, and how large it would make the struct.
    fn natural(&self) -> (Vec<u32>, Option<u32>) {
        let mut plain = self.clone();
        plain.bytes = None;
        let mut end = 0u32;
        let mut offsets = Vec::new();
        for member in &self.members {
            let (bytes, align) = member.size().unwrap_or((0, 1));
            offsets.push(end.next_multiple_of(align));
            end = end.max(member.offset.unwrap_or(end.next_multiple_of(align)).saturating_add(bytes));
        }
        plain.lay_out_as_c();
        (offsets, plain.bytes)
    }
}

impl Member {
    /// Bytes in the struct, and their alignment.
    fn size(&self) -> Option<(u32, u32)> {
        let of = |ty: ElemType| (ty.bytes(), ty.bytes());
        match (&self.param.kind, self.is_inline) {
            (ParamKind::Scalar(ty), _) => Some(of(*ty)),
            (ParamKind::Value(_) | ParamKind::LengthOf(_), _) => self.width.map(of),
            (ParamKind::Array(ty, length), true) => {
                let count = u32::try_from(length.eval(1).ok()?).ok()?;
                // A member's length must not depend on n.
                let same = length.eval(2).ok()? == length.eval(1).ok()?;
                Some((count.checked_mul(ty.bytes())?, ty.bytes())).filter(|_| same)
            }
            (ParamKind::Struct(inner, None), true) => {
                let align = inner.members.iter().filter_map(|member| Some(member.size()?.1)).max().unwrap_or(1);
                Some((inner.bytes?, align))
            }
            (_, true) => None,
            (_, false) => Some((4, 4)),
        }
    }
}

impl fmt::Display for StructSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if needs_the_word(&self.name) {
            f.write_str("struct ")?;
        }
        f.write_str(&self.name)?;
        if self.members.is_empty() && self.bytes.is_none() {
            return Ok(());
        }
        f.write_str(if self.name.is_empty() { "{" } else { " {" })?;
        let (offsets, bytes) = self.natural();
        for (position, (member, natural)) in self.members.iter().zip(offsets).enumerate() {
            write!(f, "{}{}", if position > 0 { ", " } else { " " }, member.param.name)?;
            if let Some(offset) = member.offset.filter(|offset| *offset != natural) {
                write!(f, " at {offset}")?;
            }
            f.write_str(if member.is_inline { ": inline " } else { ": " })?;
            if let Some(width) = member.width {
                write!(f, "{width} = ")?;
            }
            member.param.show(f)?;
        }
        if let Some(own) = self.bytes.filter(|own| Some(*own) != bytes) {
            write!(f, "{} ..{own}", if self.members.is_empty() { "" } else { "," })?;
        }
        f.write_str(" }")
    }
}
