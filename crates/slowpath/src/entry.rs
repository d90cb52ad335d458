//! What the user asks to run, and what becomes of it once the program is known.

use std::path::Path;

use slowpath_program::call::{CallError, CallSpec, Entry, SyntaxError, bare_name};
use slowpath_program::instrument::with_table_entries;
use slowpath_program::signature::{Guess, Signature};
use slowpath_program::types::Types;
use slowpath_program::{FuncIdx, Program};

use crate::error::Error;
use crate::request::EntryRequest;

/// Larger files are taken for a slip where a signature names them.
const LARGEST_FILE: u64 = 1 << 20;

/// What is asked for, as far as it can be read without the program.
pub(crate) enum Asked {
    /// A signature, and as it was written.
    Call(CallSpec, String),
    /// A function whose inputs its types say, and as it was written.
    Name(String, String),
    Harness(String),
}

impl Asked {
    /// Reads a request; None where nothing was asked.
    pub fn parse(entry: &EntryRequest) -> Result<Option<Asked>, Error> {
        Ok(match entry {
            EntryRequest::Missing => None,
            EntryRequest::Harness(name) => Some(Asked::Harness(name.clone())),
            EntryRequest::Call(text) => Some(match bare_name(text) {
                Some(name) => Asked::Name(name, text.clone()),
                None => Asked::Call(CallSpec::parse_with(text, &read)?, text.clone()),
            }),
        })
    }

    /// The function to call.
    pub fn function(&self) -> &str {
        match self {
            Asked::Call(spec, _) => &spec.function,
            Asked::Name(name, _) | Asked::Harness(name) => name,
        }
    }

    /// The functions whose addresses the call passes.
    pub fn passed_functions(&self) -> Vec<String> {
        match self {
            Asked::Call(spec, _) => spec.functions().into_iter().map(str::to_owned).collect(),
            Asked::Name(..) | Asked::Harness(_) => Vec::new(),
        }
    }

    /// The call with types of the source, where a name alone is asked for and its parameters have to be made by a generated function.
    pub fn container_call(&self, program: &Program, wasm: &[u8], function: FuncIdx) -> Option<String> {
        let Asked::Name(name, _) = self else { return None };
        let types = Types::from_wasm(wasm);
        let is_rust = Signature::of(program, &types, function, name).rust_types().is_some();
        let signature = Signature::of(program, &types, function, scoped(program, function, name, is_rust));
        if signature.guess().is_some_and(|guess| guess.is_complete()) {
            return None;
        }
        signature.container_call()
    }

    /// The call after that of another function of C, which sets up what this one takes, where only the name was given.
    pub fn setup_call(&self, program: &Program, wasm: &[u8], function: FuncIdx) -> Option<String> {
        let Asked::Name(name, _) = self else { return None };
        Signature::of(program, &Types::from_wasm(wasm), function, name).setup_call()
    }

    /// The module with addresses for the functions that the call passes and nothing in the program takes the address of; None where
    /// nothing has to change.
    pub fn with_addresses(&self, program: &Program, wasm: &[u8]) -> Option<Vec<u8>> {
        let Asked::Call(spec, _) = self else { return None };
        let found = spec.functions().into_iter().filter_map(|name| program.find_function(name));
        let mut missing: Vec<u32> =
            found.filter(|function| program.table_index(*function).is_none()).map(|function| function.0).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() { None } else { with_table_entries(wasm, &missing).ok().flatten() }
    }

    /// The entry, checked by the types of the function; and what is worth telling about it.
    pub fn settle(
        self,
        program: &Program,
        wasm: &[u8],
        function: FuncIdx,
    ) -> Result<(Entry, Option<String>), CallError> {
        let types = match &self {
            Asked::Harness(_) => Types::default(),
            _ => Types::from_wasm(wasm),
        };
        let signature = Signature::of(program, &types, function, self.function());
        match self {
            Asked::Harness(name) => Ok((Entry::Harness { name }, None)),
            Asked::Call(mut spec, text) => {
                signature.settle(&mut spec, &text)?;
                Ok((Entry::Call(spec), None))
            }
            Asked::Name(name, text) => {
                let (mut spec, zero) = guessed(&signature, program, function, &name, &text)?;
                let setup = signature.setup().map(|(function, name)| set_up(&function, &name)).unwrap_or_default();
                let note =
                    format!("called as {spec}, by its types; write --call to change that{}{setup}", zeroed(&zero));
                signature.settle(&mut spec, "")?;
                Ok((Entry::Call(spec), Some(note)))
            }
        }
    }
}

