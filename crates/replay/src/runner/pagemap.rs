//! What Linux tells about the pages of our own memory.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::thread::{self, ThreadId};

use nix::sys::resource::{UsageWho, getrusage};
use nix::unistd::{SysconfVar, sysconf};

use super::touched::PAGE;

/// Bytes for each page in the file.
const ENTRY: usize = 8;
/// In an entry: the page is in memory, or has been moved to disk.
const GIVEN: u64 = 3 << 62;

/// `/proc/self/pagemap`, and until when the last answer holds.
pub(super) struct Pagemap {
    file: File,
    entries: Vec<u8>,
    /// When the last answer was given, and about which memory.
    answered: Option<Moment>,
    /// Whether a thread's memory can only change by page faults of that thread. The kernel makes huge pages, which have
    /// parts that nobody touched, in the background.
    changes_by_faults_only: bool,
}

/// Between two equal moments no page was given to that memory.
#[derive(PartialEq, Eq)]
struct Moment {
    thread: ThreadId,
    faults: i64,
    address: usize,
    bytes: usize,
}

impl Pagemap {
    /// None where there is no such file or its pages are not ours.
    pub(super) fn open() -> Option<Pagemap> {
        if sysconf(SysconfVar::PAGE_SIZE).ok()?? != PAGE as i64 {
            return None;
        }
        let huge = fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
        Some(Pagemap {
            file: File::open("/proc/self/pagemap").ok()?,
            entries: Vec::new(),
            answered: None,
            changes_by_faults_only: !huge.contains("[always]"),
        })
    }

    /// Puts the indices of all pages of `memory` that were given into `pages`, which must be as the last call left it. False if
    /// they cannot be found out.
    pub(super) fn update(&mut self, memory: &[u8], pages: &mut Vec<usize>) -> bool {
        // Before looking: what happens meanwhile must not be missed the next time.
        let now = self.changes_by_faults_only.then(|| Moment::now(memory)).flatten();
        if now.is_some() && now == self.answered {
            return true;
        }
        self.answered = None;
        let address = memory.as_ptr() as usize;
        if !address.is_multiple_of(PAGE) {
            return false;
        }
        self.entries.resize(memory.len().div_ceil(PAGE) * ENTRY, 0);
        if self.file.read_exact_at(&mut self.entries, (address / PAGE * ENTRY) as u64).is_err() {
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
