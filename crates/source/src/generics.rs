//! Generic functions of Rust. No compiler has them before their types are chosen, so they are found in the text: what is declared `pub` in a library, with a
//! call that chooses types for it.
//!
//! The text is read as far as that takes, not as a compiler would: what macros make is not seen, nor are methods.

use std::path::{Path, PathBuf};

use crate::shim::Shim;

/// Files of one library that are read.
const MOST_FILES: usize = 500;

/// A generic function of a library or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenericFunction {
    /// As it is called, as in `my_crate::sum`.
    pub path: String,
    pub declaration: String,
    pub line: u32,
    /// A call with types that may do, where they can be made.
    pub call: Option<String>,
}

/// The generic functions of a library whose text begins in this file, by paths that begin with `name`; an empty name is for a file by itself.
pub fn generic_functions(root: &Path, name: &str) -> Vec<GenericFunction> {
    let mut found = Vec::new();
    let mut files = vec![(root.to_owned(), Vec::new(), true)];
    let mut exported = String::new();
    let mut read = 0;
    while let Some((file, module, is_public)) = files.pop() {
        read += 1;
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        if read > MOST_FILES {
            break;
        }
        let plain = without_comments(&text);
        for item in items(&plain) {
            let inside = [module.as_slice(), item.modules.as_slice()].concat();
            match item.what {
                What::Use => exported += item.header,
                What::Module(child) => {
                    let path = [inside.as_slice(), &[child]].concat();
                    files.extend(file_of(root, &file, &path).map(|file| (file, path, is_public && item.is_public)));
                }
                What::Function(function) if function.is_generic() => {
                    found.push((
                        inside,
                        is_public && item.is_public,
                        function,
                        line_of(&plain, item.at),
                        item.header.to_owned(),
                    ));
                }
                What::Function(_) => {}
            }
        }
    }
    let mut functions: Vec<GenericFunction> = found
        .into_iter()
        .filter_map(|(module, is_public, function, line, header)| {
            // A private module may have its functions taken out by `pub use`.
            let module = match is_public {
                true => module,
                false if has_word(&exported, &function.name) => Vec::new(),
                false => return None,
            };
            let own = (!name.is_empty()).then(|| name.to_owned());
            let path = own.into_iter().chain(module).chain([function.name.clone()]).collect::<Vec<_>>().join("::");
            let call = function.call(&path).filter(|call| Shim::for_crate(call).is_ok());
            let declaration = header.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(GenericFunction { path, declaration, line, call })
        })
        .collect();
    functions.sort_by(|a, b| a.path.cmp(&b.path));
    functions.dedup_by(|a, b| a.path == b.path);
    functions
}

/// Something that a module declares.
struct Item<'t> {
    /// The modules around it in the same file.
    modules: Vec<String>,
    /// Whether it and these modules are `pub`.
    is_public: bool,
    at: usize,
    header: &'t str,
    what: What,
}

enum What {
    Function(Function),
    /// A module in a file of its own.
    Module(String),
    Use,
}

/// A function as it is declared.
struct Function {
    name: String,
    /// Type parameters with their bounds.
    generics: Vec<(String, String)>,
    /// Types of the parameters, with their names.
    params: Vec<(String, String)>,
}

