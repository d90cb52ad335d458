//! One run: a fresh instance, its initialisation, the inputs, the call.

use slowpath_program::World;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;
use wasmtime::{Engine, InstancePre, Ref, Val};

use crate::error::{Ending, ReplayError};
use crate::host::Host;
use crate::limits::Limiter;
use crate::started::{Started, checked_layout};
use crate::{ReplayLimits, Replayed};

pub(crate) fn run(
    engine: &Engine,
    linked: &InstancePre<Host>,
    limits: &ReplayLimits,
    world: &World,
    entry: &Entry,
    n: i64,
    inputs: &InputValues,
) -> Result<Replayed, ReplayError> {
    let host = Host::new(Limiter::new(limits, None), limits.fuel, inputs);
    let mut started = Started::new(engine, linked, host, limits, entry)?;
    let arguments = match entry {
        Entry::Call(spec) => {
            let layout = checked_layout(spec, n, started.memory_bytes(), world, inputs)?;
            if spec.has_arrays() {
                started.grow(layout.pages, limits)?;
                started.write_arrays(&layout, inputs)?;
            }
            started.call_arguments(&layout, inputs)?
        }
        Entry::Harness { name } => started.harness_arguments(name, n)?,
    };
    started.store.data_mut().furnish(world, n, inputs)?;
    let mut results = started.room_for_results();
    let outcome = started.call(limits.fuel, &arguments, &mut results)?;
    finish(&started, limits, outcome, &results)
}

fn finish(
    started: &Started,
    limits: &ReplayLimits,
    outcome: wasmtime::Result<()>,
    results: &[Val],
) -> Result<Replayed, ReplayError> {
    let left = started.fuel_left()?;
    let (trap, exact) = match &outcome {
        Ok(()) => (started.store.data().uncaught(), true),
        Err(error) => match Ending::of(error) {
            Ending::Trap { trap, by_host } => {
                let exact = by_host || is_counted_exactly(&trap);
                (Some(trap), exact)
            }
            Ending::OutOfFuel => return Err(ReplayError::OutOfFuel(limits.fuel)),
            Ending::Failure(why) => return Err(ReplayError::Engine(why)),
        },
    };
    let host = started.store.data();
    Ok(Replayed {
        instructions: host.region.total(limits.fuel.saturating_sub(left)),
        exact,
        results: if trap.is_none() { results.iter().map(bits).collect() } else { Vec::new() },
        trap,
        output: host.output,
        custom: host.custom,
        memory_pages: started.memory_pages(),
    })
}

/// Compiled code stores its fuel when it calls, returns or reaches `unreachable`, and is charged for the operator before it
/// runs. At any other trap the count is that of the last such point.
pub(crate) fn is_counted_exactly(trap: &Trap) -> bool {
    matches!(trap, Trap::Unreachable | Trap::NullFunction | Trap::IndirectCallMismatch)
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
