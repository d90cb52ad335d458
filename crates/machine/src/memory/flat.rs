//! Memory of plain bytes, for concrete runs: one vector as far as programs usually get, and blocks made where they are first written to
//! beyond, so that a module that declares a gigabyte does not hold it.

use slowpath_term::Terms;

use super::{Memory, WASM_PAGE};

const LOW: u64 = FlatMemory::LOW;
/// Bytes of a block. Programs that touch a byte here and there have all of a block cleared for each: with blocks of 64 KiB that was most of the time of such runs.
const BLOCK: u64 = WASM_PAGE / 16;

/// A flat memory.
#[derive(Clone, Debug)]
pub struct FlatMemory {
    /// The bytes below `LOW`.
    low: Vec<u8>,
    /// Those from there on, by blocks; one that was never written to is zero.
    high: Vec<Option<Box<[u8]>>>,
    /// Bytes that blocks may still take.
    room: u64,
}

impl FlatMemory {
    /// Bytes that are held in one vector, for which no room is asked.
    pub const LOW: u64 = 16 << 20;

    /// The bytes that are held in one vector, from address 0 on.
    #[inline(always)]
    pub(crate) fn low_mut(&mut self) -> &mut [u8] {
        &mut self.low
    }

    #[inline(always)]
    fn array<const N: usize>(&self, addr: u64) -> Option<[u8; N]> {
        let at = usize::try_from(addr).ok()?;
        match self.low.get(at..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(cell) => Some(*cell),
            None => self.high_array(addr),
        }
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, addr: u64, value: [u8; N]) -> bool {
        match usize::try_from(addr).ok().and_then(|at| self.low.get_mut(at..)?.first_chunk_mut::<N>()) {
            Some(cell) => {
                *cell = value;
                true
            }
            None => !self.high.is_empty() && self.write(addr, &value),
        }
    }

    #[cold]
    fn high_array<const N: usize>(&self, addr: u64) -> Option<[u8; N]> {
        if self.high.is_empty() || !self.has(addr, N as u64) {
            return None;
        }
        let mut out = [0; N];
        self.copy_out(addr, &mut out);
        Some(out)
    }

    fn len(&self) -> u64 {
        self.low.len() as u64 + self.high.len() as u64 * BLOCK
    }

    /// Whether a range lies within it.
    fn has(&self, addr: u64, len: u64) -> bool {
        addr.checked_add(len).is_some_and(|end| end <= self.len())
    }

    /// The bytes from an address on that lie side by side, at most so many: none where they are zero, and how many they are.
    fn piece(&self, addr: u64, most: u64) -> (Option<&[u8]>, u64) {
        let Some(above) = addr.checked_sub(self.low.len() as u64) else {
            let len = most.min(self.low.len() as u64 - addr);
            return (Some(&self.low[addr as usize..(addr + len) as usize]), len);
        };
        let (block, at) = ((above / BLOCK) as usize, above % BLOCK);
        let len = most.min(BLOCK - at);
        (self.high[block].as_ref().map(|bytes| &bytes[at as usize..(at + len) as usize]), len)
    }

    /// The bytes from an address on that lie side by side, to be written to.
    fn piece_mut(&mut self, addr: u64, most: u64) -> &mut [u8] {
        let low = self.low.len() as u64;
        let Some(above) = addr.checked_sub(low) else {
            let len = most.min(low - addr);
            return &mut self.low[addr as usize..(addr + len) as usize];
        };
        let (block, at) = ((above / BLOCK) as usize, above % BLOCK);
        let len = most.min(BLOCK - at);
        let room = &mut self.room;
        let bytes = self.high[block].get_or_insert_with(|| {
            *room = room.saturating_sub(BLOCK);
            vec![0; BLOCK as usize].into()
        });
        &mut bytes[at as usize..(at + len) as usize]
    }

