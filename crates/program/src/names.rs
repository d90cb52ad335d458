//! Function names: from the name section, exports and imports, demangled for people.

use std::collections::HashMap;

use wasmparser::{ExternalKind, KnownCustom, Name, Parser, Payload, TypeRef, ValType};

/// Names longer than this are left as they are: demangling them is slow and nobody reads them.
const LONGEST_DEMANGLED: usize = 4096;

/// The names of a module's functions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    functions: HashMap<u32, FunctionName>,
}

#[derive(Clone, Debug)]
struct FunctionName {
    raw: String,
    demangled: String,
    /// The demangled name without parameter list or hash, where that differs: `ns::f` for `ns::f(int)`.
    short: String,
}

impl FunctionName {
    fn new(raw: &str) -> FunctionName {
        let demangled = demangle(raw);
        let short = without_hash(without_result(without_parameters(&demangled))).to_owned();
        FunctionName { raw: raw.to_owned(), demangled, short }
    }
}

impl Names {
    /// Reads the names of a module. Never fails: what cannot be read has no name.
    ///
    /// The name section wins over exports, exports over imports.
    pub fn from_wasm(wasm: &[u8]) -> Names {
        let mut names = Names::default();
        let mut exported = Vec::new();
        for payload in Parser::new(0).parse_all(wasm) {
            let Ok(payload) = payload else { break };
            match payload {
                Payload::ImportSection(reader) => {
                    let functions = reader.into_imports().map_while(Result::ok).filter(|import| is_function(import.ty));
                    for (index, import) in (0..).zip(functions) {
                        names.functions.insert(index, FunctionName::new(import.name));
                    }
                }
                Payload::ExportSection(reader) => {
                    exported.extend(
                        reader.into_iter().map_while(Result::ok).filter(|export| export.kind == ExternalKind::Func),
                    );
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(reader) = section.as_known() {
                        names.read_name_section(reader);
                    }
                }
                _ => {}
            }
        }
        for export in exported {
            names.functions.entry(export.index).or_insert_with(|| FunctionName::new(export.name));
        }
        names
    }

    fn read_name_section(&mut self, reader: wasmparser::NameSectionReader<'_>) {
        for subsection in reader.into_iter().map_while(Result::ok) {
            if let Name::Function(map) = subsection {
                for naming in map.into_iter().map_while(Result::ok) {
                    self.functions.insert(naming.index, FunctionName::new(naming.name));
                }
            }
        }
    }

    /// The name of a function for people: demangled, without parameter list.
    pub fn get(&self, function: u32) -> Option<&str> {
        self.functions.get(&function).map(|name| name.short.as_str())
    }

    /// The name of a function as the linker knows it.
    pub fn raw(&self, function: u32) -> Option<&str> {
        self.functions.get(&function).map(|name| name.raw.as_str())
    }

    /// Whether `name` is what somebody could call this function: mangled, demangled, or demangled without parameters.
    pub fn is(&self, function: u32, name: &str) -> bool {
        self.functions
            .get(&function)
            .is_some_and(|known| known.raw == name || known.demangled == name || known.short == name)
    }

    /// Whether `name` is this function's but for its namespaces or template arguments: `f` for `ns::f<int>`.
    pub fn is_part(&self, function: u32, name: &str) -> bool {
        self.functions.get(&function).is_some_and(|known| {
            let plain = without_arguments(&known.short);
            [known.short.as_str(), plain]
                .iter()
                .any(|own| own.strip_suffix(name).is_some_and(|scope| scope.is_empty() || scope.ends_with("::")))
        })
    }

    /// All functions with a name, in order of their index.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        let mut all: Vec<(u32, &str)> = self.functions.iter().map(|(i, name)| (*i, name.short.as_str())).collect();
        all.sort_unstable();
        all.into_iter()
    }
}

fn is_function(ty: TypeRef) -> bool {
    matches!(ty, TypeRef::Func(_) | TypeRef::FuncExact(_))
}

/// A symbol for people: demangled, without parameter list.
pub fn readable(symbol: &str) -> String {
    FunctionName::new(symbol).short
}

/// A symbol as its author wrote it; names that are not mangled come back unchanged.
pub fn demangle(symbol: &str) -> String {
    if symbol.len() > LONGEST_DEMANGLED {
        return symbol.to_owned();
    }
    if let Ok(rust) = rustc_demangle::try_demangle(symbol) {
        return format!("{rust:#}");
    }
    if symbol.starts_with("_Z")
        && let Ok(cpp) = cpp_demangle::Symbol::new(symbol)
        && let Ok(text) = cpp.demangle_with_options(&cpp_demangle::DemangleOptions::new().no_return_type())
    {
        return text;
    }
    symbol.to_owned()
}

