//! Why a module was refused.

/// Why a module was refused.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("not a WebAssembly module: it does not start with \\0asm (is it source code? give it its own extension)")]
    NotWasm,
    #[error("a WebAssembly component, which is not supported: give the core module inside it")]
    Component,
    #[error("malformed module at byte {offset:#x}: {message}")]
    Malformed { offset: u64, message: String },
    #[error("the module uses {0}, which slowpath does not support; compile without it")]
    Unsupported(&'static str),
    #[error("invalid module at byte {offset:#x}: {message}")]
    Invalid { offset: u64, message: String },
    #[error("the module is too large: {0}")]
    TooLarge(String),
}

impl From<wasmparser::BinaryReaderError> for LoadError {
    fn from(e: wasmparser::BinaryReaderError) -> LoadError {
        LoadError::Malformed { offset: e.offset(), message: e.message().to_owned() }
    }
}
