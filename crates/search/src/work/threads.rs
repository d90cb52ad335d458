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

/// What threads do with the bytes of a task; the flag is set when it is to end soon.
pub type Doing = Box<dyn Fn(&[u8], &Arc<AtomicBool>) -> Result<Vec<u8>, Failure> + Send + Sync>;

impl Threads {
    /// So many threads for a target; work is refused that is not of this identity. `within` has the limits of memory.
    pub fn new(target: &Target, identity: u64, count: usize, within: &Budget) -> Threads {
        let (target, within) = (target.clone(), within.clone());
        Threads::doing(
            count,
            Box::new(move |task, halt| {
                let budget = Budget { interrupt: Arc::clone(halt), ..within.clone() };
                work(&target, identity, task, &budget)
            }),
        )
    }

    /// So many threads that do anything.
    pub fn doing(count: usize, doing: Doing) -> Threads {
        let (tasks, taken) = channel::<(u64, Vec<u8>)>();
        let (done, reports) = channel();
        let (taken, doing) = (Arc::new(Mutex::new(taken)), Arc::new(doing));
        let halt = Arc::new(AtomicBool::new(false));
        let worker = |_| {
            let (doing, halt, taken, done) = (Arc::clone(&doing), Arc::clone(&halt), Arc::clone(&taken), done.clone());
            std::thread::spawn(move || {
                loop {
                    let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((ticket, task)) = next else { return };
                    if done.send(Report { ticket, result: doing(&task, &halt) }).is_err() {
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
