//! Steps a WebAssembly state, with plain or symbolic values, and yields where a symbolic value decides.
//!
//! One interpreter (`step`) serves two modes: `Concrete`, whose values are plain numbers, and `Symbolic`, whose
//! values are numbers or terms. The machine never asks a solver: it yields a `Question` and goes on when it is
//! given the `Answer`.

mod access;
mod alike;
mod concrete;
mod control;
mod costs;
mod entry;
pub mod fuzz;
mod host;
mod instantiate;
mod memory;
mod mode;
mod pointers;
mod profile;
mod question;
mod record;
mod shape;
mod sprint;
mod stacks;
mod state;
mod step;
mod store;
mod symbolic;
mod tables;
mod tokens;
mod utf8;
mod vector;
mod write_words;

pub use concrete::{Concrete, Plain, Profiled};
pub use costs::{Costs, Meter};
pub use entry::{StartError, Started, start};
pub use host::{HostFunc, InputRecord, InputSource, Lane, SharedWords, Words, is_byte, resolve_import};
pub use instantiate::{Extern, InstantiateError, Linker, exported};
pub use memory::{FlatMemory, Memory, PagedMemory};
pub use mode::{Mode, Truth};
pub use profile::{Count, Counts, Profile};
pub use question::{Answer, Event, Limit, Note, Outcome, Question, QuestionKind};
pub use record::{Entry, Record};
pub use shape::Place;
pub use stacks::{Context, Stacks};
pub use state::{CallError, Limits, State};
pub use store::{FuncAddr, FuncDef, Instance, InstanceId, Store};
pub use symbolic::{Form, Open, Recorded, Symbolic, Value};
