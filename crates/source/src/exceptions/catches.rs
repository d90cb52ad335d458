//! Whether the user's own code catches exceptions. What the library's templates catch, they throw again.

use std::collections::HashSet;
use std::path::PathBuf;

/// The name of a variable that marks the objects of files that catch; the linker drops it.
const MARKER: &str = "slowpath.catches";

/// Its definition, for the text of such a file.
pub(crate) const MARK: &str = "\n@slowpath.catches = weak hidden constant i8 1\n";

/// Whether an object that defines these variables comes from a file that catches.
pub(crate) fn marked(defined: &[String]) -> bool {
    defined.iter().any(|name| name == MARKER)
}

/// Whether a function outside of these folders has a handler. Only what clang from version 15 on prints is understood.
pub(crate) fn catches(ir: &str, library: &[PathBuf]) -> bool {
    let mut function = "";
    let mut has_clause = false;
    let mut catching: HashSet<&str> = HashSet::new();
    for line in ir.lines() {
        if line.starts_with("define ") {
            (function, has_clause) = (line, false);
        } else if line.starts_with("          catch ptr ") {
            has_clause = true;
        } else if has_clause && line.contains("@__cxa_begin_catch(") {
            // Without debug information it cannot be told, and counts.
            let Some((_, debug)) = function.rsplit_once(" !dbg ") else { return true };
            catching.insert(debug.trim_end_matches(" {"));
        }
    }
    if catching.is_empty() {
        return false;
    }
    let metadata = || ir.lines().filter_map(|line| line.starts_with('!').then_some(line)?.split_once(" = "));
    let files: HashSet<&str> = metadata()
        .filter(|(number, _)| catching.contains(number))
        .filter_map(|(_, value)| value.split_once("file: ")?.1.split([',', ')']).next())
        .collect();
    let names = metadata().filter(|(number, value)| files.contains(number) && value.contains("!DIFile("));
    let mut names = names.filter_map(|(_, value)| value.split_once("filename: \"")?.1.split('"').next());
    names.any(|name| !library.iter().any(|folder| name.starts_with(&*folder.to_string_lossy())))
}
