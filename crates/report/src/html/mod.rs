//! Findings as one HTML page that needs nothing else: no network, and for its tables no JavaScript.
//!
//! The analysed program chooses names, notes and inputs, so none of them is trusted: `maud` escapes what it writes, the data
//! of the plot goes through `safe`, and the scripts only ever set text.

mod beside;
mod draw;
mod evidence;
mod first;
mod flame;
mod fragment;
mod highlight;
mod index;
mod input_law;
mod inputs;
mod kind;
mod law;
mod page;
mod parts;
mod plot;
mod policy;
mod safe;
mod sizes;
mod source;
mod stats;
mod summary;
mod synthesis;
#[cfg(test)]
mod tests;
mod tree;

pub use beside::{Beside, NativeTimes};
pub use fragment::fragment;
pub use index::{IndexEntry, index};
pub use page::{page, page_beside};
