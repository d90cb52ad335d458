//! What Linux tells about the pages of our own memory.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::{SysconfVar, sysconf};

use super::PAGE;

/// Bytes for each page in the file.
const ENTRY: usize = 8;
/// In an entry: the page is in memory, or has been moved to disk.
const GIVEN: u64 = 3 << 62;

/// What is asked: `/proc/self/pagemap`.
#[derive(Clone)]
pub(super) struct Source {
    file: Arc<File>,
    /// Whether a thread's memory can only change by page faults of that thread. The kernel makes huge pages, which have
    /// parts that nobody touched, in the background.
    changes_by_faults_only: bool,
}

/// The pages of one memory, and until when the last answer about them holds.
pub(super) struct Pagemap {
    source: Source,
    entries: Vec<u8>,
    /// When the last answer was given.
    answered: Option<Moment>,
}

/// Between two equal moments no page was given to that memory.
#[derive(PartialEq, Eq)]
struct Moment {
    thread: ThreadId,
    faults: i64,
    address: usize,
    bytes: usize,
}

impl Source {
    /// None where there is no such file or its pages are not ours.
    pub(super) fn open() -> Option<Source> {
        if sysconf(SysconfVar::PAGE_SIZE).ok()?? != PAGE as i64 {
            return None;
        }
        let huge = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
        let file = Arc::new(File::open("/proc/self/pagemap").ok()?);
        Some(Source { file, changes_by_faults_only: !huge.contains("[always]") })
    }
}

impl Pagemap {
    pub(super) fn new(source: &Source) -> Pagemap {
        Pagemap { source: source.clone(), entries: Vec::new(), answered: None }
    }

    /// Puts the indices of all pages of `memory` that were given into `pages`, which must be as the last call left it. False if
    /// they cannot be found out.
    pub(super) fn update(&mut self, memory: &[u8], pages: &mut Vec<usize>) -> bool {
        // Before looking: what happens meanwhile must not be missed the next time.
        let now = self.source.changes_by_faults_only.then(|| Moment::now(memory)).flatten();
        if now.is_some() && now == self.answered {
            return true;
        }
        self.answered = None;
        let address = memory.as_ptr() as usize;
        if !address.is_multiple_of(PAGE) {
            return false;
        }
        self.entries.resize(memory.len().div_ceil(PAGE) * ENTRY, 0);
        if self.source.file.read_exact_at(&mut self.entries, (address / PAGE * ENTRY) as u64).is_err() {
            return false;
        }
        let entries = self.entries.as_chunks::<ENTRY>().0.iter().map(|entry| u64::from_ne_bytes(*entry));
        pages.clear();
        pages.extend(entries.enumerate().filter(|(_, entry)| entry & GIVEN != 0).map(|(index, _)| index));
        self.answered = now;
        true
    }
}

impl Moment {
    fn now(memory: &[u8]) -> Option<Moment> {
        let usage = getrusage(UsageWho::RUSAGE_THREAD).ok()?;
        Some(Moment {
            thread: thread::current().id(),
            faults: usage.minor_page_faults() + usage.major_page_faults(),
            address: memory.as_ptr() as usize,
            bytes: memory.len(),
        })
    }
}
