//! Where a run keeps what it knows, and who carries its work: parts of a request.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slowpath_search::work::Engine;

/// Where a run keeps what it knows.
#[derive(Clone, Debug)]
pub struct Keep {
    pub folder: PathBuf,
    /// Whether it goes on with what is there. Default: no, it begins anew.
    pub resume: bool,
    /// Time between two states that are kept. Default: three seconds.
    pub every: Duration,
}

impl Keep {
    /// In a folder, with every default.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Keep {
        Keep { folder: folder.into(), resume: false, every: Duration::from_secs(3) }
    }
}

/// An engine that a request carries along: the first analysis of the request takes it.
#[derive(Clone, Default)]
pub struct SharedEngine(Arc<Mutex<Option<Box<dyn Engine>>>>);

impl SharedEngine {
    /// To be used by one analysis.
    pub fn new(engine: Box<dyn Engine>) -> SharedEngine {
        SharedEngine(Arc::new(Mutex::new(Some(engine))))
    }

    pub(crate) fn take(&self) -> Option<Box<dyn Engine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for SharedEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedEngine")
    }
}
