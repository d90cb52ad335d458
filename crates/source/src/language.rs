//! Source languages, told apart by the file's extension.

use std::path::Path;

/// What a source file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Rust,
}

impl Language {
    /// The language of a file, if its extension says so.
    pub fn of(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "c" => Some(Language::C),
            "cc" | "cpp" | "cxx" | "c++" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }
}

/// The file's name as the name of a crate.
pub fn crate_name(path: &Path) -> String {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("program_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Language, crate_name};

    #[test]
    fn crates_are_named_after_their_file() {
        assert_eq!(crate_name(Path::new("a/my-sort.rs")), "my_sort");
        assert_eq!(crate_name(Path::new("7.rs")), "program_7");
        assert_eq!(crate_name(Path::new("größe.rs")), "gr__e");
    }

    #[test]
    fn extensions_tell_the_language() {
        let of = |name: &str| Language::of(Path::new(name));
        assert_eq!([of("a.c"), of("b/c.C")], [Some(Language::C); 2]);
        assert_eq!([of("a.cpp"), of("a.cc"), of("a.cxx"), of("A.CPP"), of("a.c++")], [Some(Language::Cpp); 5]);
        assert_eq!(of("a.rs"), Some(Language::Rust));
        assert_eq!([of("a.h"), of("a.wasm"), of("c")], [None; 3]);
    }
}
