//! Memory of plain bytes in one vector, for concrete runs.

use slowpath_term::Terms;

use super::{Memory, WASM_PAGE};

/// A flat memory.
#[derive(Clone, Debug)]
pub struct FlatMemory {
    bytes: Vec<u8>,
}

impl FlatMemory {
    #[inline(always)]
    fn array<const N: usize>(&self, addr: u64) -> Option<[u8; N]> {
        let at = usize::try_from(addr).ok()?;
        self.bytes.get(at..)?.first_chunk::<N>().copied()
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, addr: u64, value: [u8; N]) -> bool {
        match usize::try_from(addr).ok().and_then(|at| self.bytes.get_mut(at..)?.first_chunk_mut::<N>()) {
            Some(cell) => {
                *cell = value;
                true
            }
            None => false,
        }
    }

    /// Whether a range lies within it.
    fn has(&self, addr: u64, len: u64) -> bool {
        addr.checked_add(len).is_some_and(|end| end <= self.bytes.len() as u64)
    }

    /// The bytes as they are.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Memory<u64> for FlatMemory {
    fn new(pages: u32) -> FlatMemory {
        FlatMemory { bytes: vec![0; pages as usize * WASM_PAGE as usize] }
    }

    fn pages(&self) -> u32 {
        (self.bytes.len() as u64 / WASM_PAGE) as u32
    }

    fn grow(&mut self, delta: u32) {
        self.bytes.resize(self.bytes.len() + delta as usize * WASM_PAGE as usize, 0);
    }

    #[inline(always)]
    fn load(&self, _: &mut Terms, addr: u64, bytes: u8) -> Option<u64> {
        Some(match bytes {
            1 => u64::from(u8::from_le_bytes(self.array(addr)?)),
            2 => u64::from(u16::from_le_bytes(self.array(addr)?)),
            4 => u64::from(u32::from_le_bytes(self.array(addr)?)),
            _ => u64::from_le_bytes(self.array(addr)?),
        })
    }

    #[inline(always)]
    fn store(&mut self, _: &mut Terms, addr: u64, bytes: u8, value: u64) -> bool {
        match bytes {
            1 => self.put(addr, (value as u8).to_le_bytes()),
            2 => self.put(addr, (value as u16).to_le_bytes()),
            4 => self.put(addr, (value as u32).to_le_bytes()),
            _ => self.put(addr, value.to_le_bytes()),
        }
    }

    fn read(&self, addr: u64, len: u64) -> Option<Vec<u8>> {
        if !self.has(addr, len) {
            return None;
        }
        Some(self.bytes[addr as usize..(addr + len) as usize].to_vec())
    }

    fn write(&mut self, addr: u64, bytes: &[u8]) -> bool {
        if !self.has(addr, bytes.len() as u64) {
            return false;
        }
        self.bytes[addr as usize..addr as usize + bytes.len()].copy_from_slice(bytes);
        true
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) -> bool {
        if !self.has(to, len) || !self.has(from, len) {
            return false;
        }
        self.bytes.copy_within(from as usize..(from + len) as usize, to as usize);
        true
    }

    fn fill(&mut self, to: u64, byte: u8, len: u64) -> bool {
        if !self.has(to, len) {
            return false;
        }
        self.bytes[to as usize..(to + len) as usize].fill(byte);
        true
    }
}
