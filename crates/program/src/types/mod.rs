//! The types a program's author gave to functions and their parameters, from the debug information.
//!
//! `dwarf` reads them, `lower` says which WebAssembly parameters a source parameter became, `text` writes them as the author did.

mod dwarf;
mod lower;
mod text;

use std::collections::HashMap;

use crate::call::ElemType;

pub use lower::{Part, Slot};

/// A type, by its place in `Types`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeId(u32);

/// One type. Modifiers and names are types of their own, as in DWARF; `Types::plain` looks through them.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    Void,
    /// Whole numbers, characters, truth values, floats.
    Number {
        name: String,
        elem: ElemType,
        /// Characters are shown and guessed as text.
        character: bool,
    },
    Enum {
        name: String,
        elem: ElemType,
        /// Least and greatest value that has a name.
        range: Option<(i64, i64)>,
    },
    Pointer {
        to: TypeId,
        /// A reference of C++ or Rust.
        reference: bool,
        /// As rustc names it, `&mut u32`; empty in C and C++.
        name: String,
    },
    Const(TypeId),
    /// A name for another type.
    Alias {
        name: String,
        to: TypeId,
    },
    Struct(StructType),
    Array {
        of: TypeId,
        count: Option<u64>,
    },
    Function,
    /// Known by name at most: unions, vectors, 128-bit numbers.
    Other(String),
}

/// A struct or class.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StructType {
    pub name: String,
    pub bytes: u64,
    pub fields: Vec<Field>,
    /// Whether only its name is known here.
    pub is_declaration: bool,
}

/// A member of a struct.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub name: String,
    pub offset: u64,
    pub ty: TypeId,
    /// A bit-field, which shares its bytes with others.
    pub is_bits: bool,
}

/// The language a function is written in, as far as its calling convention depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SourceLanguage {
    #[default]
    C,
    Cpp,
    Rust,
}

/// Who can see a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    #[default]
    Everyone,
    /// `static`, or in a namespace without a name, in the file that is compiled.
    File,
    /// The same, in something that the file includes.
    Header,
}

/// A function as its author declared it.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionType {
    pub name: String,
    pub language: SourceLanguage,
    pub visibility: Visibility,
    pub params: Vec<Parameter>,
    pub result: TypeId,
    /// The file and line of its declaration, where known.
    pub line: Option<u32>,
    /// Offsets into the code section's contents, from the first up to but without the second.
    code: (u64, u64),
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Empty where the author gave none.
    pub name: String,
    pub ty: TypeId,
    /// Made by the compiler, as C++'s `this`.
    pub is_artificial: bool,
}

/// All types of a program; empty where there is no debug information.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    /// Sorted by where their code begins.
    functions: Vec<FunctionType>,
    /// Functions of C that the linker left out, those with few parameters.
    unlinked: Vec<FunctionType>,
    structs: HashMap<String, TypeId>,
}

/// Looking through more names and modifiers than this is given up: debug information may go in circles.
const DEEPEST: usize = 64;

impl Types {
    /// The function whose code holds this offset into the code section's contents.
    pub fn function_at(&self, code_offset: u32) -> Option<&FunctionType> {
        let at = u64::from(code_offset);
        let after = self.functions.partition_point(|function| function.code.0 <= at);
        let function = self.functions.get(after.checked_sub(1)?)?;
        (at < function.code.1).then_some(function)
    }

    /// Every function that has code.
    pub fn functions(&self) -> &[FunctionType] {
        &self.functions
    }

    /// Functions of C that the sources have: those with code, and those with few parameters that the linker left out.
    pub fn all_functions(&self) -> impl Iterator<Item = &FunctionType> {
        self.functions.iter().chain(&self.unlinked)
    }

    /// A type as it is.
    pub fn get(&self, id: TypeId) -> &Type {
        self.types.get(id.0 as usize).unwrap_or(&Type::Void)
    }

    /// A type without its names and modifiers.
    pub fn plain(&self, id: TypeId) -> &Type {
        self.get(self.plain_id(id))
    }

    fn plain_id(&self, id: TypeId) -> TypeId {
        let mut id = id;
        for _ in 0..DEEPEST {
            match self.get(id) {
                Type::Const(to) | Type::Alias { to, .. } => id = *to,
                _ => return id,
            }
        }
        id
    }

    /// Whether it cannot be written to.
    pub fn is_const(&self, id: TypeId) -> bool {
        let mut id = id;
        for _ in 0..DEEPEST {
            match self.get(id) {
                Type::Const(_) => return true,
                Type::Alias { to, .. } => id = *to,
                _ => return false,
            }
        }
        false
    }

    /// What a pointer points to.
    pub fn target(&self, id: TypeId) -> Option<TypeId> {
        match self.plain(id) {
            Type::Pointer { to, .. } => Some(*to),
            _ => None,
        }
    }

    /// The struct of this name, complete if there is a complete one. Names of aliases count.
    pub fn struct_named(&self, name: &str) -> Option<&StructType> {
        match self.plain(*self.structs.get(name)?) {
            Type::Struct(found) => Some(found),
            _ => None,
        }
    }

    /// What a struct is called: by its own name, or else by the alias it is used under.
    pub fn struct_name(&self, id: TypeId) -> String {
        let mut id = id;
        let mut alias = String::new();
        for _ in 0..DEEPEST {
            match self.get(id) {
                Type::Const(to) => id = *to,
                Type::Alias { name, to } => {
                    alias = name.clone();
                    id = *to;
                }
                Type::Struct(found) if !found.name.is_empty() => return found.name.clone(),
                _ => return alias,
            }
        }
        alias
    }

    /// The names of all complete structs, sorted.
    pub fn struct_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.structs.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// How many bytes a value takes.
    pub fn bytes(&self, id: TypeId) -> Option<u64> {
        self.bytes_within(id, DEEPEST)
    }

    fn bytes_within(&self, id: TypeId, depth: usize) -> Option<u64> {
        match self.plain(id) {
            Type::Number { elem, .. } | Type::Enum { elem, .. } => Some(u64::from(elem.bytes())),
            Type::Pointer { .. } => Some(4),
            Type::Struct(found) if !found.is_declaration => Some(found.bytes),
            Type::Array { of, count } => self.bytes_within(*of, depth.checked_sub(1)?)?.checked_mul((*count)?),
            _ => None,
        }
    }

    /// The element type of a number or enum.
    pub fn elem(&self, id: TypeId) -> Option<ElemType> {
        match self.plain(id) {
            Type::Number { elem, .. } | Type::Enum { elem, .. } => Some(*elem),
            _ => None,
        }
    }

    /// Whether it is a character: text, where there are several.
    pub fn is_character(&self, id: TypeId) -> bool {
        matches!(self.plain(id), Type::Number { character: true, .. })
    }
}
