//! A program ready to be called: instantiated, initialised, its function found.

use slowpath_program::call::{CallSpec, Entry, Layout, harness_args};
use slowpath_program::input::{InputError, InputValues, NamedInput};
use slowpath_program::instrument::{ALLOCATOR, ENTRY, MEMORY};
use slowpath_program::{ValType, World};
use wasmtime::{Engine, Func, Instance, InstancePre, Memory, Store, Val};

use crate::ReplayLimits;
use crate::error::{Ending, ReplayError, text};
use crate::host::Host;

pub(crate) struct Started {
    pub store: Store<Host>,
    pub instance: Instance,
    pub function: Func,
    pub memory: Option<Memory>,
    pub params: Vec<ValType>,
}

impl Started {
    /// A fresh instance, up to where inputs are placed.
    pub(crate) fn new(
        engine: &Engine,
        linked: &InstancePre<Host>,
        host: Host,
        limits: &ReplayLimits,
        entry: &Entry,
    ) -> Result<Started, ReplayError> {
        let mut store = Store::new(engine, host);
        store.limiter(|host| &mut host.limits);
        refuel(&mut store, limits.fuel)?;
        let instance = linked.instantiate(&mut store).map_err(|error| startup("its start function", limits, &error))?;
        let function = instance.get_func(&mut store, ENTRY).ok_or_else(|| lost(ENTRY))?;
        initialize(&mut store, &instance, &function, limits)?;
        let params = param_types(&function, &store)?;
        let memory = instance.get_memory(&mut store, MEMORY);
        let mut started = Started { store, instance, function, memory, params };
        if let Entry::Call(spec) = entry {
            spec.check(&started.params)?;
            if spec.has_arrays() {
                started.warm_up_allocator(limits)?;
            }
        }
        Ok(started)
    }

    /// Some C libraries take all memory up to its end for their heap when `malloc` is first called: that must be before the
    /// inputs are put there.
    fn warm_up_allocator(&mut self, limits: &ReplayLimits) -> Result<(), ReplayError> {
        let malloc = self.instance.get_typed_func::<i32, i32>(&mut self.store, ALLOCATOR);
        let Ok(malloc) = malloc else { return Ok(()) };
        malloc.call(&mut self.store, 1).map(drop).map_err(|error| startup("malloc", limits, &error))
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory.map_or(0, |memory| memory.data_size(&self.store) as u64)
    }

    pub(crate) fn memory_pages(&self) -> u32 {
        self.memory.map_or(0, |memory| memory.size(&self.store) as u32)
    }

    /// Writes the arrays of a call, for which the memory must already have been grown.
    pub(crate) fn write_arrays(&mut self, layout: &Layout, inputs: &InputValues) -> Result<(), ReplayError> {
        let memory = self.memory.ok_or(ReplayError::NoMemory)?;
        let data = memory.data_mut(&mut self.store);
        for (spec, input) in layout.inputs.iter().filter_map(|spec| Some((spec, inputs.get(&spec.name)?))) {
            let Some(address) = spec.address else { continue };
            if let Some(words) = &spec.words {
                let mut joined = words.joined(&input.bits);
                // The memory may hold longer words of a run before.
                let room = spec.count as usize * words.longest() + 1;
                joined.resize(room, 0);
                let target = data.get_mut(address as usize..).and_then(|rest| rest.get_mut(..room));
                target.ok_or(ReplayError::NoMemory)?.copy_from_slice(&joined);
                continue;
            }
            let size = spec.ty.bytes() as usize;
            let mut next = address as usize;
            for row in input.bits.chunks(spec.row.max(1) as usize) {
                let target = data.get_mut(next..).and_then(|rest| rest.get_mut(..row.len() * size));
                for (element, bits) in target.ok_or(ReplayError::NoMemory)?.chunks_exact_mut(size).zip(row) {
                    element.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
                next += spec.row_bytes as usize;
            }
        }
        for fixed in &layout.fixed {
            let target = data.get_mut(fixed.address as usize..).and_then(|rest| rest.get_mut(..fixed.bytes.len()));
            target.ok_or(ReplayError::NoMemory)?.copy_from_slice(&fixed.bytes);
        }
        Ok(())
    }

    /// Makes room for the arrays of a call.
    pub(crate) fn grow(&mut self, pages: u32, limits: &ReplayLimits) -> Result<(), ReplayError> {
        let memory = self.memory.ok_or(ReplayError::NoMemory)?;
        let grown = memory.grow(&mut self.store, u64::from(pages));
        grown.map(drop).map_err(|_| ReplayError::CannotGrow { pages, limit: limits.memory_bytes })
    }

    /// The arguments of a call.
    pub(crate) fn call_arguments(&self, layout: &Layout, inputs: &InputValues) -> Result<Vec<Val>, ReplayError> {
        let of_input = |index: usize| {
            let spec = &layout.inputs[index];
            inputs.get(&spec.name).map_or(0, |input| match &spec.words {
                Some(words) => words.joined(&input.bits).len() as u64,
                None => input.bits_as(spec.ty, 0),
            })
        };
        let argument = |(position, ty): (usize, &ValType)| Ok(value(layout.arg_bits(position, *ty, of_input)?, *ty));
        self.params.iter().enumerate().map(argument).collect()
    }

    /// The arguments of a harness.
    pub(crate) fn harness_arguments(&self, name: &str, n: i64) -> Result<Vec<Val>, ReplayError> {
        let bits = harness_args(name, &self.params, n)?;
        Ok(bits.into_iter().zip(&self.params).map(|(bits, ty)| value(bits, *ty)).collect())
    }

    /// As many values as the function gives, for a call to fill in.
    pub(crate) fn room_for_results(&self) -> Vec<Val> {
        vec![Val::I32(0); self.function.ty(&self.store).results().len()]
    }

    /// The call itself, with so much fuel.
    pub(crate) fn call(
        &mut self,
        fuel: u64,
        arguments: &[Val],
        results: &mut [Val],
    ) -> Result<wasmtime::Result<()>, ReplayError> {
        refuel(&mut self.store, fuel)?;
        self.store.data_mut().start_counting(fuel);
        Ok(self.function.call(&mut self.store, arguments, results))
    }

    /// What is left of the fuel.
    pub(crate) fn fuel_left(&self) -> Result<u64, ReplayError> {
        self.store.get_fuel().map_err(|error| ReplayError::Engine(text(&error)))
    }
}

/// The inputs of a call at size `n`, laid out behind a memory of so many bytes and checked.
pub(crate) fn checked_layout(
    spec: &CallSpec,
    n: i64,
    memory_bytes: u64,
    world: &World,
    inputs: &InputValues,
) -> Result<Layout, ReplayError> {
    let layout = spec.layout(n, memory_bytes)?;
    check(world, inputs, &layout)?;
    Ok(layout)
}

/// Whether the inputs are those of the layout, and besides only such as the world makes while the program runs.
pub(crate) fn check(world: &World, inputs: &InputValues, layout: &Layout) -> Result<(), InputError> {
    if !world.has_unknown() {
        return inputs.check(layout);
    }
    let is_laid_out = |input: &&NamedInput| layout.inputs.iter().any(|spec| spec.name == input.name);
    InputValues(inputs.0.iter().filter(is_laid_out).cloned().collect()).check(layout)
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

pub(crate) fn lost(export: &str) -> ReplayError {
    ReplayError::Engine(format!("the export {export} is lost"))
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
        _ => Val::I32(bits as i32),
    }
}
