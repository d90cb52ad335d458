//! Why a run could not be made.

use slowpath_program::call::CallError;
use slowpath_program::input::InputError;
use slowpath_program::instrument::InstrumentError;
use slowpath_program::trap::Trap;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    Instrument(#[from] InstrumentError),
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("wasmtime cannot compile the module: {0}")]
    Compile(String),
    #[error("no time was left for wasmtime to compile the module (--budget)")]
    CompileTime,
    #[error("compiling the module for wasmtime would take about {0} MiB (--max-search-memory)")]
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
    #[error("the run was stopped after {0} instructions, the limit it was given")]
    OutOfFuel(u64),
    #[error("wasmtime failed: {0}")]
    Engine(String),
}

/// A host function's way of ending the run.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HostTrap(pub Trap);

/// An end of the run: by a trap, and whether a host function caused it; or by something that makes the run worthless.
pub(crate) enum Ending {
    Trap { trap: Trap, by_host: bool },
    OutOfFuel,
    Failure(String),
}

impl Ending {
    pub(crate) fn of(error: &wasmtime::Error) -> Ending {
        use wasmtime::Trap as Theirs;
        if let Some(HostTrap(trap)) = error.downcast_ref::<HostTrap>() {
            return Ending::Trap { trap: trap.clone(), by_host: true };
        }
        let trap = match error.downcast_ref::<Theirs>() {
            Some(Theirs::OutOfFuel) => return Ending::OutOfFuel,
            Some(Theirs::UnreachableCodeReached) => Trap::Unreachable,
            Some(Theirs::IntegerDivisionByZero) => Trap::DivisionByZero,
            Some(Theirs::IntegerOverflow) => Trap::IntegerOverflow,
            Some(Theirs::BadConversionToInteger) => Trap::InvalidConversion,
            Some(Theirs::MemoryOutOfBounds) => Trap::MemoryOutOfBounds,
            Some(Theirs::TableOutOfBounds) => Trap::TableOutOfBounds,
            Some(Theirs::IndirectCallToNull) => Trap::NullFunction,
            Some(Theirs::BadSignature) => Trap::IndirectCallMismatch,
            Some(Theirs::StackOverflow) => Trap::StackOverflow,
            Some(Theirs::NullReference) => Trap::NullReference,
            Some(other) => Trap::Host(other.to_string()),
            None => return Ending::Failure(text(error)),
        };
        Ending::Trap { trap, by_host: false }
    }
}

/// An error of wasmtime with its causes, on one line.
pub(crate) fn text(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error.chain().map(|cause| cause.to_string().trim().replace('\n', " ")).collect();
    causes.join(": ")
}
