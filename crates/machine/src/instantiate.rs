//! Brings a module to life in a state: links its imports, makes its memories, tables and globals, applies its segments.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use slowpath_program::module::ConstOp;
use slowpath_program::{ConstExpr, ExternKind, FuncIdx, ImportKind, Program, Segment, Trap, ValType};
use slowpath_term::{BinOp, Terms, ops};

use crate::host::{HostFunc, resolve_import};
use crate::memory::{Memory, WASM_PAGE};
use crate::mode::Mode;
use crate::state::{CallError, State};
use crate::store::{FuncAddr, FuncDef, Instance, InstanceId, Store};

/// Why a module could not be brought to life.
#[derive(Debug, thiserror::Error)]
pub enum InstantiateError {
    #[error(
        "the module imports {module}.{name}, which slowpath does not provide; say what it is, as in --import '{module}.{name}=0', =unknown or =trap"
    )]
    UnknownImport { module: String, name: String },
    #[error("the module imports {module}.{name} with an incompatible type: {why}")]
    IncompatibleImport { module: String, name: String, why: String },
    #[error(
        "the module asks for {pages} pages of memory at once, more than the limit of {limit}; raise it with --max-memory"
    )]
    Memory { pages: u32, limit: u64 },
    #[error("the module asks for a table of {size} elements, more than the limit of {limit}")]
    Table { size: u32, limit: u64 },
    #[error("starting the module traps: {0}")]
    Trapped(Trap),
    #[error("the module's start function cannot be run: {0}")]
    Start(&'static str),
}

/// Something an import can be linked to.
#[derive(Clone, Copy, Debug)]
pub enum Extern {
    Func(FuncAddr),
    Table(u32),
    Memory(u32),
    Global(u32),
}

/// Names under which instances offer their exports to later ones.
#[derive(Clone, Debug, Default)]
pub struct Linker {
    names: FxHashMap<(String, String), Extern>,
}

impl Linker {
    /// Offers all exports of an instance under a module name.
    pub fn register(&mut self, store: &Store, module: &str, id: InstanceId) {
        let instance = store.instance(id);
        for export in &instance.program.exports {
            let found = exported(instance, export.kind, export.index);
            self.names.insert((module.to_owned(), export.name.clone()), found);
        }
    }

    fn get(&self, module: &str, name: &str) -> Option<Extern> {
        self.names.get(&(module.to_owned(), name.to_owned())).copied()
    }
}

/// The store's place of something an instance exports.
pub fn exported(instance: &Instance, kind: ExternKind, index: u32) -> Extern {
    let i = index as usize;
    match kind {
        ExternKind::Func => Extern::Func(instance.funcs[i]),
        ExternKind::Table => Extern::Table(instance.tables[i]),
        ExternKind::Memory => Extern::Memory(instance.memory),
        ExternKind::Global => Extern::Global(instance.globals[i]),
    }
}

