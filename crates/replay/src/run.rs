//! One run: a fresh instance, its initialisation, the inputs, the call.

use slowpath_program::ValType;
use slowpath_program::call::{CallSpec, Entry, Layout, harness_args};
use slowpath_program::input::InputValues;
use slowpath_program::instrument::{ALLOCATOR, ENTRY, MEMORY};
use slowpath_program::trap::Trap;
use wasmtime::{Engine, Func, Instance, InstancePre, Memory, Ref, Store, Val};

use crate::error::{Ending, ReplayError, text};
use crate::host::Host;
use crate::{ReplayLimits, Replayed};

pub(crate) fn run(
    engine: &Engine,
    linked: &InstancePre<Host>,
    limits: &ReplayLimits,
    entry: &Entry,
    n: i64,
    inputs: &InputValues,
) -> Result<Replayed, ReplayError> {
    let mut store = Store::new(engine, Host::new(limits, inputs));
    store.limiter(|host| &mut host.limits);
    refuel(&mut store, limits.fuel)?;
    let instance = linked.instantiate(&mut store).map_err(|error| startup("its start function", limits, &error))?;
    let function = instance.get_func(&mut store, ENTRY).ok_or_else(|| lost(ENTRY))?;
    initialize(&mut store, &instance, &function, limits)?;

    let params = param_types(&function, &store)?;
    let arguments = match entry {
        Entry::Call(spec) => {
            spec.check(&params)?;
            let layout = place_inputs(&mut store, &instance, limits, spec, n, inputs)?;
            call_arguments(&layout, &params, inputs)?
        }
        Entry::Harness { name } => harness_args(name, &params, n)?,
    };
    let arguments: Vec<Val> = arguments.into_iter().zip(&params).map(|(bits, ty)| value(bits, *ty)).collect();

    refuel(&mut store, limits.fuel)?;
    store.data_mut().start_counting(limits.fuel);
    let mut results = vec![Val::I32(0); function.ty(&store).results().len()];
    let outcome = function.call(&mut store, &arguments, &mut results);
    finish(&mut store, &instance, limits, outcome, &results)
}

fn refuel(store: &mut Store<Host>, fuel: u64) -> Result<(), ReplayError> {
    store.set_fuel(fuel).map_err(|error| ReplayError::Engine(text(&error)))
}

/// Calls the module's `_initialize`, which a reactor wants called before anything else.
fn initialize(
    store: &mut Store<Host>,
    instance: &Instance,
    entry: &Func,
    limits: &ReplayLimits,
) -> Result<(), ReplayError> {
    let Some(function) = instance.get_func(&mut *store, "_initialize") else { return Ok(()) };
    let same = function.to_raw(&mut *store) == entry.to_raw(&mut *store);
    let Ok(initialize) = function.typed::<(), ()>(&*store) else { return Ok(()) };
    if same {
        return Ok(());
    }
    initialize.call(store, ()).map_err(|error| startup("_initialize", limits, &error))
}

fn startup(stage: &'static str, limits: &ReplayLimits, error: &wasmtime::Error) -> ReplayError {
    match Ending::of(error) {
        Ending::Trap { trap, .. } => ReplayError::Startup { stage, trap },
        Ending::OutOfFuel => ReplayError::OutOfFuel(limits.fuel),
        Ending::Failure(why) => ReplayError::Engine(why),
    }
}

fn lost(export: &str) -> ReplayError {
    ReplayError::Engine(format!("the export {export} is lost"))
}

fn memory(store: &mut Store<Host>, instance: &Instance) -> Option<Memory> {
    instance.get_memory(store, MEMORY)
}

/// Grows the memory for the arrays of a call and writes them.
fn place_inputs(
    store: &mut Store<Host>,
    instance: &Instance,
    limits: &ReplayLimits,
    spec: &CallSpec,
    n: i64,
    inputs: &InputValues,
) -> Result<Layout, ReplayError> {
    let memory = memory(store, instance);
    if spec.has_arrays() {
        warm_up_allocator(store, instance, limits)?;
    }
    let layout = spec.layout(n, memory.map_or(0, |memory| memory.data_size(&*store) as u64))?;
    inputs.check(&layout)?;
    if !spec.has_arrays() {
        return Ok(layout);
    }
    let memory = memory.ok_or(ReplayError::NoMemory)?;
    let grown = memory.grow(&mut *store, u64::from(layout.pages));
    grown.map_err(|_| ReplayError::CannotGrow { pages: layout.pages, limit: limits.memory_bytes })?;
    for (spec, input) in layout.inputs.iter().filter_map(|spec| Some((spec, inputs.get(&spec.name)?))) {
        let Some(address) = spec.address else { continue };
        let size = spec.ty.bytes() as usize;
        let bytes: Vec<u8> = input.bits.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(size)).collect();
        memory.write(&mut *store, address as usize, &bytes).map_err(|_| ReplayError::NoMemory)?;
    }
    Ok(layout)
}

