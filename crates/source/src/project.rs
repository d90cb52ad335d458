//! The files of a C or C++ project, their flags, and which of them may define a symbol.
//!
//! Both come from `compile_commands.json`, if there is one (cmake, meson, bear and others write it); else every source file of the folder is
//! one, and the folders with headers are where headers are looked for.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::configure::{MadeOf, Template, asked_about, values_set_by};
use crate::forward::forwards;
use crate::stages::Unit;
use crate::{Language, SourceError};

/// Where a `compile_commands.json` is looked for below a project's folder.
const PLACES: [&str; 5] = ["", "build", "out", "builddir", "cmake-build-debug"];
/// A folder with more files is none to look through; nor is one nested deeper.
const MOST_FILES: usize = 20_000;
const DEEPEST: usize = 12;
/// Files to compile in search of one symbol, of those that only mention it.
const MOST_MENTIONS: usize = 16;
/// Files to compile in search of symbols that no file mentions, since a macro makes their names.
const MOST_UNNAMED: usize = 100;
/// Folders with what other systems and their compilers need: what is in them contradicts what is beside them.
const OTHER_SYSTEMS: [&str; 26] = [
    "amiga", "android", "beos", "borland", "cygwin", "dos", "djgpp", "ios", "mac", "macos", "macosx", "mingw",
    "mingw32", "msdos", "msvc", "os2", "os400", "symbian", "vcnet", "vms", "watcom", "win", "win32", "win64",
    "windows", "xcode",
];

/// The files of a project.
#[derive(Clone, Debug, Default)]
pub(crate) struct Project {
    units: Vec<Unit>,
    /// For files that no list of commands names.
    include: Vec<String>,
    /// Headers that are not there before the project is configured.
    unmade: Vec<Template>,
    /// Values that its cmake files set.
    values: BTreeMap<String, String>,
    /// Headers, and the folders that they are looked for in.
    headers: Vec<PathBuf>,
    header_folders: BTreeSet<PathBuf>,
}

impl Project {
    /// Reads a project: a folder, or a `compile_commands.json`.
    pub fn open(path: &Path) -> Result<Project, SourceError> {
        if let Some(list) = commands_of(path) {
            return Ok(Project { units: read_commands(&list)?, ..Project::default() });
        }
        if !path.is_dir() {
            let source = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(SourceError::Read { path: path.to_path_buf(), source });
        }
        let mut tree = Tree::default();
        tree.walk(path, 0);
        let unmade = tree.unmade(path);
        let values = if unmade.is_empty() { BTreeMap::new() } else { values_set_by(&tree.cmake_files) };
        let wrapping = tree.wrapping_folders();
        // What wraps a header of the system would find itself.
        let flag = |folder: &PathBuf| if wrapping.contains(folder) { "-idirafter" } else { "-I" };
        let mut include: Vec<String> =
            tree.header_folders.iter().map(|folder| format!("{}{}", flag(folder), folder.display())).collect();
        if unmade.iter().any(|template| template.header.ends_with("config.h")) {
            // As every Makefile of autoconf says it.
            include.push("-DHAVE_CONFIG_H=1".to_owned());
        }
        let unit =
            |path: &PathBuf| Some(Unit { language: Language::of(path)?, path: path.clone(), flags: include.clone() });
        let units = tree.sources.iter().filter_map(unit).collect();
        let Tree { header_files: headers, header_folders, .. } = tree;
        Ok(Project { units, include, unmade, values, headers, header_folders })
    }

    /// The headers that configuring the project would make, with what they are made of; none where it was configured.
    pub fn unmade(&self) -> &[Template] {
        &self.unmade
    }

    /// Headers that lie elsewhere than where these files and the project's own look for them, with what to put there.
    pub fn forwards(&self, units: &[Unit]) -> Vec<(PathBuf, String)> {
        let files = units.iter().chain(&self.units).map(|unit| &unit.path).chain(&self.headers);
        forwards(files, &self.header_folders, &self.headers)
    }

    /// Values for these headers.
    pub fn values(&self) -> &BTreeMap<String, String> {
        &self.values
    }

    /// The flags that a file of the project is compiled with.
    pub fn flags(&self, file: &Path) -> Vec<String> {
        let real = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        let known = |unit: &&Unit| unit.path.canonicalize().is_ok_and(|path| path == real);
        self.units.iter().find(known).map_or_else(|| self.include.clone(), |unit| unit.flags.clone())
    }

    /// Whether the text of a file looks as if it defined this symbol.
    pub fn looks_to_define(file: &Path, symbol: &str) -> bool {
        fs::read(file).is_ok_and(|text| looks_defined(&String::from_utf8_lossy(&text), identifier(symbol)))
    }

