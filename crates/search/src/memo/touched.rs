//! Which bytes of memory are ever written.
//!
//! A byte that no path ever writes holds the same everywhere: a future that reads it need not remember it. That is taken
//! for granted until some path writes such a byte; then everything remembered is worth nothing, and the exploration begins
//! again, knowing better.

use rustc_hash::FxHashMap;
use slowpath_machine::Entry;

/// Addresses for which a word of bits stands.
const WORD: u32 = 64;

/// A set of addresses.
#[derive(Default)]
struct Addresses(FxHashMap<u32, u64>);

impl Addresses {
    fn contains(&self, addr: u32) -> bool {
        self.0.get(&(addr / WORD)).is_some_and(|word| word >> (addr % WORD) & 1 == 1)
    }

    fn insert(&mut self, addr: u32) {
        *self.0.entry(addr / WORD).or_default() |= 1 << (addr % WORD);
    }
}

/// Times an assumption may fail before none is made any more. Writes nearly always show on the first path.
const MOST_FAILURES: u32 = 4;

/// What is known of memory over all paths.
#[derive(Default)]
pub struct Touched {
    written: Addresses,
    /// Bytes that somebody took for never written.
    assumed: Addresses,
    failures: u32,
    failed: bool,
}

impl Touched {
    /// Notes what was written.
    pub fn note(&mut self, entries: &[Entry]) {
        for entry in entries {
            let (addr, len) = match *entry {
                Entry::Wrote { addr, len } | Entry::MayHaveWritten { addr, len } => (addr, len),
                Entry::Copied { to, len, .. } => (to, len),
                _ => continue,
            };
            for addr in addr..addr.saturating_add(len) {
                self.written.insert(addr);
                self.failed |= self.assumed.contains(addr);
            }
        }
    }

    /// Nobody knows what was written: nothing is taken for never written any more.
    pub fn give_up(&mut self) {
        self.failures = MOST_FAILURES;
        self.failed |= !self.assumed.0.is_empty();
    }

    /// Whether a byte that is read has to be remembered; if not, nobody may write it.
    pub fn may_change(&mut self, addr: u32) -> bool {
        if self.failures >= MOST_FAILURES || self.written.contains(addr) {
            return true;
        }
        self.assumed.insert(addr);
        false
    }

    /// Whether a byte was written that was taken for never written: what is remembered may be wrong.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether a byte was written that was taken for never written. If so, begins anew with what is known of writes.
    pub fn begin_again(&mut self) -> bool {
        if !std::mem::take(&mut self.failed) {
            return false;
        }
        self.failures += 1;
        self.assumed = Addresses::default();
        true
    }
}