impl<M: Mode> State<M> {
    /// Instantiates a module: imports, memories, segments, start function.
    pub fn instantiate(
        &mut self,
        terms: &mut Terms,
        program: &Arc<Program>,
        linker: &Linker,
    ) -> Result<InstanceId, InstantiateError> {
        let mut store = Store::clone(&self.store);
        let id = InstanceId(store.instances.len() as u32);
        let mut instance = Instance {
            program: Arc::clone(program),
            funcs: Vec::new(),
            tables: Vec::new(),
            memory: u32::MAX,
            globals: Vec::new(),
            elements: Vec::new(),
            first_data: self.dropped_data.len() as u32,
            first_element: self.dropped_elements.len() as u32,
            signatures: program.types.iter().map(|t| store.signature(t)).collect(),
        };
        self.link_imports(&mut store, &mut instance, linker)?;
        self.check_sizes(program)?;
        for i in program.imported_funcs..program.funcs.len() as u32 {
            let func = FuncIdx(i);
            let signature = instance.signatures[program.funcs[func.index()].ty.index()];
            let addr = store.add_func(FuncDef::Wasm { instance: id, func }, signature);
            instance.funcs.push(addr);
        }
        self.make_tables(&mut store, &mut instance);
        self.make_memory(&mut store, &mut instance);
        for global in program.globals.iter().skip(program.imported_globals as usize) {
            let value = global.init.as_ref().map_or(M::value(0), |e| self.constant(&instance, e));
            instance.globals.push(self.globals.len() as u32);
            self.globals.push(value);
            store.global_types.push((global.ty, global.mutable));
        }
        for segment in &program.elements {
            let items: Rc<[u64]> =
                segment.items.iter().map(|e| M::bits(self.constant(&instance, e)).unwrap_or(0)).collect();
            instance.elements.push(items);
        }
        store.instances.push(instance);
        self.store = Rc::new(store);
        let (data, elements) = (Rc::make_mut(&mut self.dropped_data), Rc::make_mut(&mut self.dropped_elements));
        data.resize(data.len() + program.data.len(), false);
        elements.resize(elements.len() + program.elements.len(), false);
        self.probes.resize(self.probes.len().max(program.probes as usize), 0);
        self.apply_segments(id).map_err(InstantiateError::Trapped)?;
        if let Some(start) = program.start {
            let addr = self.store.instance(id).funcs[start.index()];
            // A host function as the start function has nothing to do here.
            if matches!(self.store.funcs[addr.0 as usize], FuncDef::Wasm { .. }) {
                self.call_through(terms, addr, &[]).map_err(|e| match e {
                    CallError::Trapped(trap) => InstantiateError::Trapped(trap),
                    CallError::Stopped(why) => InstantiateError::Start(why),
                })?;
            }
        }
        Ok(id)
    }

    fn link_imports(
        &self,
        store: &mut Store,
        instance: &mut Instance,
        linker: &Linker,
    ) -> Result<(), InstantiateError> {
        let program = Arc::clone(&instance.program);
        for import in &program.imports {
            let (module, name) = (&import.module, &import.name);
            let wrong =
                |why: String| InstantiateError::IncompatibleImport { module: module.clone(), name: name.clone(), why };
            let unknown = || InstantiateError::UnknownImport { module: module.clone(), name: name.clone() };
            match (&import.kind, linker.get(module, name)) {
                (ImportKind::Func(ty), Some(Extern::Func(addr))) => {
                    if store.func_type(addr) != &program.types[ty.index()] {
                        return Err(wrong("the function has another signature".into()));
                    }
                    instance.funcs.push(addr);
                }
                (ImportKind::Func(ty), None) => {
                    let ty = &program.types[ty.index()];
                    let stub = || program.world.stub(module, name).map(|(place, _)| HostFunc::Stub(place as u32));
                    let host = stub().or_else(|| resolve_import(module, name)).ok_or_else(unknown)?;
                    if let Err(expected) = host.check(ty) {
                        return Err(wrong(format!("expected {expected}")));
                    }
                    let signature = store.signature(ty);
                    instance.funcs.push(store.add_func(FuncDef::Host(host), signature));
                }
                (ImportKind::Table(table), Some(Extern::Table(at))) => {
                    let (ty, max) = store.table_types[at as usize];
                    let size = self.tables[at as usize].len() as u64;
                    if ty != table.ty || !limits_fit(size, max, table.limits) {
                        return Err(wrong("the table has another type or size".into()));
                    }
                    instance.tables.push(at);
                }
                (ImportKind::Memory(limits), Some(Extern::Memory(at))) => {
                    let size = u64::from(self.memories[at as usize].pages());
                    if !limits_fit(size, store.memory_max[at as usize], *limits) {
                        return Err(wrong("the memory has another size".into()));
                    }
                    instance.memory = at;
                }
                (ImportKind::Global { ty, mutable }, Some(Extern::Global(at))) => {
                    if store.global_types[at as usize] != (*ty, *mutable) {
                        return Err(wrong("the global has another type".into()));
                    }
                    instance.globals.push(at);
                    if *ty == ValType::V128Low {
                        instance.globals.push(at + 1);
                    }
                }
                (_, None) => return Err(unknown()),
                (_, Some(_)) => return Err(wrong("it is another kind of thing".into())),
            }
        }
        Ok(())
    }

