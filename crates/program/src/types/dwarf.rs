//! Types from DWARF. Debug information is untrusted: reading takes time and memory linear in its size, and what cannot be
//! read is left out.

use std::collections::HashMap;

use gimli::{AttributeValue, DW_AT_name, DwAt, DwTag, EndianSlice, LittleEndian, UnitOffset, constants};
use wasmparser::{Parser, Payload};

use super::{Field, FunctionType, Parameter, SourceLanguage, StructType, Type, TypeId, Types, Visibility};
use crate::call::ElemType;

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = gimli::DebuggingInformationEntry<Reader<'a>>;

/// More types than this are not read; a large C++ program has a few hundred thousand.
const MOST_TYPES: usize = 4 << 20;
/// Functions that were not linked are kept up to so many parameters: those that set something up have few.
const LONGEST_UNLINKED: usize = 3;
/// Longer names are cut.
const LONGEST_NAME: usize = 1000;

impl Types {
    /// Reads a module's types. Absent or broken debug information gives none, or some.
    pub fn from_wasm(wasm: &[u8]) -> Types {
        let mut sections: HashMap<&str, &[u8]> = HashMap::new();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload {
                Ok(Payload::CustomSection(section)) if section.name().starts_with(".debug_") => {
                    sections.insert(section.name(), section.data());
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        let load = |id: gimli::SectionId| -> Result<Reader<'_>, std::convert::Infallible> {
            Ok(EndianSlice::new(sections.get(id.name()).copied().unwrap_or_default(), LittleEndian))
        };
        let Ok(dwarf) = gimli::Dwarf::load(load);
        let mut builder = Builder::default();
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            let Ok(unit) = dwarf.unit(header) else { continue };
            // A damaged unit leaves what was read of it.
            let _ = builder.read_unit(&dwarf, &unit);
            if builder.types.len() > MOST_TYPES {
                break;
            }
        }
        builder.finish()
    }
}

/// What the children of an entry belong to.
#[derive(Clone, Copy)]
enum Parent {
    Struct(TypeId),
    Enum(TypeId),
    Array(TypeId),
    Function(usize),
    Nothing,
}

/// A function before what it refers to is put in.
#[derive(Default)]
struct RawFunction {
    name: Option<String>,
    language: SourceLanguage,
    params: Vec<RawParameter>,
    result: Option<TypeId>,
    line: Option<u32>,
    is_external: bool,
    /// Whether it stands in the file that is compiled, and not in what that includes.
    is_of_unit: Option<bool>,
    code: Option<(u64, u64)>,
    /// The declaration or abstract function that has the rest.
    origin: Option<usize>,
}

#[derive(Clone, Default)]
struct RawParameter {
    name: Option<String>,
    ty: Option<TypeId>,
    is_artificial: bool,
    origin: Option<usize>,
}

#[derive(Default)]
struct Builder {
    types: Vec<Type>,
    /// Types by their offset in `.debug_info`.
    ids: HashMap<usize, TypeId>,
    functions: Vec<RawFunction>,
    /// Functions and parameters by their offset.
    function_at: HashMap<usize, usize>,
    parameter_at: HashMap<usize, (usize, usize)>,
}

/// One unit, to read attributes with.
struct Attributes<'u, 'a> {
    dwarf: &'u gimli::Dwarf<Reader<'a>>,
    unit: &'u gimli::Unit<Reader<'a>>,
    start: usize,
}

