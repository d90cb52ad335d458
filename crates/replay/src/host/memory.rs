//! Access to the program's memory from host functions; every access is checked.

use slowpath_program::instrument::MEMORY;
use wasmtime::Caller;

use super::Host;

/// The access lies outside memory.
pub(super) struct OutOfBounds;

/// Bytes of memory 0, and what host functions keep beside it.
pub(super) fn memory_and_host<'a>(caller: &'a mut Caller<'_, Host>) -> (&'a mut [u8], &'a mut Host) {
    match caller.get_export(MEMORY).and_then(|export| export.into_memory()) {
        Some(memory) => memory.data_and_store_mut(caller),
        None => (&mut [], caller.data_mut()),
    }
}

/// A part of memory, with C's view of an address: an unsigned 32-bit number.
pub(super) fn range(memory: &mut [u8], address: i32, bytes: u64) -> Result<&mut [u8], OutOfBounds> {
    let start = u64::from(address as u32);
    let end = start.checked_add(bytes).filter(|end| *end <= memory.len() as u64).ok_or(OutOfBounds)?;
    // Both fit: they are at most the length of a slice.
    Ok(&mut memory[start as usize..end as usize])
}

pub(super) fn write(memory: &mut [u8], address: i32, bytes: &[u8]) -> Result<(), OutOfBounds> {
    range(memory, address, bytes.len() as u64)?.copy_from_slice(bytes);
    Ok(())
}
