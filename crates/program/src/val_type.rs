//! Types of values, as `wasmparser` reads them and as we have them.

use crate::error::LoadError;
use crate::module::ValType;

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
