//! Headers that a project's own configuration would make (`config.h` of `config.h.in`), made from their templates.
//!
//! `./configure` and `cmake` try what the system has; here the system is always the same, WebAssembly with wasi-libc, so it can be said without trying:
//! a header is there if the compiler finds it (`__has_include`), a function if the archive of the library has it, and sizes are the compiler's. What is a
//! choice of whoever builds (`ENABLE_`, `USE_`, `WITH_`) stays off. Values are those that the project's cmake files set first. Where even the template would be
//! made (`autoheader`), the sources say what they ask about. Nothing of the project is run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A template larger than this is none.
const MOST_BYTES: u64 = 1 << 20;

/// A header that is made of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Template {
    pub of: MadeOf,
    /// The header, relative to the project's folder.
    pub header: PathBuf,
}

/// What a header is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MadeOf {
    /// A template that the project has.
    File(PathBuf),
    /// The names that the sources ask about.
    Asked(BTreeSet<String>),
}

/// What is known of the system and the project.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// What the C library defines.
    pub symbols: BTreeSet<String>,
    /// The values that the project's cmake files set first.
    pub values: BTreeMap<String, String>,
}

impl Template {
    /// The text of the header.
    pub fn filled(&self, known: &Known) -> Option<String> {
        let text = match &self.of {
            MadeOf::File(path) => read_small(path)?,
            MadeOf::Asked(names) => names.iter().map(|name| format!("#undef {name}\n")).collect(),
        };
        Some(fill(&text, known))
    }

    /// The names under which files of the project include it: by itself, and with the folders that it is in.
    pub fn names(&self) -> Vec<PathBuf> {
        let parts: Vec<_> = self.header.components().collect();
        (0..parts.len()).map(|from| parts[from..].iter().collect()).collect()
    }
}

/// The text of a file that is not too large.
pub(crate) fn read_small(path: &Path) -> Option<String> {
    fs::metadata(path).ok().filter(|about| about.is_file() && about.len() <= MOST_BYTES)?;
    Some(String::from_utf8_lossy(&fs::read(path).ok()?).into_owned())
}

/// What cmake files set first: `set(NAME "value")`, with the values of others in place of their names.
pub(crate) fn values_set_by(files: &[PathBuf]) -> BTreeMap<String, String> {
    /// How often a value may name another one that names another one.
    const DEEPEST: usize = 4;
    let mut values = BTreeMap::new();
    for text in files.iter().filter_map(|path| read_small(path)) {
        for (name, value) in text.lines().filter_map(setting) {
            values.entry(name.to_owned()).or_insert(value);
        }
    }
    for _ in 0..DEEPEST {
        let known = values.clone();
        for value in values.values_mut() {
            if let Some((before, name, after)) = placeholder(value)
                && let Some(other) = known.get(name)
            {
                *value = [before, other, after].concat();
            }
        }
    }
    values.retain(|_, value| value.len() <= MOST_OF_A_VALUE && placeholder(value).is_none());
    values
}

/// A value that is longer is none for a header.
const MOST_OF_A_VALUE: usize = 1000;

/// The name and the value of a line `set(NAME value)`.
fn setting(line: &str) -> Option<(&str, String)> {
    let line = line.trim_start();
    let rest = line.get(..3).filter(|begin| begin.eq_ignore_ascii_case("set")).and(line.get(3..))?;
    let inside = rest.trim_start().strip_prefix('(')?;
    let (name, value) = inside.rsplit_once(')')?.0.trim().split_once(char::is_whitespace)?;
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
    let is_word = !value.contains(char::is_whitespace);
    let value = quoted.map(|value| value.replace("\\\"", "\"")).or_else(|| is_word.then(|| value.to_owned()))?;
    (value.len() <= MOST_OF_A_VALUE).then_some((name, value))
}

/// The names that a source asks about and a configuration tells.
pub(crate) fn asked_about(text: &str) -> impl Iterator<Item = &str> {
    const TOLD: [&str; 5] = ["HAVE_", "SIZEOF_", "PACKAGE", "VERSION", "STDC_HEADERS"];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c))
        .filter(|word| *word != "HAVE_CONFIG_H" && TOLD.iter().any(|told| word.starts_with(told)))
}

/// The symbols that an archive's index names; none where it has no index.
pub(crate) fn archive_symbols(archive: &Path) -> BTreeSet<String> {
    fs::read(archive).ok().and_then(|bytes| indexed(&bytes)).unwrap_or_default()
}

