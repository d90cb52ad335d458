//! Z3 is told to stop from beside: when the user asks for an end, when memory is used up, or when it does not keep to its time.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use z3::Context;

use crate::halt::Halt;

/// How long after its limit Z3 is stopped: its own clock should have done so before.
const GRACE: Duration = Duration::from_millis(200);
/// How often the watcher looks.
const TICK: Duration = Duration::from_millis(10);

/// Does work with Z3, which is stopped when one of the flags is set or after `limit`. Says which of the flags it was, if it was one.
pub(super) fn watched<R>(halts: &[Halt], limit: Duration, work: impl FnOnce() -> R) -> (R, Option<&Halt>) {
    let context = Context::thread_local();
    let handle = context.handle();
    let done = AtomicBool::new(false);
    // A flag may be taken back before Z3 has listened.
    let seen = OnceLock::new();
    let result = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let begun = Instant::now();
            loop {
                thread::park_timeout(TICK);
                if done.load(Ordering::Acquire) {
                    return;
                }
                // Told again and again: what is between two checks does not listen.
                if let Some(halt) = halts.iter().find(|halt| halt.is_set()) {
                    seen.get_or_init(|| halt);
                    handle.interrupt();
                } else if begun.elapsed() > limit + GRACE {
                    handle.interrupt();
                }
            }
        });
        let result = work();
        done.store(true, Ordering::Release);
        watcher.thread().unpark();
        result
    });
    (result, seen.get().copied())
}