impl Function {
    fn read(header: &str) -> Option<Function> {
        let (before, rest) = header.split_once("fn ")?;
        if !before.split_whitespace().all(|word| ["pub", "const", "unsafe"].contains(&word)) {
            return None;
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let (name, rest) = (rest[..end].to_owned(), rest[end..].trim_start());
        let (generics, rest) = match rest.strip_prefix('<') {
            Some(rest) => split_closed(rest, '<', '>')?,
            None => ("", rest),
        };
        let (params, rest) = split_closed(rest.trim_start().strip_prefix('(')?, '(', ')')?;
        let bounds = rest.split_once("where").map_or("", |(_, bounds)| bounds);
        let generics =
            split_list(generics).into_iter().filter(|one| !one.starts_with('\'') && !one.starts_with("const "));
        let generics = generics
            .map(|one| {
                let (name, own) = one.split_once(':').unwrap_or((one, ""));
                let more = split_list(bounds).into_iter().filter_map(|bound| bound.split_once(':'));
                let more: String = more.filter(|(of, _)| of.trim() == name.trim()).map(|(_, bound)| bound).collect();
                (name.trim().to_owned(), format!("{own} {more}"))
            })
            .collect();
        let params = split_list(params).into_iter().filter_map(|param| param.split_once(':'));
        let params = params.map(|(name, ty)| (name.trim().to_owned(), ty.trim().to_owned())).collect();
        Some(Function { name, generics, params })
    }

    fn is_generic(&self) -> bool {
        !self.generics.is_empty() || self.params.iter().any(|(_, ty)| ty.contains("impl "))
    }

    /// A call with a type for each parameter, if one comes to mind for all.
    fn call(&self, path: &str) -> Option<String> {
        let chosen: Vec<(String, &str)> =
            self.generics.iter().map(|(name, bounds)| Some((name.clone(), choice(bounds)?))).collect::<Option<_>>()?;
        let types: Vec<&str> = chosen.iter().map(|(_, ty)| *ty).collect();
        let mut arguments = Vec::new();
        for (name, ty) in &self.params {
            let mut ty = without_lifetimes(ty);
            if let Some(bounds) = ty.trim_start_matches('&').strip_prefix("impl ") {
                ty = choice(bounds)?.to_owned();
            }
            for (name, with) in &chosen {
                ty = with_word(&ty, name, with);
            }
            let ty = ty.replace("&&", "&");
            let has_length = ["str", "String", "Vec<", "Box<["].iter().any(|word| ty.contains(word))
                || ty.contains("[") && !ty.contains(';');
            let name = name.trim_start_matches("mut ").trim();
            arguments.push(match ty.as_str() {
                "usize" => "n".to_owned(),
                _ if has_length => format!("{name}: {ty}[n]"),
                _ => format!("{name}: {ty}"),
            });
        }
        let explicit = self.params.iter().all(|(_, ty)| !ty.contains("impl ")) && !types.is_empty();
        let types = if explicit { format!("::<{}>", types.join(", ")) } else { String::new() };
        Some(format!("{path}{types}({})", arguments.join(", ")))
    }
}

/// A type that may have these bounds.
fn choice(bounds: &str) -> Option<&'static str> {
    let has = |word: &str| bounds.contains(word);
    Some(match () {
        () if has("Fn(") || has("FnMut") || has("FnOnce") || has("Iterator") => return None,
        () if has("str>") || has("String") || has("Display") => "&str",
        () if has("[u8]>") || has("Read") => "&[u8]",
        () if has("Float") || has("f64") => "f64",
        () => "u32",
    })
}

/// The declarations of a text, as far as they matter here.
fn items(text: &str) -> Vec<Item<'_>> {
    // Of each open brace, the name of its module, and whether what is in it may be seen.
    let mut open: Vec<(Option<String>, bool)> = Vec::new();
    let mut found = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| "{};".contains(*c)) {
        let (header, skipped, is_test) = without_attributes(&text[from..at]);
        let start = from + skipped;
        from = at + 1;
        let in_module = open.iter().all(|(module, _)| module.is_some());
        let modules: Vec<String> = open.iter().filter_map(|(module, _)| module.clone()).collect();
        let is_public = header.starts_with("pub ") && open.iter().all(|(_, is_public)| *is_public);
        let item = |what| Item { modules, is_public, at: start, header, what };
        let word = header.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let module = word.strip_prefix("mod ").map(|name| name.trim().to_owned());
        match c {
            '}' => {
                open.pop();
            }
            '{' => {
                if in_module && !is_test {
                    found.extend(Function::read(header).map(|function| item(What::Function(function))));
                }
                let module = module.filter(|_| in_module && !is_test);
                // `use a::{b, c};` has braces of its own, and is all one header.
                if header.starts_with("pub use ") {
                    let end = text[at..].find(';').map_or(text.len(), |end| at + end);
                    found.push(Item {
                        modules: Vec::new(),
                        is_public: true,
                        at,
                        header: &text[at..end],
                        what: What::Use,
                    });
                }
                open.push((module, header.starts_with("pub ")));
            }
            _ if in_module && !is_test => match module {
                Some(module) => found.push(item(What::Module(module))),
                None if header.starts_with("pub use ") => found.push(item(What::Use)),
                None => {}
            },
            _ => {}
        }
    }
    found
}

/// A declaration without what stands before it in `#[…]`, where it begins, and whether it is for tests.
fn without_attributes(text: &str) -> (&str, usize, bool) {
    let (mut rest, mut is_test) = (text.trim_start(), false);
    while let Some(attribute) = rest.strip_prefix("#[").or_else(|| rest.strip_prefix("#![")) {
        let Some((inside, after)) = split_closed(attribute, '[', ']') else { break };
        is_test |= inside.contains("cfg(test)");
        rest = after.trim_start();
    }
    (rest.trim_end(), text.len() - rest.len(), is_test)
}

/// Up to the bracket that closes, and what follows it.
fn split_closed(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let (mut depth, mut before) = (1, ' ');
    for (at, c) in text.char_indices() {
        // The arrow closes nothing.
        let is_arrow = c == '>' && before == '-';
        depth += i32::from(c == open) - i32::from(c == close && !is_arrow);
        if depth == 0 {
            return Some((&text[..at], &text[at + c.len_utf8()..]));
        }
        before = c;
    }
    None
}

