//! One instance, run again and again.

use std::sync::Arc;

use slowpath_program::call::{CallSpec, Entry, Layout};
use slowpath_program::input::InputValues;
use slowpath_program::instrument::COUNTERS;

use super::Ran;
use super::image::Image;
use super::recipe::Recipe;
use super::touched::Observer;
use crate::engine::{Ending, lost};
use crate::error::ReplayError;
use crate::host::{Host, Streams};
use crate::limits::Limiter;
use crate::run::is_counted_exactly;
use crate::started::{Initialized, Started, check, checked_layout};

/// More fuel than this no engine takes.
const MOST_FUEL: u64 = u64::MAX / 2;
/// An instance whose runs together touched more pages than this is given up from time to time, since most may be those of one
/// run only, but all are restored after each.
const MANY_PAGES: usize = 64;
/// How many runs such an instance has.
const RUNS_WITH_MANY_PAGES: u32 = 64;

/// Runs a function on the thread it is called from.
pub(super) struct Session {
    recipe: Arc<Recipe>,
    module: Initialized,
    observer: Observer,
    kept: Option<Kept>,
}

/// An instance, and what it takes to bring it back to where it was before its first call.
struct Kept {
    started: Started,
    image: Option<Image>,
    streams: Streams,
    /// The size of its memory, before it was grown for inputs.
    memory_bytes: u64,
    /// How many pages it was grown by for inputs.
    grown: u32,
    /// The inputs of the last call, by their n.
    layout: Option<(i64, Layout)>,
    runs: u32,
    /// Whether it can be run again at all.
    is_reversible: bool,
}

impl Session {
    /// For runs on so much stack.
    pub(super) fn new(recipe: &Arc<Recipe>, stack_bytes: usize) -> Result<Session, ReplayError> {
        let module = recipe.compile(stack_bytes)?;
        Ok(Session { recipe: Arc::clone(recipe), module, observer: Observer::find(), kept: None })
    }

    /// One run; `hits` has a place for each site.
    pub(super) fn run(
        &mut self,
        n: i64,
        inputs: &InputValues,
        fuel: u64,
        hits: &mut [u32],
    ) -> Result<Ran, ReplayError> {
        let recipe = Arc::clone(&self.recipe);
        let mut kept = match self.kept.take().and_then(|kept| kept.rewound(&recipe, inputs)) {
            Some(kept) => kept,
            None => self.start(inputs)?,
        };
        let arguments = match &recipe.entry {
            Entry::Harness { name } => kept.started.harness_arguments(name, n)?,
            Entry::Call(spec) => {
                if !kept.lay_out(&recipe, spec, n, inputs)? {
                    kept = self.start(inputs)?;
                    kept.lay_out(&recipe, spec, n, inputs)?;
                }
                kept.call_arguments(inputs)?
            }
        };
        kept.started.instance.host_mut().furnish(&recipe.world, n, inputs)?;
        let ran = kept.call(&arguments, fuel, &recipe, hits)?;
        // What it did after it was refused says nothing.
        if kept.started.instance.host().limits.has_no_room {
            return Err(ReplayError::NoRoom(recipe.limits.room_bytes));
        }
        self.kept = Some(kept);
        Ok(ran)
    }

    fn start(&self, inputs: &InputValues) -> Result<Kept, ReplayError> {
        let recipe = &self.recipe;
        let limiter = Limiter::new(&recipe.limits, Some(recipe.counted.memory));
        let host = Host::new(limiter, recipe.limits.fuel, inputs);
        let mut started = Started::new(&self.module, host, &recipe.limits, &recipe.entry)?;
        started.instance.counters().ok_or_else(|| lost(COUNTERS))?;
        started.instance.keep_globals(&recipe.counted.globals)?;
        // What it did with an input while it started, it would have to do with each.
        let is_reversible = !recipe.is_irreversible && !started.instance.host().has_given_inputs();
        let memory = started.instance.memory().filter(|_| is_reversible);
        let image = memory.map(|memory| Image::new(memory, &self.observer));
        Ok(Kept {
            image,
            streams: started.instance.host().streams(),
            memory_bytes: started.memory_bytes(),
            grown: 0,
            layout: None,
            runs: 0,
            is_reversible,
            started,
        })
    }
}

