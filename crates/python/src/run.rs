//! An analysis in a thread of its own, so that the interpreter goes on, and signals are looked at.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::{Py, PyAny, PyErr, PyResult, Python};
use pyo3::{pyclass, pyfunction, pymethods};
use slowpath::SharedEngine;
use slowpath::work::Processes;
use slowpath_report::{to_json, value_to_json};

use crate::{Error, engine, event};

/// How long a signal may wait to be looked at.
const GLANCE: Duration = Duration::from_millis(50);
/// As much as the first thread of a process has, which is what the command line runs on.
const STACK: usize = 8 << 20;

enum Message {
    Event(String),
    Ended(Result<String, String>),
}

/// A running analysis.
#[pyclass(frozen, module = "slowpath._native")]
pub struct Run {
    messages: Mutex<Receiver<Message>>,
    ended: Mutex<Option<Result<String, String>>>,
    interrupt: Arc<AtomicBool>,
}

#[pymethods]
impl Run {
    /// Begins what `slowpath analyze` would do with these arguments. Paths are explored by threads, by processes of the command `worker`, or by whomever
    /// `engine` gives tasks to.
    #[new]
    #[pyo3(signature = (arguments, *, worker=None, engine=None))]
    fn new(
        py: Python<'_>,
        arguments: Vec<String>,
        worker: Option<Vec<OsString>>,
        engine: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let interrupt = Arc::new(AtomicBool::new(false));
        let mut request = slowpath_cli::analyze_request(&arguments, Arc::clone(&interrupt)).map_err(Error::new_err)?;
        request.engine = match (worker, engine) {
            (_, Some(engine)) => Some(engine::shared(py, engine)?),
            (Some(worker), None) => Some(SharedEngine::new(Box::new(Processes::new(worker, request.jobs)))),
            (None, None) => None,
        };
        let messages = in_thread(move |send| {
            let mut tell = |progress: slowpath::Progress<'_>| {
                // Whoever listened may have gone; then the flag is set, and it ends soon.
                let _ = send.send(Message::Event(event::to_json(&progress).to_string()));
            };
            slowpath::analyze(&request, &mut tell).map(|findings| to_json(&findings)).map_err(|error| error.to_string())
        })?;
        Ok(Run { messages: Mutex::new(messages), ended: Mutex::new(None), interrupt })
    }

    /// The next event as JSON; none at the end, and where there is none for so many seconds. What a signal's handler raises, it raises.
    #[pyo3(signature = (seconds=None))]
    fn next_event(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<String>> {
        let begun = Instant::now();
        let is_late = || seconds.is_some_and(|seconds| begun.elapsed().as_secs_f64() >= seconds);
        loop {
            if lock(&self.ended).is_some() || is_late() {
                return Ok(None);
            }
            match py.detach(|| lock(&self.messages).recv_timeout(GLANCE)) {
                Ok(Message::Event(text)) => return Ok(Some(text)),
                Ok(Message::Ended(result)) => *lock(&self.ended) = Some(result),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => *lock(&self.ended) = Some(Err(bug())),
            }
        }
    }

    /// Asks the search to end with what there is.
    fn interrupt(&self) {
        self.interrupt.store(true, Ordering::SeqCst);
    }

    /// Whether the search is over.
    fn has_ended(&self) -> bool {
        lock(&self.ended).is_some()
    }

    /// The findings document as text, once there are no more events.
    fn document(&self) -> PyResult<String> {
        match &*lock(&self.ended) {
            Some(Ok(text)) => Ok(text.clone()),
            Some(Err(message)) => Err(Error::new_err(message.clone())),
            None => Err(Error::new_err("the analysis still runs")),
        }
    }
}

impl Drop for Run {
    /// Nobody waits for it any more.
    fn drop(&mut self) {
        self.interrupt();
    }
}

/// What `slowpath run` would do with these arguments: costs, result and trap as JSON.
#[pyfunction]
pub fn run_once(py: Python<'_>, arguments: Vec<String>) -> PyResult<String> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let request = slowpath_cli::run_request(&arguments, Arc::clone(&interrupt)).map_err(Error::new_err)?;
    let messages = in_thread(move |_| {
        let report = slowpath::run(&request).map_err(|error| error.to_string())?;
        let mut value = report.to_json();
        value["warnings"] = report.warnings.into();
        Ok(value_to_json(&value))
    })?;
    let messages = Mutex::new(messages);
    loop {
        match py.detach(|| lock(&messages).recv_timeout(GLANCE)) {
            Ok(Message::Ended(result)) => return result.map_err(Error::new_err),
            Ok(Message::Event(_)) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Error::new_err(bug())),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(raised) = py.check_signals() {
                    interrupt.store(true, Ordering::SeqCst);
                    return Err(raised);
                }
            }
        }
    }
}

/// Does the work in a thread, and gives what it sends; its result is the last of it.
fn in_thread(
    work: impl FnOnce(&Sender<Message>) -> Result<String, String> + Send + 'static,
) -> PyResult<Receiver<Message>> {
    let (send, messages) = channel();
    let body = move || {
        let result = work(&send);
        let _ = send.send(Message::Ended(result));
    };
    let started = thread::Builder::new().name("slowpath".to_owned()).stack_size(STACK).spawn(body);
    started.map_err(|error| PyErr::from(std::io::Error::from(error.kind())))?;
    Ok(messages)
}

/// A thread that ends without a result has panicked, and its message is on standard error.
fn bug() -> String {
    "a bug in slowpath: the search ended without a result (its message is on standard error)".to_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