impl<'a> Attributes<'_, 'a> {
    fn text(&self, entry: &Entry<'a>, name: DwAt) -> Option<String> {
        let text = self.dwarf.attr_string(self.unit, entry.attr_value(name)?).ok()?;
        let bytes = text.slice();
        Some(String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST_NAME)]).into_owned())
    }

    fn number(&self, entry: &Entry<'a>, name: DwAt) -> Option<u64> {
        entry.attr(name)?.udata_value()
    }

    fn flag(&self, entry: &Entry<'a>, name: DwAt) -> bool {
        matches!(entry.attr_value(name), Some(AttributeValue::Flag(true)))
    }

    /// An offset in `.debug_info` that an attribute refers to.
    fn offset(&self, entry: &Entry<'a>, name: DwAt) -> Option<usize> {
        match entry.attr_value(name)? {
            AttributeValue::UnitRef(UnitOffset(offset)) => self.start.checked_add(offset),
            AttributeValue::DebugInfoRef(offset) => Some(offset.0),
            _ => None,
        }
    }

    /// Whether an entry is declared in the file that the unit is named after; by the last part of its name, which is enough to tell a header.
    fn is_in_unit_file(&self, entry: &Entry<'a>) -> Option<bool> {
        let Some(AttributeValue::FileIndex(index)) = entry.attr_value(constants::DW_AT_decl_file) else { return None };
        let file = self.unit.line_program.as_ref()?.header().file(index)?;
        let declared = self.dwarf.attr_string(self.unit, file.path_name()).ok()?;
        let last = |path: Reader<'a>| path.slice().rsplit(|byte| *byte == b'/').next();
        Some(last(declared) == last(self.unit.name?))
    }

    fn code(&self, entry: &Entry<'a>) -> Option<(u64, u64)> {
        let low = self.dwarf.attr_address(self.unit, entry.attr_value(constants::DW_AT_low_pc)?).ok()??;
        let high = match entry.attr_value(constants::DW_AT_high_pc)? {
            AttributeValue::Udata(length) => low.checked_add(length)?,
            other => self.dwarf.attr_address(self.unit, other).ok()??,
        };
        // The linker leaves functions that it dropped at address 0 or at the end of all addresses.
        (low != 0 && low < u64::from(u32::MAX) - 1 && high > low).then_some((low, high))
    }
}

impl Builder {
    /// The id of the type at an offset, which may be read only later.
    fn id(&mut self, offset: usize) -> TypeId {
        let types = &mut self.types;
        *self.ids.entry(offset).or_insert_with(|| {
            types.push(Type::Other("?".to_owned()));
            TypeId(types.len() as u32 - 1)
        })
    }

    fn void(&mut self) -> TypeId {
        // Nothing is at this offset.
        let id = self.id(usize::MAX);
        self.types[id.0 as usize] = Type::Void;
        id
    }

