//! From C and C++ files to a module: compile each, link what the asked function needs, and see what is missing.
//!
//! First without any library. If a header, a symbol or a constructor asks for one, again with wasi-libc (and libc++). What is missing even
//! then is looked for among the files of the project, and what nobody has becomes an import, which is a trap where it is called.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::configure::Known;
use crate::exceptions;
use crate::headers::Headers;
use crate::libraries::Libraries;
use crate::link::{self, Parts};
use crate::object::{self, Symbols};
use crate::project::Project;
use crate::run::Workshop;
use crate::stages::{Outcome, Stages, TO_IR, Unit};
use crate::toolchain::Toolchain;
use crate::{Compiled, Language, Mode, Options, SourceError, Wanted};

/// What throwing an exception does: see the file.
const RUNTIME: &str = include_str!("runtime.c");
/// What the calls of other tools' harnesses mean: see the file.
const HARNESS: &str = include_str!("harness.c");

/// Rounds of looking for files that define what is missing. Each brings in all files that the last ones ask for, so this is how many
/// calls deep the last file may be from the first.
const MOST_ROUNDS: usize = 32;

/// Compiles freestanding if that works, with the libraries if something is missing.
pub(crate) fn compile(workshop: &Workshop<'_>, units: &[Unit], options: &Options) -> Result<Compiled, SourceError> {
    let places = options.tool_path.clone().or_else(|| env::var_os("PATH")).unwrap_or_default();
    let tools = Toolchain::find_in(&places)?;
    let mut headers = Headers::install(workshop, &options.headers)?;
    let project = options.project.as_deref().map(Project::open).transpose()?;
    let unmade = project.as_ref().map_or(&[][..], Project::unmade);
    let mut found = None;
    if !unmade.is_empty() {
        found = Libraries::find(workshop, &tools, &options.extra_flags)?;
        headers.make(workshop, &made_headers(project.as_ref(), found.as_ref()))?;
    }
    if let Some(project) = &project {
        headers.make(workshop, &project.forwards(units))?;
    }
    let stages = Stages::new(workshop, &tools, options, &headers);
    let language = if units.iter().any(|unit| unit.language == Language::Cpp) { Language::Cpp } else { Language::C };
    let mut build =
        Build { workshop, stages: &stages, project: project.as_ref(), language, options, has_statics: true };
    let mode = if options.optimize.is_some() { Mode::Optimized } else { Mode::BranchFaithful };
    let mut notes: Vec<String> = options.optimize.iter().map(|flags| Mode::note(flags, language)).collect();

    if !unmade.is_empty() {
        let names: Vec<String> = unmade.iter().map(|template| template.header.display().to_string()).collect();
        notes.push(format!(
            "the project is not configured: {} made for WebAssembly, with nothing that is a choice switched on",
            few(&names)
        ));
    }
    let lacking = if found.is_some() {
        // What such headers say is of a system with a library.
        "a configured system".to_owned()
    } else {
        match build.module(units, None) {
            Ok(module) => return Ok(module.compiled(mode, false, notes)),
            Err(Shortfall::Lacks { what, .. }) => what,
            Err(other) => return Err(other.into_error()),
        }
    };
    let found = match found {
        Some(found) => Some(found),
        None => Libraries::find(workshop, &tools, &options.extra_flags)?,
    };
    let Some(libraries) = found.filter(|libraries| libraries.serve(language)) else {
        return Err(SourceError::MissingLibrary { path: workshop.source.to_path_buf(), lacking, language });
    };
    let mut module = build.module(units, Some(&libraries));
    if module.is_err() && build.is_for_listing() {
        // A static function may want what nobody has, or be called as one of the library.
        build.has_statics = false;
        module = build.module(units, Some(&libraries));
    }
    let module = module.map_err(Shortfall::into_error)?;
    let names = if language == Language::Cpp { "libc++ and wasi-libc" } else { "wasi-libc" };
    notes.push(format!("linked with {names}, because the program needs {lacking}"));
    Ok(module.compiled(mode, true, notes))
}

