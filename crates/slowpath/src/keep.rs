//! Where a run keeps what it knows, and who carries its work: parts of a request.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slowpath_search::work::{DEFAULT_EFFORT, Engine};

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
#[derive(Clone)]
pub struct SharedEngine {
    engine: Arc<Mutex<Option<Box<dyn Engine>>>>,
    pub(crate) effort: u64,
}

impl SharedEngine {
    /// To be used by one analysis.
    pub fn new(engine: Box<dyn Engine>) -> SharedEngine {
        SharedEngine { engine: Arc::new(Mutex::new(Some(engine))), effort: DEFAULT_EFFORT }
    }

    /// With tasks of so many steps; the result does not depend on it.
    pub fn with_effort(self, effort: u64) -> SharedEngine {
        SharedEngine { effort: effort.max(1), ..self }
    }

    /// The engine, the first time.
    pub(crate) fn take(&self) -> Option<Box<dyn Engine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for SharedEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedEngine")
    }
}
