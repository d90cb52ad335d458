//! What an engine does with a module, as far as engines are compared.

use slowpath_program::{Trap, ValType};

/// Fuel for one call.
pub const FUEL: u64 = 20_000;
/// Bytes of linear memory on both sides.
pub const MEMORY: u64 = 16 << 16;
/// Elements of a table on both sides.
pub const TABLE: u64 = 1000;

/// How a call ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// The bits of each result; a reference is 0 or 1.
    Returned(Vec<u64>),
    Trapped(Trap),
    OutOfFuel,
}

/// A call as one engine saw it.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub ending: Ending,
    /// On a trap this is what wasmtime shows then.
    pub fuel: u64,
    /// Everything used; as far as it is known.
    pub spent: u64,
}

/// Everything a module exports, at one moment. An entry of a table is whether it is null.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Snapshot {
    pub memories: Vec<Vec<u8>>,
    pub globals: Vec<u64>,
    pub tables: Vec<Vec<bool>>,
}

/// An instance on one engine.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Instantiates the module and runs its start function.
    fn start(&mut self) -> Report;
    fn call(&mut self, export: &str, args: &[(ValType, u64)]) -> Report;
    fn snapshot(&mut self) -> Snapshot;
}