impl Kept {
    /// The instance, back where it was before its first call. None if that is not possible, or not worth it.
    fn rewound(mut self, recipe: &Recipe, inputs: &InputValues) -> Option<Kept> {
        let expected = self.memory_bytes + (u64::from(self.grown) << 16);
        if !self.is_reversible || self.started.memory_bytes() != expected {
            return None;
        }
        let instance = &mut self.started.instance;
        if let (Some(memory), Some(image)) = (instance.memory_mut(), &mut self.image) {
            if self.runs >= RUNS_WITH_MANY_PAGES && image.restored_pages() > MANY_PAGES {
                return None;
            }
            image.restore(memory);
        }
        if !instance.restore_globals() {
            return None;
        }
        let none = InputValues::default();
        instance.host_mut().rewind(&self.streams, if recipe.asks_for_inputs { inputs } else { &none });
        Some(self)
    }

    /// Puts the inputs of a call into memory. False if the memory was grown for inputs of another size.
    fn lay_out(&mut self, recipe: &Recipe, spec: &CallSpec, n: i64, inputs: &InputValues) -> Result<bool, ReplayError> {
        let layout = match self.layout.take() {
            Some((same, layout)) if same == n => {
                check(&recipe.world, inputs, &layout)?;
                layout
            }
            _ => checked_layout(spec, n, self.memory_bytes, &recipe.world, inputs)?,
        };
        if spec.has_arrays() {
            if self.grown != layout.pages {
                if self.grown > 0 {
                    return Ok(false);
                }
                self.started.grow(layout.pages, &recipe.limits)?;
                self.grown = layout.pages;
            }
            self.started.write_arrays(&layout, inputs)?;
        }
        self.layout = Some((n, layout));
        Ok(true)
    }

    /// The arguments of a call that was laid out.
    fn call_arguments(&self, inputs: &InputValues) -> Result<Vec<u64>, ReplayError> {
        self.layout.as_ref().map_or(Ok(Vec::new()), |(_, layout)| self.started.call_arguments(layout, inputs))
    }

    fn call(&mut self, arguments: &[u64], fuel: u64, recipe: &Recipe, hits: &mut [u32]) -> Result<Ran, ReplayError> {
        // One more than may be used: where that is gone, more was used than may be.
        let given = fuel.saturating_add(1).min(MOST_FUEL);
        let counters = recipe.counted.sites.len() * 4;
        let memory = self.started.instance.counters().ok_or_else(|| lost(COUNTERS))?;
        memory[..counters].fill(0);
        self.runs += 1;
        let outcome = self.started.call(given, arguments)?;

        let counters = &self.started.instance.counters().ok_or_else(|| lost(COUNTERS))?[..counters];
        for (site, count) in recipe.counted.sites.iter().zip(counters.as_chunks::<4>().0) {
            hits[site.index()] = u32::from_le_bytes(*count);
        }
        let left = self.started.fuel_left()?;
        let (trap, exact, stopped) = match outcome {
            Ok(_) => (self.started.instance.host().uncaught(), true, false),
            Err(Ending::Trap { trap, by_host }) => {
                let exact = by_host || is_counted_exactly(&trap);
                (Some(trap), exact, false)
            }
            Err(Ending::OutOfFuel) => (None, true, true),
            Err(Ending::Stopped) => return Err(ReplayError::Stopped),
            Err(Ending::Failure(why)) => return Err(ReplayError::Engine(why)),
        };
        let out_of_fuel = stopped || left == 0;
        let host = self.started.instance.host();
        Ok(Ran {
            instructions: host.region.total(given - left.min(given)),
            exact,
            trap: trap.filter(|_| !out_of_fuel),
            out_of_fuel,
            output: host.output,
            custom: host.custom,
            memory_pages: self.started.memory_pages(),
        })
    }
}
