//! What a run may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::kind::EngineKind;

/// The limits of a run. The machine must have the same `memory_bytes`, or programs that probe it behave differently.
#[derive(Clone, Debug)]
pub struct ReplayLimits {
    /// Fuel for the call, and as much again for what comes before it. Default: practically none, `u64::MAX / 2`.
    pub fuel: u64,
    /// `memory.grow` beyond this fails, as the specification allows. Default: 1 GiB; at most 4 GiB has an effect.
    pub memory_bytes: u64,
    /// A run of a `Runner` whose memory would have more bytes than this is given up: whoever asked has to run it where less is held. Default: any.
    pub room_bytes: u64,
    /// `table.grow` beyond this fails. Default: 10,000,000.
    pub table_elements: usize,
    /// Native stack for the program; recursion beyond it is a stack overflow. Default: 256 MiB.
    pub stack_bytes: usize,
    /// When a module has to be compiled, or there is no engine. Default: never.
    pub compiled_by: Option<Instant>,
    /// Set from outside to wait for no module that is being compiled.
    pub interrupt: Arc<AtomicBool>,
    /// Bytes that compiling a module may take, as far as can be told before. Default: any.
    pub compiler_bytes: u64,
    /// On which engine, of those that are built in. Default: the fastest.
    pub engine: EngineKind,
}

impl Default for ReplayLimits {
    fn default() -> ReplayLimits {
        ReplayLimits {
            fuel: u64::MAX / 2,
            memory_bytes: 1 << 30,
            room_bytes: u64::MAX,
            table_elements: 10_000_000,
            stack_bytes: 256 << 20,
            compiled_by: None,
            interrupt: Arc::default(),
            compiler_bytes: u64::MAX,
            engine: EngineKind::default(),
        }
    }
}

impl ReplayLimits {
    /// Whether nobody waits for a module any more, so that it need not even be prepared.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Time that is left for compiling; none where there is no end to it.
    pub(crate) fn left_for_compiling(&self) -> Option<Duration> {
        self.compiled_by.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Room for the program, and for the host functions it calls when its own is nearly used up.
    pub(crate) fn thread_stack_bytes(&self) -> usize {
        self.stack_bytes.saturating_add(4 << 20)
    }
}

/// Holds a program to its limits, but not the memory that was added for counters.
pub(crate) struct Limiter {
    memory_bytes: usize,
    room_bytes: usize,
    /// Whether the memory would have grown beyond the room, and was not let.
    pub(crate) has_no_room: bool,
    table_elements: usize,
    /// Which of the instance's memories is that of the counters.
    counters: Option<u32>,
    /// How many times a memory was asked for or asked to grow. The memories of an instance are asked for in order, before anything else.
    asked: u32,
}

impl Limiter {
    pub(crate) fn new(limits: &ReplayLimits, counters: Option<u32>) -> Limiter {
        let bytes = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        Limiter {
            memory_bytes: bytes(limits.memory_bytes),
            room_bytes: bytes(limits.room_bytes),
            has_no_room: false,
            table_elements: limits.table_elements,
            counters,
            asked: 0,
        }
    }

    /// Whether a memory may have so many bytes, of at most so many.
    pub(crate) fn lets_memory_grow(&mut self, desired: usize, maximum: Option<usize>) -> bool {
        let asked = self.asked;
        self.asked = asked.saturating_add(1);
        if self.counters == Some(asked) {
            return true;
        }
        let is_allowed = desired <= self.memory_bytes.min(maximum.unwrap_or(usize::MAX));
        self.has_no_room |= is_allowed && desired > self.room_bytes;
        is_allowed && desired <= self.room_bytes
    }

    /// Whether a table may have so many elements, of at most so many.
    pub(crate) fn lets_table_grow(&self, desired: usize, maximum: Option<usize>) -> bool {
        desired <= self.table_elements.min(maximum.unwrap_or(usize::MAX))
    }
}
