//! One run: a fresh instance, its initialisation, the inputs, the call.

use slowpath_program::World;
use slowpath_program::call::Entry;
use slowpath_program::input::InputValues;
use slowpath_program::trap::Trap;

use crate::engine::Ending;
use crate::error::ReplayError;
use crate::host::Host;
use crate::limits::Limiter;
use crate::started::{Initialized, Started, checked_layout};
use crate::{ReplayLimits, Replayed};

pub(crate) fn run(
    module: &Initialized,
    limits: &ReplayLimits,
    world: &World,
    entry: &Entry,
    n: i64,
    inputs: &InputValues,
) -> Result<Replayed, ReplayError> {
    let host = Host::new(Limiter::new(limits, None), limits.fuel, inputs);
    let mut started = Started::new(module, host, limits, entry)?;
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
    started.instance.host_mut().furnish(world, n, inputs)?;
    let outcome = started.call(limits.fuel, &arguments)?;
    // What it did after it was refused says nothing.
    if started.instance.host().limits.has_no_room {
        return Err(ReplayError::NoRoom(limits.room_bytes));
    }
    finish(&started, limits, outcome)
}

fn finish(
    started: &Started,
    limits: &ReplayLimits,
    outcome: Result<Vec<u64>, Ending>,
) -> Result<Replayed, ReplayError> {
    let left = started.fuel_left()?;
    let host = started.instance.host();
    let (trap, exact, results) = match outcome {
        Ok(results) => (host.uncaught(), true, results),
        Err(Ending::Trap { trap, by_host }) => {
            let exact = by_host || is_counted_exactly(&trap);
            (Some(trap), exact, Vec::new())
        }
        Err(Ending::OutOfFuel) => return Err(ReplayError::OutOfFuel(limits.fuel)),
        Err(Ending::Stopped) => return Err(ReplayError::Stopped),
        Err(Ending::Failure(why)) => return Err(ReplayError::Engine(why)),
    };
    Ok(Replayed {
        instructions: host.region.total(limits.fuel.saturating_sub(left)),
        exact,
        results: if trap.is_none() { results } else { Vec::new() },
        trap,
        output: host.output,
        custom: host.custom,
        memory_pages: started.memory_pages(),
    })
}

/// Code stores its fuel when it calls, returns or reaches `unreachable`, and is charged for the operator before it
/// runs. At any other trap the count is that of the last such point.
pub(crate) fn is_counted_exactly(trap: &Trap) -> bool {
    matches!(trap, Trap::Unreachable | Trap::NullFunction | Trap::IndirectCallMismatch)
}
