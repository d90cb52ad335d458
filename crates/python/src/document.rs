//! Documents that are there already: read, shown, compared with a class, run again.

use std::path::{Path, PathBuf};

use pyo3::prelude::{PyResult, Python};
use pyo3::pyfunction;
use slowpath::{Class, Findings, Promise, Trust};
use slowpath_report::{Style, from_json, to_json, value_to_json};

use crate::Error;

fn parse(document: &str) -> PyResult<Findings> {
    from_json(document).map_err(|error| Error::new_err(error.to_string()))
}

/// A findings.json, or that of a directory, as text.
#[pyfunction]
pub fn read(path: PathBuf) -> PyResult<String> {
    let findings = slowpath::read_findings(&path).map_err(|error| Error::new_err(error.to_string()))?;
    Ok(to_json(&findings))
}

/// The answer in a line.
#[pyfunction]
pub fn verdict(document: &str) -> PyResult<String> {
    Ok(slowpath_report::verdict(&parse(document)?))
}

/// As the command line prints it.
#[pyfunction]
pub fn human(document: &str, all: bool) -> PyResult<String> {
    let text = slowpath_report::human(&parse(document)?, Style { all, ..Style::default() });
    Ok(slowpath_report::visible(&text).into_owned())
}

/// The whole page.
#[pyfunction]
pub fn html(document: &str) -> PyResult<String> {
    Ok(slowpath_report::html(&parse(document)?))
}

/// What a notebook shows.
#[pyfunction]
pub fn notebook(document: &str) -> PyResult<String> {
    Ok(slowpath_report::html_fragment(&parse(document)?))
}

/// Whether the cost grows no faster than a class: true, false, or none where it cannot be told; and why.
#[pyfunction]
pub fn keeps(document: &str, class: &str) -> PyResult<(Option<bool>, String)> {
    let class: Class = class.parse().map_err(|error| Error::new_err(format!("{error}")))?;
    Ok(match slowpath::keeps(&parse(document)?, &class) {
        Promise::Kept => (Some(true), String::new()),
        Promise::Broken(how) => (Some(false), how),
        Promise::Open(why) => (None, why),
    })
}

/// The worst inputs of a file run again on both engines, as JSON.
#[pyfunction]
pub fn replay(
    py: Python<'_>,
    path: PathBuf,
    program: Option<PathBuf>,
    trust: bool,
    trust_build: bool,
) -> PyResult<String> {
    let trust = Trust { document: trust, build: trust_build };
    let replayed = py.detach(|| slowpath::replay(Path::new(&path), program, trust));
    let replay = replayed.map_err(|error| Error::new_err(error.to_string()))?;
    Ok(value_to_json(&replay.to_json()))
}
