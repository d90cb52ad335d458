//! Calls and types together: a call guessed from the types of a function, and a given call checked by them.
//!
//! `containers` has the calls of functions that take strings and vectors; `names` says what the names of parameters mean, `guess` makes a call, `structs` the members of structs, `leads` says where those that lead to their own kind do, `plain` says which structs can be made, `resolve` puts in what only the
//! program knows, `check` refuses what contradicts the types.

mod check;
mod containers;
mod guess;
mod leads;
mod names;
mod plain;
mod resolve;
mod structs;

use crate::call::{CallError, CallSpec};
use crate::ids::FuncIdx;
use crate::module::Program;
use crate::types::{FunctionType, Slot, SourceLanguage, Types};

pub use guess::Guess;

/// A function of a program with what its author declared.
pub struct Signature<'a> {
    program: &'a Program,
    types: &'a Types,
    /// The name that it is called by.
    name: String,
    declared: Option<(&'a FunctionType, Vec<Slot>)>,
}

impl<'a> Signature<'a> {
    /// What is known of a function.
    pub fn of(program: &'a Program, types: &'a Types, function: FuncIdx, name: &str) -> Signature<'a> {
        let body = program.funcs.get(function.index()).and_then(|function| function.body.as_ref());
        let declared = body.and_then(|body| types.function_at(*body.offset_at.first()?));
        let declared = declared.and_then(|found| Some((found, types.slots(found, program.func_type(function))?)));
        Signature { program, types, name: name.to_owned(), declared }
    }

    /// Whether its types are known.
    pub fn is_typed(&self) -> bool {
        self.declared.is_some()
    }

    /// The function as its author declared it, as in `int parse(const char *s)`.
    pub fn declaration(&self) -> Option<String> {
        self.declared.as_ref().map(|(function, _)| self.types.show_function(function, &self.name))
    }

    /// The types of its parameters in Rust.
    pub fn rust_types(&self) -> Option<Vec<String>> {
        let (function, _) = self.declared.as_ref()?;
        let own = function.params.iter().filter(|param| !param.is_artificial);
        (function.language == SourceLanguage::Rust).then(|| own.map(|p| self.types.show_rust(p.ty)).collect())
    }

    /// The line of its declaration.
    pub fn line(&self) -> Option<u32> {
        self.declared.as_ref().and_then(|(function, _)| function.line)
    }

    /// A call of the function, from its types; None where they are not known.
    pub fn guess(&self) -> Option<Guess> {
        let (function, slots) = self.declared.as_ref()?;
        Some(guess::Guesser::new(self.types, function.language).call(&self.name, slots))
    }

    /// The call with the types of the source, as in `f(text: std::string[n])`, which a generated function makes possible.
    pub fn container_call(&self) -> Option<String> {
        let (function, _) = self.declared.as_ref()?;
        containers::call(self.types, function, &self.name)
    }

    /// Refuses a call that contradicts the types, and puts in what only the program knows. `text` is the call as it was written.
    pub fn settle(&self, spec: &mut CallSpec, text: &str) -> Result<(), CallError> {
        let slots = self.declared.as_ref().map(|(_, slots)| slots.as_slice());
        if let Some((function, slots)) = &self.declared {
            check::check(self.types, function, slots, spec, text, self.guess())?;
        }
        resolve::resolve(spec, self.program, self.types, slots)
    }
}
