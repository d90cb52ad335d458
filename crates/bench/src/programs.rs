//! The programs that are measured, compiled from `tests/programs`.

use std::path::Path;
use std::sync::Arc;

use slowpath_machine::Limits;
use slowpath_program::call::{CallSpec, Entry};
use slowpath_program::{Probes, load};
use slowpath_search::{CostModel, Target};
use slowpath_solver::{SolverConfig, SolverKind};

/// A compiled program.
pub fn wasm(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(file);
    let compiled = slowpath_source::load(&path, &slowpath_source::Options::default());
    compiled.unwrap_or_else(|e| panic!("{file}: {e}")).wasm
}

/// A search target.
pub fn target(file: &str, signature: &str, solver: SolverKind) -> Target {
    let program = Arc::new(load(&wasm(file), &Probes::default()).expect("a compiled program loads"));
    let entry = Entry::Call(CallSpec::parse(signature).expect("a good signature"));
    let function = program.find_function(entry.function()).expect("the function is there");
    Target {
        program,
        function,
        entry,
        cost: CostModel::Instructions,
        limits: Limits { instructions: u64::MAX / 2, ..Limits::default() },
        solver: SolverConfig { kind: solver, ..SolverConfig::default() },
        seed: 0,
        words: Default::default(),
        explorations: Default::default(),
    }
}