/// Some C libraries take all memory up to its end for their heap when `malloc` is first called: that must be before the inputs
/// are put there.
fn warm_up_allocator(store: &mut Store<Host>, instance: &Instance, limits: &ReplayLimits) -> Result<(), ReplayError> {
    let Ok(malloc) = instance.get_typed_func::<i32, i32>(&mut *store, ALLOCATOR) else { return Ok(()) };
    malloc.call(store, 1).map(drop).map_err(|error| startup("malloc", limits, &error))
}

fn call_arguments(layout: &Layout, params: &[ValType], inputs: &InputValues) -> Result<Vec<u64>, ReplayError> {
    let scalar = |index: usize| {
        let spec = &layout.inputs[index];
        inputs.get(&spec.name).map_or(0, |input| input.bits_as(spec.ty, 0))
    };
    let bits = params.iter().enumerate().map(|(position, ty)| layout.arg_bits(position, *ty, scalar));
    Ok(bits.collect::<Result<_, _>>()?)
}

fn finish(
    store: &mut Store<Host>,
    instance: &Instance,
    limits: &ReplayLimits,
    outcome: wasmtime::Result<()>,
    results: &[Val],
) -> Result<Replayed, ReplayError> {
    let left = store.get_fuel().map_err(|error| ReplayError::Engine(text(&error)))?;
    let (trap, exact) = match &outcome {
        Ok(()) => (None, true),
        Err(error) => match Ending::of(error) {
            Ending::Trap { trap, by_host } => {
                let exact = by_host || is_counted_exactly(&trap);
                (Some(trap), exact)
            }
            Ending::OutOfFuel => return Err(ReplayError::OutOfFuel(limits.fuel)),
            Ending::Failure(why) => return Err(ReplayError::Engine(why)),
        },
    };
    let memory_pages = memory(store, instance).map_or(0, |memory| memory.size(&*store) as u32);
    let host = store.data();
    Ok(Replayed {
        instructions: host.region.total(limits.fuel.saturating_sub(left)),
        exact,
        results: if trap.is_none() { results.iter().map(bits).collect() } else { Vec::new() },
        trap,
        output: host.output,
        custom: host.custom,
        memory_pages,
    })
}

/// Compiled code stores its fuel when it calls, returns or reaches `unreachable`, and is charged for the operator before it
/// runs. At any other trap the count is that of the last such point.
fn is_counted_exactly(trap: &Trap) -> bool {
    matches!(trap, Trap::Unreachable | Trap::NullFunction | Trap::IndirectCallMismatch)
}

fn param_types(function: &Func, store: &Store<Host>) -> Result<Vec<ValType>, ReplayError> {
    let ours = |ty: wasmtime::ValType| match ty {
        wasmtime::ValType::I32 => Ok(ValType::I32),
        wasmtime::ValType::I64 => Ok(ValType::I64),
        wasmtime::ValType::F32 => Ok(ValType::F32),
        wasmtime::ValType::F64 => Ok(ValType::F64),
        wasmtime::ValType::Ref(ty) if ty.heap_type().is_func() => Ok(ValType::FuncRef),
        wasmtime::ValType::Ref(_) => Ok(ValType::ExternRef),
        other => Err(ReplayError::Engine(format!("parameters of type {other} are not supported"))),
    };
    function.ty(store).params().map(ours).collect()
}

/// Only numbers get here: a call is checked first, and passes no references.
fn value(bits: u64, ty: ValType) -> Val {
    match ty {
        ValType::I64 => Val::I64(bits as i64),
        ValType::F32 => Val::F32(bits as u32),
        ValType::F64 => Val::F64(bits),
        ValType::I32 | ValType::FuncRef | ValType::ExternRef => Val::I32(bits as i32),
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
