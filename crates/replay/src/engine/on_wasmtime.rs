//! wasmtime: compiles to machine code, and counts fuel by itself.

use std::sync::Arc;

use slowpath_program::instrument::{ALLOCATOR, COUNTERS, ENTRY, MEMORY, global_export};
use slowpath_program::trap::Trap;
use slowpath_program::{CostTable, ValType, for_each_priced_operator};
use wasmtime::{
    Caller, Config, ExternType, Func, FuncType, Global, Inlining, InstancePre, Linker, Memory, MemoryType,
    OperatorCost, Ref, ResourceLimiter, Store, Val,
};

use super::{Ending, Engine, Import, Instance, Linked, Module, Settings, lost};
use crate::error::{HostTrap, ReplayError};
use crate::host::{Host, HostFunction, HostFunctions, Seen};
use crate::limits::Limiter;
use crate::signature::Signature;

struct Wasmtime(wasmtime::Engine);

/// Programs are compiled such that they do what the machine does, and count as it counts.
pub(super) fn engine(settings: &Settings<'_>) -> Result<Box<dyn Engine>, ReplayError> {
    let limits = settings.limits;
    let mut config = Config::new();
    config.consume_fuel(true);
    // The machine gives the canonical NaN where WebAssembly leaves a choice.
    config.cranelift_nan_canonicalization(true);
    config.max_wasm_stack(limits.stack_bytes);
    // Checked against the line above, though no async stack is ever made.
    config.async_stack_size(limits.thread_stack_bytes());
    // Fuel is charged on entering a function, so functions must stay functions.
    config.compiler_inlining(Inlining::No);
    config.wasm_backtrace_max_frames(None);
    // Runs that are waited for can be told to stop; those of which there are many are held to their fuel alone.
    config.epoch_interruption(!settings.counted);
    if settings.counted {
        charge_nothing_for_counters(&mut config, &settings.world.costs);
        // With an image mapped into memory, a page that was never touched need not be zero.
        config.memory_init_cow(false);
    } else if !settings.world.costs.is_empty() {
        config.operator_cost(operator_cost(&settings.world.costs));
    }
    let made = |config: &Config| wasmtime::Engine::new(config).map_err(|error| ReplayError::Engine(text(&error)));
    let mut engine = made(&config)?;
    // What counts by itself relies on a memory that stays where it is.
    if !settings.counted && !has_room(&engine) {
        config.memory_reservation(SMALL);
        config.memory_reservation_for_growth(SMALL);
        config.memory_guard_size(0);
        engine = made(&config)?;
    }
    Ok(Box::new(Wasmtime(engine)))
}

/// Bytes of address space for a memory, where there is little (`ulimit -v`): it is moved as it grows.
const SMALL: u64 = 1 << 20;

/// Whether the system gives a memory the address space that wasmtime likes it to have: all it could ever grow to.
fn has_room(engine: &wasmtime::Engine) -> bool {
    Memory::new(Store::new(engine, ()), MemoryType::new(0, None)).is_ok()
}

/// The operators counters are made of; a program that has them pays otherwise: see `slowpath_program::instrument`.
fn charge_nothing_for_counters(config: &mut Config, costs: &CostTable) {
    config.wasm_simd(true);
    config.wasm_multi_memory(true);
    config.operator_cost(OperatorCost {
        V128Const: 0,
        I32x4ExtractLane: 0,
        V128Load32Zero: 0,
        I32x4Add: 0,
        V128Store32Lane: 0,
        ..operator_cost(costs)
    });
}

/// What the table names, and for everything else what wasmtime charges by itself.
fn operator_cost(table: &CostTable) -> OperatorCost {
    let mut costs = OperatorCost::new();
    macro_rules! set {
        ($($op:ident $name:literal,)*) => {
            $(if let Some(cost) = table.named($name) {
                costs.$op = cost;
            })*
        };
    }
    for_each_priced_operator!(set);
    costs
}

/// An error with its causes, on one line.
fn text(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(|cause| cause.to_string().trim().replace('\n', " ")).collect();
    causes.join(": ")
}

impl Engine for Wasmtime {
    fn compile(&self, wasm: &[u8]) -> Result<Arc<dyn Module>, String> {
        match wasmtime::Module::new(&self.0, wasm) {
            Ok(module) => Ok(Arc::new(Compiled(module))),
            Err(error) => Err(text(&error)),
        }
    }
}

struct Compiled(wasmtime::Module);