/// What configuring a project would make of its templates, by every name under which it may be included.
fn made_headers(project: Option<&Project>, libraries: Option<&Libraries>) -> Vec<(PathBuf, String)> {
    let symbols = libraries.map(Libraries::symbols).unwrap_or_default();
    let known = Known { symbols, values: project.map(Project::values).cloned().unwrap_or_default() };
    let mut made = Vec::new();
    for template in project.map_or(&[][..], Project::unmade) {
        let Some(text) = template.filled(&known) else { continue };
        made.extend(template.names().into_iter().map(|name| (name, text.clone())));
    }
    made
}

/// Why one try at building the module gave none.
enum Shortfall {
    /// A header or symbols were missing, which a C library may have.
    Lacks {
        what: String,
        error: SourceError,
    },
    /// A file was found to catch exceptions, and all have to be compiled again so that it can.
    Catches,
    Final(SourceError),
}

impl Shortfall {
    fn into_error(self) -> SourceError {
        match self {
            Shortfall::Lacks { error, .. } | Shortfall::Final(error) => error,
            Shortfall::Catches => SourceError::Endless { path: PathBuf::new() },
        }
    }
}

impl From<SourceError> for Shortfall {
    fn from(error: SourceError) -> Self {
        Shortfall::Final(error)
    }
}

/// A linked module, and what is not in it.
struct Module {
    wasm: Vec<u8>,
    missing: Vec<String>,
    /// Files of the project that came in by themselves.
    joined: Vec<PathBuf>,
    /// Files of the project that might define what is missing, and do not compile: what clang says first.
    broken: BTreeMap<PathBuf, String>,
}

impl Module {
    fn compiled(self, mode: Mode, libc: bool, mut notes: Vec<String>) -> Compiled {
        if !self.joined.is_empty() {
            let names: Vec<String> = self.joined.iter().map(|path| path.display().to_string()).collect();
            notes.push(format!("linked with {} of the project", names.join(", ")));
        }
        if !self.missing.is_empty() {
            let words = |(path, why): (&PathBuf, &String)| {
                format!("{} may define what is missing, but does not compile: {why}", path.display())
            };
            notes.extend(self.broken.iter().map(words));
        }
        Compiled { wasm: self.wasm, mode, libc, notes, missing: self.missing }
    }
}

/// An object file with its symbols.
struct Object {
    path: PathBuf,
    symbols: Symbols,
}

impl Object {
    /// Lets the linker see static functions.
    fn publish(&self, functions: &[&object::Function]) -> Result<(), SourceError> {
        if functions.is_empty() {
            return Ok(());
        }
        let mut bytes = fs::read(&self.path).map_err(SourceError::Scratch)?;
        functions.iter().for_each(|function| object::publish(&mut bytes, function));
        fs::write(&self.path, bytes).map_err(SourceError::Scratch)
    }
}

struct Build<'a> {
    workshop: &'a Workshop<'a>,
    stages: &'a Stages<'a>,
    project: Option<&'a Project>,
    language: Language,
    options: &'a Options,
    /// Whether static functions are exported where all are.
    has_statics: bool,
}

