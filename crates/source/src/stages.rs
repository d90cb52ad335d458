//! The compilation of one C or C++ file to an object, stage by stage.
//!
//! Branch-faithful: clang emits LLVM IR as an optimising compilation would, but runs no pass over it; `opt` puts locals in
//! registers (`sroa`) and removes trivially repeated work (`early-cse`), and nothing else; `unselect` turns what little
//! branchless choice the frontend itself made back into branches; where the program catches exceptions, `exceptions` makes them branches
//! too; `llc` makes the object. No clang flag gives
//! this: from `-O1` on, branches are merged into `select` and there is nothing left to learn a policy for.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::cache::{Cache, Key, dependencies};
use crate::headers::Headers;
use crate::libraries::Libraries;
use crate::run::{Finished, Workshop};
use crate::toolchain::Toolchain;
use crate::{Language, Options, SourceError, exceptions, unselect};

pub(crate) const TO_IR: &str = "compiling (clang)";
const TO_REGISTERS: &str = "putting locals in registers (opt)";
const TO_OBJECT: &str = "generating WebAssembly (llc)";

/// What older C allowed and much of it still does. A function that nobody declares is then looked for by the linker.
const LENIENT: [&str; 7] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    // `return;` where a value is due, and the other way round; older clangs have another name for it.
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
];

/// One file to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub path: PathBuf,
    pub language: Language,
    /// Flags of its own, beside those of the request.
    pub flags: Vec<String>,
}

/// An object, or what the compiler had to say instead.
pub(crate) type Outcome = Result<PathBuf, Finished>;

/// Everything that compiling a file needs besides the file.
pub(crate) struct Stages<'a> {
    pub workshop: &'a Workshop<'a>,
    pub tools: &'a Toolchain,
    pub options: &'a Options,
    pub headers: &'a Headers,
    pub cache: Option<Cache>,
    /// Whether exceptions are told in branches: of all files or none.
    catching: AtomicBool,
    /// Files made so far, which are numbered.
    made: AtomicUsize,
}

