//! The machine against wasmtime, in both modes: the same results, traps, memory and fuel, on modules that the bytes describe; and the
//! machine by itself under modules with any bytes changed.

use slowpath_machine::fuzz::fuzz_machine;

use crate::differential::{Stats, compare};
use crate::fuzzing::data::Data;
use crate::fuzzing::{Target, loader};
use crate::rng::Rng;
use crate::{random_programs, smith};

pub const TARGET: Target =
    Target { name: "machine", body, seeds, dictionary: include_str!("../../../../fuzz/dictionaries/wasm.dict") };

/// One module in so many is large.
const LARGE: u64 = 24;

pub fn body(data: &[u8]) -> bool {
    if data.starts_with(b"\0asm") {
        fuzz_machine(data);
        return loader::body(data);
    }
    let seed = Data::seed(data) >> 1;
    // Nearly all the time goes into wasmtime's compiler, so most modules are small.
    let woven = |text: String| wat::parse_str(text).expect("the text is valid");
    let module = match (seed % 3, seed / 3 % LARGE) {
        (0, 0) => smith::module(seed),
        (0, _) => smith::small_module(seed),
        (_, 0) => woven(random_programs::module(seed)),
        _ => woven(random_programs::small_module(seed)),
    };
    let mut stats = Stats::default();
    match compare(&module, seed, &mut stats) {
        Ok(_) => stats.returned > 0,
        Err(difference) => panic!("seed {seed}: {difference}"),
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let short = (0..40).map(|seed| Rng::new(seed).bytes(8));
    loader::seeds().into_iter().chain(short).collect()
}
