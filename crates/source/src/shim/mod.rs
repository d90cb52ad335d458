//! Functions whose parameters are no plain numbers and pointers: called through a small function that is generated.
//!
//! `parse(&str[n])` becomes a function of a pointer and a length, exported under the name the user gave, which makes the string and calls
//! `parse` with it. Only that call is measured.

mod cpp;
mod host;
mod name;
mod rust;
mod setup;
mod signature;
mod tuples;

use std::path::Path;

use crate::Language;
use crate::language::crate_name;

pub use host::HostCall;
pub(crate) use rust::panic_hook;
pub use signature::ShimError;
use signature::{Argument, Signature};

/// A generated function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shim {
    /// How the generated function is called: with arrays, their lengths and numbers.
    pub call: String,
    /// The name it is exported under, which is that of the user's function.
    pub function: String,
    /// Its source.
    pub(crate) text: String,
    /// Flags that its source needs.
    pub(crate) flags: Vec<String>,
}

impl Shim {
    /// The shim of a call of a file's function; none where the call is plain as it is.
    pub fn for_file(call: &str, file: &Path) -> Result<Option<Shim>, ShimError> {
        if let Some((call, before)) = setup::read(call) {
            return match Language::of(file) {
                Some(Language::C) => setup::shim(call, before).map(Some),
                _ => Err(ShimError::NotC { call: call.to_owned() }),
            };
        }
        let Some(signature) = Signature::read(call) else { return Ok(None) };
        let has_methods = !signature.methods.is_empty();
        match Language::of(file) {
            Some(Language::Rust) if has_methods || signature.arguments.iter().any(rust::is_typed) => {
                let own = format!("{}::", crate_name(file));
                let function = signature.function.strip_prefix(&own).unwrap_or(&signature.function);
                rust::shim(&signature, &format!("crate::{function}")).map(Some)
            }
            _ if has_methods => Err(ShimError::NotRust { call: call.to_owned() }),
            Some(Language::Cpp) if signature.arguments.iter().any(cpp::is_typed) => cpp::shim(&signature).map(Some),
            _ => Ok(None),
        }
    }

    /// The shim of a fuzz target of cargo-fuzz, which is given n bytes.
    pub fn for_fuzz_target() -> Result<Shim, ShimError> {
        let call = "fuzz_target(data: &[u8][n])";
        let signature = Signature::read(call).ok_or_else(|| ShimError::NotACall { call: call.to_owned() })?;
        rust::shim(&signature, "crate::slowpath_target::slowpath_fuzz_target")
    }

    /// The shim of a call into a crate, which always needs one.
    pub fn for_crate(call: &str) -> Result<Shim, ShimError> {
        let signature = Signature::read(call).ok_or_else(|| ShimError::NotACall { call: call.to_owned() })?;
        rust::shim(&signature, &signature.function)
    }
}

/// What a value of the signature becomes.
struct Piece {
    /// Parameters of the generated function.
    params: Vec<String>,
    /// Statements that make the value.
    prepare: Vec<String>,
    /// What the user's function is called with.
    pass: String,
    /// Arguments of the plain call.
    plain: Vec<String>,
}

/// `name: type[length] in …` of an array, followed by its length.
fn array(argument: &Argument, element: &str, length: &str, otherwise: &str) -> Vec<String> {
    let condition = argument.condition.as_deref().map_or_else(|| otherwise.to_owned(), |text| format!(" in {text}"));
    vec![format!("{}: {element}[{length}]{condition}", argument.name), length.to_owned()]
}

/// `name: type in …` of a number.
fn number(argument: &Argument, element: &str, otherwise: &str) -> Vec<String> {
    let condition = argument.condition.as_deref().map_or_else(|| otherwise.to_owned(), |text| format!(" in {text}"));
    vec![format!("{}: {element}{condition}", argument.name)]
}