/// `ns::f(int)` to `ns::f`; leaves `operator()` and template arguments alone.
fn without_parameters(name: &str) -> &str {
    let mut angle = 0i32;
    for (at, c) in name.char_indices() {
        match c {
            '<' => angle += 1,
            '>' => angle -= 1,
            '(' if angle == 0
                && at > 0
                && !name[..at].ends_with("operator")
                && !name[at..].starts_with("(anonymous") =>
            {
                return name[..at].trim_end();
            }
            _ => {}
        }
    }
    name
}

/// A symbol for people: demangled, without parameter list.
pub fn short_name(symbol: &str) -> String {
    FunctionName::new(symbol).short
}

/// `int f<int>` to `f<int>`: linkers that demangle write the results of templates down.
fn without_result(name: &str) -> &str {
    if name.contains("operator") {
        return name;
    }
    let mut depth = 0i32;
    for (at, c) in name.char_indices().rev() {
        match c {
            '>' | ')' => depth += 1,
            '<' | '(' => depth -= 1,
            ' ' if depth == 0 => return &name[at + 1..],
            _ => {}
        }
    }
    name
}

/// `demo::isort::h0123456789abcdef` to `demo::isort`: the same linkers keep the hash of a Rust symbol.
fn without_hash(name: &str) -> &str {
    let hash = |h: &str| h.len() == 17 && h.starts_with('h') && h[1..].bytes().all(|b| b.is_ascii_hexdigit());
    name.rsplit_once("::").filter(|(_, last)| hash(last)).map_or(name, |(path, _)| path)
}

/// `ns::f<int>` to `ns::f`; `operator>` and what is no template stay as they are.
fn without_arguments(name: &str) -> &str {
    if !name.ends_with('>') || name.contains("operator") {
        return name;
    }
    let mut depth = 0;
    for (at, c) in name.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return &name[..at];
        }
    }
    name
}

/// The module's allocator: its own function `malloc`, of type (i32) -> i32, by export or else by name section.
///
/// A run warms it up before input arrays are placed behind the memory the module declares: some C libraries take
/// everything up to the end of memory for their heap when `malloc` is first called.
pub fn allocator(wasm: &[u8]) -> Option<u32> {
    let functions = FunctionTypes::from_wasm(wasm);
    let is_malloc = |index: &u32| functions.defined(*index) && functions.is_i32_to_i32(*index);
    functions.exported_malloc.filter(is_malloc).or_else(|| {
        let names = Names::from_wasm(wasm);
        let mut named: Vec<u32> =
            names.functions.iter().filter(|(_, name)| name.raw == "malloc").map(|(index, _)| *index).collect();
        named.sort_unstable();
        named.into_iter().find(is_malloc)
    })
}

#[derive(Default)]
struct FunctionTypes {
    /// Whether each type is (i32) -> i32.
    types: Vec<bool>,
    /// The type of each function, imports first.
    functions: Vec<u32>,
    imported: u32,
    exported_malloc: Option<u32>,
}

impl FunctionTypes {
    fn from_wasm(wasm: &[u8]) -> FunctionTypes {
        let mut found = FunctionTypes::default();
        for payload in Parser::new(0).parse_all(wasm) {
            let Ok(payload) = payload else { break };
            match payload {
                Payload::TypeSection(reader) => {
                    for ty in reader.into_iter_err_on_gc_types().map_while(Result::ok) {
                        found.types.push(ty.params() == [ValType::I32] && ty.results() == [ValType::I32]);
                    }
                }
                Payload::ImportSection(reader) => {
                    for import in reader.into_imports().map_while(Result::ok) {
                        if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = import.ty {
                            found.functions.push(ty);
                            found.imported += 1;
                        }
                    }
                }
                Payload::FunctionSection(reader) => found.functions.extend(reader.into_iter().map_while(Result::ok)),
                Payload::ExportSection(reader) => {
                    found.exported_malloc = reader
                        .into_iter()
                        .map_while(Result::ok)
                        .find(|export| export.kind == ExternalKind::Func && export.name == "malloc")
                        .map(|export| export.index);
                }
                _ => {}
            }
        }
        found
    }

    fn defined(&self, index: u32) -> bool {
        index >= self.imported && (index as usize) < self.functions.len()
    }

    fn is_i32_to_i32(&self, index: u32) -> bool {
        let ty = self.functions.get(index as usize).copied().unwrap_or(u32::MAX);
        self.types.get(ty as usize).copied().unwrap_or(false)
    }
}

