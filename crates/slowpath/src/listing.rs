//! `slowpath list`: what can be called, with types and a ready `--call`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use slowpath_program::call::Entry;
use slowpath_program::names::{demangle, short_name};
use slowpath_program::signature::Signature;
use slowpath_program::types::{Types, Visibility};
use slowpath_program::{ExternKind, FuncIdx, FuncType, Probes, Program, ValType, load};
use slowpath_report::{Callable, LISTING_SCHEMA, ListedFile, Listing};
use slowpath_source::{GenericFunction, Language, Shim, Wanted};

use crate::compile::options;
use crate::entry::any_state;
use crate::error::Error;
use crate::methods;
use crate::request::ProgramRequest;

/// The files of a folder that are programs by their name.
const EXTENSIONS: [&str; 8] = ["c", "cc", "cpp", "cxx", "rs", "wat", "wasm", "ll"];
/// So many lines of an error are shown as they are, though it is one of many files.
const FEW_LINES: usize = 3;
/// More files than this in one folder are taken for a slip.
const MOST_FILES: usize = 500;
/// What compilers call the beginning of a program; that of its author first.
const MAINS: [&str; 5] = ["__main_argc_argv", "__original_main", "main", "__main_void", "_start"];
const MAIN: &str = "main";
/// What is said of it.
pub(crate) const RUN_WHOLE: &str = "the whole program: run it with --stdin n (or --arg n, --file NAME=n)";
/// Folders that hold what was made, not what was written.
const MADE: [&str; 3] = ["target", "build", "node_modules"];

/// What the functions of a file, or of every file of a folder, can be called with.
pub fn list(request: &ProgramRequest) -> Result<Listing, Error> {
    if is_crate(request) {
        return Ok(Listing { schema: LISTING_SCHEMA, files: libraries(request)? });
    }
    let files = files(&request.file)?;
    let alone = files.len() == 1;
    let mut listed = Vec::new();
    for file in files {
        let one = of_folder(request, &file);
        let (functions, error) = match functions_of(&one) {
            Ok(functions) => (functions, None),
            // Whoever asks for an end does not wait for what the compiler says of the other files.
            Err(error) if alone || error.is_interrupted() => return Err(error),
            Err(error) => (Vec::new(), Some(shortened(&error.to_string()))),
        };
        let (file, project) = (file.display().to_string(), one.options.project);
        listed.push(ListedFile { file, functions, error, is_registry: false, project });
    }
    Ok(Listing { schema: LISTING_SCHEMA, files: listed })
}

/// What is wrong with one of many files: what failed, the compiler's first complaint, and our remedy. A header that includes itself makes hundreds of lines.
fn shortened(error: &str) -> String {
    let lines: Vec<&str> = error.lines().collect();
    let [first, between @ .., last] = &lines[..] else { return error.to_owned() };
    let complaint = between.iter().find(|line| line.contains("error: ") || line.contains("error["));
    let parts: Vec<&str> = [Some(first), complaint, Some(last)].into_iter().flatten().copied().collect();
    if lines.len() <= FEW_LINES { error.to_owned() } else { parts.join("\n") }
}

/// Whether cargo builds what is asked for.
pub(crate) fn is_crate(request: &ProgramRequest) -> bool {
    request.is_crate()
}

/// The request for a file of what is asked for: of a folder, the others are its project.
pub(crate) fn of_folder(request: &ProgramRequest, file: &Path) -> ProgramRequest {
    let mut one = ProgramRequest { file: file.to_owned(), ..request.clone() };
    let is_c = matches!(Language::of(file), Some(Language::C | Language::Cpp));
    if one.options.project.is_none() && request.file.is_dir() && is_c {
        one.options.project = Some(request.file.to_string_lossy().into_owned());
    }
    one
}

/// The libraries of a cargo project or a crate of the registry.
pub(crate) fn libraries(request: &ProgramRequest) -> Result<Vec<ListedFile>, Error> {
    let options = options(request, Wanted::All, None)?;
    let refused = |source| Error::Load { file: request.file.clone(), source };
    let mut listed = Vec::new();
    for library in slowpath_source::library_modules(&request.file, &options)? {
        let program = load(&library.wasm, &Probes::default()).map_err(refused)?;
        let types = Types::from_wasm(&library.wasm);
        let own = own_functions(&program);
        let callable =
            |(function, name): &(FuncIdx, String)| callable_of_crate(&program, &types, *function, name.clone());
        let mut functions: Vec<Callable> = own.iter().map(callable).collect();
        keep_usable(request, &options, &mut functions)?;
        let ways = methods::ways(&program, &types, &own, &functions);
        let paths: Vec<String> = ways.iter().map(|way| way.path.clone()).collect();
        let answers =
            if paths.is_empty() { Vec::new() } else { slowpath_source::usable_paths(&request.file, &options, &paths)? };
        for (way, answer) in ways.into_iter().zip(answers) {
            if answer.as_deref() == Ok(&way.path) {
                way.offer(&mut functions);
            }
        }
        // One entry for each function, however often it was compiled.
        let mut seen = HashSet::new();
        functions.retain(|function| seen.insert(function.name.clone()));
        // What can be called first: a library has many functions of traits that cannot.
        functions.sort_by_key(|function| function.call.is_none());
        functions.extend(library.generics.into_iter().map(generic));
        let is_registry = request.options.krate.is_some();
        let (file, error, project) = (request.file.display().to_string(), None, None);
        listed.push(ListedFile { file, functions, error, is_registry, project });
    }
    Ok(listed)
}