    /// The files that may define some of these symbols: those whose text looks like it, else those that mention them, else any: a
    /// macro may give a function another name (`#define compile lib_compile`).
    pub fn mentioning(&self, symbols: &[String]) -> Vec<Unit> {
        let names: BTreeSet<&str> = symbols.iter().map(|symbol| identifier(symbol)).collect();
        let texts: Vec<(&Unit, String)> = self.units.iter().map(|unit| (unit, text_of(&unit.path))).collect();
        let mut chosen: BTreeMap<&Path, &Unit> = BTreeMap::new();
        for name in names {
            let having = |looks: fn(&str, &str) -> bool| {
                texts.iter().filter(move |(_, text)| looks(text, name)).map(|(unit, _)| *unit)
            };
            let defining: Vec<&Unit> = having(looks_defined).collect();
            let mentioning = having(|text, name| mentions(text, name).next().is_some()).take(MOST_MENTIONS);
            let mut candidates: Vec<&Unit> = if defining.is_empty() { mentioning.collect() } else { defining };
            if candidates.is_empty() {
                candidates = self.units.iter().take(MOST_UNNAMED).collect();
            }
            chosen.extend(candidates.into_iter().map(|unit| (unit.path.as_path(), unit)));
        }
        chosen.into_values().cloned().collect()
    }
}

/// The list of commands that a path is, or that a folder has.
fn commands_of(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    PLACES.map(|place| path.join(place).join("compile_commands.json")).into_iter().find(|list| list.is_file())
}

/// The source files that a project's list of commands names, as seen from its folder; None where it has no such list.
pub fn listed_files(folder: &Path) -> Result<Option<Vec<PathBuf>>, SourceError> {
    let Some(list) = commands_of(folder) else { return Ok(None) };
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    let seen = |unit: Unit| {
        let path = unit.path.canonicalize().unwrap_or(unit.path);
        path.strip_prefix(&real).map_or_else(|_| path.clone(), |inside| folder.join(inside))
    };
    let files: BTreeSet<PathBuf> = read_commands(&list)?.into_iter().map(seen).collect();
    Ok(Some(files.into_iter().collect()))
}

/// What a folder has.
#[derive(Default)]
struct Tree {
    sources: Vec<PathBuf>,
    header_folders: BTreeSet<PathBuf>,
    /// Headers that are made before anything is compiled, as `config.h` of `config.h.in`, and of what.
    templates: BTreeMap<PathBuf, PathBuf>,
    /// Headers that are there, and their names.
    header_files: Vec<PathBuf>,
    headers: BTreeSet<OsString>,
    cmake_files: Vec<PathBuf>,
    seen: usize,
}

/// What most projects call the header that says what their system has.
const CONFIG: &str = "config.h";

/// Whether a file says what cmake does.
fn is_cmake(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    // `config.h.cmake` is a template.
    name == "CMakeLists.txt"
        || (path.extension().is_some_and(|end| end == "cmake") && made_of(&name.to_string_lossy()).is_none())
}