/// A function's name as a generated function can call it: with the namespaces or modules that the user left out, but not the crate of a file.
fn scoped<'a>(program: &'a Program, function: FuncIdx, name: &'a str, is_rust: bool) -> &'a str {
    let Some(own) = program.names.get(function.0) else { return name };
    let scope = own.strip_suffix(name).and_then(|scope| scope.strip_suffix("::"));
    match scope {
        Some(scope) if !scope.contains(['<', '(', ' ']) && (!is_rust || scope.contains("::")) => own,
        _ => name,
    }
}

fn guessed(
    signature: &Signature<'_>,
    program: &Program,
    function: FuncIdx,
    name: &str,
    text: &str,
) -> Result<(CallSpec, Vec<String>), CallError> {
    if let Some(guess) = signature.guess() {
        return if guess.is_complete() { Ok((guess.spec, guess.zero)) } else { Err(open(signature, &guess)) };
    }
    if program.func_type(function).params.is_empty() {
        return Ok((CallSpec { function: name.to_owned(), params: Vec::new() }, Vec::new()));
    }
    Err(CallError::from(Box::new(SyntaxError {
        text: text.to_owned(),
        at: text.trim_end().len(),
        message: "there is no parameter list, and no debug information to take it from".to_owned(),
        help: "write the function with its inputs in brackets, as in isort(i32[n], n), or compile with -g".to_owned(),
    })))
}

/// What to say about members that no call can set: results are for structs in which they are zero, which may be none that occurs.
fn zeroed(members: &[String]) -> String {
    /// Members named before the rest is only counted.
    const NAMED: usize = 6;
    let rest = match members.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match members {
        [] => String::new(),
        _ => format!(
            "; members that stay zero: {}{rest} (where they matter, have a --harness set the struct up)",
            members[..members.len().min(NAMED)].join(", ")
        ),
    }
}

/// Where a struct comes from if nobody sets it up.
pub(crate) fn any_state(function: &str, name: &str) -> String {
    format!("`{function}` sets {name} up, which is in any state here")
}

/// What to say where a function of the program brings a struct into the state in which others take it.
fn set_up(function: &str, name: &str) -> String {
    let any_state = any_state(function, name);
    format!("; {any_state}: a --harness that calls it first, or members written out, tell what really happens")
}

/// Types that do not suffice, and what to write.
fn open(signature: &Signature<'_>, guess: &Guess) -> CallError {
    let name = &guess.spec.function;
    let why: String = guess.open.iter().map(|open| format!("\n  {}", open.why)).collect();
    let declaration = signature.declaration().unwrap_or_default();
    let call = guess.spec.brief();
    let help = match guess.open.iter().all(|open| open.can_be_written) {
        true if guess.open.iter().any(|open| open.is_function) => {
            format!("\n  help: write the call out, with a function of the program for NAME: --call '{call}'")
        }
        true => format!("\n  help: write the call out; with null for what is missing it is --call '{call}'"),
        false => String::new(),
    };
    CallError::Contradiction(format!("the types of `{name}` do not say how to call it{why}\n  {declaration}{help}"))
}

/// The contents of a file that a signature names.
pub(crate) fn read(path: &str) -> Result<Vec<u8>, String> {
    let file = Path::new(path);
    let size = file.metadata().map_err(|error| error.to_string())?.len();
    if size > LARGEST_FILE {
        return Err(format!("it has {size} bytes, more than the {LARGEST_FILE} allowed"));
    }
    std::fs::read(file).map_err(|error| error.to_string())
}