/// Reads the index of an archive (its first member, called `/`): a count, as many offsets, and the names one after another.
fn indexed(bytes: &[u8]) -> Option<BTreeSet<String>> {
    const HEADER: usize = 60;
    let member = bytes.strip_prefix(b"!<arch>\n")?;
    let (header, rest) = member.split_at_checked(HEADER)?;
    if !header.starts_with(b"/ ") {
        return None;
    }
    let size: usize = std::str::from_utf8(header.get(48..58)?).ok()?.trim_end().parse().ok()?;
    let index = rest.get(..size)?;
    let count = u32::from_be_bytes(index.get(..4)?.try_into().ok()?) as usize;
    let names = index.get(4usize.checked_add(count.checked_mul(4)?)?..)?;
    Some(names.split(|byte| *byte == 0).map(|name| String::from_utf8_lossy(name).into_owned()).take(count).collect())
}

/// A template, line by line.
fn fill(text: &str, known: &Known) -> String {
    let mut filled = String::new();
    for line in text.lines() {
        filled += &directive(line, known).unwrap_or_else(|| substituted(line, known));
        filled.push('\n');
    }
    filled
}

/// What stands in place of `#undef NAME` and `#cmakedefine NAME VALUE`; None for any other line.
fn directive(line: &str, system: &Known) -> Option<String> {
    let mut words = line.trim_start().strip_prefix('#')?.split_whitespace();
    let (kind, name) = (words.next()?, words.next()?);
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let known = meaning(name, &system.symbols);
    match kind {
        // A comment behind it is autoheader's; with anything else it is a line of the project's own.
        "undef" if rest.is_empty() || rest.starts_with("/*") => Some(known.defined(name, None)),
        "cmakedefine" => {
            let value = (!rest.is_empty()).then(|| substituted(&rest, system));
            // A value that cmake is told is none to choose.
            let is_set = known == Meaning::Off && system.values.get(name).is_some_and(|value| !value.is_empty());
            let known = if is_set && value.is_some() { Meaning::Value("1".to_owned()) } else { known };
            Some(known.defined(name, value.as_deref()))
        }
        "cmakedefine01" => Some(known.zero_or_one(name)),
        _ => None,
    }
}

/// What is known of a name of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// Holds under a condition of the preprocessor.
    If(String),
    /// Has a value, always.
    Value(String),
    /// Holds or not, and is told as 1 or 0.
    Flag(bool),
    /// Does not hold, or nobody can tell.
    Off,
}

impl Meaning {
    fn defined(&self, name: &str, value: Option<&str>) -> String {
        match self {
            Meaning::If(condition) => format!("#if {condition}\n#define {name} {}\n#endif", value.unwrap_or("1")),
            Meaning::Value(own) => format!("#define {name} {}", value.unwrap_or(own)),
            Meaning::Flag(holds) => format!("#define {name} {}", i32::from(*holds)),
            Meaning::Off => format!("/* {name} is not defined */"),
        }
    }

    fn zero_or_one(&self, name: &str) -> String {
        match self {
            Meaning::If(condition) => {
                format!("#if {condition}\n#define {name} 1\n#else\n#define {name} 0\n#endif")
            }
            Meaning::Value(value) => format!("#define {name} {value}"),
            Meaning::Flag(_) | Meaning::Off => format!("#define {name} {}", i32::from(*self == Meaning::Flag(true))),
        }
    }
}

/// Integers and other types that C has, as names of a configuration spell them.
const TYPES: [&str; 24] = [
    "long_long",
    "long_long_int",
    "unsigned_long_long",
    "unsigned_long_long_int",
    "long_double",
    "_bool",
    "bool",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "intmax_t",
    "uintmax_t",
    "intptr_t",
    "uintptr_t",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "wchar_t",
    "off_t",
];
/// What a compiler of today does: `HAVE_INLINE`, `HAVE_C99_VARIADIC_MACROS` and their like.
const OF_THE_COMPILER: [&str; 8] =
    ["inline", "variadic", "attribute", "visibility", "stdbool", "flexible_array", "designated", "compound_literal"];
/// What `headers.rs` has in place of what wasi-libc lacks, and families of addresses.
const OF_OUR_HEADERS: [&str; 5] = ["struct_addrinfo", "struct_passwd", "struct_group", "af_inet", "af_inet6"];
/// What whoever builds chooses.
const CHOICES: [&str; 5] = ["enable_", "use_", "with_", "build_", "no_"];
/// Macros that make a library's headers declare all they have.
const WIDE: [&str; 5] = ["_GNU_SOURCE", "_POSIX_PTHREAD_SEMANTICS", "_ALL_SOURCE", "__EXTENSIONS__", "_DEFAULT_SOURCE"];

