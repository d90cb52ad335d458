//! Bytes that are valid UTF-8: whether they are, and the nearest that are.

/// The greatest byte of valid UTF-8.
pub(super) const GREATEST: i128 = 0xf4;

/// The second bytes that may follow a first one, and how many bytes follow it; None where it is none of several.
fn continuation(first: u64) -> Option<(u64, u64, usize)> {
    Some(match first {
        0xc2..=0xdf => (0x80, 0xbf, 1),
        0xe0 => (0xa0, 0xbf, 2),
        0xed => (0x80, 0x9f, 2),
        0xe1..=0xef => (0x80, 0xbf, 2),
        0xf0 => (0x90, 0xbf, 3),
        0xf1..=0xf3 => (0x80, 0xbf, 3),
        0xf4 => (0x80, 0x8f, 3),
        _ => return None,
    })
}

/// Makes bytes valid, from the first on: what begins a character makes what follows a part of it, and what cannot stand where it does
/// becomes ASCII. Valid bytes stay as they are.
pub fn make_valid(bytes: &mut [u64]) {
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first_mut() {
        *first &= 0xff;
        let follows = continuation(*first).filter(|(_, _, count)| *count <= after.len());
        let Some((low, high, count)) = follows else {
            *first &= 0x7f;
            rest = after;
            continue;
        };
        let (character, after) = after.split_at_mut(count);
        for (place, byte) in character.iter_mut().enumerate() {
            let (low, high) = if place == 0 { (low, high) } else { (0x80, 0xbf) };
            if !(low..=high).contains(byte) {
                *byte = low + (*byte & 0x3f) % (high - low + 1);
            }
        }
        rest = after;
    }
}

/// Whether these bytes are valid.
pub fn is_valid(bytes: &[u64]) -> bool {
    let narrow: Option<Vec<u8>> = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect();
    narrow.is_some_and(|bytes| std::str::from_utf8(&bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::{is_valid, make_valid};

    #[test]
    fn any_three_bytes_become_valid_and_valid_ones_stay() {
        // Every first two bytes, and third ones at the ends of ranges.
        for first in 0..=255u64 {
            for second in 0..=255 {
                for third in [0, 0x7f, 0x80, 0xbf, 0xc2, 0xe0, 0xf4, 0xff] {
                    let before = [first, second, third, 0x80, 0x41];
                    let mut after = before;
                    make_valid(&mut after);
                    assert!(is_valid(&after), "{before:x?} to {after:x?}");
                    assert!(!is_valid(&before) || before == after, "{before:x?} to {after:x?}");
                }
            }
        }
    }
}