impl Build<'_> {
    /// Whether all functions are wanted, to be shown.
    fn is_for_listing(&self) -> bool {
        matches!(self.options.wanted, Wanted::All)
    }

    fn module(&self, units: &[Unit], libraries: Option<&Libraries>) -> Result<Module, Shortfall> {
        match self.attempt(units, libraries) {
            // Once exceptions are caught, they are for good.
            Err(Shortfall::Catches) => self.attempt(units, libraries),
            done => done,
        }
    }

    fn attempt(&self, units: &[Unit], libraries: Option<&Libraries>) -> Result<Module, Shortfall> {
        let units: Vec<Unit> = units.iter().map(|unit| self.with_project_flags(unit)).collect();
        let mut objects = self.objects(&units, libraries)?;
        self.look_for_handlers(&objects)?;
        if libraries.is_none()
            && let Some(what) = self.needs_a_start(&objects)
        {
            let path = self.workshop.source.to_path_buf();
            let error = SourceError::MissingLibrary { path, lacking: what.to_owned(), language: self.language };
            return Err(Shortfall::Lacks { what: what.to_owned(), error });
        }
        let exports = self.exports(&mut objects)?;
        let mut extra: Vec<PathBuf> = Vec::new();
        if self.language == Language::Cpp {
            let runtime = if self.stages.are_exceptions_caught() { exceptions::RUNTIME } else { RUNTIME };
            extra.push(self.stages.of_our_own("runtime", runtime)?);
        }
        let mut harness = false;
        let mut missing = Vec::new();
        let mut joined = Vec::new();
        let mut broken = BTreeMap::new();
        let wasm = self.workshop.file("program.wasm");
        for _ in 0..MOST_ROUNDS {
            let command = matches!(self.options.wanted, Wanted::Main);
            let archives = libraries.into_iter().flat_map(|found| found.archives(self.language, command));
            let inputs = objects.iter().map(|object| object.path.clone()).chain(extra.iter().cloned()).chain(archives);
            let parts = Parts { inputs: inputs.collect(), exports: exports.clone(), missing: missing.clone() };
            let linked = link::link(self.workshop, self.stages.tools, &parts, &wasm)?;
            if linked.success {
                let wasm = fs::read(&wasm).map_err(SourceError::Scratch)?;
                return Ok(Module { wasm, missing, joined, broken });
            }
            let symbols = link::undefined_symbols(&linked.stderr);
            if !harness && symbols.iter().any(|name| is_harness_call(name)) {
                harness = true;
                extra.push(self.stages.of_our_own("harness", HARNESS)?);
                continue;
            }
            let error = link::failure(self.workshop, linked);
            if symbols.is_empty() {
                return Err(Shortfall::Final(error));
            }
            if libraries.is_none() {
                return Err(Shortfall::Lacks { what: few(&symbols), error });
            }
            let found = self.definers(&symbols, &units, &joined, &mut broken, libraries)?;
            if !found.is_empty() {
                for (path, object) in found {
                    joined.push(path);
                    objects.push(object);
                }
                self.look_for_handlers(&objects)?;
                continue;
            }
            let data: BTreeSet<&String> = objects.iter().flat_map(|object| &object.symbols.undefined_data).collect();
            // A variable that is nowhere has no address; taking any would give results that mean nothing. Nor would a program whose own
            // file calls what does not compile: it would end there.
            let own = objects.iter().take(units.len()).flat_map(|object| &object.symbols.undefined_functions);
            let own: BTreeSet<&String> = own.filter(|name| symbols.contains(name)).collect();
            let needed = |path: &PathBuf| own.iter().any(|name| Project::looks_to_define(path, name));
            let is_hollow = !self.is_for_listing() && broken.keys().any(needed);
            if !missing.is_empty() || is_hollow || symbols.iter().any(|name| data.contains(name)) {
                // Of several the one with what the program itself calls, then one beside the program, rather than a test that mentions the same.
                let beside = |path: &PathBuf| path.parent() == self.workshop.source.parent();
                let first = broken.iter().min_by_key(|(path, _)| (!needed(path), !beside(path)));
                let of_broken = |(path, why): (&PathBuf, &String)| SourceError::BrokenDefiner {
                    header: missing_header(why).map(str::to_owned),
                    lacking: few(&symbols),
                    path: path.clone(),
                    why: why.clone(),
                };
                return Err(Shortfall::Final(first.map_or(error, of_broken)));
            }
            missing = symbols;
        }
        Err(Shortfall::Final(SourceError::Endless { path: self.workshop.source.to_path_buf() }))
    }

    /// Whether one file catches what another throws is not known before all are there, and all have to agree on how it is done.
    fn look_for_handlers(&self, objects: &[Object]) -> Result<(), Shortfall> {
        let catch = objects.iter().any(|object| exceptions::marked(&object.symbols.defined_data));
        if catch && self.stages.catch_exceptions() { Err(Shortfall::Catches) } else { Ok(()) }
    }

    /// What only a library's start-up code does, if there is anything of it to do.
    fn needs_a_start(&self, objects: &[Object]) -> Option<&'static str> {
        if matches!(self.options.wanted, Wanted::Main) {
            return Some("a main that is started");
        }
        objects.iter().any(|object| object.symbols.constructors).then_some("constructors of static objects")
    }

    fn with_project_flags(&self, unit: &Unit) -> Unit {
        let flags = self.project.map_or_else(Vec::new, |project| project.flags(&unit.path));
        Unit { flags: [unit.flags.clone(), flags].concat(), ..unit.clone() }
    }

    /// All files, several at a time.
    fn objects(&self, units: &[Unit], libraries: Option<&Libraries>) -> Result<Vec<Object>, Shortfall> {
        let mut objects = Vec::new();
        for (unit, outcome) in units.iter().zip(self.outcomes(units, libraries)) {
            match outcome? {
                Ok(path) => objects.push(self.object(unit, path)?),
                Err(finished) => {
                    let header = missing_header(&finished.stderr).map(str::to_owned);
                    let what = header.as_ref().map(|header| format!("<{header}>"));
                    let (path, stderr) = (unit.path.clone(), finished.stderr);
                    let error = match header {
                        Some(header) if libraries.is_some() => SourceError::MissingHeader { path, header, stderr },
                        _ => SourceError::Compiler { path, purpose: TO_IR, stderr },
                    };
                    return Err(match what {
                        Some(what) => Shortfall::Lacks { what, error },
                        None => Shortfall::Final(error),
                    });
                }
            }
        }
        Ok(objects)
    }

    fn outcomes(&self, units: &[Unit], libraries: Option<&Libraries>) -> Vec<Result<Outcome, SourceError>> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
        if workers < 2 {
            return units.iter().map(|unit| self.stages.object(unit, libraries)).collect();
        }
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Outcome, SourceError>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((place, unit)) = {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        units.get(place).map(|unit| (place, unit))
                    } {
                        let outcome = self.stages.object(unit, libraries);
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((place, outcome));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn object(&self, unit: &Unit, path: PathBuf) -> Result<Object, SourceError> {
        let bytes = fs::read(&path).map_err(SourceError::Scratch)?;
        let symbols = Symbols::read(&bytes)
            .map_err(|error| SourceError::Object { path: unit.path.clone(), message: error.to_string() })?;
        Ok(Object { path, symbols })
    }

    /// The functions to export. A static one that is asked for is made visible to the linker.
    fn exports(&self, objects: &mut [Object]) -> Result<Vec<String>, SourceError> {
        let name = match &self.options.wanted {
            Wanted::Main => return Ok(vec!["_start".to_owned()]),
            Wanted::All => return self.all(objects),
            Wanted::Named(name) => name,
        };
        let functions: Vec<(&Object, &object::Function)> =
            objects.iter().flat_map(|object| object.symbols.functions.iter().map(move |f| (object, f))).collect();
        let symbols: Vec<&str> = functions.iter().map(|(_, function)| function.name.as_str()).collect();
        let picked = name.pick(&symbols);
        let mut exports: Vec<String> = Vec::new();
        // Of static functions with one name, the first file's is meant.
        for (object, function) in picked.into_iter().filter_map(|index| functions.get(index)) {
            if exports.contains(&function.name) {
                continue;
            }
            if function.local {
                object.publish(&[function])?;
            }
            exports.push(function.name.clone());
        }
        if exports.is_empty() { self.all(objects) } else { Ok(exports) }
    }

    /// Every function with external linkage, and the static ones whose name no other has. The weak functions of C++ are instances of the
    /// library's templates, hundreds of them.
    fn all(&self, objects: &[Object]) -> Result<Vec<String>, SourceError> {
        let functions = objects.iter().flat_map(|object| &object.symbols.functions);
        let wanted = functions.filter(|f| !f.local && (!f.weak || self.language == Language::C));
        let mut exports: Vec<String> = wanted.map(|function| function.name.clone()).collect();
        let mut taken: HashSet<String> = exports.iter().cloned().collect();
        for object in objects.iter().filter(|_| self.has_statics) {
            let is_own = |f: &&object::Function| f.local && !is_nobodys(&f.name);
            let own = object.symbols.functions.iter().filter(is_own);
            let statics: Vec<&object::Function> = own.filter(|f| taken.insert(f.name.clone())).collect();
            object.publish(&statics)?;
            exports.extend(statics.into_iter().map(|function| function.name.clone()));
        }
        Ok(exports)
    }

    /// Files of the project, not yet taken in, that define some of these symbols.
    fn definers(
        &self,
        symbols: &[String],
        units: &[Unit],
        joined: &[PathBuf],
        broken: &mut BTreeMap<PathBuf, String>,
        libraries: Option<&Libraries>,
    ) -> Result<Vec<(PathBuf, Object)>, SourceError> {
        let Some(project) = self.project else { return Ok(Vec::new()) };
        let known = |path: &Path| joined.iter().chain(units.iter().map(|unit| &unit.path)).any(|own| same(own, path));
        let candidates: Vec<Unit> = project
            .mentioning(symbols)
            .into_iter()
            .filter(|unit| !known(&unit.path) && !broken.contains_key(&unit.path))
            .collect();
        let mut left: BTreeSet<String> = symbols.iter().cloned().collect();
        let mut found = Vec::new();
        for (unit, outcome) in candidates.iter().zip(self.outcomes(&candidates, libraries)) {
            let path = match outcome? {
                Ok(path) => path,
                Err(finished) => {
                    let first = finished.stderr.lines().find(|line| line.contains("error: "));
                    broken.insert(unit.path.clone(), first.unwrap_or("for no reason").to_owned());
                    continue;
                }
            };
            let object = self.object(unit, path)?;
            let functions = object.symbols.functions.iter().filter(|f| !f.local).map(|f| &f.name);
            let defines = functions.chain(&object.symbols.defined_data);
            if defines.filter(|name| left.remove(*name)).count() > 0 {
                found.push((unit.path.clone(), object));
            }
        }
        Ok(found)
    }
}

