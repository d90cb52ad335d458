//! Bytes as a list of choices: what a generator asks for is read from them, and zeros when they are used up, so every input ends.

/// What is left of the bytes.
pub struct Data<'a> {
    bytes: &'a [u8],
}

impl<'a> Data<'a> {
    pub fn new(bytes: &'a [u8]) -> Data<'a> {
        Data { bytes }
    }

    /// Whether nothing is left to choose by.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
        self.bytes = rest;
        *first
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: u8) -> u8 {
        self.byte() % n
    }

    pub fn u64(&mut self) -> u64 {
        (0..8).fold(0, |sum, _| sum << 8 | u64::from(self.byte()))
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::from(self.byte()) % list.len()]
    }

    /// A number made of all bytes, so that a change of any of them makes another.
    pub fn seed(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
    }
}
