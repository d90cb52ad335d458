//! Why bytes are refused.

/// Why bytes are no work for this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    #[error("these bytes are no work of slowpath's")]
    NotWork,
    #[error("this is work of another version of slowpath")]
    OtherVersion,
    #[error("the work is damaged: its checksum is wrong")]
    Damaged,
    #[error("the work is damaged: it ends too early")]
    Short,
    #[error("the work is damaged: {0}")]
    Wrong(&'static str),
    #[error("the work belongs to another program, call or setting")]
    OtherProgram,
    #[error("the work belongs to another size")]
    OtherSize,
    #[error("the work takes the bytes of the inputs together in another way")]
    OtherWords,
    #[error("there is a task where a result should be, or the other way round")]
    OtherKind,
}