fn meaning(name: &str, symbols: &BTreeSet<String>) -> Meaning {
    let small = name.to_ascii_lowercase();
    let has = |function: &str| symbols.contains(function);
    if name == small {
        // `const`, `inline`, `size_t`: replaced where a compiler lacks them.
        return Meaning::Off;
    }
    if WIDE.contains(&name) || name == "STDC_HEADERS" {
        return Meaning::Value("1".to_owned());
    }
    if let Some(what) = small.strip_prefix("sizeof_") {
        return size_of(what).map_or(Meaning::Off, |size| Meaning::Value(size.to_owned()));
    }
    if let Some(function) = part_after(&small, "have_decl_") {
        return Meaning::Flag(has(function));
    }
    if let Some(what) = part_after(&small, "have_") {
        return presence(what, has);
    }
    if small.ends_with("inline") {
        return Meaning::Value("inline".to_owned());
    }
    let is_number = ["_major", "_minor", "_micro", "_patch"].iter().any(|end| small.ends_with(end));
    match small.contains("version") {
        true if is_number => Meaning::Value("0".to_owned()),
        // `PACKAGE_VERSION`, `PROJECT_VERSION_FULL`; `USE_VERSION_SCRIPT` is a choice.
        true if !CHOICES.iter().any(|choice| small.contains(choice)) => Meaning::Value("\"0\"".to_owned()),
        _ if small == "package" || small.starts_with("package_") => Meaning::Value("\"0\"".to_owned()),
        _ => Meaning::Off,
    }
}

/// What is behind the first `part` of a name, which may have the project's own name in front: `JSON_HAVE_STRTOLL`.
fn part_after<'n>(name: &'n str, part: &str) -> Option<&'n str> {
    let at = name.find(part)?;
    let alone = at == 0 || name[..at].ends_with('_');
    alone.then(|| &name[at + part.len()..]).filter(|rest| !rest.is_empty())
}

/// Whether a header, a type, a builtin or a function is there.
fn presence(what: &str, has: impl Fn(&str) -> bool) -> Meaning {
    let yes = || Meaning::Value("1".to_owned());
    if let Some(header) = what.strip_suffix("_h") {
        // `sys_stat` is sys/stat.h, and `expat_config` has no folder: whichever there is.
        let folders = header.replace('_', "/");
        let last = header.replacen('_', "/", 1);
        let names: BTreeSet<&str> = [header, folders.as_str(), last.as_str()].into();
        let tests: Vec<String> = names.iter().map(|name| format!("__has_include(<{name}.h>)")).collect();
        return Meaning::If(tests.join(" || "));
    }
    if let Some(builtin) = what.strip_prefix("__builtin_").or_else(|| what.strip_prefix("builtin_")) {
        return Meaning::If(format!("__has_builtin(__builtin_{builtin})"));
    }
    if what.contains("int128") {
        return Meaning::If("defined(__SIZEOF_INT128__)".to_owned());
    }
    if OF_OUR_HEADERS.contains(&what) {
        return yes();
    }
    // wasi-libc has a header for each of the types that its other headers share.
    if let Some(name) = what.strip_prefix("struct_") {
        return Meaning::If(format!("__has_include(<__struct_{name}.h>)"));
    }
    if what.ends_with("_t") && !TYPES.contains(&what) && !has(what) {
        return Meaning::If(format!("__has_include(<__typedef_{what}.h>)"));
    }
    if TYPES.contains(&what) || OF_THE_COMPILER.iter().any(|part| what.contains(part)) || has(what) {
        return yes();
    }
    Meaning::Off
}

/// The size of a type: by the compiler's macro, or a number.
fn size_of(what: &str) -> Option<&'static str> {
    Some(match what {
        "char" | "unsigned_char" | "int8_t" | "uint8_t" | "_bool" | "bool" => "1",
        "int16_t" | "uint16_t" => "2",
        "int32_t" | "uint32_t" => "4",
        "int64_t" | "uint64_t" | "off_t" | "time_t" | "intmax_t" | "uintmax_t" | "__int64" => "8",
        "short" | "unsigned_short" | "short_int" => "__SIZEOF_SHORT__",
        "int" | "unsigned_int" | "unsigned" => "__SIZEOF_INT__",
        "long" | "unsigned_long" | "long_int" => "__SIZEOF_LONG__",
        "long_long" | "unsigned_long_long" | "long_long_int" => "__SIZEOF_LONG_LONG__",
        "void_p" | "voidp" | "void_ptr" | "intptr_t" | "uintptr_t" | "char_p" => "__SIZEOF_POINTER__",
        "size_t" | "ssize_t" => "__SIZEOF_SIZE_T__",
        "ptrdiff_t" => "__SIZEOF_PTRDIFF_T__",
        "wchar_t" => "__SIZEOF_WCHAR_T__",
        "float" => "__SIZEOF_FLOAT__",
        "double" => "__SIZEOF_DOUBLE__",
        "long_double" => "__SIZEOF_LONG_DOUBLE__",
        _ => return None,
    })
}

