//! From a request to a program whose function can be called: compile, load, find, check.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};
use slowpath_machine::Limits;
use slowpath_program::call::{CallError, Entry, Layout, bare_name, harness_args};
use slowpath_program::input::{InputError, InputValues};
use slowpath_program::names::{nearest, short_name};
use slowpath_program::{ExternKind, FuncIdx, FuncType, Probes, Program, load};
use slowpath_report::{Callable, SourceOptions};
use slowpath_search::{CostModel, Target, WordsBySize};
use slowpath_solver::SolverConfig;
use slowpath_source::{Compiled, Language, Mode, Shim};

use crate::compile::options;
use crate::entry::Asked;
use crate::error::Error;
use crate::listing::{RUN_WHOLE, callables, is_crate, libraries};
use crate::request::{EntryRequest, ProgramRequest};
use crate::wanted::wanted;
use crate::world::world;

/// Functions listed in a message before the rest is only counted.
const LISTED: usize = 20;

/// A program, and the function of it that is run.
#[derive(Clone)]
pub struct Subject {
    pub file: PathBuf,
    /// Further files of the program, and the folder of its project: whose lines are the user's own.
    pub beside: Vec<PathBuf>,
    pub compiled: Compiled,
    pub program: Arc<Program>,
    pub function: FuncIdx,
    pub entry: Entry,
    /// The call as it was given, where a generated function stands between it and the entry.
    pub given_call: Option<String>,
    pub cost: CostModel,
}

/// What a compiled module is.
enum Found {
    Subject(Box<Subject>),
    /// A function that has to be called by a generated one, as its types say.
    ByItsTypes(String),
    /// A function that takes what another one sets up, and the call of both.
    AfterAnother(String),
}

/// What belongs to the program besides its file.
fn beside(request: &ProgramRequest, program: &Program) -> Vec<PathBuf> {
    let SourceOptions { more_files, project, krate, .. } = &request.options;
    let krate = krate.as_deref().and_then(|krate| crate_folder(krate, program));
    more_files.iter().chain(project).map(PathBuf::from).chain(krate).collect()
}

/// The folder of a crate of the registry, as the debug information names it: `…/registry/src/INDEX/NAME-VERSION`.
fn crate_folder(krate: &str, program: &Program) -> Option<PathBuf> {
    let folder_name = krate.replace('@', "-");
    program.source.files().iter().find_map(|file| {
        let folder = Path::new(&**file).ancestors().find(|folder| folder.ends_with(&folder_name))?;
        let registry = folder.parent()?.parent()?;
        registry.ends_with("registry/src").then(|| folder.to_owned())
    })
}

impl Subject {
    /// Everything up to the point where the function can be called.
    pub fn load(request: &ProgramRequest, entry: &EntryRequest, cost: &CostModel) -> Result<Subject, Error> {
        Subject::load_with(request, entry, cost, Language::of(&request.file) == Some(Language::C))
    }

    /// Everything up to the point where the function can be called; `sets_up` if another may be called before it.
    fn load_with(
        request: &ProgramRequest,
        entry: &EntryRequest,
        cost: &CostModel,
        sets_up: bool,
    ) -> Result<Subject, Error> {
        if let Some(call) = call_of_crate(request, entry)? {
            let mut subject = Subject::load(request, &EntryRequest::Call(call.clone()), cost)?;
            subject.compiled.notes.push(format!("called as {call}, by its types; write --call to change that"));
            return Ok(subject);
        }
        // A bad signature is said before a compiler is started.
        let shim = shim(request, entry)?;
        let shimmed = shim.as_ref().map(|shim| EntryRequest::Call(shim.call.clone()));
        let given_call = match (&shim, entry) {
            (Some(_), EntryRequest::Call(call)) => Some(call.clone()),
            _ => None,
        };
        let given = entry;
        let entry = shimmed.as_ref().unwrap_or(entry);
        let asked = Asked::parse(entry)?;
        let wanted = wanted(entry, asked.as_ref().map(Asked::passed_functions).unwrap_or_default());
        let loaded = slowpath_source::load(&request.file, &options(request, wanted, shim)?);
        if let (Some(given), Err(refused)) = (&given_call, &loaded)
            && let Some(scoped) = with_scope(given, &refused.to_string())
        {
            return Subject::load(request, &EntryRequest::Call(scoped), cost);
        }
        let compiled = loaded?;
        match Subject::of_compiled(request, asked, given_call, cost, compiled, sets_up)? {
            Found::Subject(subject) => Ok(*subject),
            Found::AfterAnother(call) => match Subject::load(request, &EntryRequest::Call(call.clone()), cost) {
                Ok(mut subject) => {
                    subject.compiled.notes.push(format!("called as {call}, by its types; write --call to change that"));
                    Ok(subject)
                }
                // What sets it up may be something else in spite of its name.
                Err(_) => Subject::load_with(request, given, cost, false),
            },
            Found::ByItsTypes(call) => {
                let mut subject = Subject::load(request, &EntryRequest::Call(call.clone()), cost)?;
                subject.compiled.notes.push(format!("called as {call}, by its types; write --call to change that"));
                Ok(subject)
            }
        }
    }

