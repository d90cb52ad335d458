//! Which WebAssembly parameters the parameters of a function became.

use super::{FunctionType, SourceLanguage, StructType, Type, TypeId, Types};
use crate::module::FuncType;
use crate::val_type::ValType;

/// What of a source parameter a WebAssembly parameter holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it, or a pointer to a struct that is passed by value.
    Whole,
    /// The pointer of a Rust slice or `str`.
    SlicePointer,
    /// Its length.
    SliceLength,
    /// Where the function writes its result.
    Result,
}

/// A WebAssembly parameter, and the source parameter behind it.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    pub name: String,
    pub ty: TypeId,
    pub part: Part,
    pub is_artificial: bool,
}

impl Types {
    /// The WebAssembly parameters of a function one by one. None where they do not go together, as after optimisations that
    /// remove parameters.
    pub fn slots(&self, function: &FunctionType, compiled: &FuncType) -> Option<Vec<Slot>> {
        let mut slots = Vec::new();
        for param in &function.params {
            let slot = |part| Slot { name: param.name.clone(), ty: param.ty, part, is_artificial: param.is_artificial };
            match self.plain(param.ty) {
                Type::Struct(found) if function.language == SourceLanguage::Rust => {
                    if self.slice_element(param.ty).is_some() {
                        slots.extend([slot(Part::SlicePointer), slot(Part::SliceLength)]);
                    } else if found.bytes > 0 {
                        slots.push(slot(Part::Whole));
                    }
                }
                Type::Void | Type::Function => return None,
                _ => slots.push(slot(Part::Whole)),
            }
        }
        let by_pointer = compiled.results.is_empty() && slots.len() + 1 == compiled.params.len();
        if by_pointer && matches!(self.plain(function.result), Type::Struct(_) | Type::Other(_)) {
            let name = "result".to_owned();
            slots.insert(0, Slot { name, ty: function.result, part: Part::Result, is_artificial: true });
        }
        let fits = slots.len() == compiled.params.len()
            && slots.iter().zip(&compiled.params).all(|(slot, actual)| self.fits(slot, *actual));
        fits.then_some(slots)
    }

    fn fits(&self, slot: &Slot, actual: ValType) -> bool {
        match (slot.part, self.plain(slot.ty)) {
            (Part::Whole, Type::Number { elem, .. } | Type::Enum { elem, .. }) => elem.val_type() == actual,
            // A struct with one member is passed as that member.
            (Part::Whole, Type::Struct(_) | Type::Other(_)) => true,
            _ => actual == ValType::I32,
        }
    }

    /// The element type of a Rust slice or `str`, given as the reference to it.
    pub fn slice_element(&self, id: TypeId) -> Option<TypeId> {
        let Type::Struct(StructType { name, fields, .. }) = self.plain(id) else { return None };
        if !(name.starts_with("&[") || name.starts_with("&mut [") || self.is_str(id)) {
            return None;
        }
        let data = fields.iter().find(|field| field.name == "data_ptr")?;
        self.target(data.ty)
    }

    /// Whether it is `&str` or `&mut str`.
    pub fn is_str(&self, id: TypeId) -> bool {
        matches!(self.plain(id), Type::Struct(found) if found.name == "&str" || found.name == "&mut str")
    }
}
