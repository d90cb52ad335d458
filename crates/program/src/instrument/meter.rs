//! A module that counts its own fuel, for engines that cannot count it as wasmtime does.
//!
//! The count is kept in a local of each function and written to a global where wasmtime writes its own: before calls and `unreachable`,
//! and where a function returns. So a host function, and whoever looks after a trap, sees the number that wasmtime would show. It rises
//! from minus what was given; where it is no longer negative at the start of a function, at the head of a loop or before a bulk operation,
//! the run is over: a second global says so, and the code traps. What operators cost is said here a second time, independently of the
//! translation for the machine.

use wasmparser::{BlockType, FunctionBody, Operator, Parser, Payload, TypeRef, ValType};

use super::branches::{Branches, Counted};
use super::encode::{leb128, section, signed_leb128, slice};
use super::exports::with_exports;
use super::{FUEL, InstrumentError, OUT_OF_FUEL, START};
use crate::cost_table::CostTable;
use crate::for_each_priced_operator;
use crate::module::Program;

const TYPE_SECTION: u8 = 1;
const MEMORY_SECTION: u8 = 5;
const GLOBAL_SECTION: u8 = 6;
const EXPORT_SECTION: u8 = 7;
const START_SECTION: u8 = 8;
const CODE_SECTION: u8 = 10;
const CUSTOM_SECTION: u8 = 0;
/// The sections that come after the memories, and after the globals.
const AFTER_MEMORIES: [u8; 8] = [6, 7, 8, 9, 10, 11, 12, 13];
const AFTER_GLOBALS: [u8; 6] = [7, 8, 9, 10, 11, 12];
const FUNCTION_KIND: u8 = 0;
const GLOBAL_KIND: u8 = 3;
const I32: u8 = 0x7f;
const I64: u8 = 0x7e;
/// A block without parameters and results.
const EMPTY: u8 = 0x40;
const END: u8 = 0x0b;

/// The module of `with_exports`, counting its own fuel in the globals `FUEL` and `OUT_OF_FUEL` by this table. Code offsets change.
pub fn with_meter(wasm: &[u8], function: u32, costs: &CostTable) -> Result<Vec<u8>, InstrumentError> {
    metered(&with_exports(wasm, function)?, costs, None)
}

/// The module of `with_counters`, for an engine that does not count fuel: it counts its own, as `with_meter` says.
pub fn with_counters_and_meter(program: &Program, wasm: &[u8], function: u32) -> Result<Counted, InstrumentError> {
    let (exported, branches) = Branches::of(program, wasm, function)?;
    let out = metered(&exported, &program.world.costs, Some(&branches))?;
    Ok(branches.counted(out))
}

/// A module with the exports of `with_exports`, that counts its fuel in the globals `FUEL` and `OUT_OF_FUEL`; and, where they are given,
/// how often its branches are reached. It has no start function: what it was is exported as `START`. Custom sections are left out.
fn metered(wasm: &[u8], costs: &CostTable, branches: Option<&Branches>) -> Result<Vec<u8>, InstrumentError> {
    let outline = Outline::read(wasm)?;
    let mut types = Types { new: Vec::new(), count: outline.types.len() as u32 };
    let mut code = Vec::new();
    leb128(&mut code, outline.bodies.len() as u32);
    let mut counted = 0;
    for (body, ty) in outline.bodies.iter().zip(&outline.functions) {
        let (params, results) = outline.types.get(*ty as usize).and_then(Option::as_ref).ok_or_else(unsupported)?;
        let mut function = Function {
            wasm,
            fuel: outline.globals,
            local: *params,
            costs,
            pending: 1,
            branches,
            counted,
            start: outline.code_start,
            out: Vec::new(),
        };
        function.write(body, types.block(results)?)?;
        counted = function.counted;
        leb128(&mut code, function.out.len() as u32);
        code.extend_from_slice(&function.out);
    }
    Ok(outline.assemble(wasm, &code, &types, branches))
}

fn unsupported() -> InstrumentError {
    InstrumentError::Malformed { offset: 0, message: "a type that cannot be metered".to_owned() }
}

