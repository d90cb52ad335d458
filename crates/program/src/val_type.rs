//! Types of values, as we have them and as `wasmparser` reads them.

use crate::error::LoadError;

/// The types of values the machine handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValType {
    I32,
    I64,
    F32,
    F64,
    FuncRef,
    ExternRef,
    /// A vector is two values: its low 64 bits, and right after them its high ones.
    V128Low,
    V128High,
}

impl ValType {
    /// Width in bits as a term; references are never symbolic.
    pub fn width(self) -> u8 {
        match self {
            ValType::I32 | ValType::F32 => 32,
            _ => 64,
        }
    }

    /// Whether this is a reference type.
    pub fn is_ref(self) -> bool {
        matches!(self, ValType::FuncRef | ValType::ExternRef)
    }
}

impl std::fmt::Display for ValType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            ValType::I32 => "i32",
            ValType::I64 => "i64",
            ValType::F32 => "f32",
            ValType::F64 => "f64",
            ValType::FuncRef => "funcref",
            ValType::ExternRef => "externref",
            ValType::V128Low => "v128 (low half)",
            ValType::V128High => "v128 (high half)",
        })
    }
}

/// A vector becomes two.
pub(crate) fn val_types(types: &[wasmparser::ValType]) -> Result<Vec<ValType>, LoadError> {
    let mut out = Vec::with_capacity(types.len());
    for ty in types {
        let ty = val_type(*ty)?;
        out.push(ty);
        out.extend(second_half(ty));
    }
    Ok(out)
}

/// The type of the value that follows one of this type, where the two belong together.
pub(crate) fn second_half(ty: ValType) -> Option<ValType> {
    (ty == ValType::V128Low).then_some(ValType::V128High)
}

/// Of a vector, the type of its first half.
pub(crate) fn val_type(ty: wasmparser::ValType) -> Result<ValType, LoadError> {
    Ok(match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => ValType::V128Low,
        wasmparser::ValType::Ref(r) => ref_type(r)?,
    })
}

pub(crate) fn ref_type(r: wasmparser::RefType) -> Result<ValType, LoadError> {
    if r.is_func_ref() {
        Ok(ValType::FuncRef)
    } else if r.is_extern_ref() {
        Ok(ValType::ExternRef)
    } else {
        Err(LoadError::Unsupported("typed function references"))
    }
}
