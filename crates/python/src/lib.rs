//! slowpath for Python: what the package `slowpath` calls. Documents go over as JSON text, and what they become there is written in
//! Python, in `python/slowpath`.
//!
//! A host is left as it was: the allocator is the host's, no handler of signals is set (but by the command, which has the process to
//! itself), and nothing here ends the process.

mod document;
mod engine;
mod event;
mod run;

use pyo3::pymodule;

/// The module `slowpath._native`.
#[pymodule(name = "_native")]
mod native {
    use std::ffi::OsString;

    use pyo3::prelude::{PyModule, PyModuleMethods, PyResult, Python};
    use pyo3::{Bound, create_exception, pyfunction};

    #[pymodule_export]
    use crate::document::{html, human, keeps, notebook, read, replay, verdict};
    #[pymodule_export]
    use crate::engine::{Reports, Work};
    #[pymodule_export]
    use crate::run::{Run, run_once};

    create_exception!(slowpath, Error, pyo3::exceptions::PyException, "What slowpath cannot do, and why.");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("Error", module.py().get_type::<Error>())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the command line, and gives its exit code. `again` is what starts the command once more.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<OsString>, again: Vec<OsString>) -> u8 {
        py.detach(|| slowpath_cli::run(arguments, Some(again)) as u8)
    }

    /// The options of a command: flag, whether it takes no value, whether it can be given several times, what it is for.
    #[pyfunction]
    fn options(command: &str) -> Vec<(String, bool, bool, String)> {
        let options = if command == "run" { slowpath_cli::run_options() } else { slowpath_cli::analyze_options() };
        options.into_iter().map(|option| (option.flag, option.is_switch, option.is_list, option.help)).collect()
    }
}

use native::Error;