/// Types that are added for the blocks around the bodies of functions with several results.
struct Types {
    new: Vec<Vec<u8>>,
    count: u32,
}

impl Types {
    /// The type of a block that gives these results.
    fn block(&mut self, results: &[ValType]) -> Result<Vec<u8>, InstrumentError> {
        let codes: Vec<u8> = results.iter().map(|ty| code_of(*ty)).collect::<Option<_>>().ok_or_else(unsupported)?;
        if codes.len() < 2 {
            return Ok(vec![codes.first().copied().unwrap_or(EMPTY)]);
        }
        let mut ty = vec![0x60, 0];
        leb128(&mut ty, codes.len() as u32);
        ty.extend(codes);
        let place = self.new.iter().position(|other| *other == ty).unwrap_or(self.new.len());
        if place == self.new.len() {
            self.new.push(ty);
        }
        let mut out = Vec::new();
        signed_leb128(&mut out, i64::from(self.count) + place as i64);
        Ok(out)
    }
}

fn code_of(ty: ValType) -> Option<u8> {
    Some(match ty {
        ValType::I32 => I32,
        ValType::I64 => I64,
        ValType::F32 => 0x7d,
        ValType::F64 => 0x7c,
        ValType::V128 => 0x7b,
        ValType::FUNCREF => 0x70,
        ValType::EXTERNREF => 0x6f,
        ValType::Ref(_) => return None,
    })
}

/// What has to be known of a module before its code is written anew.
#[derive(Default)]
struct Outline<'a> {
    sections: Vec<(u8, std::ops::Range<u64>)>,
    /// How many parameters each type has, and its results. None for what is no type of a function.
    types: Vec<Option<(u32, Vec<ValType>)>>,
    /// How many groups of types the section has, which is what its count says.
    type_groups: u32,
    type_entries: std::ops::Range<u64>,
    /// The type of each function with a body.
    functions: Vec<u32>,
    memory_entries: (u32, std::ops::Range<u64>),
    /// All globals, imported ones too: the index of the next.
    globals: u32,
    global_entries: (u32, std::ops::Range<u64>),
    export_entries: (u32, std::ops::Range<u64>),
    start: Option<u32>,
    code_start: u64,
    bodies: Vec<FunctionBody<'a>>,
}

