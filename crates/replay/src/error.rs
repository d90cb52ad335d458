//! Why a run could not be made.

use slowpath_program::call::CallError;
use slowpath_program::input::InputError;
use slowpath_program::instrument::InstrumentError;
use slowpath_program::trap::Trap;

use crate::kind::EngineKind;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Instrument(#[from] InstrumentError),
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("{name} cannot compile the module: {why}", name = .0.name(), why = .1)]
    Compile(EngineKind, String),
    #[error("no time was left to compile the module for another engine (--budget)")]
    CompileTime,
    #[error("compiling the module for another engine would take about {0} MiB (--max-search-memory)")]
    CompileMemory(u64),
    #[error(
        "the module imports `{module}.{field}` ({kind}), which slowpath does not provide; provided are the functions of slowpath.h and of WASI preview 1"
    )]
    UnknownImport { module: String, field: String, kind: &'static str },
    #[error("the module imports a function with another type than it has: {0}")]
    ImportType(String),
    #[error("the module failed in {stage}, before the function was called: {trap}")]
    Startup { stage: &'static str, trap: Trap },
    #[error("the module has no memory, but the call passes arrays")]
    NoMemory,
    #[error(
        "the memory cannot grow by the {pages} pages the inputs need; raise the module's maximum or the memory limit ({limit} bytes)"
    )]
    CannotGrow { pages: u32, limit: u64 },
    #[error("the run needs more memory than {0} bytes, which is all there is room for (--max-search-memory)")]
    NoRoom(u64),
    #[error("the run was stopped after {0} instructions, the limit it was given")]
    OutOfFuel(u64),
    #[error("no time was left to run it again (--budget)")]
    Stopped,
    #[error("the engine failed: {0}")]
    Engine(String),
}

/// A host function's way of ending the run.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HostTrap(pub Trap);
