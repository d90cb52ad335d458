//! Linear memory, flat or paged.

mod flat;
mod paged;

pub use flat::FlatMemory;
pub use paged::PagedMemory;

use slowpath_term::Terms;

/// Bytes in a WebAssembly page.
pub const WASM_PAGE: u64 = 65_536;

/// A linear memory whose cells hold values `V`. Addresses are checked; `None` and `false` mean out of bounds.
///
/// A memory holds what was written to. How much more of the process's memory it may take for that is its *room*: without end, until
/// somebody limits it. Only `store_in_room` keeps to it; whoever writes much at a time looks before (`takes`).
pub trait Memory<V>: Clone {
    fn new(pages: u32) -> Self;
    /// Size in WebAssembly pages.
    fn pages(&self) -> u32;
    /// Adds pages of zeros.
    fn grow(&mut self, delta: u32);

    /// The `bytes` bytes at `addr` as a value of that width.
    fn load(&self, terms: &mut Terms, addr: u64, bytes: u8) -> Option<V>;
    /// Stores the low `bytes` bytes of a value.
    fn store(&mut self, terms: &mut Terms, addr: u64, bytes: u8, value: V) -> bool;

    /// Plain bytes; `None` also where a byte is symbolic.
    fn read(&self, addr: u64, len: u64) -> Option<Vec<u8>>;
    fn write(&mut self, addr: u64, bytes: &[u8]) -> bool;
    /// Copies within the memory, symbolic bytes included; ranges may overlap.
    fn copy(&mut self, to: u64, from: u64, len: u64) -> bool;
    /// Fills with a byte.
    fn fill(&mut self, to: u64, byte: u8, len: u64) -> bool;

    /// Bytes it may still take to hold what is written.
    fn room(&self) -> u64;
    fn set_room(&mut self, bytes: u64);
    /// Bytes that writing a range takes at most; none where it is out of bounds.
    fn takes(&self, addr: u64, len: u64) -> u64;
    /// Stores the low bytes of a value, unless that takes more room than there is.
    fn store_in_room(&mut self, terms: &mut Terms, addr: u64, bytes: u8, value: V) -> bool;

    fn size(&self) -> u64 {
        u64::from(self.pages()) * WASM_PAGE
    }

    fn in_bounds(&self, addr: u64, len: u64) -> bool {
        addr.checked_add(len).is_some_and(|end| end <= self.size())
    }
}