impl<'a> Outline<'a> {
    fn read(wasm: &'a [u8]) -> Result<Outline<'a>, InstrumentError> {
        let mut outline = Outline::default();
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            outline.sections.extend(payload.as_section().filter(|(id, _)| *id != CUSTOM_SECTION));
            match payload {
                Payload::TypeSection(reader) => {
                    outline.type_groups = reader.count();
                    outline.type_entries = reader.original_position()..reader.range().end;
                    for group in reader {
                        for ty in group?.into_types() {
                            outline.types.push(match ty.composite_type.inner {
                                wasmparser::CompositeInnerType::Func(ty) => {
                                    Some((ty.params().len() as u32, ty.results().to_vec()))
                                }
                                _ => None,
                            });
                        }
                    }
                }
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports() {
                        outline.globals += u32::from(matches!(import?.ty, TypeRef::Global(_)));
                    }
                }
                Payload::FunctionSection(reader) => {
                    for ty in reader {
                        outline.functions.push(ty?);
                    }
                }
                Payload::MemorySection(reader) => {
                    outline.memory_entries = (reader.count(), reader.original_position()..reader.range().end);
                }
                Payload::GlobalSection(reader) => {
                    outline.globals += reader.count();
                    outline.global_entries = (reader.count(), reader.original_position()..reader.range().end);
                }
                Payload::ExportSection(reader) => {
                    outline.export_entries = (reader.count(), reader.original_position()..reader.range().end);
                }
                Payload::StartSection { func, .. } => outline.start = Some(func),
                Payload::CodeSectionStart { unchecked_range, .. } => outline.code_start = unchecked_range.start,
                Payload::CodeSectionEntry(body) => outline.bodies.push(body),
                _ => {}
            }
        }
        Ok(outline)
    }

    /// All sections in their order, with those that are new or changed.
    fn assemble(&self, wasm: &[u8], code: &[u8], types: &Types, branches: Option<&Branches>) -> Vec<u8> {
        let mut type_section = Vec::new();
        leb128(&mut type_section, self.type_groups + types.new.len() as u32);
        type_section.extend_from_slice(slice(wasm, &self.type_entries));
        types.new.iter().for_each(|ty| type_section.extend_from_slice(ty));

        let mut memories = Vec::new();
        if let Some(branches) = branches {
            leb128(&mut memories, self.memory_entries.0 + 1);
            memories.extend_from_slice(slice(wasm, &self.memory_entries.1));
            branches.declare_memory(&mut memories);
        }

        let mut globals = Vec::new();
        leb128(&mut globals, self.global_entries.0 + 2);
        globals.extend_from_slice(slice(wasm, &self.global_entries.1));
        // Mutable, and what they begin with: 0, by a constant of their type.
        globals.extend([I64, 1, 0x42, 0, END, I32, 1, 0x41, 0, END]);

        let mut exports = Vec::new();
        leb128(&mut exports, self.export_entries.0 + 2 + u32::from(self.start.is_some()));
        exports.extend_from_slice(slice(wasm, &self.export_entries.1));
        let globals_of_ours = [(FUEL, GLOBAL_KIND, self.globals), (OUT_OF_FUEL, GLOBAL_KIND, self.globals + 1)];
        for (name, kind, index) in globals_of_ours.into_iter().chain(self.start.map(|f| (START, FUNCTION_KIND, f))) {
            leb128(&mut exports, name.len() as u32);
            exports.extend_from_slice(name.as_bytes());
            exports.push(kind);
            leb128(&mut exports, index);
        }

        let mut out = wasm.get(..8).unwrap_or_default().to_vec();
        let (mut memories_written, mut globals_written) = (branches.is_none(), false);
        for (id, range) in &self.sections {
            if !memories_written && (*id == MEMORY_SECTION || AFTER_MEMORIES.contains(id)) {
                section(&mut out, MEMORY_SECTION, &memories);
                memories_written = true;
            }
            if !globals_written && (*id == GLOBAL_SECTION || AFTER_GLOBALS.contains(id)) {
                section(&mut out, GLOBAL_SECTION, &globals);
                globals_written = true;
            }
            match *id {
                TYPE_SECTION => section(&mut out, TYPE_SECTION, &type_section),
                MEMORY_SECTION if branches.is_some() => {}
                GLOBAL_SECTION | START_SECTION => {}
                EXPORT_SECTION => section(&mut out, EXPORT_SECTION, &exports),
                CODE_SECTION => section(&mut out, CODE_SECTION, code),
                id => section(&mut out, id, slice(wasm, range)),
            }
        }
        out
    }
}

/// A function while it is written anew.
struct Function<'a> {
    wasm: &'a [u8],
    /// The global of the count; the next says that it is over.
    fuel: u32,
    /// The local of the count; the next holds the length of a bulk operation.
    local: u32,
    costs: &'a CostTable,
    /// Cost of what came since the count was last added to. Entering a function costs one.
    pending: u64,
    branches: Option<&'a Branches>,
    /// How many branches have their counter.
    counted: usize,
    /// Where the contents of the code section begin in the module.
    start: u64,
    out: Vec<u8>,
}