/// The text of an ordinary file, since reading a pipe may take forever; none where it cannot be read.
fn text_of(path: &Path) -> String {
    let is_ordinary = fs::metadata(path).is_ok_and(|about| about.is_file());
    let bytes = if is_ordinary { fs::read(path) } else { Ok(Vec::new()) };
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// Whether a header has a line `#include <NAME>` with its own name.
fn includes_itself(text: &str, name: &Path) -> bool {
    let wanted = format!("<{}>", name.display());
    text.contains(&wanted)
        && text.lines().any(|line| {
            let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
            directive
                .and_then(|line| line.strip_prefix("include"))
                .is_some_and(|rest| rest.trim_start().starts_with(&wanted))
        })
}

/// Whether a folder's name, in small letters, is that of another system or its compiler: `win32`, `vs2019`, `vc9`.
fn is_for_another_system(name: &str) -> bool {
    let digits = |prefix: &str| {
        let rest = name.strip_prefix(prefix).unwrap_or_default();
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
    };
    OTHER_SYSTEMS.contains(&name) || digits("vs") || digits("vc")
}

/// Whether a header is one that the project makes, and yet lies somewhere else than where it would be made: somebody made it for another system.
fn is_made_elsewhere(header: &Path, templates: &BTreeMap<PathBuf, PathBuf>) -> bool {
    let name = header.file_name();
    let folder = header.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    if folder.is_some_and(|folder| folder == "_build" || PLACES.contains(&folder.as_str())) {
        return false;
    }
    let of_the_name = |template: &&PathBuf| template.file_name() == name;
    let mut same = templates.keys().filter(of_the_name).peekable();
    same.peek().is_some() && same.all(|template| template != header)
}

/// The header that a template of this name is for: `config.h` of `config.h.in`, `config.h.cmake` and `config.in.h`.
fn made_of(name: &str) -> Option<String> {
    const ENDS: [&str; 5] = [".cmake.in", ".in.cmake", ".cmakein", ".cmake", ".in"];
    let is_header = |name: &str| [".h", ".hpp"].iter().any(|end| name.ends_with(end));
    if let Some(stem) = name.strip_suffix(".in.h") {
        return Some(format!("{stem}.h"));
    }
    let made = ENDS.iter().find_map(|end| name.strip_suffix(end))?;
    is_header(made).then(|| made.to_owned())
}

impl Tree {
    /// The templates whose headers are nowhere, those nearest to the project's folder first.
    fn unmade(&self, root: &Path) -> Vec<Template> {
        let missing = |header: &Path| header.file_name().is_some_and(|name| !self.headers.contains(name));
        let template = |(header, path): (&PathBuf, &PathBuf)| {
            let header = header.strip_prefix(root).ok()?.to_path_buf();
            missing(&header).then(|| Template { of: MadeOf::File(path.clone()), header })
        };
        let mut unmade: Vec<Template> = self.templates.iter().filter_map(template).collect();
        // What else lies beside the header says more than a folder of cmake's.
        let of_cmake = |template: &Template| template.header.parent().is_some_and(|folder| folder.ends_with("cmake"));
        unmade.sort_by_key(|template| (of_cmake(template), template.header.components().count()));
        if !self.templates.keys().any(|header| header.ends_with(CONFIG)) && missing(Path::new(CONFIG)) {
            unmade.extend(self.asked(root));
        }
        unmade
    }

    /// The `config.h` of a project whose template would be made too (`autoheader`).
    fn asked(&self, root: &Path) -> Option<Template> {
        let configures = |name: &str| text_of(&root.join(name)).contains(CONFIG);
        ["configure.ac", "configure.in", "CMakeLists.txt", "meson.build"].into_iter().find(|name| configures(name))?;
        let mut names = BTreeSet::new();
        for path in self.sources.iter().chain(&self.header_files) {
            names.extend(asked_about(&text_of(path)).map(str::to_owned));
        }
        Some(Template { of: MadeOf::Asked(names), header: PathBuf::from(CONFIG) })
    }

    /// The folders with a header that includes another one by its own name, of the system that it wraps: `bsd/stdlib.h` includes <stdlib.h>.
    fn wrapping_folders(&self) -> BTreeSet<PathBuf> {
        let mut wrapping = BTreeSet::new();
        for path in &self.header_files {
            let text = text_of(path);
            for folder in path.ancestors().skip(1).filter(|folder| self.header_folders.contains(*folder)) {
                if path.strip_prefix(folder).is_ok_and(|name| includes_itself(&text, name)) {
                    wrapping.insert(folder.to_path_buf());
                }
            }
        }
        wrapping
    }

    fn walk(&mut self, folder: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        self.templates.extend(paths.iter().filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((folder.join(made_of(&name)?), path.clone()))
        }));
        for path in paths {
            self.seen += 1;
            let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            let link = path.symlink_metadata().is_ok_and(|about| about.is_symlink());
            if self.seen > MOST_FILES || hidden {
                continue;
            }
            if path.is_dir() {
                let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
                if is_for_another_system(&name) {
                    continue;
                }
                if !link && depth < DEEPEST {
                    self.walk(&path, depth + 1);
                }
                continue;
            }
            if is_cmake(&path) {
                self.cmake_files.push(path);
                continue;
            }
            match Language::of(&path) {
                Some(Language::C | Language::Cpp) if !is_taken_for_flags(&path) => self.sources.push(path),
                _ => {
                    let header =
                        path.extension().is_some_and(|e| ["h", "hpp", "hh", "hxx"].iter().any(|own| e == *own));
                    if header && !is_made_elsewhere(&path, &self.templates) {
                        self.headers.extend(path.file_name().map(OsStr::to_os_string));
                        self.header_files.push(path.clone());
                        self.header_folders.insert(folder.to_path_buf());
                        // Headers are often named with the folder they are in: <project/part.h>.
                        self.header_folders.extend(folder.parent().filter(|_| depth > 0).map(Path::to_path_buf));
                    }
                }
            }
        }
    }
}

