//! Saved policies under any text: refused, or policies whose sites the program has.

use std::sync::OnceLock;

use slowpath_program::{Probes, Program, load};

use crate::fuzzing::Target;

pub const TARGET: Target = Target { name: "policy", body, seeds, dictionary: include_str!("../../data/findings.dict") };

pub fn body(data: &[u8]) -> bool {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    let isort = include_bytes!("../../data/isort-dwarf5.wasm");
    let program = PROGRAM.get_or_init(|| load(isort, &Probes::default()).expect("a module of ours"));
    slowpath::fuzz_policy(data, program)
}

pub fn seeds() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../data/policy-isort.json").to_vec()]
}
