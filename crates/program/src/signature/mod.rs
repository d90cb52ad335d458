//! Calls and types together: a call guessed from the types of a function, and a given call checked by them.
//!
//! `containers` has the calls of functions that take strings and vectors; `names` says what the names of parameters mean, `guess` makes a call, `structs` the members of structs, `leads` says where those that lead to their own kind do, `plain` says which structs can be made, `resolve` puts in what only the
//! program knows, `setup` finds what would have to run first, `check` refuses what contradicts the types.

mod check;
mod containers;
mod guess;
mod leads;
mod names;
mod plain;
mod resolve;
mod setup;
mod structs;

use crate::call::{CallError, CallSpec};
use crate::ids::FuncIdx;
use crate::module::Program;
use crate::types::{FunctionType, Part, Slot, SourceLanguage, Types, Visibility};

pub use guess::Guess;

/// A function of a program with what its author declared.
pub struct Signature<'a> {
    program: &'a Program,
    types: &'a Types,
    /// The name that it is called by.
    name: String,
    /// As its author declared it.
    function: Option<&'a FunctionType>,
    /// The declaration with which WebAssembly parameters its parameters became, where that is known. rustc passes some in parts.
    declared: Option<(&'a FunctionType, Vec<Slot>)>,
}

impl<'a> Signature<'a> {
    /// What is known of a function.
    pub fn of(program: &'a Program, types: &'a Types, function: FuncIdx, name: &str) -> Signature<'a> {
        let body = program.funcs.get(function.index()).and_then(|function| function.body.as_ref());
        let own = body.and_then(|body| types.function_at(*body.offset_at.first()?));
        let declared = own.and_then(|found| Some((found, types.slots(found, program.func_type(function))?)));
        Signature { program, types, name: name.to_owned(), function: own, declared }
    }

    /// Whether its types are known.
    pub fn is_typed(&self) -> bool {
        self.declared.is_some()
    }

    /// The function as its author declared it, as in `int parse(const char *s)`.
    pub fn declaration(&self) -> Option<String> {
        self.function.map(|function| self.types.show_function(function, &self.name))
    }

    /// Who can see it, as far as that is known.
    pub fn visibility(&self) -> Visibility {
        let of_c = self.function.filter(|function| function.language != SourceLanguage::Rust);
        of_c.map_or(Visibility::Everyone, |function| function.visibility)
    }

    /// The types of its parameters in Rust.
    pub fn rust_types(&self) -> Option<Vec<String>> {
        let function = self.function?;
        let own = function.params.iter().filter(|param| !param.is_artificial);
        (function.language == SourceLanguage::Rust).then(|| own.map(|p| self.types.show_rust(p.ty)).collect())
    }

    /// The type of its result in Rust.
    pub fn rust_result(&self) -> Option<String> {
        let function = self.function.filter(|function| function.language == SourceLanguage::Rust)?;
        Some(self.types.show_rust(function.result))
    }

    /// The line of its declaration.
    pub fn line(&self) -> Option<u32> {
        self.function.and_then(|function| function.line)
    }

    /// A call of the function, from its types; None where they are not known.
    pub fn guess(&self) -> Option<Guess> {
        let (function, slots) = self.declared.as_ref()?;
        Some(guess::Guesser::new(self.types, function.language).call(&self.name, slots))
    }

    /// The call with the types of the source, as in `f(text: std::string[n])`, which a generated function makes possible.
    pub fn container_call(&self) -> Option<String> {
        containers::call(self.types, self.function?, &self.name)
    }

    /// The arguments of a method of Rust with the types of its source, without the value that it is called on.
    pub fn method_arguments(&self) -> Option<String> {
        containers::method_arguments(self.types, self.function?)
    }

    /// A function that sets up a struct that this one takes, and the name of the struct.
    pub fn setup(&self) -> Option<(String, String)> {
        setup::setup(self.types, self.function?).map(|setup| (setup.function.name.clone(), setup.name))
    }

    /// The guessed call after that of the function which sets up what this one takes, as in `parse(p: out u8[8], n) after parser_init(p)`; a generated
    /// function makes both. None where nothing is set up, or that takes what only the user knows.
    pub fn setup_call(&self) -> Option<String> {
        let guess = self.guess()?;
        let mut settled = guess.spec.clone();
        let is_settled = self.settle(&mut settled, "").is_ok();
        let lengths = |name: &str, n: i64| -> Vec<u32> {
            let inputs = settled.layout(n, 0).map(|layout| layout.inputs).unwrap_or_default();
            let is_of =
                |input: &str| input.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            inputs.iter().filter(|input| is_of(&input.name)).map(|input| input.count).collect()
        };
        let grows = |name: &str| is_settled && lengths(name, 2) != lengths(name, 17);
        setup::call(self.types, self.function?, guess, grows)
    }

    /// The guessed call without the place for a result, which a generated function has no need of; none where types do not suffice.
    pub fn call_without_result(&self) -> Option<String> {
        let (_, slots) = self.declared.as_ref()?;
        let mut spec = self.guess().filter(Guess::is_complete)?.spec;
        if slots.first().is_some_and(|slot| slot.part == Part::Result) {
            spec.params.remove(0);
            for (position, param) in spec.params.iter_mut().enumerate() {
                // Arguments without a name are called by their place.
                if param.name == format!("arg{}", position + 1) {
                    param.name = format!("arg{position}");
                }
            }
        }
        Some(spec.to_string())
    }

    /// Refuses a call that contradicts the types, and puts in what only the program knows. `text` is the call as it was written.
    pub fn settle(&self, spec: &mut CallSpec, text: &str) -> Result<(), CallError> {
        let slots = self.declared.as_ref().map(|(_, slots)| slots.as_slice());
        if let Some((function, slots)) = &self.declared {
            check::check(self.types, function, slots, spec, text, self.guess(), self.container_call())?;
        }
        resolve::resolve(spec, self.program, self.types, slots)
    }
}