    /// Refuses what the module asks for and the limits forbid, before anything is made.
    fn check_sizes(&self, program: &Program) -> Result<(), InstantiateError> {
        let mut elements = self.table_elements();
        for table in program.tables.iter().skip(program.imported_tables as usize) {
            elements += u64::from(table.limits.min);
            if u64::from(table.limits.min) > self.limits.table || elements > self.limits.all_tables() {
                return Err(InstantiateError::Table { size: table.limits.min, limit: self.limits.table });
            }
        }
        for memory in program.memories.iter().skip(program.imported_memories as usize) {
            if u64::from(memory.min) * WASM_PAGE > self.limits.memory {
                return Err(InstantiateError::Memory { pages: memory.min, limit: self.limits.memory / WASM_PAGE });
            }
        }
        Ok(())
    }

    fn make_tables(&mut self, store: &mut Store, instance: &mut Instance) {
        let program = Arc::clone(&instance.program);
        for table in program.tables.iter().skip(program.imported_tables as usize) {
            instance.tables.push(self.tables.len() as u32);
            self.tables.push(Rc::new(vec![0; table.limits.min as usize]));
            store.table_types.push((table.ty, table.limits.max));
        }
    }

    fn make_memory(&mut self, store: &mut Store, instance: &mut Instance) {
        if instance.memory != u32::MAX {
            return;
        }
        let declared = instance.program.memories.first();
        instance.memory = self.memories.len() as u32;
        self.memories.push(M::Memory::new(declared.map_or(0, |m| m.min)));
        store.memory_max.push(declared.map_or(Some(0), |m| m.max));
    }

    /// Evaluates a constant expression; validation has checked its shape.
    fn constant(&self, instance: &Instance, expr: &ConstExpr) -> M::Value {
        let mut stack: Vec<u64> = Vec::new();
        for op in &expr.0 {
            let mut fold = |op, width| {
                let (b, a) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                ops::bin(op, width, a, b)
            };
            let value = match *op {
                ConstOp::Value(bits) => bits,
                ConstOp::GlobalGet(g) => M::bits(self.globals[instance.globals[g.index()] as usize]).unwrap_or(0),
                ConstOp::RefFunc(f) => u64::from(instance.funcs[f.index()].0) + 1,
                ConstOp::RefNull => 0,
                ConstOp::Add32 => fold(BinOp::Add, 32),
                ConstOp::Sub32 => fold(BinOp::Sub, 32),
                ConstOp::Mul32 => fold(BinOp::Mul, 32),
                ConstOp::Add64 => fold(BinOp::Add, 64),
                ConstOp::Sub64 => fold(BinOp::Sub, 64),
                ConstOp::Mul64 => fold(BinOp::Mul, 64),
            };
            stack.push(value);
        }
        M::value(stack.pop().unwrap_or(0))
    }

    fn apply_segments(&mut self, id: InstanceId) -> Result<(), Trap> {
        let store = Rc::clone(&self.store);
        let instance = store.instance(id);
        let program = Arc::clone(&instance.program);
        for (i, segment) in program.elements.iter().enumerate() {
            match &segment.mode {
                Segment::Passive => continue,
                Segment::Declared => {}
                Segment::Active { index, offset } => {
                    let at = M::bits(self.constant(instance, offset)).unwrap_or(0);
                    let items = &instance.elements[i];
                    self.init_table(instance.tables[*index as usize], items, at, 0, items.len() as u64)?;
                }
            }
            Rc::make_mut(&mut self.dropped_elements)[instance.first_element as usize + i] = true;
        }
        for (i, segment) in program.data.iter().enumerate() {
            let Segment::Active { offset, .. } = &segment.mode else { continue };
            let at = M::bits(self.constant(instance, offset)).unwrap_or(0);
            if !self.memories[instance.memory as usize].write(at, &segment.bytes) {
                return Err(Trap::MemoryOutOfBounds);
            }
            Rc::make_mut(&mut self.dropped_data)[instance.first_data as usize + i] = true;
        }
        Ok(())
    }
}

fn limits_fit(size: u64, max: Option<u32>, wanted: slowpath_program::Limits) -> bool {
    size >= u64::from(wanted.min)
        && match (wanted.max, max) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(want), Some(have)) => have <= want,
        }
}