impl<'a> Stages<'a> {
    pub fn new(
        workshop: &'a Workshop<'a>,
        tools: &'a Toolchain,
        options: &'a Options,
        headers: &'a Headers,
    ) -> Stages<'a> {
        let cache = options.cache.as_deref().map(Cache::new);
        Stages { workshop, tools, options, headers, cache, catching: AtomicBool::new(false), made: AtomicUsize::new(0) }
    }

    /// From now on files are compiled such that exceptions can be caught. False if they were already.
    pub fn catch_exceptions(&self) -> bool {
        !self.catching.swap(true, Ordering::Relaxed)
    }

    pub fn are_exceptions_caught(&self) -> bool {
        self.catching.load(Ordering::Relaxed)
    }

    /// Compiles one file, unless the same was compiled before.
    pub fn object(&self, unit: &Unit, libraries: Option<&Libraries>) -> Result<Outcome, SourceError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let object = self.workshop.file(&format!("{}-{number}.o", stem(&unit.path)));
        let keyed = self.cache.as_ref().and_then(|cache| Some((cache, self.key(unit, libraries)?)));
        if let Some((cache, key)) = &keyed
            && let Some(bytes) = cache.fetch(key)
        {
            fs::write(&object, bytes).map_err(SourceError::Scratch)?;
            return Ok(Ok(object));
        }
        let compiled = match &self.options.optimize {
            None => self.branch_faithful(unit, libraries, &object)?,
            Some(flags) => self.optimized(unit, flags, libraries, &object)?,
        };
        if !compiled.success {
            return Ok(Err(compiled));
        }
        if let Some((cache, key)) = &keyed {
            let listed = fs::read_to_string(object.with_extension("d")).unwrap_or_default();
            // Our own headers are part of the key, and lie elsewhere next time.
            let own = self.workshop.directory();
            let included: Vec<PathBuf> =
                dependencies(&listed).into_iter().filter(|path| !path.starts_with(own)).collect();
            cache.store(key, &included, &fs::read(&object).map_err(SourceError::Scratch)?);
        }
        Ok(Ok(object))
    }

    /// What the object depends on, apart from what the file includes.
    fn key(&self, unit: &Unit, libraries: Option<&Libraries>) -> Option<Key> {
        let mut key = Key::new();
        key.add(env!("CARGO_PKG_VERSION").as_bytes());
        for tool in [&self.tools.clang, &self.tools.opt, &self.tools.llc] {
            let about = fs::metadata(tool).ok()?;
            let changed = about.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            key.add(tool.as_os_str().as_encoded_bytes());
            key.add(format!("{} {}", about.len(), changed.as_nanos()).as_bytes());
        }
        key.add(std::env::current_dir().ok()?.as_os_str().as_encoded_bytes());
        key.add(if self.are_exceptions_caught() { b"catching" } else { b"" });
        self.headers.texts().for_each(|text| key.add(text.as_bytes()));
        let mode = self.options.optimize.as_ref().map_or_else(|| faithful_flags().to_vec(), Clone::clone);
        key.add(format!("{:?}", self.options.optimize.is_some()).as_bytes());
        // The directory of this run would make every key new.
        let own = self.workshop.directory().to_string_lossy().into_owned();
        for argument in self.arguments(unit, &mode, libraries) {
            key.add(argument.to_string_lossy().replace(&own, "").as_bytes());
        }
        // The debug information names the file.
        key.add(unit.path.to_string_lossy().replace(&own, "").as_bytes());
        key.add(&fs::read(&unit.path).ok()?);
        Some(key)
    }

    /// Something that programs may need and no library has, compiled.
    pub fn of_our_own(&self, name: &str, text: &str) -> Result<PathBuf, SourceError> {
        let [source, object] = ["c", "o"].map(|extension| self.workshop.file(&format!("{name}.{extension}")));
        fs::write(&source, text).map_err(SourceError::Scratch)?;
        let mut arguments: Vec<OsString> = ["--target=wasm32", "-O1", "-fno-builtin", "-I"].map(Into::into).into();
        arguments.extend([self.headers.ours().into(), "-c".into(), source.into(), "-o".into(), object.clone().into()]);
        self.workshop.must(TO_IR, &self.tools.clang, arguments)?;
        Ok(object)
    }

    /// The stages. Only the first can fail through a fault in the user's file, so only its outcome is returned.
    fn branch_faithful(
        &self,
        unit: &Unit,
        libraries: Option<&Libraries>,
        object: &Path,
    ) -> Result<Finished, SourceError> {
        let (bitcode, text) = (object.with_extension("bc"), object.with_extension("ll"));
        let compiled = self.clang(unit, &faithful_flags(), libraries, &bitcode)?;
        if !compiled.success {
            return Ok(compiled);
        }
        let passes: [OsString; 5] =
            ["-passes=function(sroa,early-cse)".into(), "-S".into(), bitcode.into(), "-o".into(), text.clone().into()];
        self.workshop.must(TO_REGISTERS, &self.tools.opt, passes)?;
        let mut ir = fs::read_to_string(&text).map_err(SourceError::Scratch)?;
        if unit.language == Language::Cpp {
            let library: Vec<PathBuf> = libraries.into_iter().flat_map(|found| found.headers(Language::Cpp)).collect();
            if self.are_exceptions_caught() {
                ir = exceptions::lower(&ir);
            } else if exceptions::catches(&ir, &library) {
                ir.push_str(exceptions::MARK);
            }
        }
        let ir = unselect::selects_to_branches(&ir).unwrap_or(ir);
        fs::write(&text, ir).map_err(SourceError::Scratch)?;
        let codegen: [OsString; 5] = ["-O1".into(), "-filetype=obj".into(), text.into(), "-o".into(), object.into()];
        self.workshop.must(TO_OBJECT, &self.tools.llc, codegen)?;
        Ok(compiled)
    }

    fn optimized(
        &self,
        unit: &Unit,
        flags: &[String],
        libraries: Option<&Libraries>,
        object: &Path,
    ) -> Result<Finished, SourceError> {
        let mut flags = flags.to_vec();
        // Link-time optimisation would leave bitcode where the linker stage expects an object.
        flags.push("-fno-lto".to_owned());
        self.clang(unit, &flags, libraries, object)
    }

    fn clang(
        &self,
        unit: &Unit,
        mode_flags: &[String],
        libraries: Option<&Libraries>,
        output: &Path,
    ) -> Result<Finished, SourceError> {
        let mut arguments = self.arguments(unit, mode_flags, libraries);
        if self.cache.is_some() {
            arguments.extend(["-MD".into(), "-MF".into(), output.with_extension("d").into()]);
        }
        arguments.extend(["-c".into(), "-o".into(), output.into(), "--".into(), unit.path.clone().into()]);
        self.workshop.run(TO_IR, &self.tools.clang, arguments)
    }

    /// What clang is given, apart from where things are.
    fn arguments(&self, unit: &Unit, mode_flags: &[String], libraries: Option<&Libraries>) -> Vec<OsString> {
        let target = if libraries.is_some() { "wasm32-wasi" } else { "wasm32" };
        let mut arguments: Vec<OsString> = vec![format!("--target={target}").into(), "-g".into()];
        arguments.extend(mode_flags.iter().map(OsString::from));
        if unit.language == Language::C {
            // Static functions too, also where nothing calls them: they may be what is asked for. The linker drops the others.
            arguments.extend(["-Xclang", "-femit-all-decls"].map(OsString::from));
            arguments.extend(LENIENT.map(OsString::from));
        }
        // Line tables name the file as the user did, and nothing of this machine or its temporary directory.
        arguments.push("-fdebug-compilation-dir=.".into());
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(self.workshop.directory());
        map.push("=slowpath");
        arguments.push(map);
        arguments.extend(unit.flags.iter().chain(&self.options.extra_flags).map(OsString::from));
        for directory in self.headers.directories(libraries.is_some()) {
            arguments.extend(["-I".into(), directory.into()]);
        }
        if let Some(libraries) = libraries {
            arguments.extend(libraries.defines().map(OsString::from));
            let headers: Vec<PathBuf> = libraries.headers(unit.language).collect();
            if !headers.is_empty() {
                // Or clang would go on to the host's own /usr/include.
                arguments.push("-nostdlibinc".into());
            }
            for directory in headers {
                arguments.extend(["-isystem".into(), directory.into()]);
            }
        }
        if let Some(directory) = self.headers.made() {
            arguments.extend(["-idirafter".into(), directory.into()]);
        }
        // By name, so that a capital `.C` means what it means here.
        let dialect = if unit.language == Language::Cpp { "c++" } else { "c" };
        arguments.extend(["-x".into(), dialect.into()]);
        arguments
    }
}

fn faithful_flags() -> [String; 6] {
    ["-O1", "-Xclang", "-disable-llvm-passes", "-fno-jump-tables", "-fno-builtin", "-emit-llvm"].map(str::to_owned)
}

/// The file's name without its extension, for files made of it.
fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
