//! Modules of a crate use each other without circles: what two of them share is in a file below both.
//!
//! Looked at are the modules beside each other in one folder, each with all that is below it. What tests use does not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// `["evolve", "lab"]` for `crates/search/src/evolve/lab.rs`; nothing for the crate's root.
type Module = Vec<String>;

/// Who uses whom among modules beside each other.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// The modules of one crate, each with its text.
struct Crate {
    name: String,
    texts: BTreeMap<Module, String>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let source = folder.join("src");
        let mut texts = BTreeMap::new();
        for file in rust_files(&source) {
            let inside = file.strip_prefix(&source).expect("the file was found there").with_extension("");
            let mut module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
                module.pop();
            }
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            texts.insert(module, text);
        }
        let name = folder.file_name().expect("a crate has a name").to_string_lossy().into_owned();
        Crate { name, texts }
    }

    /// Who uses whom, in every folder.
    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (user, text) in &self.texts {
            for path in paths(user, &tokens(text)) {
                let Some(used) = self.module_of(&path, &mut BTreeSet::new()) else { continue };
                let shared = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
                // Of a module and what is inside it, one is part of the other.
                if shared < user.len() && shared < used.len() {
                    uses.entry(user[..=shared].to_vec()).or_default().insert(used[..=shared].to_vec());
                }
            }
        }
        uses
    }

    /// The module that has the item a path leads to, through whatever hands it on.
    fn module_of(&self, path: &[String], seen: &mut BTreeSet<Module>) -> Option<Module> {
        let deepest = (0..=path.len()).rev().find(|length| self.texts.contains_key(&path[..*length]))?;
        let module = path[..deepest].to_vec();
        let Some(item) = path.get(deepest) else { return Some(module) };
        if !seen.insert(path.to_vec()) {
            return None;
        }
        let handed_on = reexports(&module, &tokens(&self.texts[&module]));
        let origin = handed_on.into_iter().find(|origin| origin.last() == Some(item) && *origin != path[..=deepest]);
        origin.and_then(|origin| self.module_of(&origin, seen)).or(Some(module))
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let is_source = |file: &PathBuf| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.ends_with(".rs") && !["tests.rs", "properties.rs"].contains(&name.as_str())
    };
    files.into_iter().filter(is_source).chain(folders.iter().flat_map(|folder| rust_files(folder))).collect()
}

/// Words and signs, without comments, texts and what is only there for tests.
fn tokens(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match c {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            '"' => 1 + quoted(&rest[1..]),
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !c.is_whitespace() && c != '"' && !token.starts_with("//") {
            out.push(token);
        }
        rest = after;
    }
    out
}

/// How long what follows a quotation mark is, the second one included.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The paths of a file that begin at its crate or at a module above it, from the root of the crate.
fn paths(module: &[String], tokens: &[&str]) -> Vec<Module> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let begins = at.checked_sub(1).is_none_or(|before| tokens[before] != "::");
        if begins && ["crate", "super", "self"].contains(token) && tokens.get(at + 1) == Some(&"::") {
            leaves(&mut tokens[at..].iter().copied().peekable(), module, &[], &mut out);
        }
    }
    out
}

/// What a module hands on with `pub use`, by where it has it from.
fn reexports(module: &[String], tokens: &[&str]) -> Vec<Module> {
    let mut out = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let public = at > 0 && ["pub", ")"].contains(&tokens[at - 1]);
        if *token == "use" && public {
            leaves(&mut tokens[at + 1..].iter().copied().peekable(), module, module, &mut out);
        }
    }
    out
}

/// The ends of a path that may have braces, each from the root of the crate. `prefix` is what it begins with.
fn leaves<'t>(
    tokens: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
    module: &[String],
    prefix: &[String],
    out: &mut Vec<Module>,
) {
    let mut path = prefix.to_vec();
    loop {
        match tokens.next() {
            Some("crate") => path.clear(),
            Some("self") if path == prefix => path = if prefix.is_empty() { module.to_vec() } else { path },
            Some("self") => {}
            Some("super") if path.is_empty() => path = module[..module.len().saturating_sub(1)].to_vec(),
            Some("super") => drop(path.pop()),
            Some("{") => {
                while !matches!(tokens.peek(), None | Some(&"}")) {
                    leaves(tokens, module, &path, out);
                    if tokens.peek() == Some(&",") {
                        tokens.next();
                    }
                }
                tokens.next();
                return;
            }
            Some(word) if word.chars().all(|c| c.is_alphanumeric() || c == '_') => path.push(word.to_owned()),
            _ => break,
        }
        if tokens.peek() != Some(&"::") {
            break;
        }
        tokens.next();
    }
    // `… as other`
    while !matches!(tokens.peek(), None | Some(&("," | "}" | ";"))) && tokens.peek() == Some(&"as") {
        tokens.next();
        tokens.next();
    }
    out.push(path);
}

/// The shortest way from one module to another, or back to itself, by who uses whom.
fn chain(uses: &Uses, from: &Module, to: &Module) -> Option<Vec<Module>> {
    let mut came_from: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut waiting = VecDeque::from([from]);
    while let Some(module) = waiting.pop_front() {
        for next in uses.get(module).into_iter().flatten() {
            if next == to {
                let before = |module: &&Module| came_from.get(*module).copied();
                let mut way: Vec<Module> = std::iter::successors(Some(module), before).cloned().collect();
                way.reverse();
                way.push(to.clone());
                return Some(way);
            }
            if next != from && !came_from.contains_key(next) {
                came_from.insert(next, module);
                waiting.push_back(next);
            }
        }
    }
    None
}

fn crates() -> Vec<Crate> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    folders.sort();
    folders.iter().map(|folder| Crate::read(folder)).collect()
}

fn module(path: &str) -> Module {
    path.split("::").map(str::to_owned).collect()
}

#[test]
fn modules_of_a_crate_use_each_other_without_circles() {
    let mut circles = Vec::new();
    for one in crates() {
        let mut uses = one.uses();
        while let Some(found) = uses.keys().find_map(|module| chain(&uses, module, module)) {
            let words: Vec<String> = found.iter().map(|module| module.join("::")).collect();
            circles.push(format!("{}: {}", one.name, words.join(" uses ")));
            // Go on without it, to find what else there is.
            uses.get_mut(&found[0]).expect("it uses another").remove(&found[1]);
        }
    }
    assert!(circles.is_empty(), "modules use each other in circles:\n{}", circles.join("\n"));
}

#[test]
fn uses_are_seen_through_braces_supers_and_what_is_handed_on() {
    let texts = [
        ("", "pub use b::{Item, Other as Another};\nmod a; mod b;"),
        ("a", "use crate::Item; // crate::c\nfn f() { let text = \"crate::c\"; crate::d::{e::f, g}; }"),
        ("a::inner", "use super::super::c::{self, Thing};"),
        ("b", "#[cfg(test)]\nmod tests {\n use crate::a; }"),
        ("c", "use self::inner::x;"),
        ("d", ""),
    ];
    let texts = texts.map(|(path, text)| (module(path), text.to_owned())).into_iter();
    let texts = texts.map(|(path, text)| (path.into_iter().filter(|name| !name.is_empty()).collect(), text)).collect();
    let uses = Crate { name: String::new(), texts }.uses();
    let expected: BTreeSet<Module> = ["b", "c", "d"].map(module).into();
    assert_eq!(uses, Uses::from([(module("a"), expected)]));
}