/// Gives each function the path that other crates use it by, and takes the call from those that they cannot see.
fn keep_usable(
    request: &ProgramRequest,
    options: &slowpath_source::Options,
    functions: &mut [Callable],
) -> Result<(), Error> {
    let mut ready: Vec<&mut Callable> = functions.iter_mut().filter(|function| function.call.is_some()).collect();
    let paths: Vec<String> = ready.iter().map(|function| function.name.clone()).collect();
    if paths.is_empty() {
        return Ok(());
    }
    let answers = slowpath_source::usable_paths(&request.file, options, &paths)?;
    for (function, answer) in ready.iter_mut().zip(answers) {
        match answer {
            Ok(path) => function.rename(&path),
            Err(why) => (function.call, function.why) = (None, Some(why)),
        }
    }
    Ok(())
}

/// A function of a library as other crates call it: through a generated function, with types of Rust.
fn callable_of_crate(program: &Program, types: &Types, function: FuncIdx, name: String) -> Callable {
    let found = callable(program, types, function, name, false);
    let signature = Signature::of(program, types, function, &found.name);
    let is_plain = signature.rust_types().is_some_and(|types| types.iter().all(|ty| is_number(ty)));
    let call = signature.container_call().or_else(|| signature.call_without_result().filter(|_| is_plain));
    let call = call.filter(|call| Shim::for_crate(call).is_ok());
    let why = found.why.filter(|_| call.is_none());
    let generated = || "it takes what a generated function cannot make".to_owned();
    let why = if call.is_none() { Some(why.unwrap_or_else(generated)) } else { None };
    Callable { call, why, ..found }
}

fn is_number(ty: &str) -> bool {
    let ints = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "isize", "usize"];
    ints.contains(&ty) || ["f32", "f64", "bool", "char"].contains(&ty)
}

/// The file itself, or the programs of a folder in order.
fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    if let Some(files) = slowpath_source::listed_files(path)? {
        return if files.is_empty() { Err(Error::NoPrograms { folder: path.to_owned() }) } else { Ok(files) };
    }
    let (mut found, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        let wrong = |source| Error::File { file: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let kind = entry.file_type().map_err(wrong)?;
            if kind.is_dir() && !name.starts_with('.') && !MADE.contains(&name.as_ref()) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| EXTENSIONS.contains(&e.to_string_lossy().as_ref())) {
                found.push(path);
            }
        }
        if found.len() > MOST_FILES {
            return Err(Error::TooManyFiles { folder: path.to_owned() });
        }
    }
    found.sort();
    if found.is_empty() { Err(Error::NoPrograms { folder: path.to_owned() }) } else { Ok(found) }
}

fn functions_of(request: &ProgramRequest) -> Result<Vec<Callable>, Error> {
    let compiled = slowpath_source::load(&request.file, &options(request, Wanted::All, None)?)?;
    let refused = |source| Error::Load { file: request.file.clone(), source };
    let program = load(&compiled.wasm, &Probes::default()).map_err(refused)?;
    let mut functions = callables(&program, &compiled.wasm, &request.file);
    for function in &mut functions {
        if let Some(Err(refused)) = function.call.as_ref().map(|call| Shim::for_file(call, &request.file)) {
            (function.call, function.why) = (None, Some(refused.to_string()));
        }
    }
    if Language::of(&request.file) == Some(Language::Rust) {
        functions.extend(slowpath_source::generic_functions(&request.file, "").into_iter().map(generic));
    }
    Ok(functions)
}

/// A function that only a user can choose types for.
fn generic(function: GenericFunction) -> Callable {
    let GenericFunction { path, declaration, line, call } = function;
    let why = match call {
        Some(call) => format!("it is generic; choose its types, as in --call '{call}'"),
        None => format!("it is generic; choose its types, as in {path}::<u32>(…), with arguments of that type"),
    };
    Callable { name: path, declaration, line: Some(line), call: None, why: Some(why), note: None }
}