    /// Copies bytes that lie within it.
    fn copy_out(&self, addr: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let (piece, len) = self.piece(addr + done as u64, (out.len() - done) as u64);
            let target = &mut out[done..done + len as usize];
            match piece {
                Some(bytes) => target.copy_from_slice(bytes),
                None => target.fill(0),
            }
            done += len as usize;
        }
    }

    #[cfg(test)]
    fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0; self.len() as usize];
        self.copy_out(0, &mut out);
        out
    }
}

impl Memory<u64> for FlatMemory {
    fn new(pages: u32) -> FlatMemory {
        let mut memory = FlatMemory { low: Vec::new(), high: Vec::new(), room: u64::MAX };
        memory.grow(pages);
        memory
    }

    fn pages(&self) -> u32 {
        (self.len() / WASM_PAGE) as u32
    }

    fn grow(&mut self, delta: u32) {
        let len = self.len() + u64::from(delta) * WASM_PAGE;
        if self.low.is_empty() {
            // Of a fresh memory the system need not even be told that it is zero.
            self.low = vec![0; len.min(LOW) as usize];
        } else {
            self.low.resize(len.min(LOW) as usize, 0);
        }
        self.high.resize((len.saturating_sub(LOW) / BLOCK) as usize, None);
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
        let mut out = vec![0; len as usize];
        self.copy_out(addr, &mut out);
        Some(out)
    }

    fn write(&mut self, addr: u64, bytes: &[u8]) -> bool {
        if !self.has(addr, bytes.len() as u64) {
            return false;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let at = addr + (bytes.len() - rest.len()) as u64;
            let piece = self.piece_mut(at, rest.len() as u64);
            let (now, later) = rest.split_at(piece.len());
            piece.copy_from_slice(now);
            rest = later;
        }
        true
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) -> bool {
        if !self.has(to, len) || !self.has(from, len) {
            return false;
        }
        if to.max(from) + len <= self.low.len() as u64 {
            self.low.copy_within(from as usize..(from + len) as usize, to as usize);
            return true;
        }
        // In steps, and from the end where what is overwritten is still to be copied.
        let mut step = vec![0; len.min(BLOCK) as usize];
        let steps = len.div_ceil(BLOCK);
        for i in 0..steps {
            let at = if to > from { steps - 1 - i } else { i } * BLOCK;
            let part = &mut step[..BLOCK.min(len - at) as usize];
            self.copy_out(from + at, part);
            self.write(to + at, part);
        }
        true
    }

    fn fill(&mut self, to: u64, byte: u8, len: u64) -> bool {
        if !self.has(to, len) {
            return false;
        }
        let mut done = 0;
        while done < len {
            let (piece, length) = self.piece(to + done, len - done);
            // What is zero already need not be made.
            if byte != 0 || piece.is_some() {
                self.piece_mut(to + done, len - done).fill(byte);
            }
            done += length;
        }
        true
    }

    fn room(&self) -> u64 {
        self.room
    }

    fn set_room(&mut self, bytes: u64) {
        self.room = bytes;
    }

    #[cold]
    fn takes(&self, addr: u64, len: u64) -> u64 {
        if len == 0 || !self.has(addr, len) {
            return 0;
        }
        let low = self.low.len() as u64;
        let blocks = addr.saturating_sub(low) / BLOCK..(addr + len).saturating_sub(low).div_ceil(BLOCK);
        blocks.filter(|block| self.high[*block as usize].is_none()).count() as u64 * BLOCK
    }

