//! Types of values, as `wasmparser` reads them and as we have them.

use crate::error::LoadError;
use crate::module::ValType;

pub(crate) fn val_types(types: &[wasmparser::ValType]) -> Result<Vec<ValType>, LoadError> {
    types.iter().map(|t| val_type(*t)).collect()
}

pub(crate) fn val_type(ty: wasmparser::ValType) -> Result<ValType, LoadError> {
    Ok(match ty {
        wasmparser::ValType::I32 => ValType::I32,
        wasmparser::ValType::I64 => ValType::I64,
        wasmparser::ValType::F32 => ValType::F32,
        wasmparser::ValType::F64 => ValType::F64,
        wasmparser::ValType::V128 => return Err(LoadError::Unsupported("SIMD (vector instructions)")),
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
