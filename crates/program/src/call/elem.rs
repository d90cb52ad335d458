//! The types an input can have.

use std::fmt;
use std::str::FromStr;

use crate::val_type::ValType;

/// More inputs than this at one size are refused.
pub const MOST_ELEMENTS: i128 = 64 << 20;

/// The type of one input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElemType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    /// A byte that is 0 or 1.
    Bool,
    /// A byte, signed, as C's `char` is on wasm32.
    Char,
}

impl ElemType {
    pub const ALL: [ElemType; 12] = [
        ElemType::I8,
        ElemType::U8,
        ElemType::I16,
        ElemType::U16,
        ElemType::I32,
        ElemType::U32,
        ElemType::I64,
        ElemType::U64,
        ElemType::F32,
        ElemType::F64,
        ElemType::Bool,
        ElemType::Char,
    ];

    /// How it is written in a signature.
    pub fn name(self) -> &'static str {
        match self {
            ElemType::I8 => "i8",
            ElemType::U8 => "u8",
            ElemType::I16 => "i16",
            ElemType::U16 => "u16",
            ElemType::I32 => "i32",
            ElemType::U32 => "u32",
            ElemType::I64 => "i64",
            ElemType::U64 => "u64",
            ElemType::F32 => "f32",
            ElemType::F64 => "f64",
            ElemType::Bool => "bool",
            ElemType::Char => "char",
        }
    }

    /// Size in memory.
    pub fn bytes(self) -> u32 {
        match self {
            ElemType::I8 | ElemType::U8 | ElemType::Bool | ElemType::Char => 1,
            ElemType::I16 | ElemType::U16 => 2,
            ElemType::I32 | ElemType::U32 | ElemType::F32 => 4,
            ElemType::I64 | ElemType::U64 | ElemType::F64 => 8,
        }
    }

    /// Size in memory, in bits.
    pub fn bits(self) -> u8 {
        (self.bytes() * 8) as u8
    }

    /// A mask of its bits.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Whether its bits are read as a signed number.
    pub fn is_signed(self) -> bool {
        matches!(self, ElemType::I8 | ElemType::I16 | ElemType::I32 | ElemType::I64 | ElemType::Char)
    }

    pub fn is_float(self) -> bool {
        matches!(self, ElemType::F32 | ElemType::F64)
    }

    /// The least and greatest integer: for floats, up to where every integer is exact.
    pub fn bounds(self) -> (i128, i128) {
        match self {
            ElemType::Bool => (0, 1),
            ElemType::F32 => (-(1 << 24), 1 << 24),
            ElemType::F64 => (-(1 << 53), 1 << 53),
            _ if self.is_signed() => (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1),
            _ => (0, i128::from(self.mask())),
        }
    }

    /// The type of a parameter that takes it by value.
    pub fn val_type(self) -> ValType {
        match self {
            ElemType::I64 | ElemType::U64 => ValType::I64,
            ElemType::F32 => ValType::F32,
            ElemType::F64 => ValType::F64,
            _ => ValType::I32,
        }
    }

    /// The bits of an element as the bits of a parameter: signed types are sign-extended to 32 bits, others zero-extended.
    pub fn extend(self, bits: u64) -> u64 {
        let bits = bits & self.mask();
        match self {
            ElemType::I8 | ElemType::Char => u64::from(bits as u8 as i8 as i32 as u32),
            ElemType::I16 => u64::from(bits as u16 as i16 as i32 as u32),
            ElemType::Bool => bits & 1,
            _ => bits,
        }
    }

    /// The integer these bits stand for; for floats, the integer with the same bits.
    pub fn integer(self, bits: u64) -> i128 {
        let bits = bits & self.mask();
        if self.is_signed() {
            let unused = 64 - u32::from(self.bits());
            i128::from((bits << unused) as i64 >> unused)
        } else {
            i128::from(bits)
        }
    }
}

impl fmt::Display for ElemType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a type: types are i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 bool char")]
pub struct NotAType;

impl FromStr for ElemType {
    type Err = NotAType;

    fn from_str(text: &str) -> Result<ElemType, NotAType> {
        ElemType::ALL.into_iter().find(|ty| ty.name() == text).ok_or(NotAType)
    }
}

#[cfg(test)]
mod tests {
    use super::ElemType;

    #[test]
    fn every_type_is_read_back_from_its_name() {
        for ty in ElemType::ALL {
            assert_eq!(ty.name().parse(), Ok(ty));
        }
        assert!("int".parse::<ElemType>().is_err());
    }

    #[test]
    fn narrow_signed_types_are_sign_extended_to_32_bits() {
        assert_eq!(ElemType::I8.extend(0xff), 0xffff_ffff);
        assert_eq!(ElemType::Char.extend(0x80), 0xffff_ff80);
        assert_eq!(ElemType::U8.extend(0xff), 0xff);
        assert_eq!(ElemType::I16.extend(0x8000), 0xffff_8000);
        assert_eq!(ElemType::I64.extend(u64::MAX), u64::MAX);
    }

    #[test]
    fn bounds_are_those_of_the_type() {
        assert_eq!(ElemType::I8.bounds(), (-128, 127));
        assert_eq!(ElemType::U64.bounds(), (0, i128::from(u64::MAX)));
        assert_eq!(ElemType::I64.bounds(), (i128::from(i64::MIN), i128::from(i64::MAX)));
        assert_eq!(ElemType::I64.integer(u64::MAX), -1);
        assert_eq!(ElemType::U8.integer(0xff), 255);
    }
}