impl Module for Compiled {
    fn imports(&self) -> Result<Vec<Import>, ReplayError> {
        let imports = self.0.imports().map(|import| {
            let kind = match import.ty() {
                ExternType::Func(ty) => Ok(signature(&ty)?),
                ExternType::Memory(_) => Err("a memory"),
                ExternType::Table(_) => Err("a table"),
                ExternType::Global(_) => Err("a global"),
                _ => Err("a tag"),
            };
            Ok(Import { module: import.module().to_owned(), name: import.name().to_owned(), kind })
        });
        imports.collect()
    }

    fn link(self: Arc<Self>, functions: HostFunctions) -> Result<Box<dyn Linked>, ReplayError> {
        let mut linker = Linker::new(self.0.engine());
        for import in self.0.imports() {
            let place = (import.module().to_owned(), import.name().to_owned());
            if let (ExternType::Func(ty), Some(function)) = (import.ty(), functions.get(&place)) {
                // An import may be asked for twice.
                linker.allow_shadowing(true);
                define(&mut linker, &place, ty, function.clone()).map_err(|error| ReplayError::Engine(text(&error)))?;
            }
        }
        let linked = linker.instantiate_pre(&self.0).map_err(|error| ReplayError::ImportType(text(&error)))?;
        Ok(Box::new(Ready(linked)))
    }
}

fn define(
    linker: &mut Linker<Host>,
    (module, name): &(String, String),
    ty: FuncType,
    function: HostFunction,
) -> wasmtime::Result<()> {
    let results = ty.results().collect::<Vec<_>>();
    linker.func_new(module, name, ty, move |mut caller, given, gives| {
        let arguments: Vec<u64> = given.iter().map(bits).collect();
        let mut answers = vec![0; gives.len()];
        call_host(&mut caller, &function, &arguments, &mut answers)?;
        for ((give, bits), ty) in gives.iter_mut().zip(answers).zip(&results) {
            *give = value_of(bits, ty);
        }
        Ok(())
    })?;
    Ok(())
}

fn call_host(
    caller: &mut Caller<'_, Host>,
    function: &HostFunction,
    arguments: &[u64],
    answers: &mut [u64],
) -> wasmtime::Result<()> {
    // The fuel used since the entry was called, including the call of the host function that asks.
    let left = caller.get_fuel()?;
    let (memory, host) = match caller.get_export(MEMORY).and_then(|export| export.into_memory()) {
        Some(memory) => memory.data_and_store_mut(caller),
        None => (&mut [] as &mut [u8], caller.data_mut()),
    };
    Ok(function(&mut Seen { memory, host, fuel_left: left }, arguments, answers)?)
}

fn signature(ty: &FuncType) -> Result<Signature, ReplayError> {
    let ours = |ty: wasmtime::ValType| match ty {
        wasmtime::ValType::I32 => Ok(ValType::I32),
        wasmtime::ValType::I64 => Ok(ValType::I64),
        wasmtime::ValType::F32 => Ok(ValType::F32),
        wasmtime::ValType::F64 => Ok(ValType::F64),
        wasmtime::ValType::V128 => Ok(ValType::V128Low),
        wasmtime::ValType::Ref(ty) if ty.heap_type().is_func() => Ok(ValType::FuncRef),
        wasmtime::ValType::Ref(_) => Ok(ValType::ExternRef),
    };
    Ok(Signature {
        params: ty.params().map(ours).collect::<Result<_, ReplayError>>()?,
        results: ty.results().map(ours).collect::<Result<_, ReplayError>>()?,
    })
}

struct Ready(InstancePre<Host>);

impl Linked for Ready {
    fn stop(&self) {
        self.0.module().engine().increment_epoch();
    }

    fn start(&self, host: Host, fuel: u64) -> Result<Box<dyn Instance>, Ending> {
        let mut store = Store::new(self.0.module().engine(), host);
        store.limiter(|host| &mut host.limits);
        store.set_fuel(fuel).map_err(|error| ending(&error))?;
        // The next tick of the engine's clock, which only `stop` makes, ends it.
        store.set_epoch_deadline(1);
        let instance = self.0.instantiate(&mut store).map_err(|error| ending(&error))?;
        let Some(entry) = instance.get_func(&mut store, ENTRY) else {
            return Err(Ending::Failure(lost(ENTRY).to_string()));
        };
        let memory = instance.get_memory(&mut store, MEMORY);
        let counters = instance.get_memory(&mut store, COUNTERS);
        let results = vec![Val::I32(0); entry.ty(&store).results().len()];
        Ok(Box::new(Running { store, instance, entry, memory, counters, results, globals: Vec::new() }))
    }
}

struct Running {
    store: Store<Host>,
    instance: wasmtime::Instance,
    entry: Func,
    memory: Option<Memory>,
    counters: Option<Memory>,
    /// Room for what the entry gives.
    results: Vec<Val>,
    globals: Vec<(Global, Val)>,
}

impl Instance for Running {
    fn host(&self) -> &Host {
        self.store.data()
    }