/// The candidates most like `name`, best first, at most three: for "did you mean …?".
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| (likeness(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score >= 0.7)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Between 0 and 1. A part of a path (`isort` in `demo::isort`) is as good as a typing error.
fn likeness(wanted: &str, candidate: &str) -> f64 {
    let last = candidate.rsplit("::").next().unwrap_or(candidate);
    let typo = strsim::normalized_damerau_levenshtein(wanted, candidate);
    let typo_in_last = strsim::normalized_damerau_levenshtein(wanted, last);
    let part = if wanted.len() >= 3 && candidate.contains(wanted) { 0.75 } else { 0.0 };
    typo.max(typo_in_last * 0.99).max(part)
}

#[cfg(test)]
mod tests {
    use super::{Names, allocator, demangle, nearest, short_name, without_parameters};

    #[test]
    fn rust_and_cpp_symbols_are_demangled_and_others_left_alone() {
        assert_eq!(demangle("_ZN4demo5isort17h0123456789abcdefE"), "demo::isort");
        assert_eq!(demangle("_Z5isortPii"), "isort(int*, int)");
        assert_eq!(demangle("isort"), "isort");
        assert_eq!(demangle("_Z5worstIiET_PKS0_i"), "worst<int>(int const*, int)", "no type of the result");
        assert_eq!(demangle("_Zgarbage"), "_Zgarbage");
    }

    #[test]
    fn parameter_lists_are_cut_off() {
        assert_eq!(without_parameters("ns::f(int)"), "ns::f");
        assert_eq!(without_parameters("std::vector<int, f(int)>::push(int)"), "std::vector<int, f(int)>::push");
        assert_eq!(without_parameters("x::operator()(int)"), "x::operator()");
        assert_eq!(without_parameters("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
    }

    #[test]
    fn names_that_the_linker_demangled_are_understood() {
        assert_eq!(short_name("int ns::worst<int, f(int)>(int const*, int)"), "ns::worst<int, f(int)>");
        assert_eq!(short_name("parse(char const*, int)"), "parse");
        assert_eq!(short_name("demo::isort::h0123456789abcdef"), "demo::isort");
        assert_eq!(short_name("demo::helper::isort"), "demo::helper::isort");
        assert_eq!(short_name("(anonymous namespace)::f(int)"), "(anonymous namespace)::f");
        assert_eq!(short_name("bool x::operator()<int>(int) const"), "bool x::operator()<int>");
    }

    #[test]
    fn a_part_of_a_name_is_one_without_scopes_or_template_arguments() {
        let text =
            r#"(module (func $_ZN2ns5worstIiEET_PKS1_i) (func $_ZN4demo5isort17h0123456789abcdefE) (func $plain))"#;
        let names = Names::from_wasm(&wat::parse_str(text).unwrap());
        assert_eq!(names.get(0), Some("ns::worst<int>"));
        assert!(["worst", "ns::worst", "worst<int>", "ns::worst<int>"].iter().all(|name| names.is_part(0, name)));
        assert!(!names.is_part(0, "orst") && !names.is_part(0, "s::worst") && !names.is(0, "worst"));
        assert!(names.is_part(1, "isort") && names.is_part(2, "plain") && !names.is_part(2, "lain"));
    }

    #[test]
    fn the_name_section_wins_over_exports_and_imports() {
        let wasm = wat::parse_str(
            r#"(module (import "env" "imp" (func)) (func $inner (export "outer")) (func (export "only") (nop)))"#,
        )
        .unwrap();
        let names = Names::from_wasm(&wasm);
        assert_eq!(names.get(0), Some("imp"));
        assert_eq!(names.get(1), Some("inner"));
        assert_eq!(names.get(2), Some("only"));
        assert!(names.is(1, "inner") && !names.is(1, "outer"));
        assert_eq!(names.iter().count(), 3);
    }

    #[test]
    fn the_allocator_is_a_defined_malloc_of_the_right_type() {
        let find = |text: &str| allocator(&wat::parse_str(text).unwrap());
        assert_eq!(find("(module (func) (func $malloc (param i32) (result i32) (i32.const 8)))"), Some(1));
        assert_eq!(find(r#"(module (func (export "malloc") (param i32) (result i32) (i32.const 8)))"#), Some(0));
        assert_eq!(find("(module (func $malloc (param i64)))"), None);
        assert_eq!(find(r#"(module (import "env" "malloc" (func $malloc (param i32) (result i32))))"#), None);
    }

    #[test]
    fn suggestions_come_best_first() {
        let known = ["insertion_sort", "merge_sort", "demo::isort", "main"];
        assert_eq!(nearest("insertion_srot", known), ["insertion_sort"]);
        assert_eq!(nearest("isort", known), ["demo::isort"]);
        assert!(nearest("zzz", known).is_empty());
    }
}
