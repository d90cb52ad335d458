//! A function of a crate: cargo builds it with the crates it depends on and a shim that calls it, wasm-ld makes the module.
//!
//! The shim is a crate of its own, which depends on the user's by path, by version or, for a fuzz target, on what the target depends on.
//! All crates are compiled with the flags that keep branches (see `rust`). Cargo keeps what it built in the cache, a folder a project.

mod listing;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::link::{self, Parts};
use crate::run::{Finished, Workshop};
use crate::rust::{self, Rustc};
use crate::shim::Shim;
use crate::toolchain::Toolchain;
use crate::{Compiled, Language, Mode, Options, SourceError, Wanted};

pub use listing::{LibraryModule, library_modules, usable_paths};

const BUILDING: &str = "building (cargo)";
const LOOKING: &str = "looking at the project (cargo metadata)";
/// Projects whose builds are kept; each may have hundreds of megabytes.
const MOST_PROJECTS: usize = 8;

/// What of cargo's a user asks for.
#[derive(Clone, Debug, Default)]
pub struct CargoOptions {
    /// A crate of the registry, as `NAME@VERSION`.
    pub krate: Option<String>,
    pub features: Vec<String>,
    pub no_default_features: bool,
    /// Whether the registry's build scripts and procedural macros may run.
    pub trust_build: bool,
    /// The fuzz target of a cargo-fuzz project.
    pub fuzz_target: Option<String>,
}

/// Whether a path is a cargo project.
pub fn is_project(path: &Path) -> bool {
    path.join("Cargo.toml").is_file() || path.file_name().is_some_and(|name| name == "Cargo.toml")
}

/// Builds the crate of a folder or of the registry, and the shim.
pub(crate) fn compile(workshop: &Workshop<'_>, options: &Options) -> Result<Compiled, SourceError> {
    if matches!(options.wanted, Wanted::Main) {
        return Err(SourceError::RustMain { path: workshop.source.to_path_buf() });
    }
    let places = options.tool_path.clone().or_else(|| env::var_os("PATH")).unwrap_or_default();
    let rustc = Rustc::find(&places)?;
    let cargo = rustc.cargo(&places).ok_or(SourceError::MissingCargo)?;
    let tools = Toolchain::find_in(&places)?;
    let shim = options.shim.as_ref().ok_or(SourceError::NoCrateCall)?;
    let job = Job { workshop, options, cargo, rustc, shim, home: home(workshop, options)? };
    let folder = job.write_shim()?;
    if options.cargo.krate.is_some() && !options.cargo.trust_build {
        job.check_trust(&folder)?;
    }
    let archive = job.build(&folder)?;

    let wasm = workshop.file("program.wasm");
    let parts = Parts { inputs: vec![archive], exports: vec![shim.function.clone()], missing: Vec::new() };
    let linked = link::link(workshop, &tools, &parts, &wasm)?;
    if !linked.success {
        return Err(link::failure(workshop, linked));
    }
    let wasm = fs::read(wasm).map_err(SourceError::Scratch)?;
    let mode = if options.optimize.is_some() { Mode::Optimized } else { Mode::BranchFaithful };
    let mut notes: Vec<String> = options.optimize.iter().map(|flags| Mode::note(flags, Language::Rust)).collect();
    notes.push(format!("compiled by {}", job.rustc.version));
    Ok(Compiled { wasm, mode, libc: false, notes, missing: Vec::new() })
}