fn read_commands(list: &Path) -> Result<Vec<Unit>, SourceError> {
    let wrong = |message: String| SourceError::Commands { path: list.to_path_buf(), message };
    let text = fs::read(list).map_err(|source| SourceError::Read { path: list.to_path_buf(), source })?;
    let commands: Vec<Value> = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    let mut units = Vec::new();
    for command in &commands {
        let text = |key: &str| command.get(key).and_then(Value::as_str);
        let Some(file) = text("file") else { return Err(wrong("an entry without a `file`".to_owned())) };
        let folder = list.parent().unwrap_or(Path::new(".")).join(text("directory").unwrap_or("."));
        let path = folder.join(file);
        let Some(language @ (Language::C | Language::Cpp)) = Language::of(&path) else { continue };
        if is_taken_for_flags(&path) {
            continue;
        }
        let words: Vec<String> = match command.get("arguments").and_then(Value::as_array) {
            Some(words) => words.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None => shell_words(text("command").unwrap_or_default()),
        };
        units.push(Unit { path, language, flags: useful_flags(&words, &folder) });
    }
    Ok(units)
}

/// A file of a project, and what its list of commands has it compiled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    pub path: PathBuf,
    /// As the compiler would get them.
    pub flags: Vec<String>,
}

/// What a project, a folder or a `compile_commands.json`, would have read and compiled: for whoever does not trust it.
pub fn project_files(path: &Path) -> Result<Vec<ProjectFile>, SourceError> {
    let project = Project::open(path)?;
    Ok(project.units.into_iter().map(|unit| ProjectFile { path: unit.path, flags: unit.flags }).collect())
}

/// Whether compilers put the lines of a file in the place of its name, wherever they meet it: clang's second stage is told the name without its folder.
pub(crate) fn is_taken_for_flags(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"@"))
}

/// The flags that decide what the source means. Those of the host's machine, of warnings, outputs and optimisation do not.
/// Nor does a word with an `@` in front: the compiler would put the lines of that file in its place, whatever flag it is the value of.
fn useful_flags(words: &[String], folder: &Path) -> Vec<String> {
    const PATHS: [&str; 5] = ["-I", "-isystem", "-iquote", "-idirafter", "-include"];
    const PLAIN: [&str; 6] =
        ["-ansi", "-fsigned-char", "-funsigned-char", "-fwrapv", "-fms-extensions", "-fshort-enums"];
    let mut flags = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let mut with_value = |flag: &str, value: String| {
            if !value.starts_with('@') {
                flags.extend([flag.to_owned(), value]);
            }
        };
        if let Some(flag) = PATHS.iter().find(|flag| word.starts_with(**flag)) {
            let rest = word[flag.len()..].to_owned();
            let path = if rest.is_empty() { words.next().cloned().unwrap_or_default() } else { rest };
            // A header that is included before all else may be found on the include path; a folder is where it is.
            let path =
                if *flag == "-include" && !folder.join(&path).is_file() { path.into() } else { folder.join(path) };
            with_value(flag, path.to_string_lossy().into_owned());
        } else if word == "-D" || word == "-U" {
            with_value(word, words.next().cloned().unwrap_or_default());
        } else if let Some(rest) = word.strip_prefix("-D").or_else(|| word.strip_prefix("-U")) {
            // clang hands it to its own second stage as two words.
            if !rest.starts_with('@') {
                flags.push(word.clone());
            }
        } else if word.starts_with("-std=") || PLAIN.contains(&word.as_str()) {
            flags.push(word.clone());
        }
    }
    flags
}

/// A command line as a shell would split it: quotes and backslashes, and nothing else.
pub(crate) fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(characters.next()),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The name that stands in the source for a symbol: of C the symbol itself, of C++ the last part of what is mangled.
fn identifier(symbol: &str) -> &str {
    let Some(mangled) = symbol.strip_prefix("_Z") else { return symbol };
    let nested = mangled.starts_with('N');
    let mut rest = mangled.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut last = symbol;
    loop {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let Some(length) = rest.get(..digits).and_then(|digits| digits.parse::<usize>().ok()) else { return last };
        let Some(name) = rest.get(digits..digits + length) else { return last };
        last = name;
        rest = &rest[digits + length..];
        if !nested {
            return last;
        }
    }
}

/// Where a name stands by itself, as the text after it.
fn mentions<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let alone = !before.ends_with(part) && !after.starts_with(part);
        alone.then_some((at, after))
    })
}

