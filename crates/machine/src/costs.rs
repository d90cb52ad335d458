//! The cost counters, and the region of the run they count.

/// What a run cost, by every model at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Costs {
    /// WebAssembly instructions, counted as wasmtime counts fuel.
    pub instructions: u64,
    /// Conditionals executed, symbolic or not: br_if, if, br_table, select, call_indirect.
    pub branches: u64,
    /// Decisions on symbolic values.
    pub decisions: u64,
    /// Calls of functions, host functions included.
    pub calls: u64,
    /// Peak linear memory in bytes.
    pub memory: u64,
    /// Peak call depth.
    pub stack: u64,
    /// Bytes written to standard output and error.
    pub output: u64,
    /// Bytes asked from the allocator (`malloc`, `calloc`, `realloc`, `aligned_alloc`).
    pub heap: u64,
    /// What the program reported through `slowpath_cost`.
    pub custom: u64,
}

impl Costs {
    /// The names of the counters, in the order of `values`.
    pub const NAMES: [&'static str; 9] =
        ["instructions", "branches", "decisions", "calls", "memory", "stack", "output", "heap", "custom"];

    /// Every counter, in the order of `NAMES`.
    pub fn values(&self) -> [u64; 9] {
        [
            self.instructions,
            self.branches,
            self.decisions,
            self.calls,
            self.memory,
            self.stack,
            self.output,
            self.heap,
            self.custom,
        ]
    }

    /// What was added since `mark`; peaks stay peaks.
    fn since(&self, mark: &Costs) -> Costs {
        Costs {
            instructions: self.instructions - mark.instructions,
            branches: self.branches - mark.branches,
            decisions: self.decisions - mark.decisions,
            calls: self.calls - mark.calls,
            output: self.output - mark.output,
            heap: self.heap.saturating_sub(mark.heap),
            custom: self.custom.saturating_sub(mark.custom),
            memory: self.memory,
            stack: self.stack,
        }
    }

    fn plus(&self, more: &Costs) -> Costs {
        Costs {
            instructions: self.instructions.saturating_add(more.instructions),
            branches: self.branches.saturating_add(more.branches),
            decisions: self.decisions.saturating_add(more.decisions),
            calls: self.calls.saturating_add(more.calls),
            output: self.output.saturating_add(more.output),
            heap: self.heap.saturating_add(more.heap),
            custom: self.custom.saturating_add(more.custom),
            memory: more.memory,
            stack: more.stack,
        }
    }
}

/// Whether what runs now counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Region {
    /// No `slowpath_begin` was seen: everything counts.
    Whole,
    On,
    Off,
}

/// Counts a run, or the parts of it between `slowpath_begin` and `slowpath_end`.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Everything since the entry was called.
    pub raw: Costs,
    /// `raw.instructions` at the last point where wasmtime would have saved its fuel.
    pub saved: u64,
    /// Finished regions.
    counted: Costs,
    /// `raw` at the start of the open region.
    mark: Costs,
    region: Region,
}

impl Meter {
    pub(crate) fn new() -> Meter {
        Meter {
            raw: Costs::default(),
            saved: 0,
            counted: Costs::default(),
            mark: Costs::default(),
            region: Region::Whole,
        }
    }

    /// Notes a point where wasmtime saves its fuel counter.
    #[inline(always)]
    pub(crate) fn save(&mut self) {
        self.saved = self.raw.instructions;
    }

    /// Whether what runs now counts.
    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.region != Region::Off
    }

    /// The state of the measured region as a number: 0 before the first `slowpath_begin`.
    pub fn region_number(&self) -> u64 {
        self.region as u64
    }

    /// `slowpath_begin`: the first one forgets what ran before it, and says so.
    pub(crate) fn begin(&mut self) -> bool {
        let first = self.region == Region::Whole;
        if first {
            self.counted = Costs::default();
        }
        if self.region != Region::On {
            self.open();
        }
        first
    }

    fn open(&mut self) {
        self.mark = self.raw;
        self.region = Region::On;
    }

    /// `slowpath_end`: what was counted stays.
    pub(crate) fn end(&mut self) {
        if self.region == Region::On {
            self.counted = self.counted.plus(&self.raw.since(&self.mark));
            self.region = Region::Off;
        }
    }

    /// The cost so far.
    pub fn costs(&self) -> Costs {
        let mut costs = match self.region {
            Region::Whole => self.raw,
            Region::On => self.counted.plus(&self.raw.since(&self.mark)),
            Region::Off => self.counted,
        };
        costs.memory = self.raw.memory;
        costs.stack = self.raw.stack;
        costs
    }

    /// The instruction count wasmtime would show now, if a trap ended the run at this point.
    pub fn saved_instructions(&self) -> u64 {
        let mut at_save = *self;
        at_save.raw.instructions = self.saved.max(if self.region == Region::On { self.mark.instructions } else { 0 });
        at_save.costs().instructions
    }
}
