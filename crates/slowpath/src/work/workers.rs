//! Workers for whole targets: those of a check, of a scan, of a suite. Each is a job that any worker comes to the same with.

use std::sync::atomic::{AtomicBool, Ordering};

use slowpath_search::work::{Engine, Jobs, Outcome};

use crate::keep::SharedEngine;

/// An engine, and the jobs it has.
pub struct Workers {
    engine: Box<dyn Engine>,
    jobs: Jobs,
}

impl Workers {
    /// Those of a request, if it has any.
    pub fn of(shared: Option<&SharedEngine>) -> Option<Workers> {
        Some(Workers { engine: shared?.take()?, jobs: Jobs::new(1) })
    }

    /// How many there are.
    pub fn slots(&self) -> usize {
        self.engine.slots().max(1)
    }

    /// Adds a job, to be done after those before it. Its ticket.
    pub fn add(&mut self, job: Vec<u8>) -> u64 {
        self.jobs.add(job)
    }

    /// Adds a job, to be done before those that wait.
    pub fn add_first(&mut self, job: Vec<u8>) -> u64 {
        self.jobs.add_first(job)
    }

    /// What a job came to, or why it came to nothing; None where somebody interrupts.
    pub fn result(&mut self, ticket: u64, interrupt: &AtomicBool) -> Option<Outcome> {
        self.jobs.result(ticket, self.engine.as_mut(), &|| interrupt.load(Ordering::SeqCst))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.engine.halt();
    }
}