    #[inline(always)]
    fn store_in_room(&mut self, terms: &mut Terms, addr: u64, bytes: u8, value: u64) -> bool {
        let is_low = addr + u64::from(bytes) <= self.low.len() as u64;
        (is_low || self.takes(addr, bytes.into()) <= self.room) && self.store(terms, addr, bytes, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A memory that ends 48 blocks past where one vector ends.
    const PAGES: u32 = (LOW / WASM_PAGE) as u32 + 3;
    const END: u64 = LOW + 48 * BLOCK;

    #[test]
    fn what_is_written_across_the_end_of_the_vector_is_read_again() {
        let (mut memory, mut terms) = (FlatMemory::new(PAGES), Terms::new());
        for addr in [LOW - 3, LOW + 100, LOW + BLOCK - 5, END - 8] {
            assert_eq!(memory.load(&mut terms, addr, 8), Some(0));
            assert!(memory.store(&mut terms, addr, 8, 0x0807_0605_0403_0201));
            assert_eq!(memory.load(&mut terms, addr, 8), Some(0x0807_0605_0403_0201));
            assert_eq!(memory.load(&mut terms, addr + 2, 4), Some(0x0605_0403));
        }
        let end = END;
        assert_eq!((memory.load(&mut terms, end - 7, 8), memory.load(&mut terms, end, 1)), (None, None));
        assert!(!memory.store(&mut terms, end - 7, 8, 1) && !memory.store(&mut terms, u64::MAX - 1, 4, 1));
        assert_eq!(memory.read(end - 8, 8), Some(vec![1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!((memory.read(end - 8, 9), memory.pages()), (None, PAGES));
    }

    #[test]
    fn ranges_are_copied_and_filled_as_in_one_vector() {
        let mut memory = FlatMemory::new(PAGES);
        let mut plain = vec![0; END as usize];
        let text: Vec<u8> = (0..=255).cycle().take(2 * BLOCK as usize + 77).collect();
        let len = text.len() as u64;
        assert!(memory.write(LOW - 1000, &text));
        plain[LOW as usize - 1000..][..text.len()].copy_from_slice(&text);
        for (to, from) in [(LOW - 500, LOW - 1000), (LOW - 2000, LOW - 500), (64, LOW - 7)] {
            let len = len.min(2 * BLOCK);
            assert!(memory.copy(to, from, len));
            plain.copy_within(from as usize..(from + len) as usize, to as usize);
        }
        assert!(memory.fill(LOW - 5, 9, BLOCK) && memory.fill(LOW + 2, 0, END - LOW - 2));
        plain[LOW as usize - 5..][..BLOCK as usize].fill(9);
        plain[LOW as usize + 2..].fill(0);
        assert!(memory.bytes() == plain);
        assert!(!memory.copy(LOW, 0, 49 * BLOCK) && !memory.fill(LOW, 1, 49 * BLOCK));
    }

    #[test]
    fn without_room_a_store_is_refused_and_changes_nothing() {
        let (mut memory, mut terms) = (FlatMemory::new(PAGES), Terms::new());
        memory.set_room(BLOCK);
        let across = LOW + BLOCK - 4;
        assert_eq!(memory.takes(across, 8), 2 * BLOCK);
        assert!(!memory.store_in_room(&mut terms, across, 8, u64::MAX));
        assert_eq!((memory.load(&mut terms, across, 8), memory.room()), (Some(0), BLOCK));
        assert!(memory.store_in_room(&mut terms, LOW, 8, 7) && memory.store_in_room(&mut terms, LOW + 8, 8, 7));
        assert_eq!((memory.takes(LOW, BLOCK), memory.takes(LOW, 3 * BLOCK), memory.room()), (0, 2 * BLOCK, 0));
        assert_eq!((memory.takes(0, LOW), memory.takes(LOW, 49 * BLOCK)), (0, 0), "there already, or not at all");
        assert!(memory.store_in_room(&mut terms, 0, 8, 7), "what is low is there already");
        memory.set_room(BLOCK);
        assert!(memory.store_in_room(&mut terms, across, 8, u64::MAX) && memory.room() == 0);
    }

    #[test]
    fn a_large_memory_holds_what_is_written_only() {
        let mut memory = FlatMemory::new(16_384);
        assert!(memory.fill(0, 0, 1 << 30) && memory.write(1 << 29, b"here"));
        memory.grow(16);
        assert_eq!(memory.high.iter().flatten().count(), 1);
        assert_eq!((memory.read(1 << 29, 4), memory.pages()), (Some(b"here".to_vec()), 16_400));
    }
}
