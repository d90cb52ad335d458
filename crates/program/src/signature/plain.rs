//! Structs that can be made without their own functions.

use crate::types::{SourceLanguage, StructType, Type, TypeId, Types};

/// How deep members are looked at.
const DEEPEST: usize = 8;

/// Whether any values of its members make a valid struct, so that it can be made without its own functions.
pub(super) fn is_plain(types: &Types, found: &StructType, language: SourceLanguage) -> bool {
    let is_library = found.name.contains('<') || found.name == "String";
    !is_library && found.fields.iter().all(|field| is_plain_type(types, field.ty, language, DEEPEST))
}

fn is_plain_type(types: &Types, id: TypeId, language: SourceLanguage, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match types.plain(id) {
        Type::Number { .. } => true,
        Type::Enum { .. } | Type::Pointer { .. } => language != SourceLanguage::Rust,
        Type::Array { of, .. } => is_plain_type(types, *of, language, depth),
        Type::Struct(inner) => {
            !inner.name.contains('<')
                && inner.fields.iter().all(|field| is_plain_type(types, field.ty, language, depth))
        }
        _ => false,
    }
}

impl StructType {
    /// The name without the arguments of templates.
    pub(super) fn short_name(&self) -> &str {
        self.name.split('<').next().unwrap_or_default()
    }
}
