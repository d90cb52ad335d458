//! What a run reads and writes, noted as it goes.

use std::ops::Range;

use slowpath_program::FuncIdx;

use crate::profile::Profile;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An instruction began, in a frame whose registers begin at `base`. What it did follows. One that asks a question
    /// begins again when it is answered.
    Step {
        func: FuncIdx,
        pc: u32,
        base: u32,
    },
    Read {
        addr: u32,
        len: u32,
    },
    Wrote {
        addr: u32,
        len: u32,
    },
    /// Every one of these bytes is what it was, or overwritten.
    MayHaveWritten {
        addr: u32,
        len: u32,
    },
    Copied {
        to: u32,
        from: u32,
        len: u32,
    },
    /// Registers were handed to the host, or counted: what they hold decides what happens.
    Passed {
        from: u32,
        to: u32,
    },
    /// Registers were set to zero.
    Cleared {
        from: u32,
        to: u32,
    },
}

/// Entries that are noted at most: 64 MiB of them. A run that goes on for longer without a decision is hardly one of many that come
/// together.
const MOST: usize = 4 << 20;

/// Everything that happened since somebody last took it, in order.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub entries: Vec<Entry>,
    /// More happened than is noted.
    pub is_full: bool,
}

impl Record {
    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        if self.entries.len() < MOST {
            self.entries.push(entry);
        } else {
            self.is_full = true;
        }
    }
}

impl Profile for Record {
    #[inline(always)]
    fn step(&mut self, func: FuncIdx, pc: usize, base: u32, _: bool) {
        self.push(Entry::Step { func, pc: pc as u32, base });
    }

    #[inline(always)]
    fn read(&mut self, addr: u64, len: u64) {
        self.push(Entry::Read { addr: addr as u32, len: len as u32 });
    }

    #[inline(always)]
    fn wrote(&mut self, addr: u64, len: u64) {
        self.push(Entry::Wrote { addr: addr as u32, len: len as u32 });
    }

    fn may_have_written(&mut self, addr: u64, len: u64) {
        self.push(Entry::MayHaveWritten { addr: addr as u32, len: len as u32 });
    }

    fn copied(&mut self, to: u64, from: u64, len: u64) {
        self.push(Entry::Copied { to: to as u32, from: from as u32, len: len as u32 });
    }

    fn passed(&mut self, registers: Range<u32>) {
        self.push(Entry::Passed { from: registers.start, to: registers.end });
    }

    fn cleared(&mut self, registers: Range<u32>) {
        if !registers.is_empty() {
            self.push(Entry::Cleared { from: registers.start, to: registers.end });
        }
    }
}
