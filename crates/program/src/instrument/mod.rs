//! A module changed so that an outside engine shows more of it: any function can be called (`exports`), and how often each branch
//! is reached can be read (`counters`), and the fuel it used where the engine cannot tell (`meter`); or so that addresses of functions can be passed that nothing in it takes (`table`); and without what no run gets to (`reachable`). What the program computes stays the same.

mod branches;
mod counters;
mod encode;
mod exports;
mod meter;
mod price;
mod reachable;
mod table;

use wasmparser::BinaryReaderError;

pub use branches::Counted;
pub use counters::with_counters;
pub use exports::{exported_function, with_exports};
pub use meter::{with_counters_and_meter, with_meter};
pub use price::price;
pub use reachable::only_reachable;
pub use table::with_table_entries;

/// The function that is run.
pub const ENTRY: &str = "slowpath.entry";
/// Memory 0, if the module has a memory.
pub const MEMORY: &str = "slowpath.memory";
/// The module's allocator, if it has one; see `names::allocator`.
pub const ALLOCATOR: &str = "slowpath.malloc";
/// The memory that holds the counters of branch sites.
pub const COUNTERS: &str = "slowpath.counters";

/// In a module that counts its own fuel, the global with the count, an `i64` that rises from minus what is given.
pub const FUEL: &str = "slowpath.fuel";
/// And the global that is not 0 once a run was ended for want of fuel.
pub const OUT_OF_FUEL: &str = "slowpath.out_of_fuel";

/// And what was its start function, which has to be given fuel first.
pub const START: &str = "slowpath.start";

/// The name under which a counted module exports a mutable global.
pub fn global_export(index: u32) -> String {
    format!("slowpath.global.{index}")
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InstrumentError {
    #[error("malformed module at byte {offset:#x}: {message}")]
    Malformed { offset: u64, message: String },
    #[error("there is no function {index}: the module has {count}")]
    NoSuchFunction { index: u32, count: u32 },
    #[error(
        "the module already exports `{0}`, a name slowpath needs for itself; give the module as it was before slowpath changed it"
    )]
    NameTaken(String),
}

impl From<BinaryReaderError> for InstrumentError {
    fn from(error: BinaryReaderError) -> InstrumentError {
        InstrumentError::Malformed { offset: error.offset(), message: error.message().to_owned() }
    }
}