impl Function<'_> {
    /// The whole body, in a block around it: where it ends, by whatever branch, the count is written.
    fn write(&mut self, body: &FunctionBody<'_>, block: Vec<u8>) -> Result<(), InstrumentError> {
        let locals = body.get_locals_reader()?;
        let (groups, entries) = (locals.get_count(), locals.original_position());
        for group in locals {
            self.local = self.local.saturating_add(group?.0);
        }
        let mut reader = body.get_operators_reader()?;
        leb128(&mut self.out, groups + 2);
        self.out.extend_from_slice(slice(self.wasm, &(entries..reader.original_position())));
        self.out.extend([1, I64, 1, I32]);

        self.load();
        self.add();
        self.check();
        self.out.push(0x02);
        self.out.extend(block);
        while !reader.eof() {
            let at = reader.original_position();
            let op = reader.read()?;
            let bytes = at..reader.original_position();
            self.operator(&op, at, slice(self.wasm, &bytes));
        }
        self.save();
        self.out.push(END);
        Ok(())
    }

    fn operator(&mut self, op: &Operator<'_>, at: u64, bytes: &[u8]) {
        if let Some(branches) = self.branches {
            while branches.offset(self.counted).is_some_and(|offset| self.start + u64::from(offset) <= at) {
                branches.count(&mut self.out, self.counted);
                self.counted += 1;
            }
        }
        self.pending += cost(self.costs, op);
        match op {
            Operator::Unreachable
            | Operator::Return
            | Operator::Call { .. }
            | Operator::CallIndirect { .. }
            | Operator::ReturnCall { .. }
            | Operator::ReturnCallIndirect { .. } => {
                self.add();
                self.save();
            }
            Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::Br { .. }
            | Operator::BrIf { .. }
            | Operator::BrTable { .. }
            | Operator::End
            | Operator::Else => self.add(),
            Operator::MemoryFill { .. }
            | Operator::MemoryCopy { .. }
            | Operator::MemoryInit { .. }
            | Operator::TableFill { .. }
            | Operator::TableCopy { .. }
            | Operator::TableInit { .. }
            | Operator::TableGrow { .. } => self.add_length(),
            _ => {}
        }
        self.out.extend_from_slice(bytes);
        match op {
            Operator::Loop { .. } => self.check(),
            Operator::Call { .. } | Operator::CallIndirect { .. } => self.load(),
            _ => {}
        }
    }

    /// Adds to the local what is pending.
    fn add(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending > 0 {
            self.local(0x20, self.local);
            self.out.push(0x42);
            signed_leb128(&mut self.out, pending as i64);
            self.out.push(0x7c);
            self.local(0x21, self.local);
        }
    }

    /// Adds the length of a bulk operation, which is on top of the stack, and looks whether there is enough for it.
    fn add_length(&mut self) {
        self.add();
        self.local(0x22, self.local + 1);
        self.local(0x20, self.local + 1);
        self.out.push(0xad);
        self.local(0x20, self.local);
        self.out.push(0x7c);
        self.local(0x21, self.local);
        self.check();
    }

    fn load(&mut self) {
        self.local(0x23, self.fuel);
        self.local(0x21, self.local);
    }

    fn save(&mut self) {
        self.local(0x20, self.local);
        self.local(0x24, self.fuel);
    }

    /// Ends the run where nothing is left.
    fn check(&mut self) {
        self.local(0x20, self.local);
        self.out.extend([0x42, 0, 0x59, 0x04, EMPTY]);
        self.save();
        self.out.extend([0x41, 1]);
        self.local(0x24, self.fuel + 1);
        self.out.extend([0x00, END]);
    }

    /// An operator with an index.
    fn local(&mut self, operator: u8, index: u32) {
        self.out.push(operator);
        leb128(&mut self.out, index);
    }
}

/// What an operator costs: what the table names, else one, except for what only structures the code.
fn cost(table: &CostTable, op: &Operator<'_>) -> u64 {
    macro_rules! name_of {
        ($($op:ident $name:literal,)*) => {
            match op { $(Operator::$op { .. } => $name,)* _ => "" }
        };
    }
    if let Some(named) = table.named(for_each_priced_operator!(name_of)) {
        return u64::from(named);
    }
    let structure = matches!(
        op,
        Operator::Block { blockty: BlockType::Empty | BlockType::Type(_) | BlockType::FuncType(_) }
            | Operator::Loop { .. }
            | Operator::Else
            | Operator::End
            | Operator::Return
            | Operator::Unreachable
    );
    u64::from(!structure && !matches!(op, Operator::Nop | Operator::Drop))
}
