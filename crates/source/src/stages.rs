//! The compilation of one C or C++ file, stage by stage.
//!
//! Branch-faithful: clang emits LLVM IR as an optimising compilation would, but runs no pass over it; `opt` puts locals in
//! registers (`sroa`) and removes trivially repeated work (`early-cse`), and nothing else; `unselect` turns what little
//! branchless choice the frontend itself made back into branches; `llc` and `wasm-ld` make the module. No clang flag gives
//! this: from `-O1` on, branches are merged into `select` and there is nothing left to learn a policy for.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::libraries::Libraries;
use crate::link;
use crate::run::{Finished, Workshop};
use crate::toolchain::Toolchain;
use crate::{Compiled, HEADER, Language, Mode, Options, SourceError, object, unselect};

const TO_IR: &str = "compiling (clang)";
const TO_REGISTERS: &str = "putting locals in registers (opt)";
const TO_OBJECT: &str = "generating WebAssembly (llc)";

/// What throwing an exception does: see the file.
const RUNTIME: &str = include_str!("runtime.c");
/// What the calls of other tools' harnesses mean: see the file.
const HARNESS: &str = include_str!("harness.c");
const KLEE_HEADER: &str = include_str!("../include/klee/klee.h");

/// Compiles freestanding if that works, with the libraries if something is missing.
pub(crate) fn compile(path: &Path, language: Language, options: &Options) -> Result<Compiled, SourceError> {
    let workshop = Workshop::open(path, options.timeout)?;
    let tools = match &options.tool_path {
        Some(places) => Toolchain::find_in(places)?,
        None => Toolchain::find()?,
    };
    let job = Job { workshop: &workshop, tools: &tools, language, options, include: install_header(&workshop)? };
    let mode = match options.optimize {
        None => Mode::BranchFaithful,
        Some(_) => Mode::Optimized,
    };
    let mut notes: Vec<String> = options.optimize.iter().map(|flags| Mode::note(flags, language)).collect();

    let lacking = match job.build(None) {
        Ok(wasm) => {
            return Ok(Compiled { wasm, mode, libc: false, notes });
        }
        Err(Shortfall::Lacks { what, .. }) => what,
        Err(Shortfall::Final(error)) => return Err(error),
    };
    let found = Libraries::find(&workshop, &tools, &options.extra_flags)?;
    let Some(libraries) = found.filter(|libraries| libraries.serve(language)) else {
        return Err(SourceError::MissingLibrary { path: path.to_path_buf(), lacking, language });
    };
    let wasm = job.build(Some(&libraries)).map_err(Shortfall::into_error)?;
    let names = if language == Language::Cpp { "libc++ and wasi-libc" } else { "wasi-libc" };
    notes.push(format!("linked with {names}, because the program needs {lacking}"));
    Ok(Compiled { wasm, mode, libc: true, notes })
}

/// Why one try at building the module gave none.
enum Shortfall {
    /// A header or symbols were missing, which a C library may have.
    Lacks {
        what: String,
        error: SourceError,
    },
    Final(SourceError),
}

impl Shortfall {
    fn into_error(self) -> SourceError {
        match self {
            Shortfall::Lacks { error, .. } | Shortfall::Final(error) => error,
        }
    }
}

impl From<SourceError> for Shortfall {
    fn from(error: SourceError) -> Self {
        Shortfall::Final(error)
    }
}

struct Job<'a> {
    workshop: &'a Workshop<'a>,
    tools: &'a Toolchain,
    language: Language,
    options: &'a Options,
    /// The directory with slowpath.h in it.
    include: PathBuf,
}