/// Where cargo keeps what it builds for this project.
fn home(workshop: &Workshop<'_>, options: &Options) -> Result<PathBuf, SourceError> {
    let Some(cache) = &options.cache else { return Ok(workshop.file("cargo")) };
    let what = match &options.cargo.krate {
        Some(krate) => krate.clone(),
        None => workshop.source.canonicalize().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let all = cache.join("cargo");
    let home = all.join(digest(&what));
    fs::create_dir_all(&home).map_err(SourceError::Scratch)?;
    // Its age is that of its last use.
    let _ = fs::write(home.join("last_use"), "");
    forget_old(&all);
    Ok(home)
}

fn forget_old(all: &Path) {
    let Ok(entries) = fs::read_dir(all) else { return };
    let age = |path: &Path| {
        path.join("last_use").metadata().and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut homes: Vec<(SystemTime, PathBuf)> =
        entries.flatten().map(|entry| (age(&entry.path()), entry.path())).collect();
    homes.sort();
    for (_, old) in homes.iter().rev().skip(MOST_PROJECTS) {
        let _ = fs::remove_dir_all(old);
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A crate that others can depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// What cargo calls it.
    pub name: String,
    pub place: Place,
    /// Features, as they stand in a manifest.
    choices: String,
}

/// Where cargo has a crate from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Folder(PathBuf),
    /// Of the registry.
    Version(String),
}

impl Dependency {
    /// Its line in a manifest; `folder` is the way to it, where it has one.
    pub fn line(&self, folder: &str) -> String {
        let place = match &self.place {
            Place::Folder(_) => format!("path = {folder:?}"),
            Place::Version(version) => format!("version = {version:?}"),
        };
        format!("{} = {{ {place}{} }}\n", self.name, self.choices)
    }
}

/// The crate of a project, or of the registry, that has a function.
pub fn dependency(project: &Path, cargo: &CargoOptions, function: &str) -> Result<Dependency, SourceError> {
    let workshop = Workshop::open(project, crate::CARGO_TIMEOUT)?;
    let options = Options { cargo: cargo.clone(), ..Options::default() };
    let places = env::var_os("PATH").unwrap_or_default();
    let rustc = Rustc::find(&places)?;
    let cargo = rustc.cargo(&places).ok_or(SourceError::MissingCargo)?;
    let (call, text) = (String::new(), String::new());
    let shim = Shim { call, function: function.to_owned(), text, flags: Vec::new() };
    let home = workshop.file("cargo");
    Job { workshop: &workshop, options: &options, cargo, rustc, shim: &shim, home }.dependency()
}

/// The kinds of targets that other crates may use.
const LIBRARIES: [&str; 5] = ["lib", "rlib", "dylib", "cdylib", "staticlib"];

/// The packages in what `cargo metadata` printed.
fn packages(metadata: &str) -> Vec<Value> {
    let metadata: Value = serde_json::from_str(metadata).unwrap_or_default();
    metadata["packages"].as_array().cloned().unwrap_or_default()
}

/// A library that other crates can use.
struct Library {
    /// As paths begin with it.
    name: String,
    dependency: Dependency,
}

struct Job<'a> {
    workshop: &'a Workshop<'a>,
    options: &'a Options,
    cargo: PathBuf,
    rustc: Rustc,
    shim: &'a Shim,
    home: PathBuf,
}

impl Job<'_> {
    /// Writes the shim's crate; gives its folder.
    fn write_shim(&self) -> Result<PathBuf, SourceError> {
        let (dependencies, text) = match &self.options.cargo.fuzz_target {
            Some(name) => self.fuzz_crate(name)?,
            None => {
                let dependency = self.dependency()?;
                let place = match &dependency.place {
                    Place::Version(_) => String::new(),
                    Place::Folder(folder) => folder.to_string_lossy().into_owned(),
                };
                (format!("[dependencies]\n{}", dependency.line(&place)), self.shim.text.clone())
            }
        };
        let folder = self.crate_folder(&dependencies, &text)?;
        write_if_changed(&folder.join("lib.rs"), &format!("#![allow(warnings)]\n{text}"))?;
        Ok(folder)
    }

    /// The folder of a crate of ours, with its manifest.
    fn crate_folder(&self, dependencies: &str, text: &str) -> Result<PathBuf, SourceError> {
        let name = digest(&format!("{dependencies}{text}"));
        let folder = self.home.join("shims").join(&name);
        let manifest = format!(
            "[package]\nname = \"slowpath-shim-{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
             [lib]\npath = \"lib.rs\"\ncrate-type = [\"staticlib\"]\n\n{dependencies}\n[workspace]\n\n\
             [profile.release]\npanic = \"abort\"\ndebug = true\ncodegen-units = 1\n"
        );
        write_if_changed(&folder.join("Cargo.toml"), &manifest)?;
        // The versions that the project was tested with, where it says so.
        if let Some(lock) = self.workshop.source.ancestors().map(|above| above.join("Cargo.lock")).find(|f| f.is_file())
            && self.options.cargo.krate.is_none()
            && !folder.join("Cargo.lock").is_file()
        {
            let _ = fs::copy(lock, folder.join("Cargo.lock"));
        }
        Ok(folder)
    }

    /// The user's crate.
    fn dependency(&self) -> Result<Dependency, SourceError> {
        let cargo = &self.options.cargo;
        let (name, place) = match &cargo.krate {
            Some(krate) if !is_crate_name(krate) => return Err(SourceError::CrateName { name: krate.clone() }),
            Some(krate) => match krate.split_once('@') {
                Some((name, version)) => (name.to_owned(), Place::Version(format!("={version}"))),
                None => (krate.clone(), Place::Version("*".to_owned())),
            },
            None => return self.package(),
        };
        Ok(Dependency { name, place, choices: self.choices(&self.options.cargo.features) })
    }

    /// These features, as they stand in a manifest.
    fn choices(&self, features: &[String]) -> String {
        let features = if features.is_empty() { String::new() } else { format!(", features = {features:?}") };
        let defaults = if self.options.cargo.no_default_features { ", default-features = false" } else { "" };
        format!("{features}{defaults}")
    }

    /// The package of the project whose library has the function.
    fn package(&self) -> Result<Dependency, SourceError> {
        let wanted = self.shim.function.split("::").next().unwrap_or_default().trim_start_matches('<');
        let mut libraries = self.own_libraries()?;
        let Some(found) = libraries.iter().position(|library| library.name == wanted) else {
            let names = libraries.into_iter().map(|library| library.name).collect();
            let path = manifest_of(self.workshop.source);
            return Err(SourceError::NoLibrary { path, wanted: wanted.to_owned(), names });
        };
        Ok(libraries.swap_remove(found).dependency)
    }

    /// The libraries of the project.
    fn own_libraries(&self) -> Result<Vec<Library>, SourceError> {
        let manifest = manifest_of(self.workshop.source);
        let mut command = self.cargo("metadata");
        command.args(["--no-deps", "--format-version=1", "--manifest-path"]).arg(&manifest);
        let finished = self.workshop.execute(LOOKING, command)?;
        if !finished.success {
            return Err(self.failure(LOOKING, finished));
        }
        let packages = packages(&finished.stdout);
        // Of a workspace, each member has those that it knows; what none knows cargo complains of.
        let knows = |package: &Value, feature: &str| package["features"].get(feature).is_some();
        let features_of = |package: &Value| -> Vec<String> {
            let is_own = |f: &&String| knows(package, f) || !packages.iter().any(|other| knows(other, f));
            self.options.cargo.features.iter().filter(is_own).cloned().collect()
        };
        let library = |package: &Value| {
            let targets = package["targets"].as_array()?;
            let name = targets.iter().find(|target| is_kind(target, &LIBRARIES))?["name"].as_str()?.replace('-', "_");
            let folder = package["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
            let dependency = Dependency {
                name: package["name"].as_str().unwrap_or(&name).to_owned(),
                place: Place::Folder(folder.unwrap_or(Path::new(".")).to_path_buf()),
                choices: self.choices(&features_of(package)),
            };
            Some(Library { name, dependency })
        };
        Ok(packages.iter().filter_map(library).collect())
    }

    /// The dependencies of a fuzz target, with a `libfuzzer-sys` of our own, and a crate that has the target as a module.
    fn fuzz_crate(&self, name: &str) -> Result<(String, String), SourceError> {
        let given = manifest_of(self.workshop.source);
        let project = given.parent().unwrap_or(Path::new("."));
        let inner = project.join("fuzz/Cargo.toml");
        let manifest = if inner.is_file() { inner } else { given.clone() };
        let folder = manifest.parent().unwrap_or(Path::new(".")).to_path_buf();
        let folder = folder.canonicalize().map_err(|source| SourceError::Read { path: folder.clone(), source })?;
        let text =
            fs::read_to_string(&manifest).map_err(|source| SourceError::Read { path: manifest.clone(), source })?;
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| SourceError::Manifest {
            path: manifest.clone(),
            message: error.to_string(),
        })?;
        let target = find_target(&table, &folder, name).ok_or_else(|| SourceError::NoFuzzTarget {
            path: manifest.clone(),
            name: name.to_owned(),
            there: target_names(&table, &folder),
        })?;
        let body = fs::read_to_string(&target).map_err(|source| SourceError::Read { path: target.clone(), source })?;
        let mentions = |word: &str| body.contains(word) || table.to_string().contains(word);
        let arbitrary = mentions("arbitrary") || takes_a_type(&body);
        let libfuzzer = self.home.join("libfuzzer-sys");
        let (feature, dependency) = match arbitrary {
            true if mentions("derive") => (
                "default = [\"arbitrary\"]\n",
                "arbitrary = { version = \"1\", features = [\"derive\"], optional = true }\n",
            ),
            true => ("default = [\"arbitrary\"]\n", "arbitrary = { version = \"1\", optional = true }\n"),
            false => ("arbitrary = []\n", ""),
        };
        let ours = format!(
            "[package]\nname = \"libfuzzer-sys\"\nversion = \"0.4.99\"\nedition = \"2021\"\n\n[lib]\npath = \"lib.rs\"\n\n\
             [features]\narbitrary-derive = []\n{feature}\n[dependencies]\n{dependency}\n[workspace]\n"
        );
        write_if_changed(&libfuzzer.join("Cargo.toml"), &ours)?;
        write_if_changed(&libfuzzer.join("lib.rs"), include_str!("../include/libfuzzer-sys/lib.rs"))?;

        let mut dependencies = table.get("dependencies").and_then(toml::Value::as_table).cloned().unwrap_or_default();
        for (_, value) in dependencies.iter_mut() {
            absolute_path(value, &folder);
        }
        let mut own = toml::Table::new();
        own.insert("path".to_owned(), libfuzzer.to_string_lossy().into_owned().into());
        dependencies.insert("libfuzzer-sys".to_owned(), own.into());
        let mut document = toml::Table::new();
        document.insert("dependencies".to_owned(), dependencies.into());
        let include = format!("#[path = {:?}]\nmod slowpath_target;\n", target.to_string_lossy());
        Ok((document.to_string(), include + &self.shim.text))
    }

    /// The file in which the library of this name begins, of those that a crate of ours depends on.
    fn root_of(&self, folder: &Path, library: &str) -> Result<Option<PathBuf>, SourceError> {
        let packages = self.all_packages(folder)?;
        let targets = packages.iter().filter_map(|package| package["targets"].as_array()).flatten();
        let is_it = |target: &&Value| {
            is_kind(target, &LIBRARIES) && target["name"].as_str().is_some_and(|name| name.replace('-', "_") == library)
        };
        Ok(targets.into_iter().find(is_it).and_then(|target| target["src_path"].as_str()).map(PathBuf::from))
    }

    /// What cargo says of a crate of ours and all that it depends on.
    fn all_packages(&self, folder: &Path) -> Result<Vec<Value>, SourceError> {
        let mut command = self.cargo("metadata");
        command.args(["--format-version=1", "--filter-platform", rust::TARGET, "--manifest-path"]);
        command.arg(folder.join("Cargo.toml"));
        let finished = self.workshop.execute(LOOKING, command)?;
        if !finished.success {
            return Err(self.failure(LOOKING, finished));
        }
        Ok(packages(&finished.stdout))
    }

    /// Whether anything would run on this machine while the shim is built.
    fn check_trust(&self, folder: &Path) -> Result<(), SourceError> {
        let packages = self.all_packages(folder)?;
        let runs = |package: &&Value| {
            let targets = package["targets"].as_array().map_or(&[][..], Vec::as_slice);
            targets.iter().any(|target| is_kind(target, &["custom-build", "proc-macro"]))
        };
        let names: Vec<String> =
            packages.iter().filter(runs).map(|package| package["name"].as_str().unwrap_or("?").to_owned()).collect();
        if names.is_empty() { Ok(()) } else { Err(SourceError::Untrusted { names }) }
    }

    /// Builds the shim and everything it depends on; gives the archive.
    fn build(&self, folder: &Path) -> Result<PathBuf, SourceError> {
        let finished = self.run_build(folder)?;
        if !finished.success {
            return Err(self.failure(BUILDING, finished));
        }
        let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(self.home.join("target").join(rust::TARGET).join("release").join(format!("libslowpath_shim_{name}.a")))
    }

    fn run_build(&self, folder: &Path) -> Result<Finished, SourceError> {
        let mut command = self.cargo("build");
        command
            .args(["--release", "--lib", "--target", rust::TARGET, "--manifest-path"])
            .arg(folder.join("Cargo.toml"));
        let mut flags = rust::passes(self.options.optimize.as_deref());
        if self.options.optimize.is_none() {
            // Functions marked `#[inline]` are else compiled only where they are called, and nobody would see that they are there. Those that are called
            // cost the same.
            flags.push("-Clink-dead-code".to_owned());
        }
        flags.extend(self.options.extra_flags.iter().cloned());
        if let Ok(here) = env::current_dir() {
            flags.push(format!("--remap-path-prefix={}=.", here.display()));
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        self.workshop.execute(BUILDING, command)
    }

    fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.cargo);
        command.arg(subcommand).env("CARGO_TARGET_DIR", self.home.join("target"));
        command.env("CARGO_TERM_COLOR", "never").env("RUSTC", self.rustc.for_cargo(&self.home));
        // Where versions are free to choose, those that this rustc can compile.
        command.env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "fallback");
        for other in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "CARGO_BUILD_TARGET"] {
            command.env_remove(other);
        }
        command.current_dir(self.home.parent().filter(|folder| folder.is_dir()).unwrap_or(Path::new(".")));
        command
    }

    fn failure(&self, purpose: &'static str, finished: Finished) -> SourceError {
        let path = self.workshop.source.to_path_buf();
        SourceError::Cargo { path, purpose, stderr: finished.stderr, rustc: self.rustc.version.clone() }
    }
}

