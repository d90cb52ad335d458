//! Whoever ends what is being done from outside, and why.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that ends what the solver is doing once it is set.
#[derive(Clone, Debug)]
pub struct Halt {
    pub flag: Arc<AtomicBool>,
    /// What it means that it is set, for the user.
    pub why: String,
}

impl Halt {
    pub(crate) fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}
