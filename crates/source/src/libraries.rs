//! Where the C and C++ libraries for WebAssembly live.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Workshop;
use crate::{Language, SourceError, Toolchain, configure};

/// What wasi-libc has only half: archives beside it, and the macros that ask for them.
const EMULATED: [(&str, &str); 4] = [
    ("libwasi-emulated-signal.a", "_WASI_EMULATED_SIGNAL"),
    ("libwasi-emulated-process-clocks.a", "_WASI_EMULATED_PROCESS_CLOCKS"),
    ("libwasi-emulated-mman.a", "_WASI_EMULATED_MMAN"),
    ("libwasi-emulated-getpid.a", "_WASI_EMULATED_GETPID"),
];

/// wasi-libc, and libc++ if it is there.
#[derive(Clone, Debug)]
pub(crate) struct Libraries {
    directory: PathBuf,
    headers: Option<PathBuf>,
    /// The directory of libc++, which need not be that of libc.
    cpp: Option<PathBuf>,
}

impl Libraries {
    /// Asks clang, which knows its distribution's layout (and the user's `--sysroot`, among `flags`).
    pub fn find(
        workshop: &Workshop<'_>,
        tools: &Toolchain,
        flags: &[String],
    ) -> Result<Option<Libraries>, SourceError> {
        let ask = |archive: &str| ask_for_file(workshop, tools, flags, &format!("-print-file-name={archive}"));
        let parent = |archive: Option<PathBuf>| archive.and_then(|path| path.parent().map(Path::to_path_buf));
        let Some(directory) = parent(ask("libc.a")?) else { return Ok(None) };
        let headers = fs::canonicalize(directory.join("../../include/wasm32-wasi")).ok();
        Ok(Some(Libraries { headers, directory, cpp: parent(ask("libc++.a")?) }))
    }

    /// Whether everything a language needs is here.
    pub fn serve(&self, language: Language) -> bool {
        language != Language::Cpp || self.cpp.is_some()
    }

    /// Directories of headers, in the order they are to be searched.
    pub fn headers(&self, language: Language) -> impl Iterator<Item = PathBuf> {
        let cpp = (language == Language::Cpp).then(|| self.headers.as_ref().map(|headers| headers.join("c++/v1")));
        cpp.flatten().into_iter().chain(self.headers.clone())
    }

    /// Macros that make the headers declare what only emulations have.
    pub fn defines(&self) -> impl Iterator<Item = String> {
        EMULATED
            .iter()
            .filter(|(archive, _)| self.directory.join(archive).is_file())
            .map(|(_, name)| format!("-D{name}"))
    }

    /// The names of what the C library defines.
    pub fn symbols(&self) -> BTreeSet<String> {
        configure::archive_symbols(&self.directory.join("libc.a"))
    }

    /// What to link, in order. The first makes a reactor: no main needed, and `_initialize` runs the constructors; or a command, whose
    /// `_start` runs them and then main.
    pub fn archives(&self, language: Language, command: bool) -> impl Iterator<Item = PathBuf> {
        let cpp = self.cpp.iter().filter(|_| language == Language::Cpp);
        let cpp: Vec<PathBuf> = cpp.flat_map(|cpp| ["libc++.a", "libc++abi.a"].map(|name| cpp.join(name))).collect();
        let emulated = EMULATED.iter().map(|(archive, _)| self.directory.join(archive)).filter(|path| path.is_file());
        let emulated: Vec<PathBuf> = emulated.collect();
        let libc = self.directory.join("libc.a");
        let start = if command { "crt1-command.o" } else { "crt1-reactor.o" };
        [self.directory.join(start)].into_iter().chain(cpp).chain(emulated).chain([libc])
    }
}

/// The library of compiler helpers (128-bit arithmetic and the like). It is no libc: freestanding code may need it too.
pub(crate) fn builtins(workshop: &Workshop<'_>, tools: &Toolchain) -> Result<Option<PathBuf>, SourceError> {
    ask_for_file(workshop, tools, &[], "-print-libgcc-file-name")
}

fn ask_for_file(
    workshop: &Workshop<'_>,
    tools: &Toolchain,
    flags: &[String],
    question: &str,
) -> Result<Option<PathBuf>, SourceError> {
    let mut arguments = vec!["--target=wasm32-wasi".to_owned()];
    arguments.extend_from_slice(flags);
    arguments.push(question.to_owned());
    let answer = workshop.run("looking for libraries (clang)", &tools.clang, arguments)?;
    let path = PathBuf::from(answer.stdout.trim_end());
    // clang repeats the bare name when it finds nothing.
    Ok((answer.success && path.is_absolute() && path.is_file()).then_some(path))
}