/// A line with a value in place of every `@NAME@` and `${NAME}`.
fn substituted(line: &str, known: &Known) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some((before, name, after)) = placeholder(rest) {
        result += before;
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        // A part of a name is left out (`divsufsort@W64BIT@`), and so is what would be a whole line or what a function is exported by.
        let glued = before.ends_with(is_part) || after.starts_with(is_part);
        let alone = result.trim().is_empty() && after.trim().is_empty();
        result += &match value(name, &known.symbols) {
            _ if glued => String::new(),
            Some(value) => value,
            None => match known.values.get(name) {
                Some(set) => set.clone(),
                None if alone || is_linkage(name) => String::new(),
                None => "0".to_owned(),
            },
        };
        rest = after;
    }
    result + rest
}

/// Whether a name is that of what stands before a declaration where a library is shared.
fn is_linkage(name: &str) -> bool {
    ["export", "import", "linkage", "dllspec", "declspec"].iter().any(|part| name.to_ascii_lowercase().contains(part))
}

/// The first placeholder of a line: what is before it, its name, what is behind it.
fn placeholder(line: &str) -> Option<(&str, &str, &str)> {
    let is_name =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    for (at, _) in line.match_indices(['@', '$']) {
        let behind = &line[at..];
        let (open, close) = if behind.starts_with('@') { ("@", '@') } else { ("${", '}') };
        let Some(inner) = behind.strip_prefix(open) else { continue };
        if let Some((name, after)) = inner.split_once(close)
            && is_name(name)
        {
            return Some((&line[..at], name, after));
        }
    }
    None
}