    fn host_mut(&mut self) -> &mut Host {
        self.store.data_mut()
    }

    fn signature(&self) -> Result<Signature, ReplayError> {
        signature(&self.entry.ty(&self.store))
    }

    fn initialize(&mut self) -> Result<(), Ending> {
        let Some(function) = self.instance.get_func(&mut self.store, "_initialize") else { return Ok(()) };
        let Ok(initialize) = function.typed::<(), ()>(&self.store) else { return Ok(()) };
        initialize.call(&mut self.store, ()).map_err(|error| ending(&error))
    }

    fn allocate(&mut self) -> Result<(), Ending> {
        let malloc = self.instance.get_typed_func::<i32, i32>(&mut self.store, ALLOCATOR);
        let Ok(malloc) = malloc else { return Ok(()) };
        malloc.call(&mut self.store, 1).map(drop).map_err(|error| ending(&error))
    }

    fn call(&mut self, arguments: &[u64]) -> Result<Vec<u64>, Ending> {
        let ty = self.entry.ty(&self.store);
        let arguments: Vec<Val> = arguments.iter().zip(ty.params()).map(|(bits, ty)| value_of(*bits, &ty)).collect();
        let called = self.entry.call(&mut self.store, &arguments, &mut self.results);
        called.map_err(|error| ending(&error))?;
        Ok(self.results.iter().map(bits).collect())
    }

    fn set_fuel(&mut self, fuel: u64) -> Result<(), ReplayError> {
        self.store.set_fuel(fuel).map_err(|error| ReplayError::Engine(text(&error)))
    }

    fn fuel_left(&self) -> Result<u64, ReplayError> {
        self.store.get_fuel().map_err(|error| ReplayError::Engine(text(&error)))
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
            let global = self.instance.get_global(&mut self.store, &name).ok_or_else(|| lost(&name))?;
            self.globals.push((global, global.get(&mut self.store)));
        }
        Ok(())
    }

    fn restore_globals(&mut self) -> bool {
        self.globals.iter().all(|(global, value)| global.set(&mut self.store, *value).is_ok())
    }
}

/// References are null.
fn value_of(bits: u64, ty: &wasmtime::ValType) -> Val {
    match ty {
        wasmtime::ValType::I32 => Val::I32(bits as i32),
        wasmtime::ValType::I64 => Val::I64(bits as i64),
        wasmtime::ValType::F32 => Val::F32(bits as u32),
        wasmtime::ValType::F64 => Val::F64(bits),
        wasmtime::ValType::V128 => Val::V128(u128::from(bits).into()),
        wasmtime::ValType::Ref(ty) if ty.heap_type().is_func() => Val::FuncRef(None),
        wasmtime::ValType::Ref(_) => Val::ExternRef(None),
    }
}

fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(value) => u64::from(*value as u32),
        Val::I64(value) => *value as u64,
        Val::F32(bits) => u64::from(*bits),
        Val::F64(bits) => *bits,
        Val::FuncRef(function) => u64::from(function.is_some()),
        other => u64::from(!other.ref_().is_none_or(|reference: Ref| reference.is_null())),
    }
}

fn ending(error: &wasmtime::Error) -> Ending {
    use wasmtime::Trap as Theirs;
    if let Some(HostTrap(trap)) = error.downcast_ref::<HostTrap>() {
        return Ending::Trap { trap: trap.clone(), by_host: true };
    }
    let trap = match error.downcast_ref::<Theirs>() {
        Some(Theirs::OutOfFuel) => return Ending::OutOfFuel,
        Some(Theirs::Interrupt) => return Ending::Stopped,
        Some(Theirs::UnreachableCodeReached) => Trap::Unreachable,
        Some(Theirs::IntegerDivisionByZero) => Trap::DivisionByZero,
        Some(Theirs::IntegerOverflow) => Trap::IntegerOverflow,
        Some(Theirs::BadConversionToInteger) => Trap::InvalidConversion,
        Some(Theirs::MemoryOutOfBounds) => Trap::MemoryOutOfBounds,
        Some(Theirs::TableOutOfBounds) => Trap::TableOutOfBounds,
        Some(Theirs::IndirectCallToNull) => Trap::NullFunction,
        Some(Theirs::BadSignature) => Trap::IndirectCallMismatch,
        Some(Theirs::StackOverflow) => Trap::StackOverflow,
        Some(Theirs::NullReference) => Trap::NullReference,
        Some(other) => Trap::Host(other.to_string()),
        None => return Ending::Failure(text(error)),
    };
    Ending::Trap { trap, by_host: false }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.lets_memory_grow(desired, maximum))
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.lets_table_grow(desired, maximum))
    }
}