/// The parts between commas outside of all brackets.
fn split_list(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut before, mut parts) = (0, 0, ' ', Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(text[from..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// A type without the names of lifetimes.
fn without_lifetimes(ty: &str) -> String {
    let mut out = String::new();
    let mut chars = ty.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\'' {
            out.push(c);
            continue;
        }
        while chars.peek().is_some_and(|c| c.is_alphanumeric() || *c == '_') {
            chars.next();
        }
        while chars.peek() == Some(&' ') {
            chars.next();
        }
    }
    out
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text with a word in place of another.
fn with_word(text: &str, word: &str, with: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word).filter(|_| !word.is_empty()) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(is_word_char) && !after.starts_with(is_word_char);
        out += before;
        out += if whole { with } else { word };
        rest = after;
    }
    out + rest
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c| !is_word_char(c)).any(|own| own == word)
}

fn line_of(text: &str, at: usize) -> u32 {
    u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX)
}

/// The text with blanks in place of comments and of what stands in quotes, each as long as what it replaces.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = hidden(rest);
        let (taken, after) = rest.split_at(if length > 0 { length } else { c.len_utf8() });
        match length {
            0 => out.push_str(taken),
            _ => out.extend(taken.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' })),
        }
        rest = after;
    }
    out
}

/// How much of the text, from its beginning, is a comment or a literal; 0 if it begins with something else.
fn hidden(text: &str) -> usize {
    let up_to = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return up_to(2, "*/");
    }
    if text.starts_with("r#\"") {
        return up_to(3, "\"#");
    }
    if text.starts_with('"') {
        let mut escaped = false;
        let end = text.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        return end.map_or(text.len(), |(at, _)| at + 1);
    }
    // A character, not a lifetime.
    let mut chars = text.char_indices().skip(1);
    match (text.starts_with('\''), chars.next(), chars.next()) {
        (true, Some((_, '\\')), Some((at, c))) => up_to(at + c.len_utf8(), "'"),
        (true, Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

/// The file of a module, whose path begins at the library.
fn file_of(root: &Path, declared_in: &Path, module: &[String]) -> Option<PathBuf> {
    let name = module.last()?;
    let folder = declared_in.parent()?;
    let is_root = declared_in == root || declared_in.file_name().is_some_and(|name| name == "mod.rs");
    let folder = if is_root { folder.to_owned() } else { folder.join(declared_in.file_stem()?) };
    [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")].into_iter().find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::generic_functions;

    const TEXT: &str = "//! A library; `pub fn no<T>(t: T) {}` is only said.\n\
        pub fn largest<T: PartialOrd + Copy>(values: &[T]) -> T { values[0] }\n\
        pub fn plain(values: &[u32]) -> u32 { let c = '{'; 0 }\n\
        pub fn words(text: impl AsRef<str>) -> usize { 0 }\n\
        pub fn apply<F: Fn(u32) -> u32>(f: F, times: usize) {}\n\
        pub fn borrowed<'a>(text: &'a str) -> &'a str { text }\n\
        fn hidden<T>(t: T) {}\n\
        pub mod inner {\n    #[inline]\n    pub fn count<'a, T>(mut items: &'a mut Vec<T>, key: T) -> usize\n    where\n        T: Eq,\n    { 0 }\n}\n\
        mod private { pub fn taken<S: AsRef<str>>(s: S) {} pub fn left<T>(t: T) {} }\n\
        pub use private::taken;\n\
        struct S; impl S { pub fn method<T>(&self, t: T) {} }\n\
        #[cfg(test)]\nmod tests { pub fn helper<T>(t: T) {} }\n";

    #[test]
    fn generic_functions_are_found_with_types_that_may_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("lib.rs");
        std::fs::write(&file, TEXT).expect("a file");
        let found: Vec<(String, u32, String)> = generic_functions(&file, "own")
            .into_iter()
            .map(|one| (one.path, one.line, one.call.unwrap_or_default()))
            .collect();
        let wanted = [
            ("own::apply", 5, ""),
            ("own::inner::count", 10, "own::inner::count::<u32>(items: &mut Vec<u32>[n], key: u32)"),
            ("own::largest", 2, "own::largest::<u32>(values: &[u32][n])"),
            ("own::taken", 15, "own::taken::<&str>(s: &str[n])"),
            ("own::words", 4, "own::words(text: &str[n])"),
        ];
        let found: Vec<(&str, u32, &str)> =
            found.iter().map(|(path, line, call)| (path.as_str(), *line, call.as_str())).collect();
        assert_eq!(found, wanted);
    }
}