    fn read_unit<'a>(&mut self, dwarf: &gimli::Dwarf<Reader<'a>>, unit: &gimli::Unit<Reader<'a>>) -> gimli::Result<()> {
        let Some(start) = unit.header.debug_info_offset() else { return Ok(()) };
        let of = Attributes { dwarf, unit, start: start.0 };
        let mut parents: Vec<Parent> = Vec::new();
        let mut language = SourceLanguage::C;
        let mut entries = unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let depth = usize::try_from(entry.depth()).unwrap_or(0);
            parents.truncate(depth);
            let parent = parents.last().copied().unwrap_or(Parent::Nothing);
            let this = match entry.tag() {
                constants::DW_TAG_compile_unit => {
                    language = language_of(entry);
                    Parent::Nothing
                }
                constants::DW_TAG_subprogram => self.function(&of, entry, language),
                constants::DW_TAG_formal_parameter => self.parameter(&of, entry, parent),
                constants::DW_TAG_member | constants::DW_TAG_inheritance => self.member(&of, entry, parent),
                constants::DW_TAG_enumerator => {
                    self.enumerator(entry, parent);
                    Parent::Nothing
                }
                constants::DW_TAG_subrange_type => {
                    self.subrange(&of, entry, parent);
                    Parent::Nothing
                }
                tag => self.type_entry(&of, entry, tag, language),
            };
            parents.resize(depth, Parent::Nothing);
            parents.push(this);
            if self.types.len() > MOST_TYPES {
                break;
            }
        }
        Ok(())
    }

    fn type_of<'a>(&mut self, of: &Attributes<'_, 'a>, entry: &Entry<'a>) -> Option<TypeId> {
        of.offset(entry, constants::DW_AT_type).map(|offset| self.id(offset))
    }

    fn function<'a>(&mut self, of: &Attributes<'_, 'a>, entry: &Entry<'a>, language: SourceLanguage) -> Parent {
        let result = self.type_of(of, entry);
        let origin = of
            .offset(entry, constants::DW_AT_specification)
            .or_else(|| of.offset(entry, constants::DW_AT_abstract_origin));
        self.function_at.insert(of.start + entry.offset().0, self.functions.len());
        self.functions.push(RawFunction {
            name: of.text(entry, DW_AT_name),
            language,
            params: Vec::new(),
            result,
            line: of.number(entry, constants::DW_AT_decl_line).and_then(|line| u32::try_from(line).ok()),
            is_external: of.flag(entry, constants::DW_AT_external),
            is_of_unit: of.is_in_unit_file(entry),
            code: of.code(entry),
            origin,
        });
        Parent::Function(self.functions.len() - 1)
    }

    fn parameter<'a>(&mut self, of: &Attributes<'_, 'a>, entry: &Entry<'a>, parent: Parent) -> Parent {
        let Parent::Function(index) = parent else { return Parent::Nothing };
        let parameter = RawParameter {
            name: of.text(entry, DW_AT_name),
            ty: self.type_of(of, entry),
            is_artificial: of.flag(entry, constants::DW_AT_artificial),
            origin: of.offset(entry, constants::DW_AT_abstract_origin),
        };
        let params = &mut self.functions[index].params;
        self.parameter_at.insert(of.start + entry.offset().0, (index, params.len()));
        params.push(parameter);
        Parent::Nothing
    }

    fn member<'a>(&mut self, of: &Attributes<'_, 'a>, entry: &Entry<'a>, parent: Parent) -> Parent {
        let (Parent::Struct(id), Some(ty)) = (parent, self.type_of(of, entry)) else { return Parent::Nothing };
        let is_static = of.flag(entry, constants::DW_AT_external) || of.flag(entry, constants::DW_AT_declaration);
        if let Type::Struct(found) = &mut self.types[id.0 as usize]
            && !is_static
        {
            found.fields.push(Field {
                name: of.text(entry, DW_AT_name).unwrap_or_default(),
                offset: of.number(entry, constants::DW_AT_data_member_location).unwrap_or(0),
                ty,
                is_bits: entry.has_attr(constants::DW_AT_bit_size),
            });
        }
        Parent::Nothing
    }

    fn enumerator(&mut self, entry: &Entry<'_>, parent: Parent) {
        let Parent::Enum(id) = parent else { return };
        let value = entry.attr(constants::DW_AT_const_value).and_then(|value| {
            value.sdata_value().or_else(|| value.udata_value().and_then(|value| i64::try_from(value).ok()))
        });
        if let (Type::Enum { range, .. }, Some(value)) = (&mut self.types[id.0 as usize], value) {
            let (low, high) = range.unwrap_or((value, value));
            *range = Some((low.min(value), high.max(value)));
        }
    }

    fn subrange<'a>(&mut self, of: &Attributes<'_, 'a>, entry: &Entry<'a>, parent: Parent) {
        let Parent::Array(id) = parent else { return };
        let counted = of.number(entry, constants::DW_AT_count);
        let length =
            counted.or_else(|| of.number(entry, constants::DW_AT_upper_bound).and_then(|last| last.checked_add(1)));
        if let Type::Array { count, .. } = &mut self.types[id.0 as usize] {
            // Several dimensions lie one behind the other.
            *count = match (*count, length) {
                (None, length) => length,
                (Some(count), Some(length)) => count.checked_mul(length),
                (Some(_), None) => None,
            };
        }
    }

    fn type_entry<'a>(
        &mut self,
        of: &Attributes<'_, 'a>,
        entry: &Entry<'a>,
        tag: DwTag,
        language: SourceLanguage,
    ) -> Parent {
        let name = || of.text(entry, DW_AT_name).unwrap_or_default();
        let bytes = || of.number(entry, constants::DW_AT_byte_size).unwrap_or(0);
        let offset = of.start + entry.offset().0;
        let target = |builder: &mut Builder| builder.type_of(of, entry).unwrap_or_else(|| builder.void());
        let (ty, parent): (Type, fn(TypeId) -> Parent) = match tag {
            constants::DW_TAG_base_type => (base_type(entry, name(), bytes()), |_| Parent::Nothing),
            constants::DW_TAG_pointer_type => {
                let name = if language == SourceLanguage::Rust { name() } else { String::new() };
                // rustc names its pointer types: `&u32`, `&mut u32`, `*const u32`.
                (Type::Pointer { to: target(self), reference: name.starts_with('&'), name }, |_| Parent::Nothing)
            }
            constants::DW_TAG_reference_type | constants::DW_TAG_rvalue_reference_type => {
                (Type::Pointer { to: target(self), reference: true, name: String::new() }, |_| Parent::Nothing)
            }
            constants::DW_TAG_const_type => (Type::Const(target(self)), |_| Parent::Nothing),
            constants::DW_TAG_volatile_type | constants::DW_TAG_restrict_type | constants::DW_TAG_atomic_type => {
                (Type::Alias { name: String::new(), to: target(self) }, |_| Parent::Nothing)
            }
            constants::DW_TAG_typedef => (Type::Alias { name: name(), to: target(self) }, |_| Parent::Nothing),
            constants::DW_TAG_structure_type | constants::DW_TAG_class_type => {
                let is_declaration = of.flag(entry, constants::DW_AT_declaration);
                let found = StructType { name: name(), bytes: bytes(), fields: Vec::new(), is_declaration };
                (Type::Struct(found), Parent::Struct)
            }
            constants::DW_TAG_enumeration_type => match integer(bytes(), false) {
                Some(unsigned) => {
                    let signed = self
                        .type_of(of, entry)
                        .and_then(|id| self.types.get(id.0 as usize))
                        .is_some_and(|ty| matches!(ty, Type::Number { elem, .. } if elem.is_signed()));
                    let elem = integer(bytes(), signed).unwrap_or(unsigned);
                    (Type::Enum { name: name(), elem, range: None }, Parent::Enum)
                }
                None => (Type::Other(name()), |_| Parent::Nothing),
            },
            constants::DW_TAG_array_type => (Type::Array { of: target(self), count: None }, Parent::Array),
            constants::DW_TAG_subroutine_type => (Type::Function, |_| Parent::Nothing),
            constants::DW_TAG_union_type
            | constants::DW_TAG_unspecified_type
            | constants::DW_TAG_ptr_to_member_type => (Type::Other(name()), |_| Parent::Nothing),
            _ => return Parent::Nothing,
        };
        let id = self.id(offset);
        self.types[id.0 as usize] = ty;
        parent(id)
    }

    fn finish(mut self) -> Types {
        let void = self.void();
        let described = |index: usize| {
            let (raw, void) = (&self.functions[index], void);
            raw.code.map(|code| self.whole_function(raw, void, code))
        };
        let mut functions: Vec<FunctionType> = (0..self.functions.len()).filter_map(described).collect();
        let unlinked = |raw: &&RawFunction| {
            let is_short = (1..=LONGEST_UNLINKED).contains(&raw.params.len());
            raw.code.is_none() && raw.name.is_some() && raw.language == SourceLanguage::C && is_short
        };
        let unlinked: Vec<FunctionType> =
            self.functions.iter().filter(unlinked).map(|raw| self.whole_function(raw, void, (0, 0))).collect();
        functions.sort_by_key(|function| function.code);
        // The same function may be described by several units.
        functions.dedup_by_key(|function| function.code.0);
        let mut structs = HashMap::new();
        for (index, ty) in self.types.iter().enumerate() {
            let name = match ty {
                Type::Struct(found) if !found.is_declaration => &found.name,
                Type::Alias { name, to } if matches!(self.types.get(to.0 as usize), Some(Type::Struct(found)) if !found.is_declaration) => {
                    name
                }
                _ => continue,
            };
            if !name.is_empty() {
                structs.entry(name.clone()).or_insert(TypeId(index as u32));
            }
        }
        Types { types: self.types, functions, unlinked, structs }
    }

    /// A function with what its declaration says put in.
    fn whole_function(&self, raw: &RawFunction, void: TypeId, code: (u64, u64)) -> FunctionType {
        // An abstract instance may have a declaration in turn.
        let parent =
            |raw: &RawFunction| raw.origin.and_then(|at| self.function_at.get(&at)).map(|at| &self.functions[*at]);
        let (first, second) = (parent(raw), parent(raw).and_then(parent));
        let chain = || [Some(raw), first, second].into_iter().flatten();
        let params = chain().map(|raw| &raw.params).find(|params| !params.is_empty());
        let params = params.into_iter().flatten().map(|param| {
            let origin = param.origin.and_then(|at| self.parameter_at.get(&at));
            let origin = origin.and_then(|(function, at)| self.functions[*function].params.get(*at));
            Parameter {
                name: param.name.clone().or_else(|| origin?.name.clone()).unwrap_or_default(),
                ty: param.ty.or_else(|| origin?.ty).unwrap_or(void),
                is_artificial: param.is_artificial || origin.is_some_and(|origin| origin.is_artificial),
            }
        });
        FunctionType {
            name: chain().find_map(|raw| raw.name.clone()).unwrap_or_default(),
            language: raw.language,
            visibility: match chain().find_map(|raw| raw.is_of_unit) {
                _ if chain().any(|raw| raw.is_external) => Visibility::Everyone,
                Some(false) => Visibility::Header,
                _ => Visibility::File,
            },
            params: params.collect(),
            result: chain().find_map(|raw| raw.result).unwrap_or(void),
            line: chain().find_map(|raw| raw.line),
            code,
        }
    }
}

