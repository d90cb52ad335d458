//! A program ready to be called: instantiated, initialised, its function found.

use slowpath_program::call::{CallSpec, Entry, Layout, harness_args};
use slowpath_program::input::{InputError, InputValues, NamedInput};
use slowpath_program::{ValType, World};

use crate::ReplayLimits;
use crate::engine::{Ending, Instance, Linked};
use crate::error::ReplayError;
use crate::host::Host;

const PAGE: u64 = 65_536;

/// A linked module, and whether its `_initialize`, which a reactor wants called before anything else, is to be called: not where it is
/// the entry itself.
pub(crate) struct Initialized {
    pub linked: Box<dyn Linked>,
    pub initialize: bool,
}

pub(crate) struct Started {
    pub instance: Box<dyn Instance>,
    pub params: Vec<ValType>,
}

impl Started {
    /// A fresh instance, up to where inputs are placed.
    pub(crate) fn new(
        module: &Initialized,
        host: Host,
        limits: &ReplayLimits,
        entry: &Entry,
    ) -> Result<Started, ReplayError> {
        let started = module.linked.start(host, limits.fuel);
        let mut instance = started.map_err(|ending| startup("its start function", limits, ending))?;
        if module.initialize {
            instance.initialize().map_err(|ending| startup("_initialize", limits, ending))?;
        }
        let params = instance.signature()?.params;
        if params.contains(&ValType::V128Low) {
            return Err(ReplayError::Engine("parameters of type v128 are not supported".to_owned()));
        }
        let mut started = Started { instance, params };
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
        self.instance.allocate().map_err(|ending| startup("malloc", limits, ending))
    }

    pub(crate) fn memory_bytes(&self) -> u64 {
        self.instance.memory().map_or(0, |memory| memory.len() as u64)
    }

    pub(crate) fn memory_pages(&self) -> u32 {
        (self.memory_bytes() / PAGE) as u32
    }

    /// Writes the arrays of a call, for which the memory must already have been grown.
    pub(crate) fn write_arrays(&mut self, layout: &Layout, inputs: &InputValues) -> Result<(), ReplayError> {
        let data = self.instance.memory_mut().ok_or(ReplayError::NoMemory)?;
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
        for place in &layout.lengths {
            let spec = &layout.inputs[place.input];
            let words = spec.words.as_ref().zip(inputs.get(&spec.name));
            let length = words.map_or(0, |(words, input)| words.joined(&input.bits).len() as u64);
            let width = place.ty.bytes() as usize;
            let target = data.get_mut(place.address as usize..).and_then(|rest| rest.get_mut(..width));
            target.ok_or(ReplayError::NoMemory)?.copy_from_slice(&length.to_le_bytes()[..width]);
        }
        for fixed in &layout.fixed {
            let target = data.get_mut(fixed.address as usize..).and_then(|rest| rest.get_mut(..fixed.bytes.len()));
            target.ok_or(ReplayError::NoMemory)?.copy_from_slice(&fixed.bytes);
        }
        Ok(())
    }

    /// Makes room for the arrays of a call.
    pub(crate) fn grow(&mut self, pages: u32, limits: &ReplayLimits) -> Result<(), ReplayError> {
        self.instance.memory().ok_or(ReplayError::NoMemory)?;
        let grown = self.instance.grow(pages);
        if grown { Ok(()) } else { Err(ReplayError::CannotGrow { pages, limit: limits.memory_bytes }) }
    }

    /// The arguments of a call.
    pub(crate) fn call_arguments(&self, layout: &Layout, inputs: &InputValues) -> Result<Vec<u64>, ReplayError> {
        let of_input = |index: usize| {
            let spec = &layout.inputs[index];
            inputs.get(&spec.name).map_or(0, |input| match &spec.words {
                Some(words) => words.joined(&input.bits).len() as u64,
                None => input.bits_as(spec.ty, 0),
            })
        };
        let argument = |(position, ty): (usize, &ValType)| Ok(layout.arg_bits(position, *ty, of_input)?);
        self.params.iter().enumerate().map(argument).collect()
    }

    /// The arguments of a harness.
    pub(crate) fn harness_arguments(&self, name: &str, n: i64) -> Result<Vec<u64>, ReplayError> {
        Ok(harness_args(name, &self.params, n)?)
    }

    /// The call itself, with so much fuel.
    pub(crate) fn call(&mut self, fuel: u64, arguments: &[u64]) -> Result<Result<Vec<u64>, Ending>, ReplayError> {
        self.instance.set_fuel(fuel)?;
        self.instance.host_mut().start_counting(fuel);
        Ok(self.instance.call(arguments))
    }

    /// What is left of the fuel.
    pub(crate) fn fuel_left(&self) -> Result<u64, ReplayError> {
        self.instance.fuel_left()
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

fn startup(stage: &'static str, limits: &ReplayLimits, ending: Ending) -> ReplayError {
    match ending {
        Ending::Trap { trap, .. } => ReplayError::Startup { stage, trap },
        Ending::OutOfFuel => ReplayError::OutOfFuel(limits.fuel),
        Ending::Stopped => ReplayError::Stopped,
        Ending::Failure(why) => ReplayError::Engine(why),
    }
}
