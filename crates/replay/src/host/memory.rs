//! Access to the program's memory from host functions; every access is checked.

/// The access lies outside memory.
pub(super) struct OutOfBounds;

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
