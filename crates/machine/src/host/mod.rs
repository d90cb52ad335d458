//! What is known of the functions that the host provides (slowpath's own of `slowpath.h`, and WASI), and what they remember.
//! What they do is in `host_calls`.

mod files;
mod function;
mod input_record;
mod state;
mod values;
mod wasi;
mod words;

pub(crate) use files::{DIRECTORY, Open, Stream};
pub use function::{HostFunc, resolve_import};
pub use input_record::InputRecord;
pub(crate) use input_record::element;
pub use state::{HostState, InputSource};
pub use values::Values;
pub(crate) use wasi::Wasi;
pub use words::{Lane, SharedWords, Words, is_byte};