impl Job<'_> {
    fn build(&self, libraries: Option<&Libraries>) -> Result<Vec<u8>, Shortfall> {
        let object = self.workshop.file("program.o");
        let compiled = match &self.options.optimize {
            None => self.branch_faithful(libraries, &object)?,
            Some(flags) => self.optimized(flags, libraries, &object)?,
        };
        if !compiled.success {
            let header = missing_header(&compiled.stderr).map(|header| format!("<{header}>"));
            return Err(shortfall(header, self.workshop.failure(TO_IR, compiled)));
        }
        if libraries.is_none() && self.has_constructors(&object)? {
            let what = "constructors of static objects".to_owned();
            let path = self.workshop.source.to_path_buf();
            let error = SourceError::MissingLibrary { path, lacking: what.clone(), language: self.language };
            return Err(Shortfall::Lacks { what, error });
        }
        let wasm = self.workshop.file("program.wasm");
        let mut extra: Vec<PathBuf> = Vec::new();
        if self.language == Language::Cpp {
            extra.push(self.of_our_own("runtime", RUNTIME)?);
        }
        let mut linked = self.link(&object, &extra, libraries, &wasm)?;
        if !linked.success && link::undefined_symbols(&linked.stderr).iter().any(|name| is_harness_call(name)) {
            extra.push(self.of_our_own("harness", HARNESS)?);
            linked = self.link(&object, &extra, libraries, &wasm)?;
        }
        if !linked.success {
            let symbols = link::undefined_symbols(&linked.stderr);
            let symbols = (!symbols.is_empty()).then(|| symbols.join(", "));
            return Err(shortfall(symbols, link::failure(self.workshop, linked)));
        }
        Ok(fs::read(wasm).map_err(SourceError::Scratch)?)
    }

    fn link(
        &self,
        object: &Path,
        extra: &[PathBuf],
        libraries: Option<&Libraries>,
        wasm: &Path,
    ) -> Result<Finished, SourceError> {
        link::link(self.workshop, self.tools, &link::Parts::of_c(object, extra, libraries, self.language), wasm)
    }

    fn has_constructors(&self, object: &Path) -> Result<bool, SourceError> {
        let bytes = fs::read(object).map_err(SourceError::Scratch)?;
        object::has_constructors(&bytes).map_err(|error| SourceError::Object {
            path: self.workshop.source.to_path_buf(),
            message: error.to_string(),
        })
    }

    /// Something that every program may need and no library has, compiled.
    fn of_our_own(&self, name: &str, text: &str) -> Result<PathBuf, SourceError> {
        let [source, object] = ["c", "o"].map(|extension| self.workshop.file(&format!("{name}.{extension}")));
        fs::write(&source, text).map_err(SourceError::Scratch)?;
        let mut arguments: Vec<OsString> = ["--target=wasm32", "-O1", "-fno-builtin", "-I"].map(Into::into).into();
        arguments.extend([self.include.clone().into(), "-c".into(), source.into(), "-o".into(), object.clone().into()]);
        self.workshop.must(TO_IR, &self.tools.clang, arguments)?;
        Ok(object)
    }

    /// The four stages. Only the first can fail through a fault in the user's file, so only its outcome is returned.
    fn branch_faithful(&self, libraries: Option<&Libraries>, object: &Path) -> Result<Finished, SourceError> {
        let bitcode = self.workshop.file("program.bc");
        let text = self.workshop.file("program.ll");
        let flags = ["-O1", "-Xclang", "-disable-llvm-passes", "-fno-jump-tables", "-fno-builtin", "-emit-llvm"];
        let compiled = self.clang(&flags.map(str::to_owned), libraries, &bitcode)?;
        if !compiled.success {
            return Ok(compiled);
        }
        let passes: [OsString; 5] =
            ["-passes=function(sroa,early-cse)".into(), "-S".into(), bitcode.into(), "-o".into(), text.clone().into()];
        self.workshop.must(TO_REGISTERS, &self.tools.opt, passes)?;
        let ir = fs::read_to_string(&text).map_err(SourceError::Scratch)?;
        if let Some(branching) = unselect::selects_to_branches(&ir) {
            fs::write(&text, branching).map_err(SourceError::Scratch)?;
        }
        let codegen: [OsString; 5] = ["-O1".into(), "-filetype=obj".into(), text.into(), "-o".into(), object.into()];
        self.workshop.must(TO_OBJECT, &self.tools.llc, codegen)?;
        Ok(compiled)
    }

    fn optimized(
        &self,
        flags: &[String],
        libraries: Option<&Libraries>,
        object: &Path,
    ) -> Result<Finished, SourceError> {
        let mut flags = flags.to_vec();
        // Link-time optimisation would leave bitcode where the linker stage expects an object.
        flags.push("-fno-lto".to_owned());
        self.clang(&flags, libraries, object)
    }

    fn clang(
        &self,
        mode_flags: &[String],
        libraries: Option<&Libraries>,
        output: &Path,
    ) -> Result<Finished, SourceError> {
        let target = if libraries.is_some() { "wasm32-wasi" } else { "wasm32" };
        let mut arguments: Vec<OsString> = vec![format!("--target={target}").into(), "-g".into()];
        arguments.extend(mode_flags.iter().map(OsString::from));
        // Line tables name the file as the user did, and nothing of this machine or its temporary directory.
        arguments.push("-fdebug-compilation-dir=.".into());
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(self.workshop.directory());
        map.push("=slowpath");
        arguments.push(map);
        arguments.extend(self.options.extra_flags.iter().map(OsString::from));
        arguments.push("-I".into());
        arguments.push(self.include.clone().into());
        if let Some(libraries) = libraries {
            let headers: Vec<PathBuf> = libraries.headers(self.language).collect();
            if !headers.is_empty() {
                // Or clang would go on to the host's own /usr/include.
                arguments.push("-nostdlibinc".into());
            }
            for directory in headers {
                arguments.extend(["-isystem".into(), directory.into()]);
            }
        }
        // By name, so that a capital `.C` means what it means here.
        let dialect = if self.language == Language::Cpp { "c++" } else { "c" };
        arguments.extend(["-x".into(), dialect.into()]);
        arguments.extend(["-c".into(), "-o".into(), output.into()]);
        arguments.push("--".into());
        arguments.push(self.workshop.source.into());
        self.workshop.run(TO_IR, &self.tools.clang, arguments)
    }
}

fn shortfall(lacking: Option<String>, error: SourceError) -> Shortfall {
    match lacking {
        Some(what) => Shortfall::Lacks { what, error },
        None => Shortfall::Final(error),
    }
}

fn install_header(workshop: &Workshop<'_>) -> Result<PathBuf, SourceError> {
    let directory = workshop.file("include");
    fs::create_dir_all(directory.join("klee")).map_err(SourceError::Scratch)?;
    fs::write(directory.join("slowpath.h"), HEADER).map_err(SourceError::Scratch)?;
    fs::write(directory.join("klee/klee.h"), KLEE_HEADER).map_err(SourceError::Scratch)?;
    Ok(directory)
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