/// The functions of a program that its author wrote, with how to call them; the program as a whole comes last.
pub(crate) fn callables(program: &Program, wasm: &[u8], file: &Path) -> Vec<Callable> {
    let sets_up = Language::of(file) == Some(Language::C);
    let types = Types::from_wasm(wasm);
    let sees = |function: FuncIdx, name: &str| Signature::of(program, &types, function, name).visibility();
    // What everyone can call comes first, and what only a header has is none of the author's.
    let (open, hidden): (Vec<_>, Vec<_>) = own_functions(program)
        .into_iter()
        .filter(|(function, name)| sees(*function, name) != Visibility::Header)
        .partition(|(function, name)| sees(*function, name) == Visibility::Everyone);
    let own = open.into_iter().chain(hidden).map(|(function, name)| callable(program, &types, function, name, sets_up));
    own.chain(whole_program(program, &types)).collect()
}

/// What a program begins with. It is not called but run, with what it reads.
fn whole_program(program: &Program, types: &Types) -> Option<Callable> {
    let exported = |name: &&str| program.exports.iter().find(|e| e.kind == ExternKind::Func && e.name == **name);
    let function = FuncIdx(MAINS.iter().find_map(exported)?.index);
    let signature = Signature::of(program, types, function, MAIN);
    let declaration = signature.declaration().unwrap_or_else(|| MAIN.to_owned());
    let why = Some(RUN_WHOLE.to_owned());
    Some(Callable { name: MAIN.to_owned(), declaration, line: signature.line(), call: None, why, note: None })
}

/// The functions that are exported and that the author wrote, by the name that they are called by.
fn own_functions(program: &Program) -> Vec<(FuncIdx, String)> {
    let exported = program.exports.iter().filter(|export| export.kind == ExternKind::Func);
    let own = exported.filter(|export| !is_machinery(&export.name) && export.index >= program.imported_funcs);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for export in own {
        let (function, name) = (FuncIdx(export.index), short_name(&export.name));
        // A namespace without a name is left out, as it is in the source.
        let name = name.rsplit("(anonymous namespace)::").next().unwrap_or(&name).to_owned();
        let whole = demangle(&export.name);
        let is_unnamed = ["{closure", "{{", "{lambda", "'lambda", "::$_"].iter().any(|mark| whole.contains(mark));
        if !is_library(&name) && !is_unnamed && seen.insert(export.index) {
            found.push((function, name));
        }
    }
    found
}

/// A function with how to call it; `sets_up` if another may be called before it.
fn callable(program: &Program, types: &Types, function: FuncIdx, name: String, sets_up: bool) -> Callable {
    let signature = Signature::of(program, types, function, &name);
    let compiled = program.func_type(function);
    let declaration =
        signature.declaration().unwrap_or_else(|| format!("{name}({}){}", show(&compiled.params), results(compiled)));
    let declaration = match signature.visibility() {
        Visibility::Everyone => declaration,
        Visibility::File | Visibility::Header => format!("static {declaration}"),
    };
    let (call, why) = match signature.guess() {
        Some(guess) if guess.is_complete() => {
            let mut spec = guess.spec.clone();
            let fits = signature.settle(&mut spec, "").and_then(|()| Entry::Call(spec).check(&compiled.params));
            match fits {
                Ok(()) => (Some(guess.spec.to_string()), None),
                Err(error) => (None, Some(error.to_string())),
            }
        }
        Some(guess) => {
            let why: Vec<String> = guess.open.iter().map(|open| open.why.clone()).collect();
            // Strings and vectors are made by a generated function.
            match signature.container_call() {
                Some(call) => (Some(call), None),
                None => (None, Some(why.join("; "))),
            }
        }
        None if compiled.params.is_empty() => (Some(format!("{name}()")), None),
        None => match (signature.container_call(), signature.declaration()) {
            (Some(call), _) => (Some(call), None),
            (None, Some(_)) => (None, Some("it takes what a generated function cannot make".to_owned())),
            (None, None) => (None, Some("no debug information says what its parameters are".to_owned())),
        },
    };
    if let Some(call) = sets_up.then(|| signature.setup_call()).flatten() {
        return Callable { declaration, line: signature.line(), call: Some(call), why: None, note: None, name };
    }
    let note = signature.setup().filter(|_| call.is_some()).map(|(function, name)| any_state(&function, &name));
    Callable { declaration, line: signature.line(), call, why, note, name }
}

fn show(types: &[ValType]) -> String {
    types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn results(ty: &FuncType) -> String {
    if ty.results.is_empty() { String::new() } else { format!(" -> {}", show(&ty.results)) }
}

/// Functions that compilers and linkers put in.
fn is_machinery(name: &str) -> bool {
    name == "_initialize" || MAINS.contains(&name) || name.starts_with("__wasm") || name.starts_with("slowpath_")
}

/// Functions of the standard libraries, by their path.
fn is_library(name: &str) -> bool {
    let path = name.trim_start_matches(['<', '&']);
    ["std::", "core::", "alloc::", "__cxx", "operator", "__rust", "__rg_", "__rdl_"]
        .iter()
        .any(|prefix| path.starts_with(prefix))
}
