//! wasmi: interprets, and does not count fuel as wasmtime does, so that the module has to count its own.
//!
//! Its feature `deterministic` makes it give the canonical NaN where WebAssembly leaves a choice, as the machine does.

use std::sync::Arc;

use slowpath_program::ValType;
use slowpath_program::instrument::{ALLOCATOR, COUNTERS, ENTRY, FUEL, MEMORY, OUT_OF_FUEL, START, global_export};
use slowpath_program::trap::Trap;

use wasmi::errors::HostError;
use wasmi::{
    Caller, Config, Error, ExternType, F32, F64, Func, FuncType, Global, Linker, Memory, Nullable, ResourceLimiter,
    Store, TrapCode, Val,
};
use wasmi_core::LimiterError;

use super::{Ending, Engine, Import, Instance, Linked, Module, Settings, lost};
use crate::error::{HostTrap, ReplayError};
use crate::host::{Host, HostFunction, HostFunctions, Seen};
use crate::limits::Limiter;
use crate::signature::Signature;

/// Native stack that a call takes on wasmtime, about: limits are given in its bytes.
const BYTES_PER_CALL: usize = 64;
/// As many instances, tables and memories as wasmtime allows.
const MANY: usize = 10_000;

struct Wasmi(wasmi::Engine);

pub(super) fn engine(settings: &Settings<'_>) -> Box<dyn Engine> {
    let mut config = Config::default();
    config.wasm_multi_memory(true);
    config.set_max_recursion_depth(settings.limits.stack_bytes / BYTES_PER_CALL);
    config.set_max_stack_height(settings.limits.stack_bytes);
    config.ignore_custom_sections(true);
    Box::new(Wasmi(wasmi::Engine::new(&config)))
}

impl Engine for Wasmi {
    fn compile(&self, wasm: &[u8]) -> Result<Arc<dyn Module>, String> {
        match wasmi::Module::new(&self.0, wasm) {
            Ok(module) => Ok(Arc::new(Compiled { engine: self.0.clone(), module })),
            Err(error) => Err(error.to_string()),
        }
    }
}

struct Compiled {
    engine: wasmi::Engine,
    module: wasmi::Module,
}

impl Module for Compiled {
    fn imports(&self) -> Result<Vec<Import>, ReplayError> {
        let imports = self.module.imports().map(|import| Import {
            module: import.module().to_owned(),
            name: import.name().to_owned(),
            kind: match import.ty() {
                ExternType::Func(ty) => Ok(signature(ty)),
                ExternType::Memory(_) => Err("a memory"),
                ExternType::Table(_) => Err("a table"),
                ExternType::Global(_) => Err("a global"),
            },
        });
        Ok(imports.collect())
    }

    fn link(self: Arc<Self>, functions: HostFunctions) -> Result<Box<dyn Linked>, ReplayError> {
        let mut linker = Linker::new(&self.engine);
        // An import may be asked for twice.
        linker.allow_shadowing(true);
        for import in self.module.imports() {
            let place = (import.module().to_owned(), import.name().to_owned());
            if let (ExternType::Func(ty), Some(function)) = (import.ty(), functions.get(&place)) {
                let function = function.clone();
                let results = ty.results().to_vec();
                let body = move |mut caller: Caller<'_, Host>, given: &[Val], gives: &mut [Val]| {
                    let arguments: Vec<u64> = given.iter().map(bits).collect();
                    let mut answers = vec![0; gives.len()];
                    call_host(&mut caller, &function, &arguments, &mut answers)?;
                    for ((give, bits), ty) in gives.iter_mut().zip(answers).zip(&results) {
                        *give = value_of(bits, *ty);
                    }
                    Ok(())
                };
                let defined = linker.func_new(&place.0, &place.1, ty.clone(), body);
                defined.map_err(|error| ReplayError::Engine(error.to_string()))?;
            }
        }
        Ok(Box::new(Ready { compiled: self, linker }))
    }
}

fn call_host(
    caller: &mut Caller<'_, Host>,
    function: &HostFunction,
    arguments: &[u64],
    answers: &mut [u64],
) -> Result<(), Error> {
    let count = caller.get_export(FUEL).and_then(|export| export.into_global());
    let fuel_left = count.map_or(0, |count| left(&count.get(&*caller)));
    let (memory, host) = match caller.get_export(MEMORY).and_then(|export| export.into_memory()) {
        Some(memory) => memory.data_and_store_mut(caller),
        None => (&mut [] as &mut [u8], caller.data_mut()),
    };
    function(&mut Seen { memory, host, fuel_left }, arguments, answers).map_err(Error::host)
}

