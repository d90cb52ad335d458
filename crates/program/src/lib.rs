//! A validated WebAssembly module as flat register code, with its branch sites, loops and source lines.

pub mod branch_conditions;
pub mod call;
pub mod code;
pub mod condition;
mod cost_table;
pub mod dense;
mod effects;
mod error;
pub mod features;
pub mod fuzz;
pub mod heap;
pub mod identity;
pub mod ids;
pub mod inlines;
pub mod input;
pub mod instrument;
pub mod load;
pub mod module;
pub mod names;
pub mod signature;
pub mod sites;
pub mod source_map;
mod translate;
pub mod trap;
pub mod types;
mod val_type;
pub mod vector;
pub mod world;

pub use code::{Instr, Probes};
pub use cost_table::{CostTable, CostTableError};
pub use effects::{Bounded, Effect};
pub use error::LoadError;
pub use ids::{FuncIdx, GlobalIdx, MemIdx, SiteId, Slot, TableIdx, TypeIdx};
pub use load::load;
pub use module::{
    ConstExpr, DataSegment, ElementSegment, Export, ExternKind, FuncBody, FuncType, Function, Global, Import,
    ImportKind, Limits, Program, Segment, Table,
};
pub use sites::{LoopInfo, Site, SiteKind};
pub use trap::Trap;
pub use val_type::ValType;
pub use world::World;
