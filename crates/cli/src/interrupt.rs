//! Ctrl-C, and the signals that ask a process to end: the first ends with the results so far, the second ends at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process ended by an interrupt, by custom.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C sets.
#[allow(clippy::exit, reason = "the second Ctrl-C is meant to end it at once")]
pub fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the process, which is what users expect then.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    });
    flag
}