impl HostError for HostTrap {}

/// What is left, by a count that rises from minus what was given.
fn left(count: &Val) -> u64 {
    count.i64().map_or(0, |count| count.min(0).unsigned_abs())
}

fn signature(ty: &FuncType) -> Signature {
    let ours = |ty: &wasmi::ValType| match ty {
        wasmi::ValType::I32 => ValType::I32,
        wasmi::ValType::I64 => ValType::I64,
        wasmi::ValType::F32 => ValType::F32,
        wasmi::ValType::F64 => ValType::F64,
        wasmi::ValType::V128 => ValType::V128Low,
        wasmi::ValType::FuncRef => ValType::FuncRef,
        wasmi::ValType::ExternRef => ValType::ExternRef,
    };
    Signature { params: ty.params().iter().map(ours).collect(), results: ty.results().iter().map(ours).collect() }
}

struct Ready {
    compiled: Arc<Compiled>,
    linker: Linker<Host>,
}

impl Linked for Ready {
    fn start(&self, host: Host, fuel: u64) -> Result<Box<dyn Instance>, Ending> {
        let mut store = Store::new(&self.compiled.engine, host);
        store.limiter(|host| &mut host.limits);
        // The count begins at 0, where nothing is left, and until there is an instance nobody can change that. So what was the start
        // function is called as others are, once there is one.
        let started = self.linker.instantiate_and_start(&mut store, &self.compiled.module);
        let instance = started.map_err(|error| ending(&error, false))?;
        let global =
            |name: &str| instance.get_global(&store, name).ok_or_else(|| Ending::Failure(lost(name).to_string()));
        let (count, is_out) = (global(FUEL)?, global(OUT_OF_FUEL)?);
        let entry = instance.get_func(&store, ENTRY).ok_or_else(|| Ending::Failure(lost(ENTRY).to_string()))?;
        let memory = instance.get_memory(&store, MEMORY);
        let counters = instance.get_memory(&store, COUNTERS);
        let mut running = Running { store, instance, entry, memory, counters, count, is_out, globals: Vec::new() };
        running.give(fuel);
        running.call_if_there(START, &[], &mut [])?;
        Ok(Box::new(running))
    }
}

struct Running {
    store: Store<Host>,
    instance: wasmi::Instance,
    entry: Func,
    memory: Option<Memory>,
    counters: Option<Memory>,
    count: Global,
    is_out: Global,
    globals: Vec<(Global, Val)>,
}

impl Running {
    fn give(&mut self, fuel: u64) {
        let count = i64::try_from(fuel).unwrap_or(i64::MAX).wrapping_neg();
        // Both are mutable, and of these types.
        let _ = self.count.set(&mut self.store, Val::I64(count));
        let _ = self.is_out.set(&mut self.store, Val::I32(0));
    }

    /// An end of what was called last.
    fn ending(&self, error: &Error) -> Ending {
        ending(error, self.is_out.get(&self.store).i32() != Some(0))
    }

    fn call_if_there(&mut self, name: &str, arguments: &[Val], results: &mut [Val]) -> Result<(), Ending> {
        let Some(function) = self.instance.get_func(&self.store, name) else { return Ok(()) };
        let ty = function.ty(&self.store);
        if ty.params().len() != arguments.len() || ty.results().len() != results.len() {
            return Ok(());
        }
        let called = function.call(&mut self.store, arguments, results);
        called.map_err(|error| self.ending(&error))
    }
}

impl Instance for Running {
    fn host(&self) -> &Host {
        self.store.data()
    }

    fn host_mut(&mut self) -> &mut Host {
        self.store.data_mut()
    }

    fn signature(&self) -> Result<Signature, ReplayError> {
        Ok(signature(&self.entry.ty(&self.store)))
    }

    fn initialize(&mut self) -> Result<(), Ending> {
        self.call_if_there("_initialize", &[], &mut [])
    }

    fn allocate(&mut self) -> Result<(), Ending> {
        self.call_if_there(ALLOCATOR, &[Val::I32(1)], &mut [Val::I32(0)])
    }

