//! Which pages of a memory were ever written to; all others still hold zeros.
//!
//! An operating system gives memory a page at a time, when one is first touched, and Linux tells which were given (`pagemap`).
//! Elsewhere, or if it cannot be found out, every page counts as touched.

use super::PAGE;
#[cfg(target_os = "linux")]
use super::pagemap::{Pagemap, Source};

/// Who knows which pages were touched. Found once, for many memories.
#[derive(Clone)]
pub(super) struct Observer {
    #[cfg(target_os = "linux")]
    pagemap: Option<Source>,
}

impl Observer {
    pub(super) fn find() -> Observer {
        Observer {
            #[cfg(target_os = "linux")]
            pagemap: Source::open(),
        }
    }
}

/// The touched pages of one memory, as they were found last.
pub(super) struct Touched {
    #[cfg(target_os = "linux")]
    pagemap: Option<Pagemap>,
    pages: Vec<usize>,
}

impl Touched {
    pub(super) fn new(observer: &Observer) -> Touched {
        #[cfg(not(target_os = "linux"))]
        let Observer {} = observer;
        Touched {
            #[cfg(target_os = "linux")]
            pagemap: observer.pagemap.as_ref().map(Pagemap::new),
            pages: Vec::new(),
        }
    }

    /// Looks which pages of `memory` have been touched. Its contents are not read, so that nothing is touched by looking.
    pub(super) fn find(&mut self, memory: &[u8]) {
        #[cfg(target_os = "linux")]
        if let Some(pagemap) = &mut self.pagemap
            && pagemap.update(memory, &mut self.pages)
        {
            return;
        }
        self.pages.clear();
        self.pages.extend(0..memory.len().div_ceil(PAGE));
    }

    /// Indices of pages, ascending.
    pub(super) fn pages(&self) -> &[usize] {
        &self.pages
    }
}