/// Whether this is `NAME` or `NAME@VERSION` and nothing else: it becomes part of a manifest.
pub fn is_crate_name(krate: &str) -> bool {
    let (name, version) = krate.split_once('@').unwrap_or((krate, "0"));
    let of = |text: &str, more: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    of(name, "-_") && of(version, "-+.")
}

fn is_kind(target: &Value, kinds: &[&str]) -> bool {
    let own = target["kind"].as_array().map_or(&[][..], Vec::as_slice);
    own.iter().filter_map(Value::as_str).any(|kind| kinds.contains(&kind))
}

/// The manifest of a project, whose folder or manifest is given.
fn manifest_of(path: &Path) -> PathBuf {
    let manifest = if path.is_dir() { path.join("Cargo.toml") } else { path.to_path_buf() };
    std::path::absolute(&manifest).unwrap_or(manifest)
}

/// The targets that there are, as the end of a sentence.
fn target_names(table: &toml::Table, folder: &Path) -> String {
    let bins = table.get("bin").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut names: Vec<String> = bins.iter().filter_map(|bin| Some(bin.get("name")?.as_str()?.to_owned())).collect();
    if names.is_empty() {
        let files = fs::read_dir(folder.join("fuzz_targets")).into_iter().flatten().filter_map(Result::ok);
        let stem = |file: fs::DirEntry| file.path().file_stem().map(|stem| stem.to_string_lossy().into_owned());
        names = files.filter_map(stem).collect();
        names.sort();
    }
    if names.is_empty() { String::new() } else { format!(": there is {}", names.join(" and ")) }
}

