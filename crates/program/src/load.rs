//! Bytes to a `Program`: validation, the module's sections, translation of every function.

use wasmparser::{Parser, Payload, TypeRef, Validator};

use crate::code::Probes;
use crate::error::LoadError;
use crate::features;
use crate::ids::{FuncIdx, GlobalIdx, TypeIdx};
use crate::module::{
    ConstExpr, ConstOp, DataSegment, ElementSegment, Export, ExternKind, FuncType, Function, Global, Import,
    ImportKind, Limits, Program, Segment, Table,
};
use crate::names::Names;
use crate::source_map::SourceMap;
use crate::translate;
use crate::val_type::ValType;
use crate::val_type::{ref_type, second_half, val_type, val_types};
use crate::world::World;

/// Validates and translates a module.
pub fn load(bytes: &[u8], probes: &Probes) -> Result<Program, LoadError> {
    check_preamble(bytes)?;
    validate(bytes)?;
    let mut loader = Loader::new(bytes);
    for payload in Parser::new(0).parse_all(bytes) {
        loader.section(payload?)?;
    }
    loader.finish(probes)
}

fn check_preamble(bytes: &[u8]) -> Result<(), LoadError> {
    if !bytes.starts_with(b"\0asm") {
        return Err(LoadError::NotWasm);
    }
    if bytes.get(4..8) == Some(&[0x0d, 0, 1, 0]) {
        return Err(LoadError::Component);
    }
    Ok(())
}

fn validate(bytes: &[u8]) -> Result<(), LoadError> {
    let Err(e) = Validator::new_with_features(features::supported()).validate_all(bytes) else {
        return Ok(());
    };
    if let Some(name) = features::name_of_missing(bytes) {
        return Err(LoadError::Unsupported(name));
    }
    Err(LoadError::Invalid { offset: e.offset(), message: e.message().to_owned() })
}

struct Loader<'a> {
    program: Program,
    bodies: Vec<wasmparser::FunctionBody<'a>>,
    /// Where the code section's contents start in the file.
    code_start: usize,
}

