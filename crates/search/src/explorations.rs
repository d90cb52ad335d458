//! Where explorations are kept, so that another run can go on with them, and who carries their tasks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::Engine;

/// Time between two states that are kept, at least, and how many times longer than keeping one takes.
const EVERY: Duration = Duration::from_secs(3);
const TIMES_LONGER: u32 = 20;

/// The state of an exploration as bytes, by the size, and whether it is one to learn from.
pub type Key = (i64, bool);

/// Told of every state: which exploration, its bytes, how many paths, whether it is over.
pub type Sink = Box<dyn Fn(Key, Vec<u8>, u64, bool) + Send + Sync>;

/// Clones are the same.
#[derive(Clone, Default)]
pub struct Explorations(Option<Arc<Kept>>);

/// What is kept and how.
pub(crate) struct Kept {
    /// A hash of the program.
    pub module: u64,
    /// From an earlier run.
    known: BTreeMap<Key, Vec<u8>>,
    sink: Sink,
    /// When the next state is kept.
    due: Mutex<Instant>,
    every: Duration,
    pub effort: u64,
    pub tickets: AtomicU64,
    engine: Option<Mutex<Box<dyn Engine>>>,
}

impl Explorations {
    /// Goes on with what is known of a program, keeps what is explored, and has it carried by an engine; without one by threads.
    pub fn new(
        module: u64,
        known: BTreeMap<Key, Vec<u8>>,
        sink: Sink,
        engine: Option<Box<dyn Engine>>,
        effort: u64,
    ) -> Explorations {
        let engine = engine.map(Mutex::new);
        let due = Mutex::new(Instant::now() + EVERY);
        let tickets = AtomicU64::new(1);
        Explorations(Some(Arc::new(Kept { module, known, sink, due, every: EVERY, effort, tickets, engine })))
    }

    /// Keeps a state after every so much time.
    pub fn every(self, every: Duration) -> Explorations {
        let kept = self.0.and_then(Arc::into_inner);
        Explorations(kept.map(|kept| Arc::new(Kept { every, due: Mutex::new(Instant::now() + every), ..kept })))
    }

    /// Whether there is anything but the default.
    pub fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Lends whoever carries tasks, if it is somebody special, with the ticket that is next; `body` gives back the one after its last.
    pub fn lend_engine(&self, body: impl FnOnce(&mut dyn Engine, u64) -> u64) -> bool {
        let Some(kept) = self.kept() else { return false };
        let Some(mut engine) = kept.engine() else { return false };
        let next = body(engine.as_mut(), kept.tickets.load(Ordering::SeqCst));
        kept.tickets.store(next, Ordering::SeqCst);
        true
    }

    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.0.as_deref()
    }
}

impl Kept {
    /// What an earlier run came to. What was explored to learn from it is as good for whoever does not want to learn.
    pub fn known(&self, (size, learns): Key) -> Option<&[u8]> {
        let own = self.known.get(&(size, learns));
        own.or_else(|| self.known.get(&(size, true))).map(Vec::as_slice)
    }

    /// Whether it is time to keep a state.
    pub fn is_due(&self) -> bool {
        Instant::now() >= *self.lock()
    }

    /// Keeps a state; `made` is when making it began.
    pub fn keep(&self, key: Key, bytes: Vec<u8>, paths: u64, over: bool, made: Instant) {
        (self.sink)(key, bytes, paths, over);
        let pause = self.every.max(made.elapsed() * TIMES_LONGER);
        *self.lock() = Instant::now() + pause;
    }

    /// Whoever carries tasks, if it is somebody special.
    pub fn engine(&self) -> Option<MutexGuard<'_, Box<dyn Engine>>> {
        Some(self.engine.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn lock(&self) -> MutexGuard<'_, Instant> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Explorations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_kept() { "Explorations(kept)" } else { "Explorations(not kept)" })
    }
}
