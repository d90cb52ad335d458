//! How often each instruction ran and each branch jumped, in runs that are made to find that out.

use slowpath_program::FuncIdx;

/// What a mode counts of single instructions. Most modes count nothing, which costs nothing.
pub trait Profile: Default + Clone + 'static {
    /// Whether it counts anything: then every instruction has to be told.
    const COUNTS: bool = true;

    /// An instruction is about to run, in a frame whose registers begin at `base`. `counts` where it is part of what is measured.
    #[inline(always)]
    fn step(&mut self, _func: FuncIdx, _pc: usize, _base: u32, _counts: bool) {}
    /// The flat code's branch jumps, or does not.
    #[inline(always)]
    fn branch(&mut self, _func: FuncIdx, _pc: usize, _jumps: bool) {}
    /// These bytes of memory were read.
    #[inline(always)]
    fn read(&mut self, _addr: u64, _len: u64) {}
    /// These bytes of memory were overwritten.
    #[inline(always)]
    fn wrote(&mut self, _addr: u64, _len: u64) {}
    /// These bytes of memory may have been overwritten: the address is not known.
    #[inline(always)]
    fn may_have_written(&mut self, _addr: u64, _len: u64) {}
    /// Bytes of memory were copied.
    #[inline(always)]
    fn copied(&mut self, _to: u64, _from: u64, _len: u64) {}
    /// A function begins, in a frame whose registers begin at `base`, with so many frames below it.
    #[inline(always)]
    fn entered(&mut self, _func: FuncIdx, _base: u32, _depth: usize) {}
    /// A frame was entered, and these registers set to zero.
    #[inline(always)]
    fn cleared(&mut self, _registers: std::ops::Range<u32>) {}
    /// These registers were handed to the host, or counted: what they hold decides what happens.
    #[inline(always)]
    fn passed(&mut self, _registers: std::ops::Range<u32>) {}
    /// Forgets everything, as the cost counters do.
    fn clear(&mut self) {}
}

impl Profile for () {
    const COUNTS: bool = false;
}

/// Counts by function and instruction. Of a state with one module; several are not told apart.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    funcs: Vec<Vec<Count>>,
}

/// The counts of one instruction of the flat code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often it ran.
    pub runs: u64,
    /// How often it jumped.
    pub jumps: u64,
    /// How often it could have and did not.
    pub stays: u64,
}

impl Counts {
    /// The functions that ran.
    pub fn funcs(&self) -> impl Iterator<Item = FuncIdx> {
        let ran = self.funcs.iter().enumerate().filter(|(_, counts)| !counts.is_empty());
        ran.map(|(func, _)| FuncIdx(func as u32))
    }

    /// The counts of one instruction.
    pub fn of(&self, func: FuncIdx, pc: usize) -> Count {
        self.funcs.get(func.index()).and_then(|counts| counts.get(pc)).copied().unwrap_or_default()
    }

    #[inline]
    fn at(&mut self, func: FuncIdx, pc: usize) -> &mut Count {
        let func = func.index();
        if self.funcs.len() <= func {
            self.funcs.resize(func + 1, Vec::new());
        }
        let counts = &mut self.funcs[func];
        if counts.len() <= pc {
            counts.resize(pc + 1, Count::default());
        }
        &mut counts[pc]
    }
}

impl Profile for Counts {
    #[inline]
    fn step(&mut self, func: FuncIdx, pc: usize, _: u32, counts: bool) {
        if counts {
            self.at(func, pc).runs += 1;
        }
    }

    #[inline]
    fn branch(&mut self, func: FuncIdx, pc: usize, jumps: bool) {
        let count = self.at(func, pc);
        *(if jumps { &mut count.jumps } else { &mut count.stays }) += 1;
    }

    fn clear(&mut self) {
        self.funcs.clear();
    }
}
