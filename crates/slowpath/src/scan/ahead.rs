//! Programs of the functions that a scan comes to next, compiled while it looks at others: compilers are many short processes, and waiting for each of them
//! in turn would take as long as the looks.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use crate::error::Error;
use crate::request::AnalyzeRequest;
use crate::subject::Subject;

/// Programs that are ready and wait: each is a module with all it needs, so that not all should be there at once.
const WAITING: usize = 4;
/// Compiled at a time. They wait for files and for each other more than they compute.
const AT_ONCE: usize = 3;

/// A program, or why there is none, by the number of its function.
type Made = (usize, Result<Subject, Error>);

/// What was compiled and not yet asked for.
pub(super) struct Ahead {
    ready: HashMap<usize, Result<Subject, Error>>,
    from: Receiver<Made>,
}

/// Begins to compile these in their order. Dropping what is returned ends it. One at a time where cargo builds, which would wait for itself.
pub(super) fn ahead<'scope>(scope: &'scope Scope<'scope, '_>, requests: Vec<AnalyzeRequest>, by_cargo: bool) -> Ahead {
    let (to, from) = sync_channel(WAITING);
    let (requests, next) = (Arc::new(requests), Arc::new(AtomicUsize::new(0)));
    for _ in 0..if by_cargo { 1 } else { AT_ONCE } {
        let (to, requests, next) = (to.clone(), Arc::clone(&requests), Arc::clone(&next));
        scope.spawn(move || {
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst);
                let Some(one) = requests.get(number) else { break };
                let made = Subject::load(&one.program, &one.entry, &one.cost);
                let is_wanted = to.send((number, made)).is_ok();
                if !is_wanted || one.interrupt.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
    }
    Ahead { ready: HashMap::new(), from }
}

impl Ahead {
    /// The program of a function, once it is compiled; None where that was given up.
    pub(super) fn take(&mut self, number: usize) -> Option<Result<Subject, Error>> {
        loop {
            if let Some(made) = self.ready.remove(&number) {
                return Some(made);
            }
            let (other, made) = self.from.recv().ok()?;
            self.ready.insert(other, made);
        }
    }
}
