//! Holds the machine to the official WebAssembly test suite, and to wasmtime on random modules.

pub mod differential;
pub mod engine;
pub mod fuzzing;
pub mod ours;
pub mod random_programs;
pub mod rng;
pub mod smith;
pub mod soak;
pub mod spec;
pub mod theirs;