    /// A module that is there already, and whose entry is settled: nothing is compiled, and no file of the program is looked at.
    pub fn of_module(
        request: &ProgramRequest,
        entry: &EntryRequest,
        cost: &CostModel,
        wasm: Vec<u8>,
        missing: Vec<String>,
    ) -> Result<Subject, Error> {
        let compiled = Compiled { wasm, mode: Mode::AsGiven, libc: false, notes: Vec::new(), missing };
        match Subject::of_compiled(request, Asked::parse(entry)?, None, cost, compiled, false)? {
            Found::Subject(subject) => Ok(*subject),
            Found::ByItsTypes(call) | Found::AfterAnother(call) => {
                Err(CallError::Contradiction(format!("{call} is not settled")).into())
            }
        }
    }

    fn of_compiled(
        request: &ProgramRequest,
        asked: Option<Asked>,
        given_call: Option<String>,
        cost: &CostModel,
        mut compiled: Compiled,
        sets_up: bool,
    ) -> Result<Found, Error> {
        let world = world(&request.options, &compiled.missing)?;
        compiled.notes.extend(missing_note(&compiled.missing));
        let refused = |source| Error::Load { file: request.file.clone(), source };
        let mut program = load(&compiled.wasm, &Probes::default()).map_err(refused)?;
        let Some(asked) = asked else {
            return Err(Error::NoEntry { functions: list_functions(&program, &compiled.wasm, &request.file) });
        };
        if let Some(changed) = asked.with_addresses(&program, &compiled.wasm) {
            program = load(&changed, &Probes::default()).map_err(refused)?;
            compiled.wasm = changed;
        }
        let function = match find(&program, asked.function(), &compiled.wasm, &request.file) {
            Err(missing) => {
                return Err(generic(asked.function(), &request.file).map_or(missing, Error::from));
            }
            Ok(function) => function,
        };
        if let Some(call) = asked.container_call(&program, &compiled.wasm, function) {
            return Ok(Found::ByItsTypes(call));
        }
        let after_another = sets_up.then(|| asked.setup_call(&program, &compiled.wasm, function)).flatten();
        if let Some(call) = after_another {
            return Ok(Found::AfterAnother(call));
        }
        let (entry, note) = asked.settle(&program, &compiled.wasm, function)?;
        compiled.notes.extend(note);
        entry.check(&program.func_type(function).params)?;
        let probes = Probes { costs: world.costs.clone(), ..cost.probes(&program)? };
        if !probes.offsets.is_empty() || !probes.costs.is_empty() {
            program = load(&compiled.wasm, &probes).map_err(refused)?;
        }
        program.world = world;
        Ok(Found::Subject(Box::new(Subject {
            file: request.file.clone(),
            beside: beside(request, &program),
            compiled,
            program: Arc::new(program),
            function,
            entry,
            given_call,
            cost: cost.clone(),
        })))
    }

    /// The subject as the search takes it.
    pub fn target(&self, limits: Limits, solver: SolverConfig, seed: u64) -> Target {
        Target {
            program: Arc::clone(&self.program),
            function: self.function,
            entry: self.entry.clone(),
            cost: self.cost.clone(),
            limits,
            solver,
            seed,
            words: WordsBySize::default(),
            explorations: Default::default(),
        }
    }

