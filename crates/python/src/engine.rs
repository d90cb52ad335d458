//! Work carried by whatever is written in Python: the engine that hands tasks over, where results come back, and what a worker does with a task.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use pyo3::prelude::{Bound, Py, PyAny, PyAnyMethods, PyErr, PyResult, Python};
use pyo3::types::PyBytes;
use pyo3::{pyclass, pymethods};
use slowpath::SharedEngine;
use slowpath::work::{Engine, Failure, Report};

use crate::Error;

/// Where results of tasks are brought to, from any thread.
#[pyclass(frozen, module = "slowpath._native")]
pub struct Reports(Sender<Report>);

#[pymethods]
impl Reports {
    /// A task is done.
    fn done(&self, ticket: u64, result: &[u8]) {
        self.report(ticket, Ok(result.to_vec()));
    }

    /// Whoever did it is gone; another may have more luck.
    fn died(&self, ticket: u64, why: String) {
        self.report(ticket, Err(Failure::Died(why)));
    }

    /// It was refused, and will be the next time.
    fn refused(&self, ticket: u64, why: String) {
        self.report(ticket, Err(Failure::Refused(why)));
    }
}

impl Reports {
    fn report(&self, ticket: u64, result: Result<Vec<u8>, Failure>) {
        // Late results of a search that is over are for nobody.
        let _ = self.0.send(Report { ticket, result });
    }
}

/// An object of Python that carries tasks. Only handing a task over needs the interpreter; results are waited for without it.
struct Carrier {
    object: Py<PyAny>,
    sender: Sender<Report>,
    reports: Receiver<Report>,
}

/// An object with `begin(parcel, reports)`, `slots()`, `submit(ticket, task)` and `halt()` as an engine; `task_effort` may say how long tasks are.
pub fn shared(py: Python<'_>, object: Py<PyAny>) -> PyResult<SharedEngine> {
    let effort: Option<u64> = object.bind(py).getattr("task_effort")?.extract()?;
    let (sender, reports) = channel();
    let shared = SharedEngine::new(Box::new(Carrier { object, sender, reports }));
    Ok(match effort {
        Some(effort) => shared.with_effort(effort),
        None => shared,
    })
}

impl Carrier {
    /// Calls the object; none where the interpreter is about to end.
    fn call<T>(&self, body: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Option<Result<T, String>> {
        Python::try_attach(|py| body(self.object.bind(py)).map_err(|error: PyErr| error.to_string()))
    }
}

impl Engine for Carrier {
    fn program(&mut self, parcel: &[u8]) {
        // What fails here fails again when a task is submitted, and is reported then.
        let _ = self.call(|object| {
            let reports = Reports(self.sender.clone());
            object.call_method1("begin", (PyBytes::new(object.py(), parcel), reports)).map(drop)
        });
    }

    fn slots(&self) -> usize {
        let slots = self.call(|object| object.call_method0("slots")?.extract());
        slots.and_then(Result::ok).unwrap_or(1)
    }

    fn submit(&mut self, ticket: u64, task: Vec<u8>) {
        let submitted =
            self.call(|object| object.call_method1("submit", (ticket, PyBytes::new(object.py(), &task))).map(drop));
        let why = match submitted {
            Some(Ok(())) => return,
            Some(Err(why)) => why,
            None => "the interpreter ends".to_owned(),
        };
        let _ = self.sender.send(Report { ticket, result: Err(Failure::Died(why)) });
    }

    fn next(&mut self, wait: Duration) -> Option<Report> {
        self.reports.recv_timeout(wait).ok()
    }

    fn halt(&mut self) {
        let _ = self.call(|object| object.call_method0("halt").map(drop));
    }
}

/// A program whose tasks can be done here.
#[pyclass(frozen, module = "slowpath._native")]
pub struct Work(slowpath::work::Work);

#[pymethods]
impl Work {
    /// Of the arguments of `slowpath analyze`, and the program as bytes, if it came so; else, or where these are of no use, its files are compiled.
    #[new]
    #[pyo3(signature = (arguments, parcel=None))]
    fn new(py: Python<'_>, arguments: Vec<String>, parcel: Option<&[u8]>) -> PyResult<Work> {
        let request = slowpath_cli::analyze_request(&arguments, Arc::new(AtomicBool::new(false)));
        let request = request.map_err(Error::new_err)?;
        let parcel = parcel.map(<[u8]>::to_vec);
        let opened = py.detach(|| match parcel {
            Some(parcel) => slowpath::work::Work::unpack(&request, &parcel).map_err(|error| error.to_string()),
            None => slowpath::work::Work::open(&request).map_err(|error| error.to_string()),
        });
        opened.map(Work).map_err(Error::new_err)
    }

    /// The program as bytes.
    fn parcel<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.pack())
    }

    /// Does a task.
    fn slice<'py>(&self, py: Python<'py>, task: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let task = task.to_vec();
        let done = py.detach(|| self.0.slice(&task).map_err(|error| error.to_string()));
        done.map(|result| PyBytes::new(py, &result)).map_err(Error::new_err)
    }
}