fn language_of(entry: &Entry<'_>) -> SourceLanguage {
    match entry.attr_value(constants::DW_AT_language) {
        Some(AttributeValue::Language(constants::DW_LANG_Rust)) => SourceLanguage::Rust,
        Some(AttributeValue::Language(
            constants::DW_LANG_C_plus_plus
            | constants::DW_LANG_C_plus_plus_03
            | constants::DW_LANG_C_plus_plus_11
            | constants::DW_LANG_C_plus_plus_14
            | constants::DW_LANG_C_plus_plus_17
            | constants::DW_LANG_C_plus_plus_20,
        )) => SourceLanguage::Cpp,
        _ => SourceLanguage::C,
    }
}

fn integer(bytes: u64, signed: bool) -> Option<ElemType> {
    Some(match (bytes, signed) {
        (1, false) => ElemType::U8,
        (1, true) => ElemType::I8,
        (2, false) => ElemType::U16,
        (2, true) => ElemType::I16,
        (4, false) => ElemType::U32,
        (4, true) => ElemType::I32,
        (8, false) => ElemType::U64,
        (8, true) => ElemType::I64,
        _ => return None,
    })
}

fn base_type(entry: &Entry<'_>, name: String, bytes: u64) -> Type {
    let Some(AttributeValue::Encoding(encoding)) = entry.attr_value(constants::DW_AT_encoding) else {
        // rustc's unit type has no encoding.
        return Type::Other(name);
    };
    let (elem, character) = match (encoding, bytes) {
        (constants::DW_ATE_boolean, 1) => (Some(ElemType::Bool), false),
        (constants::DW_ATE_signed_char, 1) => {
            (Some(if name == "char" { ElemType::Char } else { ElemType::I8 }), name == "char")
        }
        (constants::DW_ATE_unsigned_char, 1) => (Some(ElemType::U8), name.ends_with("char")),
        (constants::DW_ATE_float, 4) => (Some(ElemType::F32), false),
        (constants::DW_ATE_float, 8) => (Some(ElemType::F64), false),
        (constants::DW_ATE_signed, bytes) => (integer(bytes, true), false),
        (constants::DW_ATE_unsigned | constants::DW_ATE_UTF, bytes) => (integer(bytes, false), false),
        _ => (None, false),
    };
    match elem {
        Some(elem) => Type::Number { name, elem, character },
        None => Type::Other(name),
    }
}