    /// The function's type.
    pub fn func_type(&self) -> &FuncType {
        self.program.func_type(self.function)
    }

    /// Whether the function can be called at this size: lengths, ranges, and numbers that fit their parameters.
    pub fn check_size(&self, n: i64) -> Result<(), CallError> {
        let params = &self.func_type().params;
        let Entry::Call(spec) = &self.entry else {
            self.program.world.unknown(n)?;
            return harness_args(self.entry.function(), params, n).map(drop);
        };
        let layout = spec.layout(n, 0)?;
        params.iter().enumerate().try_for_each(|(position, ty)| layout.arg_bits(position, *ty, |_| 0).map(drop))
    }

    /// The inputs of a call from JSON. What the world makes while the program runs has no place in the layout.
    pub fn read_input(&self, layout: &Layout, json: &Value) -> Result<InputValues, InputError> {
        let Some(object) = json.as_object().filter(|_| self.program.world.has_unknown()) else {
            return InputValues::from_json(json, layout);
        };
        let is_laid_out = |name: &String| layout.inputs.iter().any(|input| input.name == *name);
        let (laid_out, made): (Map<String, Value>, Map<String, Value>) =
            object.clone().into_iter().partition(|(name, _)| is_laid_out(name));
        let mut values = InputValues::from_json(&Value::Object(laid_out), layout)?;
        values.0.extend(InputValues::from_json_untyped(&Value::Object(made))?.0);
        Ok(values)
    }

    /// Whether n makes any difference to the call.
    pub fn depends_on_n(&self) -> bool {
        match &self.entry {
            Entry::Harness { .. } => !self.func_type().params.is_empty() || self.program.world.depends_on_n(),
            Entry::Call(spec) => {
                let at = |n| spec.layout(n, 0);
                [2, 3, 17].iter().any(|n| at(*n) != at(1))
            }
        }
    }
}

/// The call of a function of a crate, of which only the name is given: its types are known once the crate is built.
fn call_of_crate(request: &ProgramRequest, entry: &EntryRequest) -> Result<Option<String>, Error> {
    let EntryRequest::Call(text) = entry else { return Ok(None) };
    let Some(name) = bare_name(text).filter(|_| is_crate(request) && request.options.fuzz_target.is_none()) else {
        return Ok(None);
    };
    let functions: Vec<Callable> = libraries(request)?.into_iter().flat_map(|library| library.functions).collect();
    let is_meant = |function: &&Callable| {
        function.name.strip_suffix(name.as_str()).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    let found: Vec<&Callable> = functions.iter().filter(is_meant).collect();
    let list = || list_callables(&functions, &request.file);
    match found.as_slice() {
        [Callable { call: Some(call), .. }] => Ok(Some(call.clone())),
        [Callable { why, declaration, .. }] => {
            let why = why.clone().unwrap_or_default();
            let help = match why.contains("private") {
                true => "only what is `pub` all the way can be called: make it so, or call a function that uses it",
                false => "write the call out with what it takes, as in --call 'my_crate::parse(&str[n])'",
            };
            let message =
                format!("`{name}` cannot be called by its name alone: {why}\n  {declaration}\n  help: {help}");
            Err(CallError::Contradiction(message).into())
        }
        [] => {
            let near = nearest(&name, functions.iter().map(|function| function.name.as_str()));
            let suggestion =
                if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
            Err(Error::NoFunction { name, file: request.file.clone(), suggestion, functions: list() })
        }
        several => {
            let names: Vec<&str> = several.iter().map(|function| function.name.as_str()).collect();
            let suggestion = format!(" alone; there are {}", names.join(" and "));
            Err(Error::NoFunction { name, file: request.file.clone(), suggestion, functions: list() })
        }
    }
}

/// The generated function that stands between a call and a function whose parameters are no plain numbers and pointers.
fn shim(request: &ProgramRequest, entry: &EntryRequest) -> Result<Option<Shim>, Error> {
    let is_crate = request.options.krate.is_some() || slowpath_source::is_cargo_project(&request.file);
    match entry {
        _ if is_crate && request.options.fuzz_target.is_some() => Ok(Some(Shim::for_fuzz_target()?)),
        EntryRequest::Call(call) if is_crate => Ok(Some(Shim::for_crate(call)?)),
        EntryRequest::Call(call) => Ok(Shim::for_file(call, &request.file)?),
        _ => Ok(None),
    }
}

/// A call of a function of C++ with the namespaces that the user left out, where clang knows one such function: generated functions need them.
fn with_scope(call: &str, refusal: &str) -> Option<String> {
    let name = call.split(['(', '<']).next()?.trim();
    let own = |line: &str| {
        let (before, after) = line.split_once("; did you mean '")?;
        let meant = after.split_once('\'')?.0;
        let is_it = meant.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
        (is_it && before.contains(&format!("'{name}'"))).then(|| meant.to_owned())
    };
    let meant = refusal.lines().find_map(own)?;
    Some(call.replacen(name, &meant, 1))
}

/// A function that is there only once its types are chosen, and how.
fn generic(name: &str, file: &Path) -> Option<CallError> {
    if Language::of(file) != Some(Language::Rust) {
        return None;
    }
    let is_meant = |path: &str| path.strip_suffix(name).is_some_and(|scope| scope.is_empty() || scope.ends_with("::"));
    let found = slowpath_source::generic_functions(file, "").into_iter().find(|found| is_meant(&found.path))?;
    let call = found.call.unwrap_or_else(|| format!("{}::<u32>(…)", found.path));
    let message =
        format!("`{name}` is generic\n  {}\n  help: choose its types, as in --call '{call}'", found.declaration);
    Some(CallError::Contradiction(message))
}

/// What to know about functions that are nowhere.
fn missing_note(missing: &[String]) -> Option<String> {
    let names: Vec<String> =
        missing.iter().filter(|name| !name.starts_with("slowpath_")).map(|s| short_name(s)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "nowhere defined, so that calling them is a trap: {}; give the files that define them",
            names.join(", ")
        )
    })
}