    fn call(&mut self, arguments: &[u64]) -> Result<Vec<u64>, Ending> {
        let ty = self.entry.ty(&self.store);
        let arguments: Vec<Val> = arguments.iter().zip(ty.params()).map(|(bits, ty)| value_of(*bits, *ty)).collect();
        let mut results: Vec<Val> = ty.results().iter().map(|ty| value_of(0, *ty)).collect();
        let called = self.entry.call(&mut self.store, &arguments, &mut results);
        called.map_err(|error| self.ending(&error))?;
        Ok(results.iter().map(bits).collect())
    }

    fn set_fuel(&mut self, fuel: u64) -> Result<(), ReplayError> {
        self.give(fuel);
        Ok(())
    }

    fn fuel_left(&self) -> Result<u64, ReplayError> {
        Ok(left(&self.count.get(&self.store)))
    }

    fn memory(&self) -> Option<&[u8]> {
        self.memory.map(|memory| memory.data(&self.store))
    }

    fn memory_mut(&mut self) -> Option<&mut [u8]> {
        self.memory.map(|memory| memory.data_mut(&mut self.store))
    }

    fn grow(&mut self, pages: u32) -> bool {
        self.memory.is_some_and(|memory| memory.grow(&mut self.store, u64::from(pages)).is_ok())
    }

    fn counters(&mut self) -> Option<&mut [u8]> {
        self.counters.map(|memory| memory.data_mut(&mut self.store))
    }

    fn keep_globals(&mut self, globals: &[u32]) -> Result<(), ReplayError> {
        for index in globals {
            let name = global_export(*index);
            let global = self.instance.get_global(&self.store, &name).ok_or_else(|| lost(&name))?;
            self.globals.push((global, global.get(&self.store)));
        }
        Ok(())
    }

    fn restore_globals(&mut self) -> bool {
        self.globals.iter().all(|(global, value)| global.set(&mut self.store, value.clone()).is_ok())
    }
}

/// References are null.
fn value_of(bits: u64, ty: wasmi::ValType) -> Val {
    match ty {
        wasmi::ValType::I32 => Val::I32(bits as i32),
        wasmi::ValType::I64 => Val::I64(bits as i64),
        wasmi::ValType::F32 => Val::F32(F32::from_bits(bits as u32)),
        wasmi::ValType::F64 => Val::F64(F64::from_bits(bits)),
        wasmi::ValType::V128 => Val::V128(u128::from(bits).into()),
        wasmi::ValType::FuncRef => Val::FuncRef(Nullable::Null),
        wasmi::ValType::ExternRef => Val::ExternRef(Nullable::Null),
    }
}

fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(value) => u64::from(*value as u32),
        Val::I64(value) => *value as u64,
        Val::F32(value) => u64::from(value.to_bits()),
        Val::F64(value) => value.to_bits(),
        Val::V128(_) => 0,
        Val::FuncRef(function) => u64::from(!function.is_null()),
        Val::ExternRef(object) => u64::from(!object.is_null()),
    }
}

/// What ended a run; `is_out` says that the module ended itself, its fuel being used up.
fn ending(error: &Error, is_out: bool) -> Ending {
    if let Some(HostTrap(trap)) = error.downcast_ref::<HostTrap>() {
        return Ending::Trap { trap: trap.clone(), by_host: true };
    }
    let trap = match error.as_trap_code() {
        Some(TrapCode::UnreachableCodeReached) if is_out => return Ending::OutOfFuel,
        Some(TrapCode::UnreachableCodeReached) => Trap::Unreachable,
        Some(TrapCode::IntegerDivisionByZero) => Trap::DivisionByZero,
        Some(TrapCode::IntegerOverflow) => Trap::IntegerOverflow,
        Some(TrapCode::BadConversionToInteger) => Trap::InvalidConversion,
        Some(TrapCode::MemoryOutOfBounds) => Trap::MemoryOutOfBounds,
        Some(TrapCode::TableOutOfBounds) => Trap::TableOutOfBounds,
        Some(TrapCode::IndirectCallToNull) => Trap::NullFunction,
        Some(TrapCode::BadSignature) => Trap::IndirectCallMismatch,
        Some(TrapCode::StackOverflow) => Trap::StackOverflow,
        Some(other) => Trap::Host(other.to_string()),
        None => return Ending::Failure(error.to_string()),
    };
    Ending::Trap { trap, by_host: false }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool, LimiterError> {
        Ok(self.lets_memory_grow(desired, maximum))
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool, LimiterError> {
        Ok(self.lets_table_grow(desired, maximum))
    }

    fn instances(&self) -> usize {
        MANY
    }

    fn tables(&self) -> usize {
        MANY
    }

    fn memories(&self) -> usize {
        MANY
    }
}