/// Whether a text looks as if it defined a function or a variable: its name on a line that is not indented, with a body or a value.
fn looks_defined(text: &str, name: &str) -> bool {
    mentions(text, name).any(|(at, after)| {
        let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        if line.starts_with(char::is_whitespace) || line.starts_with(['#', '/', '*']) || line.contains("extern ") {
            return false;
        }
        let after = after.trim_start();
        match after.chars().next() {
            // A function ends in a body, a declaration in a semicolon.
            Some('(') => {
                let brace = after.find('{').unwrap_or(usize::MAX);
                brace < after.find(';').unwrap_or(usize::MAX)
            }
            Some('=' | '[' | ';') => true,
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{identifier, looks_defined, shell_words, useful_flags};

    #[test]
    fn a_folder_whose_headers_wrap_those_of_the_system_is_looked_in_after_it() {
        let scratch = tempfile::tempdir().expect("a folder");
        let root = scratch.path();
        std::fs::create_dir_all(root.join("include/bsd")).expect("folders");
        std::fs::write(root.join("include/bsd/stdlib.h"), "# include <stdlib.h>\n").expect("a file");
        std::fs::write(root.join("include/own.h"), "#include <bsd/stdlib.h>\n").expect("a file");
        let project = super::Project::open(root).expect("a project");
        let flag = |flag: &str, folder: &str| format!("{flag}{}", root.join(folder).display());
        let expected = [format!("-I{}", root.display()), flag("-I", "include"), flag("-idirafter", "include/bsd")];
        assert_eq!(project.flags(Path::new("a.c")), expected);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_among_the_headers_is_not_waited_for() {
        let scratch = tempfile::tempdir().expect("a folder");
        let root = scratch.path();
        let made = std::process::Command::new("mkfifo").arg(root.join("pipe.h")).status();
        std::fs::write(root.join("configure.ac"), "AC_CONFIG_HEADERS([config.h])\n").expect("a file");
        if made.is_ok_and(|status| status.success()) {
            let project = super::Project::open(root).expect("a project");
            assert!(project.forwards(&[]).is_empty());
        }
    }

    #[test]
    fn what_belongs_to_other_systems_is_left_alone() {
        let scratch = tempfile::tempdir().expect("a folder");
        let root = scratch.path();
        for file in
            ["config.h.in", "a.c", "a.h", "vcnet/config.h", "win32/b.c", "ports/config.h", "VS2019/c.h", "sub/d.h"]
        {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, "").expect("a file");
        }
        let project = super::Project::open(root).expect("a project");
        let flags = project.flags(Path::new("a.c"));
        let folders = [root.to_path_buf(), root.join("sub")].map(|f| format!("-I{}", f.display()));
        assert_eq!(flags, [&folders[..], &["-DHAVE_CONFIG_H=1".to_owned()]].concat());
        assert_eq!(project.units.len(), 1);
    }

    #[test]
    fn symbols_are_named_as_in_the_source() {
        for (symbol, name) in
            [("f", "f"), ("_Z5parsePKc", "parse"), ("_ZN2ns5Tools4sortEPii", "sort"), ("_ZNK1A1gEv", "g")]
        {
            assert_eq!(identifier(symbol), name);
        }
    }

    #[test]
    fn definitions_are_told_from_declarations_and_calls() {
        let defined = ["int f(int x)\n{", "static const int f[] = {1};", "int a;\nlong *f(void) {", "f(x) int x; {"];
        assert_eq!(defined.map(|text| looks_defined(text, "f")), [true, true, true, false]);
        let not = ["int f(int);\nint g(void) { return f(1); }", "extern int f;", "  f(1);", "int off(int x) {"];
        assert_eq!(not.map(|text| looks_defined(text, "f")), [false; 4]);
    }

    #[test]
    fn of_a_command_only_what_decides_the_meaning_is_kept() {
        let words =
            shell_words(r#"gcc -O2 -march=native -Iinc -I /abs -D 'NAME="a b"' -DX=1 -std=gnu99 -Wall -o x.o -c x.c"#);
        let kept = useful_flags(&words, Path::new("/p"));
        assert_eq!(kept, ["-I", "/p/inc", "-I", "/abs", "-D", "NAME=\"a b\"", "-DX=1", "-std=gnu99"]);
    }

    #[test]
    fn no_word_of_a_command_stands_for_a_file_of_flags() {
        let words = shell_words("cc @a -D @b -U @c -include @d -I @e -isystem @f -D@g -DX=@h -c x.c");
        for folder in ["", "/p"] {
            let kept = useful_flags(&words, Path::new(folder));
            assert!(kept.iter().all(|word| !word.starts_with('@') && !word.starts_with("-D@")), "{kept:?}");
            assert!(kept.ends_with(&["-DX=@h".to_owned()]), "{kept:?}");
        }
    }
}