fn find(program: &Program, name: &str, wasm: &[u8], file: &Path) -> Result<FuncIdx, Error> {
    let functions = || list_functions(program, wasm, file);
    let Some(function) = program.find_function(name) else {
        let own = |index: &u32| *index >= program.imported_funcs;
        let exported = program.exports.iter().filter(|e| e.kind == ExternKind::Func).map(|e| e.name.as_str());
        let named = program.names.iter().filter(|(index, _)| own(index)).map(|(_, name)| name);
        let near = nearest(name, exported.chain(named));
        let suggestion = match near.as_slice() {
            [] => String::new(),
            near => format!("; did you mean {}?", near.join(" or ")),
        };
        return Err(Error::NoFunction {
            name: name.to_owned(),
            file: file.to_owned(),
            suggestion,
            functions: functions(),
        });
    };
    if function.0 < program.imported_funcs {
        return Err(Error::Imported { name: name.to_owned(), file: file.to_owned(), functions: functions() });
    }
    Ok(function)
}

/// The functions a user can name, with their types, and how to call one.
fn list_functions(program: &Program, wasm: &[u8], file: &Path) -> String {
    list_callables(&callables(program, wasm, file), file)
}

fn list_callables(callables: &[Callable], file: &Path) -> String {
    if callables.is_empty() {
        return format!("{} exports no functions; internal ones can be called by their name", file.display());
    }
    let mut out = format!("functions of {}:\n", file.display());
    for callable in callables.iter().take(LISTED) {
        out += &format!("  {}\n", callable.declaration);
    }
    if callables.len() > LISTED {
        out += &format!("  … and {} more\n", callables.len() - LISTED);
    }
    let runs_whole = |callable: &Callable| callable.why.as_deref() == Some(RUN_WHOLE);
    match callables.iter().find_map(|callable| callable.call.as_ref()) {
        Some(call) => out + &format!("for example: --call '{call}'"),
        None if callables.iter().any(runs_whole) => out + "for example: --stdin n, which runs the whole program",
        None => out + "for example: --call 'isort(i32[n], n)'",
    }
}
