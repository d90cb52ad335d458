//! Looks that workers do, several at a time. Who is next in a scan depends on what looks before came to; so those that are likely next are begun ahead, and what
//! turns out to be another look than thought is done again. So by effort the result is that of one process.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use slowpath_report::Findings;

use super::{Look, Looked, ScanRequest, analysis, timed};
use crate::subject::Subject;
use crate::work::Workers;

/// What a worker says of a look.
#[derive(Serialize, Deserialize)]
struct Answer {
    on_the_wall: Duration,
    found: Result<Findings, String>,
}

/// Workers, and the looks that they have begun ahead.
pub(super) struct Elsewhere {
    workers: Workers,
    /// By the number of the function.
    begun: BTreeMap<usize, (Look, u64)>,
    interrupt: Arc<AtomicBool>,
    /// Whether it must be the very look that is asked for; by time any will do, since none is done twice the same.
    is_exact: bool,
}

impl Elsewhere {
    /// The workers of a request, if it has any.
    pub(super) fn begin(request: &ScanRequest) -> Option<Elsewhere> {
        let workers = Workers::of(request.engine.as_ref())?;
        let interrupt = Arc::clone(&request.interrupt);
        Some(Elsewhere { workers, begun: BTreeMap::new(), interrupt, is_exact: request.effort.is_some() })
    }

    pub(super) fn slots(&self) -> usize {
        self.workers.slots()
    }

    /// Begins looks that will be asked for, by all that is known now.
    pub(super) fn begin_ahead(&mut self, looks: impl Iterator<Item = (usize, Look)>) {
        for (number, look) in looks {
            let workers = &mut self.workers;
            self.begun.entry(number).or_insert_with(|| {
                let ticket = workers.add(bytes(&look));
                (look, ticket)
            });
        }
    }

    /// What a look at a function came to; None where somebody interrupts.
    pub(super) fn looked(&mut self, number: usize, look: &Look) -> Option<Looked> {
        let begun = self.begun.remove(&number).filter(|(begun, _)| !self.is_exact || begun == look);
        let ticket = begun.map_or_else(|| self.workers.add_first(bytes(look)), |(_, ticket)| ticket);
        let outcome = self.workers.result(ticket, &self.interrupt)?;
        let outcome = outcome.map_err(|why| format!("it was given up: {why}"));
        let read =
            outcome.and_then(|bytes| serde_json::from_slice::<Answer>(&bytes).map_err(|error| error.to_string()));
        Some(read.and_then(|answer| Ok((answer.found?, answer.on_the_wall))))
    }
}

fn bytes(look: &Look) -> Vec<u8> {
    // It has texts and numbers: nothing to fail but a path that is no text, which is refused by whoever reads it.
    serde_json::to_vec(look).unwrap_or_default()
}

/// Does a look of another process.
pub fn look_at(request: &ScanRequest, look: &[u8]) -> Result<Vec<u8>, String> {
    let look: Look = serde_json::from_slice(look).map_err(|error| error.to_string())?;
    let one = analysis(request, &look);
    let subject = Subject::load(&one.program, &one.entry, &one.cost);
    let looked = subject.and_then(|subject| timed(&one, subject, &mut |_| {}));
    let (on_the_wall, found) = match looked {
        Ok((analysis, on_the_wall)) => (on_the_wall, Ok(analysis.findings)),
        Err(error) => (Duration::ZERO, Err(error.to_string())),
    };
    serde_json::to_vec(&Answer { on_the_wall, found }).map_err(|error| error.to_string())
}