/// The value of a placeholder whose name says what it is.
fn value(name: &str, symbols: &BTreeSet<String>) -> Option<String> {
    let small = name.to_ascii_lowercase();
    if small.ends_with("inline") {
        return Some("inline".to_owned());
    }
    if let Some(what) = part_after(&small, "have_") {
        let holds = what.ends_with("_h") || presence(what, |function| symbols.contains(function)) != Meaning::Off;
        return Some(i32::from(holds).to_string());
    }
    size_of(small.strip_prefix("sizeof_")?).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{
        BTreeMap, BTreeSet, Known, MadeOf, Path, PathBuf, Template, asked_about, fill, indexed, values_set_by,
    };

    fn known() -> Known {
        Known { symbols: ["strdup", "strtoll"].map(str::to_owned).into(), values: BTreeMap::new() }
    }

    #[test]
    fn what_autoheader_leaves_open_is_said_of_webassembly() {
        let text = "/* made by autoheader */\n#undef HAVE_STRDUP\n#undef HAVE_FORK\n#undef HAVE_SYS_STAT_H\n#undef HAVE_DECL_FORK\n\
                    #undef SIZEOF_LONG\n#undef VERSION\n#undef ENABLE_NLS\n#undef const\n#undef INLINE\n# undef WORDS_BIGENDIAN\n#undef X Y\n";
        let filled = fill(text, &known());
        for line in [
            "#define HAVE_STRDUP 1",
            "/* HAVE_FORK is not defined */",
            "#define HAVE_DECL_FORK 0",
            "#define SIZEOF_LONG __SIZEOF_LONG__",
            "#define VERSION \"0\"",
            "/* ENABLE_NLS is not defined */",
            "/* const is not defined */",
            "#define INLINE inline",
            "/* WORDS_BIGENDIAN is not defined */",
            "#undef X Y",
            "/* made by autoheader */",
        ] {
            assert!(filled.lines().any(|own| own == line), "{line} in {filled}");
        }
        assert!(
            filled.contains("__has_include(<sys/stat.h>)\n#define HAVE_SYS_STAT_H 1\n#endif")
                || filled.contains("__has_include(<sys/stat.h>) ||"),
            "{filled}"
        );
    }

    #[test]
    fn types_are_there_if_the_library_has_a_header_of_their_own_or_ours_declare_them() {
        let filled = fill("#undef HAVE_STRUCT_TIMEVAL\n#undef HAVE_SOCKLEN_T\n#undef HAVE_STRUCT_ADDRINFO\n", &known());
        for line in [
            "#if __has_include(<__struct_timeval.h>)\n#define HAVE_STRUCT_TIMEVAL 1\n#endif",
            "#if __has_include(<__typedef_socklen_t.h>)\n#define HAVE_SOCKLEN_T 1\n#endif",
            "#define HAVE_STRUCT_ADDRINFO 1",
        ] {
            assert!(filled.contains(line), "{line} in {filled}");
        }
    }

    #[test]
    fn what_cmake_leaves_open_is_said_of_webassembly() {
        let text = "#cmakedefine HAVE_STRTOLL 1\n#cmakedefine HAVE_FORK 1\n#cmakedefine01 HAVE_STRDUP\n#cmakedefine01 USE_THREADS\n\
                    #cmakedefine LIB_STRTOLL @LIB_STRTOLL@\n#define LIB_INLINE @lib_inline@\n#define LIB_HAVE_STRTOLL ${lib_have_strtoll}\n\
                    #define LIB_NAME \"a@b\"\n";
        let filled = fill(text, &known());
        for line in [
            "#define HAVE_STRTOLL 1",
            "/* HAVE_FORK is not defined */",
            "#define HAVE_STRDUP 1",
            "#define USE_THREADS 0",
            "/* LIB_STRTOLL is not defined */",
            "#define LIB_INLINE inline",
            "#define LIB_HAVE_STRTOLL 1",
            "#define LIB_NAME \"a@b\"",
        ] {
            assert!(filled.lines().any(|own| own == line), "{line} in {filled}");
        }
    }

    #[test]
    fn values_are_those_that_cmake_files_set_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("CMakeLists.txt");
        let text = "if(A)\n  set(WORD_TYPE \"unsigned char\")\nelse()\n  SET ( WORD_TYPE int )\nendif()\nset(INCFILE \"#include <stdint.h>\")\n\
                    set (FORMAT \"\\\"d\\\"\")\nset(MADE \"${WORD_TYPE} *\")\nset(LIST a b)\n";
        std::fs::write(&list, text).expect("a file");
        let known = Known { values: values_set_by(&[list]), ..known() };
        let filled = fill(
            "#cmakedefine FORMAT ${FORMAT}\n#cmakedefine LIST\n@INCFILE@\n@OTHER@\n#define LIB_API @LIB_EXPORT@\ntypedef @WORD_TYPE@ word@BITS@_t;\n#define F @FORMAT@\n#if @LIST@ || @MADE@\n",
            &known,
        );
        let wanted = "#define FORMAT \"d\"\n/* LIST is not defined */\n#include <stdint.h>\n\n#define LIB_API \ntypedef unsigned char word_t;\n#define F \"d\"\n#if 0 || unsigned char *\n";
        assert_eq!(filled, wanted);
    }

    #[test]
    fn without_a_template_sources_say_what_they_ask_about() {
        let text = "#ifdef HAVE_CONFIG_H\n#if HAVE_STRDUP && defined(HAVE_FORK)\nputs(PACKAGE_VERSION); MY_HAVE = 1;";
        let names: BTreeSet<String> = asked_about(text).map(str::to_owned).collect();
        let template = Template { of: MadeOf::Asked(names), header: PathBuf::from("config.h") };
        let wanted = "/* HAVE_FORK is not defined */\n#define HAVE_STRDUP 1\n#define PACKAGE_VERSION \"0\"\n";
        assert_eq!(template.filled(&known()).as_deref(), Some(wanted));
    }

    #[test]
    fn the_names_of_an_archives_index_are_read_and_damaged_ones_are_none() {
        let mut bytes = b"!<arch>\n/               0           0     0     0       18        `\n".to_vec();
        bytes.extend([0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 9]);
        bytes.extend(b"ab\0cd\0");
        assert_eq!(indexed(&bytes), Some(["ab", "cd"].map(str::to_owned).into()));
        assert_eq!(indexed(&bytes[..bytes.len() - 1]), None);
        assert_eq!(indexed(b"!<arch>\nshort"), None);
    }

    #[test]
    fn a_header_is_found_by_every_name_it_may_be_included_by() {
        let template =
            Template { of: MadeOf::File(PathBuf::new()), header: Path::new("src/lib/config.h").to_path_buf() };
        assert_eq!(template.names(), ["src/lib/config.h", "lib/config.h", "config.h"].map(PathBuf::from));
    }
}
