//! The source of the analysed program, kept in the document so that a page can show it.

use serde::{Deserialize, Serialize};

/// The program's own files, as far as they were at hand and not too long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    pub files: Vec<SourceFile>,
    /// Files left out, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub omitted: Vec<String>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// As the user gave it, or as the debug information names it.
    pub name: String,
    pub text: String,
}

impl SourceFile {
    /// Whether somebody who says `named` means this file: places are often written with fewer folders.
    pub fn is(&self, named: &str) -> bool {
        let named = named.trim_start_matches("./");
        let ends = |whole: &str, end: &str| {
            whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
        };
        !named.is_empty() && (ends(&self.name, named) || ends(named, self.name.trim_start_matches("./")))
    }
}

#[cfg(test)]
mod tests {
    use super::SourceFile;

    #[test]
    fn a_file_is_known_by_its_last_folders() {
        let file = SourceFile { name: "src/sort.c".to_owned(), text: String::new() };
        assert!(["sort.c", "src/sort.c", "./sort.c", "/home/me/src/sort.c"].iter().all(|name| file.is(name)));
        assert!(!["", "t.c", "qsort.c", "other/sort.c", "sort.cc"].iter().any(|name| file.is(name)));
    }
}
