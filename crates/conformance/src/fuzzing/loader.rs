//! The loader under any bytes: a program that keeps what the machine relies on, or a message.

use slowpath_program::fuzz::fuzz_loader;
use slowpath_program::{Probes, load};

use crate::fuzzing::Target;
use crate::{random_programs, smith};

pub const TARGET: Target = Target { name: "loader", body, seeds, dictionary: include_str!("../../data/wasm.dict") };

pub fn body(data: &[u8]) -> bool {
    fuzz_loader(data);
    load(data, &Probes::default()).is_ok()
}

/// Modules of all kinds, two of them with debug information.
pub fn seeds() -> Vec<Vec<u8>> {
    let with_lines = [
        include_bytes!("../../data/isort-dwarf4.wasm").to_vec(),
        include_bytes!("../../data/isort-dwarf5.wasm").to_vec(),
    ];
    let random = (0..40).map(|seed| match seed % 3 {
        0 => smith::module(seed),
        1 => smith::module_with_host(seed),
        _ => wat::parse_str(random_programs::module(seed)).unwrap_or_default(),
    });
    with_lines.into_iter().chain(random).collect()
}
