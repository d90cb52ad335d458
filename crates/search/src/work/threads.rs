//! Threads of this process as an engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::codec::{decode_task, encode_explored};
use super::slice::slice;
use crate::budget::Budget;
use crate::engine::{Engine, Failure, Report};
use crate::target::Target;

/// Some threads, which do tasks until it is dropped.
pub struct Threads {
    tasks: Option<Sender<(u64, Vec<u8>)>>,
    reports: Receiver<Report>,
    workers: Vec<JoinHandle<()>>,
    halt: Arc<AtomicBool>,
}

impl Threads {
    /// So many threads for a target; work is refused that is not of this identity. `within` has the limits of memory.
    pub fn new(target: &Target, identity: u64, count: usize, within: &Budget) -> Threads {
        let (tasks, taken) = channel::<(u64, Vec<u8>)>();
        let (done, reports) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let halt = Arc::new(AtomicBool::new(false));
        let budget = Budget { interrupt: Arc::clone(&halt), ..within.clone() };
        let worker = |_| {
            let (target, budget, taken, done) = (target.clone(), budget.clone(), Arc::clone(&taken), done.clone());
            std::thread::spawn(move || {
                loop {
                    let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((ticket, task)) = next else { return };
                    if done.send(Report { ticket, result: work(&target, identity, &task, &budget) }).is_err() {
                        return;
                    }
                }
            })
        };
        let workers = (0..count.max(1)).map(worker).collect();
        Threads { tasks: Some(tasks), reports, workers, halt }
    }
}

/// Does a task that came as bytes.
fn work(target: &Target, identity: u64, task: &[u8], budget: &Budget) -> Result<Vec<u8>, Failure> {
    let refused = |error: &dyn std::fmt::Display| Failure::Refused(error.to_string());
    let header = decode_task(task, identity).map_err(|error| refused(&error))?;
    let done = slice(target, header.stamp.size, &header.task, budget).map_err(|error| refused(&error))?;
    Ok(encode_explored(&header.stamp, &done))
}

impl Engine for Threads {
    fn slots(&self) -> usize {
        self.workers.len()
    }

    fn submit(&mut self, ticket: u64, task: Vec<u8>) {
        if let Some(tasks) = &self.tasks {
            // Without a thread to take it there will be no result either.
            let _ = tasks.send((ticket, task));
        }
    }

    fn next(&mut self, wait: Duration) -> Option<Report> {
        self.reports.recv_timeout(wait).ok()
    }

    fn halt(&mut self) {
        self.halt.store(true, Ordering::Relaxed);
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.halt();
        self.tasks = None;
        self.workers.drain(..).for_each(|worker| drop(worker.join()));
    }
}
