//! What a module costs an engine that compiles it, before it is asked to.

use wasmparser::{Parser, Payload};

/// What compiling takes, beyond what it began with. Measured with modules of 200,000 functions of a few instructions (3.5 KiB each), of
/// one function of 1,200,000 instructions (500 bytes for a byte of code), and with 2,000 functions of 49,990 locals.
const BYTES_PER_FUNCTION: u64 = 4_000;
const BYTES_PER_CODE_BYTE: u64 = 250;
const BYTES_PER_LOCAL: u64 = 16;

/// About how many bytes compiling takes.
pub fn price(wasm: &[u8]) -> u64 {
    let mut bytes = 0;
    let bodies = Parser::new(0).parse_all(wasm).filter_map(|payload| match payload {
        Ok(Payload::CodeSectionEntry(body)) => Some(body),
        _ => None,
    });
    for body in bodies {
        let locals = body.get_locals_reader().into_iter().flatten();
        let locals: u64 = locals.map(|group| group.map_or(0, |(count, _)| u64::from(count))).sum();
        let range = body.range();
        bytes += BYTES_PER_FUNCTION + BYTES_PER_CODE_BYTE * (range.end - range.start) + BYTES_PER_LOCAL * locals;
    }
    bytes
}
