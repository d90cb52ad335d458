//! Pieces of the binary format, read and written.

use std::ops::Range;

/// Part of a module whose bytes are all in memory, so that offsets fit.
pub(super) fn slice<'a>(wasm: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    wasm.get(range.start as usize..range.end as usize).unwrap_or_default()
}

/// Appends a section.
pub(super) fn section(out: &mut Vec<u8>, id: u8, contents: &[u8]) {
    out.push(id);
    leb128(out, contents.len() as u32);
    out.extend_from_slice(contents);
}

/// Appends an unsigned number.
pub(super) fn leb128(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number.
pub(super) fn signed_leb128(out: &mut Vec<u8>, mut value: i64) {
    loop {
        let byte = value as u8 & 0x7f;
        value >>= 7;
        let done = (value == 0 && byte & 0x40 == 0) || (value == -1 && byte & 0x40 != 0);
        out.push(if done { byte } else { byte | 0x80 });
        if done {
            return;
        }
    }
}