/// Whether two paths mean one file.
fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Names for a sentence, the first few of them.
fn few(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// Whether a local symbol is one that nobody wrote here: constructors of static objects, and what calls them; the calls of `slowpath.h`.
fn is_nobodys(symbol: &str) -> bool {
    [".", "__cxx_", "_GLOBAL__", "__clang_", "slowpath_"].iter().any(|start| symbol.starts_with(start))
}

/// Whether another tool's harness makes this call.
fn is_harness_call(symbol: &str) -> bool {
    symbol.starts_with("klee_") || symbol.starts_with("__VERIFIER_") || symbol == "reach_error"
}

/// The header in clang's "fatal error: 'stdio.h' file not found".
fn missing_header(stderr: &str) -> Option<&str> {
    let line = stderr.lines().find(|line| line.ends_with("file not found"))?;
    let (_, rest) = line.split_once("fatal error: '")?;
    Some(rest.split_once('\'')?.0)
}

#[cfg(test)]
mod tests {
    use super::missing_header;

    #[test]
    fn a_missing_header_is_read_from_clangs_message() {
        let stderr = "prog.c:1:10: fatal error: 'stdio.h' file not found\n    1 | #include <stdio.h>\n";
        assert_eq!(missing_header(stderr), Some("stdio.h"));
        assert_eq!(missing_header("prog.c:1:1: error: unknown type name"), None);
    }
}