/// The file of a fuzz target: by its `[[bin]]`, or where cargo-fuzz puts it. Without a name, the only one.
fn find_target(table: &toml::Table, folder: &Path, name: &str) -> Option<PathBuf> {
    let bins = table.get("bin").and_then(toml::Value::as_array).map_or(&[][..], Vec::as_slice);
    let listed: Vec<(&str, PathBuf)> = bins
        .iter()
        .filter_map(|bin| Some((bin.get("name")?.as_str()?, folder.join(bin.get("path")?.as_str()?))))
        .collect();
    let found = match (name, listed.as_slice()) {
        ("", [(_, only)]) => Some(only.clone()),
        _ => listed.into_iter().find(|(own, _)| *own == name).map(|(_, path)| path),
    };
    found.or_else(|| Some(folder.join("fuzz_targets").join(format!("{name}.rs")))).filter(|path| path.is_file())
}

/// Whether a fuzz target takes a value of its own type, which `arbitrary` makes of the bytes.
fn takes_a_type(body: &str) -> bool {
    let closure = body.split_once("fuzz_target!").and_then(|(_, rest)| rest.split('|').nth(1));
    closure.and_then(|data| data.split_once(':')).is_some_and(|(_, ty)| ty.replace(' ', "") != "&[u8]")
}

