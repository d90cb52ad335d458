//! The branches that are counted, and where.

use wasmparser::ExternalKind;

use super::encode::leb128;
use super::exports::export;
use super::{COUNTERS, InstrumentError, global_export};
use crate::ids::SiteId;
use crate::module::Program;
use crate::sites::SiteKind;

const PAGE: u32 = 65_536;
pub(super) const COUNTER_BYTES: u32 = 4;
/// Of a memory: a greatest size is given.
const HAS_MAXIMUM: u8 = 1;
/// Of a load or store: aligned to 4 bytes, in a memory that is named.
pub(super) const ALIGNED_IN_MEMORY: u8 = 0x42;

/// A module with counters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    pub wasm: Vec<u8>,
    /// The site of each counter, in the order in which they lie in the memory `COUNTERS`, 32 bits each, little-endian.
    pub sites: Vec<SiteId>,
    /// How many memories the program has: the index of the memory of the counters.
    pub memory: u32,
    /// The mutable globals, each exported as `global_export` says.
    pub globals: Vec<u32>,
}

/// The branches of a module, and the memory where they are counted.
pub(super) struct Branches {
    pub(super) memory: u32,
    /// By their code offset, which ascends.
    sites: Vec<(u32, SiteId)>,
    /// The mutable globals.
    globals: Vec<u32>,
}

impl Branches {
    /// The module with the exports of `with_exports`, its mutable globals and the memory of the counters exported, and its branches.
    pub(super) fn of(program: &Program, wasm: &[u8], function: u32) -> Result<(Vec<u8>, Branches), InstrumentError> {
        let memory = program.memories.len() as u32;
        let is_mutable = |at: u32| program.globals.get(at as usize).is_some_and(|global| global.mutable);
        let globals: Vec<u32> =
            (0..).zip(&program.global_at).filter(|(_, at)| is_mutable(**at)).map(|(i, _)| i).collect();
        let mut extra: Vec<_> = globals.iter().map(|i| (global_export(*i), ExternalKind::Global, *i)).collect();
        extra.push((COUNTERS.to_owned(), ExternalKind::Memory, memory));
        let exported = export(wasm, function, extra)?;
        let mut sites: Vec<(u32, SiteId)> =
            program.sites.iter().filter(|site| is_counted(site.kind)).map(|site| (site.offset, site.id)).collect();
        sites.sort_unstable();
        Ok((exported, Branches { memory, sites, globals }))
    }

    /// The module with its counters.
    pub(super) fn counted(self, wasm: Vec<u8>) -> Counted {
        let sites = self.sites.into_iter().map(|(_, site)| site).collect();
        Counted { wasm, sites, memory: self.memory, globals: self.globals }
    }

    /// The offset of a branch.
    pub(super) fn offset(&self, branch: usize) -> Option<u32> {
        self.sites.get(branch).map(|(offset, _)| *offset)
    }

    /// Adds one to the counter of a branch, by operators that any engine has.
    pub(super) fn count(&self, out: &mut Vec<u8>, branch: usize) {
        let place = |out: &mut Vec<u8>| {
            out.push(ALIGNED_IN_MEMORY);
            leb128(out, self.memory);
            leb128(out, branch as u32 * COUNTER_BYTES);
        };
        // Where, where, load, one, add, store.
        out.extend([0x41, 0, 0x41, 0, 0x28]);
        place(out);
        out.extend([0x41, 1, 0x6a, 0x36]);
        place(out);
    }

    /// The memory, as the section of memories has it.
    pub(super) fn declare_memory(&self, out: &mut Vec<u8>) {
        let pages = (self.sites.len() as u32 * COUNTER_BYTES).div_ceil(PAGE).max(1);
        out.push(HAS_MAXIMUM);
        leb128(out, pages);
        leb128(out, pages);
    }
}

/// Whether the site has a counter. A `select` has none: it is too short to be counted without being slowed down.
fn is_counted(kind: SiteKind) -> bool {
    matches!(kind, SiteKind::BrIf | SiteKind::If | SiteKind::BrTable | SiteKind::CallIndirect)
}
