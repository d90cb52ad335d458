//! Which module it is: a hash over everything that can change what it does.

/// Magic number and version.
const PREAMBLE: usize = 8;
const CUSTOM_SECTION: u8 = 0;

/// Enough to notice that a module is not the one it was. Guards against mistakes, not against malice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// How many bytes count.
    pub bytes: u64,
    /// FNV-1a over them.
    pub fnv1a: u64,
}

/// The identity of a module. Custom sections (names, debug information with the paths of sources) do not count: a program that was
/// moved is the same program.
pub fn identity(wasm: &[u8]) -> Identity {
    let mut identity = Identity { bytes: 0, fnv1a: 0xcbf2_9ce4_8422_2325 };
    let mut at = PREAMBLE;
    while let Some((id, end)) = section(wasm, at) {
        if id != CUSTOM_SECTION {
            identity.extend(&wasm[at..end]);
        }
        at = end;
    }
    identity
}

impl Identity {
    fn extend(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        self.fnv1a =
            part.iter().fold(self.fnv1a, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    }
}

/// The section at an offset: its kind and where it ends.
fn section(wasm: &[u8], at: usize) -> Option<(u8, usize)> {
    let id = *wasm.get(at)?;
    let mut size = 0usize;
    for (position, byte) in wasm.get(at + 1..)?.iter().take(5).enumerate() {
        size |= usize::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            let end = (at + 2 + position).checked_add(size)?;
            return (end <= wasm.len()).then_some((id, end));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::identity;

    #[test]
    fn names_do_not_matter_and_code_does() {
        let of = |text: &str| identity(&wat::parse_str(text).unwrap());
        let plain = of("(module (func (result i32) (i32.const 1)))");
        assert_eq!(plain, of("(module $m (func $f (result i32) (i32.const 1)))"));
        assert_ne!(plain, of("(module (func (result i32) (i32.const 2)))"));
    }
}
