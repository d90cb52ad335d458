//! How soon memory that is not used any more goes back to the system.
#![allow(unsafe_code, reason = "the safe bindings have no way to set an option")]

use std::ffi::{c_int, c_long};

use mimalloc::MiMalloc;

/// A search makes and drops many small things, and long paths need much memory at once: both cost less than with the
/// allocator of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay`, in milliseconds.
const PURGE_DELAY: c_int = 15;

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
    fn mi_collect(force: bool);
}

/// Gives back at once what nobody uses now.
pub(crate) fn give_back() {
    // SAFETY: frees what the allocator keeps for later; nothing that anybody holds.
    unsafe { mi_collect(true) }
}

/// From now on memory goes back as soon as nobody uses it, which takes the system some time. Where memory is limited, what is kept for later counts as held.
pub(crate) fn give_back_at_once() {
    // SAFETY: sets a number that mimalloc reads whenever it decides what to give back; any moment and any value are fine.
    unsafe { mi_option_set(PURGE_DELAY, 0) }
}
