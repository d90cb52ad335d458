//! Rust's `HashMap` with hashers that are fast and keyless: different keys with the bits of the hash that it looks at all alike.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A word turned, mixed in and multiplied, as compilers hash their ids.
#[derive(Default)]
pub struct Fx(u64);

impl Fx {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Fx {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.mix(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }
}

/// Fowler, Noll and Vo's, byte by byte.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

/// How many different words there are.
fn count<H: Hasher + Default>(keys: &[u32]) -> usize {
    let mut seen: HashMap<u32, u32, BuildHasherDefault<H>> = HashMap::default();
    for key in keys {
        *seen.entry(*key).or_insert(0) += 1;
    }
    seen.len()
}

pub fn count_fx(keys: &[u32]) -> usize {
    count::<Fx>(keys)
}

pub fn count_fnv(keys: &[u32]) -> usize {
    count::<Fnv>(keys)
}
