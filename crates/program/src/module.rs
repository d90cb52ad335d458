//! The static description of a module: types, functions, memories, tables, segments.

use std::sync::OnceLock;

use crate::code::Instr;
use crate::dense::{self, Dense};
use crate::heap::AllocatorDoor;
use crate::ids::{FuncIdx, GlobalIdx, SiteId, TypeIdx};
use crate::names::Names;
use crate::sites::{LoopInfo, Site};
use crate::source_map::SourceMap;
use crate::val_type::ValType;
use crate::world::World;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct FuncType {
    pub params: Vec<ValType>,
    pub results: Vec<ValType>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub min: u32,
    pub max: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Import {
    pub module: String,
    pub name: String,
    pub kind: ImportKind,
}

#[derive(Clone, Debug)]
pub enum ImportKind {
    Func(TypeIdx),
    Table(Table),
    Memory(Limits),
    Global { ty: ValType, mutable: bool },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternKind {
    Func,
    Table,
    Memory,
    Global,
}

#[derive(Clone, Debug)]
pub struct Export {
    pub name: String,
    pub kind: ExternKind,
    pub index: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub ty: ValType,
    pub limits: Limits,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub ty: ValType,
    pub mutable: bool,
    /// None for an imported global.
    pub init: Option<ConstExpr>,
}

/// A constant expression, as a postfix list (extended constants included).
#[derive(Clone, Debug, PartialEq)]
pub struct ConstExpr(pub Vec<ConstOp>);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstOp {
    Value(u64),
    GlobalGet(GlobalIdx),
    RefFunc(FuncIdx),
    RefNull,
    Add32,
    Sub32,
    Mul32,
    Add64,
    Sub64,
    Mul64,
}

#[derive(Clone, Debug)]
pub enum Segment {
    Passive,
    /// Kept only for `ref.func` declarations.
    Declared,
    Active {
        index: u32,
        offset: ConstExpr,
    },
}

#[derive(Clone, Debug)]
pub struct ElementSegment {
    pub ty: ValType,
    pub items: Vec<ConstExpr>,
    pub mode: Segment,
}

#[derive(Clone, Debug)]
pub struct DataSegment {
    pub bytes: Vec<u8>,
    pub mode: Segment,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub ty: TypeIdx,
    /// None for an imported function.
    pub body: Option<FuncBody>,
}

/// A function's flat code.
#[derive(Clone, Debug, Default)]
pub struct FuncBody {
    pub code: Vec<Instr>,
    /// For each instruction, where it came from: offset in the code section's contents.
    pub offset_at: Vec<u32>,
    /// For each instruction, its site, or `NO_SITE`; `INVERTED` is set where a branch jumps when the condition of the original is false.
    pub site_at: Vec<u32>,
    /// Parameters and declared locals.
    pub locals: u32,
    pub params: u32,
    pub results: u32,
    /// Registers a frame needs, locals included.
    pub frame: u32,
    /// Targets of `br_table` instructions.
    pub targets: Vec<u32>,
    /// The whole numbers that the function names, in order.
    pub constants: Vec<i64>,
    pub(crate) dense: OnceLock<Box<[Dense]>>,
}

/// In `site_at`: the instruction is no site.
pub const NO_SITE: u32 = u32::MAX >> 1;
/// In `site_at`: a flag beside the site, see there.
pub const INVERTED: u32 = 1 << 31;

impl FuncBody {
    /// The site of the instruction at `pc`, and whether its jump means that the original condition is false.
    pub fn site(&self, pc: u32) -> (SiteId, bool) {
        let entry = self.site_at[pc as usize];
        (SiteId(entry & !INVERTED), entry & INVERTED != 0)
    }

    /// The code once more, for stretches of plain numbers; made when it is first asked for.
    #[inline]
    pub fn dense(&self) -> &[Dense] {
        self.dense.get_or_init(|| dense::make(&self.code, self.frame))
    }
}

/// A validated, translated module.
#[derive(Debug)]
pub struct Program {
    pub types: Vec<FuncType>,
    pub imports: Vec<Import>,
    pub funcs: Vec<Function>,
    pub imported_funcs: u32,
    pub tables: Vec<Table>,
    pub imported_tables: u32,
    pub memories: Vec<Limits>,
    pub imported_memories: u32,
    /// A global of vector type is two.
    pub globals: Vec<Global>,
    /// For each global of the module, where it is in `globals`.
    pub(crate) global_at: Vec<u32>,
    pub imported_globals: u32,
    pub exports: Vec<Export>,
    pub elements: Vec<ElementSegment>,
    pub data: Vec<DataSegment>,
    pub start: Option<FuncIdx>,
    pub sites: Vec<Site>,
    pub loops: Vec<LoopInfo>,
    pub names: Names,
    pub source: SourceMap,
    /// How many probe counters the code has (see `Probes`).
    pub probes: u32,
    pub(crate) doors: Vec<(FuncIdx, AllocatorDoor)>,
    /// What the program finds around it. Nothing, unless somebody says so after loading.
    pub world: World,
}

impl Program {
    /// The type of a function.
    pub fn func_type(&self, func: FuncIdx) -> &FuncType {
        &self.types[self.funcs[func.index()].ty.index()]
    }

    /// What an imported function gives; nothing if there is none of that name.
    pub fn import_results(&self, module: &str, name: &str) -> Vec<ValType> {
        let found = self.imports.iter().find(|import| import.module == module && import.name == name);
        match found.map(|import| &import.kind) {
            Some(ImportKind::Func(ty)) => self.types[ty.index()].results.clone(),
            _ => Vec::new(),
        }
    }

    /// What is exported under `name`.
    pub fn export(&self, name: &str) -> Option<&Export> {
        self.exports.iter().find(|e| e.name == name)
    }

    /// A function by export name, or else by its name in the name section (plain or demangled).
    pub fn find_function(&self, name: &str) -> Option<FuncIdx> {
        // clang has a name of its own for a main without parameters, beside a main that passes none on.
        if name == "main"
            && let Some(found) = ["__original_main", "__main_void"].iter().find_map(|main| self.find_function(main))
        {
            return Some(found);
        }
        if let Some(e) = self.export(name).filter(|e| e.kind == ExternKind::Func) {
            return Some(FuncIdx(e.index));
        }
        if let Some(found) = (0..self.funcs.len() as u32).find(|&i| self.names.is(i, name)) {
            return Some(FuncIdx(found));
        }
        // Half a name will do where it means one function only, or one of those that the program's author wrote.
        let only = |mut similar: Box<dyn Iterator<Item = u32> + '_>| {
            let first = similar.next()?;
            similar.all(|other| other == first).then_some(FuncIdx(first))
        };
        let is_part = |i: &u32| *i >= self.imported_funcs && self.names.is_part(*i, name);
        let exported = self.exports.iter().filter(|export| export.kind == ExternKind::Func).map(|export| export.index);
        only(Box::new((0..self.funcs.len() as u32).filter(is_part)))
            .or_else(|| only(Box::new(exported.filter(is_part))))
    }

    /// Where in the first table a function is: its address.
    pub fn table_index(&self, wanted: FuncIdx) -> Option<u32> {
        self.elements.iter().find_map(|segment| {
            let Segment::Active { index: 0, offset } = &segment.mode else { return None };
            let [ConstOp::Value(first)] = offset.0.as_slice() else { return None };
            let at = segment.items.iter().position(|item| item.0.as_slice() == [ConstOp::RefFunc(wanted)])?;
            u32::try_from(first + at as u64).ok()
        })
    }

    /// A reactor's `_initialize`, to be run before anything else.
    pub fn initialiser(&self) -> Option<FuncIdx> {
        let export = self.export("_initialize").filter(|e| e.kind == ExternKind::Func)?;
        let func = FuncIdx(export.index);
        (*self.func_type(func) == FuncType::default()).then_some(func)
    }

    /// The module's own `malloc`, by export or else by name: see `names::allocator`, which does the same on bytes.
    pub fn allocator(&self) -> Option<FuncIdx> {
        let wanted = FuncType { params: vec![ValType::I32], results: vec![ValType::I32] };
        let fits = |f: &FuncIdx| f.0 >= self.imported_funcs && *self.func_type(*f) == wanted;
        let exported = self.export("malloc").filter(|e| e.kind == ExternKind::Func).map(|e| FuncIdx(e.index));
        exported.filter(fits).or_else(|| {
            (0..self.funcs.len() as u32).filter(|i| self.names.raw(*i) == Some("malloc")).map(FuncIdx).find(fits)
        })
    }

    /// The name of a function for people.
    pub fn func_name(&self, func: FuncIdx) -> String {
        self.names.get(func.0).map_or_else(|| format!("function {func}"), str::to_owned)
    }

    /// `file:line` of a site, or the function and offset where there is no debug information.
    pub fn site_place(&self, site: SiteId) -> String {
        // A direct call is no site; a size it passes can still have to be chosen there.
        let Some(s) = self.sites.get(site.index()) else { return "a call".to_owned() };
        match self.source.locate(s.offset) {
            Some(loc) => format!("{}:{}", loc.file, loc.line),
            None => format!("{}+{:#x}", self.func_name(s.func), s.offset),
        }
    }

    /// The door a function is, if it is one. Found once, when the program is loaded.
    #[inline(always)]
    pub fn allocator_door(&self, func: FuncIdx) -> Option<AllocatorDoor> {
        if self.doors.is_empty() {
            return None;
        }
        self.doors.iter().find(|d| d.0 == func).map(|d| d.1)
    }

    pub(crate) fn find_doors(&self) -> Vec<(FuncIdx, AllocatorDoor)> {
        (0..self.funcs.len() as u32)
            .filter_map(|i| Some((FuncIdx(i), AllocatorDoor::named(self.names.raw(i)?)?)))
            .filter(|(func, door)| {
                // A function that only shares the name need not take such arguments.
                let params = &self.func_type(*func).params;
                door.arguments().iter().all(|i| params.get(*i as usize) == Some(&ValType::I32))
            })
            .collect()
    }
}