/// A path in a dependency, as seen from anywhere.
fn absolute_path(dependency: &mut toml::Value, folder: &Path) {
    if let Some(path) = dependency.get_mut("path")
        && let Some(text) = path.as_str()
    {
        *path = folder.join(text).to_string_lossy().into_owned().into();
    }
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), SourceError> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(SourceError::Scratch)?;
    }
    fs::write(path, text).map_err(SourceError::Scratch)
}

#[cfg(test)]
mod tests {
    use super::{is_crate_name, takes_a_type};

    #[test]
    fn targets_with_types_of_their_own_are_told_apart() {
        assert!(takes_a_type("fuzz_target!(|ops: Vec<(bool, u8)>| { run(&ops); });"));
        assert!(
            !takes_a_type("fuzz_target!(|data: &[u8]| { run(data); });")
                && !takes_a_type("fuzz_target!(|data| run(data));")
        );
    }

    #[test]
    fn the_name_of_a_crate_brings_no_manifest_with_it() {
        assert!(is_crate_name("serde_json@1.0.140") && is_crate_name("a-b") && is_crate_name("a@1.0.0-rc.1+x"));
        for bad in ["", "a@", "a@1 b", "a = { path = \"x\" }\nb@1", "a\n[patch.crates-io]\nb@1", "a@1\"", "../a"] {
            assert!(!is_crate_name(bad), "{bad}");
        }
    }
}