impl<'a> Loader<'a> {
    fn new(bytes: &'a [u8]) -> Loader<'a> {
        Loader {
            program: Program {
                types: Vec::new(),
                imports: Vec::new(),
                funcs: Vec::new(),
                imported_funcs: 0,
                tables: Vec::new(),
                imported_tables: 0,
                memories: Vec::new(),
                imported_memories: 0,
                globals: Vec::new(),
                global_at: Vec::new(),
                imported_globals: 0,
                exports: Vec::new(),
                elements: Vec::new(),
                data: Vec::new(),
                start: None,
                sites: Vec::new(),
                loops: Vec::new(),
                names: Names::from_wasm(bytes),
                source: SourceMap::from_wasm(bytes),
                probes: 0,
                doors: Vec::new(),
                world: World::default(),
            },
            bodies: Vec::new(),
            code_start: 0,
        }
    }

    fn section(&mut self, payload: Payload<'a>) -> Result<(), LoadError> {
        let p = &mut self.program;
        match payload {
            Payload::TypeSection(reader) => {
                for ty in reader.into_iter_err_on_gc_types() {
                    let ty = ty?;
                    p.types.push(FuncType { params: val_types(ty.params())?, results: val_types(ty.results())? });
                }
            }
            Payload::ImportSection(reader) => {
                for import in reader.into_imports() {
                    let import = import?;
                    let kind = match import.ty {
                        TypeRef::Func(ty) => {
                            p.imported_funcs += 1;
                            p.funcs.push(Function { ty: TypeIdx(ty), body: None });
                            ImportKind::Func(TypeIdx(ty))
                        }
                        TypeRef::Table(ty) => {
                            p.imported_tables += 1;
                            let table = table(&ty)?;
                            p.tables.push(table);
                            ImportKind::Table(table)
                        }
                        TypeRef::Memory(ty) => {
                            p.imported_memories += 1;
                            p.memories.push(limits(ty.initial, ty.maximum));
                            ImportKind::Memory(limits(ty.initial, ty.maximum))
                        }
                        TypeRef::Global(ty) => {
                            let (val, mutable) = (val_type(ty.content_type)?, ty.mutable);
                            p.global_at.push(p.globals.len() as u32);
                            for ty in std::iter::once(val).chain(second_half(val)) {
                                p.imported_globals += 1;
                                p.globals.push(Global { ty, mutable, init: None });
                            }
                            ImportKind::Global { ty: val, mutable }
                        }
                        _ => return Err(LoadError::Unsupported("this kind of import")),
                    };
                    p.imports.push(Import { module: import.module.to_owned(), name: import.name.to_owned(), kind });
                }
            }
            Payload::FunctionSection(reader) => {
                for ty in reader {
                    p.funcs.push(Function { ty: TypeIdx(ty?), body: None });
                }
            }
            Payload::TableSection(reader) => {
                for t in reader {
                    let t = t?;
                    if !matches!(t.init, wasmparser::TableInit::RefNull) {
                        return Err(LoadError::Unsupported("tables with an initial value (typed function references)"));
                    }
                    p.tables.push(table(&t.ty)?);
                }
            }
            Payload::MemorySection(reader) => {
                for m in reader {
                    let m = m?;
                    p.memories.push(limits(m.initial, m.maximum));
                }
            }
            Payload::GlobalSection(reader) => {
                for g in reader {
                    let g = g?;
                    let (ty, mutable) = (val_type(g.ty.content_type)?, g.ty.mutable);
                    p.global_at.push(p.globals.len() as u32);
                    for ty in std::iter::once(ty).chain(second_half(ty)) {
                        let init = const_expr(&g.init_expr, &p.global_at, ty == ValType::V128High)?;
                        p.globals.push(Global { ty, mutable, init: Some(init) });
                    }
                }
            }
            Payload::ExportSection(reader) => {
                for e in reader {
                    let e = e?;
                    let kind = match e.kind {
                        wasmparser::ExternalKind::Func => ExternKind::Func,
                        wasmparser::ExternalKind::Table => ExternKind::Table,
                        wasmparser::ExternalKind::Memory => ExternKind::Memory,
                        wasmparser::ExternalKind::Global => ExternKind::Global,
                        _ => return Err(LoadError::Unsupported("this kind of export")),
                    };
                    let index = if kind == ExternKind::Global { p.global_at[e.index as usize] } else { e.index };
                    p.exports.push(Export { name: e.name.to_owned(), kind, index });
                }
            }
            Payload::StartSection { func, .. } => p.start = Some(FuncIdx(func)),
            Payload::ElementSection(reader) => {
                for e in reader {
                    let element = element(e?, &p.global_at)?;
                    p.elements.push(element);
                }
            }
            Payload::DataSection(reader) => {
                for d in reader {
                    let d = d?;
                    let mode = match d.kind {
                        wasmparser::DataKind::Passive => Segment::Passive,
                        wasmparser::DataKind::Active { memory_index, offset_expr } => {
                            let offset = const_expr(&offset_expr, &p.global_at, false)?;
                            Segment::Active { index: memory_index, offset }
                        }
                    };
                    p.data.push(DataSegment { bytes: d.data.to_vec(), mode });
                }
            }
            Payload::CodeSectionStart { unchecked_range, .. } => self.code_start = unchecked_range.start as usize,
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, probes: &Probes) -> Result<Program, LoadError> {
        let first = self.program.imported_funcs;
        let bytes = self.bodies.iter().map(|b| (b.range().end - b.range().start) as usize).sum();
        let mut out = translate::Output::new(bytes);
        for (i, body) in self.bodies.iter().enumerate() {
            let func = FuncIdx(first + i as u32);
            let body = translate::function(&self.program, func, body, self.code_start, probes, &mut out)?;
            self.program.funcs[func.index()].body = Some(body);
        }
        self.program.doors = self.program.find_doors();
        self.program.sites = out.sites;
        self.program.loops = out.loops;
        self.program.probes = probes.offsets.len() as u32;
        Ok(self.program)
    }
}

/// Validation has checked that a 32-bit memory or table has 32-bit limits.
fn limits(min: u64, max: Option<u64>) -> Limits {
    Limits { min: min.min(u64::from(u32::MAX)) as u32, max: max.map(|m| m.min(u64::from(u32::MAX)) as u32) }
}

fn table(ty: &wasmparser::TableType) -> Result<Table, LoadError> {
    Ok(Table { ty: ref_type(ty.element_type)?, limits: limits(ty.initial, ty.maximum) })
}

/// `global_at` has the places of globals. Of an expression for a vector, the high or the low half.
fn const_expr(expr: &wasmparser::ConstExpr<'_>, global_at: &[u32], high: bool) -> Result<ConstExpr, LoadError> {
    use wasmparser::Operator as O;
    let mut ops = Vec::new();
    for op in expr.get_operators_reader() {
        ops.push(match op? {
            O::I32Const { value } => ConstOp::Value(u64::from(value as u32)),
            O::I64Const { value } => ConstOp::Value(value as u64),
            O::F32Const { value } => ConstOp::Value(u64::from(value.bits())),
            O::F64Const { value } => ConstOp::Value(value.bits()),
            O::V128Const { value } => ConstOp::Value((value.i128() as u128 >> (64 * u32::from(high))) as u64),
            O::GlobalGet { global_index } => {
                ConstOp::GlobalGet(GlobalIdx(global_at[global_index as usize] + u32::from(high)))
            }
            O::RefFunc { function_index } => ConstOp::RefFunc(FuncIdx(function_index)),
            O::RefNull { .. } => ConstOp::RefNull,
            O::I32Add => ConstOp::Add32,
            O::I32Sub => ConstOp::Sub32,
            O::I32Mul => ConstOp::Mul32,
            O::I64Add => ConstOp::Add64,
            O::I64Sub => ConstOp::Sub64,
            O::I64Mul => ConstOp::Mul64,
            O::End => continue,
            _ => return Err(LoadError::Unsupported("this constant expression")),
        });
    }
    Ok(ConstExpr(ops))
}

fn element(e: wasmparser::Element<'_>, global_at: &[u32]) -> Result<ElementSegment, LoadError> {
    let (ty, items) = match e.items {
        wasmparser::ElementItems::Functions(reader) => {
            let items: Result<Vec<_>, _> =
                reader.into_iter().map(|f| f.map(|f| ConstExpr(vec![ConstOp::RefFunc(FuncIdx(f))]))).collect();
            (ValType::FuncRef, items?)
        }
        wasmparser::ElementItems::Expressions(ty, reader) => {
            let mut items = Vec::new();
            for expr in reader {
                items.push(const_expr(&expr?, global_at, false)?);
            }
            (ref_type(ty)?, items)
        }
    };
    let mode = match e.kind {
        wasmparser::ElementKind::Passive => Segment::Passive,
        wasmparser::ElementKind::Declared => Segment::Declared,
        wasmparser::ElementKind::Active { table_index, offset_expr } => {
            let offset = const_expr(&offset_expr, global_at, false)?;
            Segment::Active { index: table_index.unwrap_or(0), offset }
        }
    };
    Ok(ElementSegment { ty, items, mode })
}
