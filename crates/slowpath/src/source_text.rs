//! The program's own source files, read into the document.
//!
//! Debug information is untrusted: a module could name any file of the reader's machine and so have it put into a page that
//! is handed on. Only files below the analysed file's folder that are called like sources are read.

use std::path::{Path, PathBuf};

use slowpath_report::{SourceFile, SourceText};

use crate::subject::Subject;

/// Files, lines and bytes kept, over all files.
const MOST_FILES: usize = 50;
const MOST_LINES: usize = 2_000;
const MOST_BYTES: usize = 200_000;
/// Left out files that are named.
const MOST_NAMED: usize = 20;

const EXTENSIONS: [&str; 12] = ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "inc", "rs", "zig", "go", "wat"];

/// The files that the debug information names; none where it names none that can be shown.
pub(crate) fn read(subject: &Subject) -> Option<SourceText> {
    let folder = if subject.file.is_dir() { subject.file.as_path() } else { subject.file.parent()? };
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let inside = folder.canonicalize().ok()?;
    let own = subject.file.canonicalize().ok()?;
    let mut found: Vec<(PathBuf, String)> = Vec::new();
    for name in subject.program.source.files() {
        let Some(path) = resolve(&inside, &name) else { continue };
        if found.iter().all(|(known, _)| *known != path) {
            let name = if path == own { subject.file.display().to_string() } else { name.to_string() };
            found.push((path, name));
        }
    }
    // What the user asked about comes first, and so is the last to be left out.
    found.sort_by_key(|(path, _)| *path != own);
    let text = keep(&found);
    (!text.files.is_empty() || !text.omitted.is_empty()).then_some(text)
}

/// Whether a file that debug information names lies beside the analysed one, or below it.
pub(crate) fn is_own(analysed: &Path, named: &str) -> bool {
    let folder = if analysed.is_dir() { Some(analysed) } else { analysed.parent() };
    let folder = folder.map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    folder.and_then(|folder| folder.canonicalize().ok()).is_some_and(|inside| resolve(&inside, named).is_some())
}

/// The file a name means, if it is one that may be shown.
fn resolve(inside: &Path, name: &str) -> Option<PathBuf> {
    let path = [inside.join(name), PathBuf::from(name)].into_iter().find_map(|path| path.canonicalize().ok())?;
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    (path.starts_with(inside) && EXTENSIONS.contains(&extension.as_str()) && path.is_file()).then_some(path)
}

fn keep(found: &[(PathBuf, String)]) -> SourceText {
    let (mut lines, mut bytes) = (0, 0);
    let mut out = SourceText::default();
    let mut omit = |name: &str, why: &str| out.omitted.push(format!("{name}: {why}"));
    for (path, name) in found {
        // Looked at before it is read: it may be far larger than what is kept.
        let size = path.metadata().map_or(usize::MAX, |data| usize::try_from(data.len()).unwrap_or(usize::MAX));
        if out.files.len() == MOST_FILES || size > MOST_BYTES - bytes {
            omit(name, "too long to be kept in the document");
            continue;
        }
        let Ok(text) = std::fs::read_to_string(path) else {
            omit(name, "it cannot be read as text");
            continue;
        };
        let more = text.lines().count();
        if lines + more > MOST_LINES {
            omit(name, "too long to be kept in the document");
            continue;
        }
        (lines, bytes) = (lines + more, (bytes + text.len()).min(MOST_BYTES));
        out.files.push(SourceFile { name: name.clone(), text });
    }
    if out.omitted.len() > MOST_NAMED {
        let more = out.omitted.len() - MOST_NAMED;
        out.omitted.truncate(MOST_NAMED);
        out.omitted.push(format!("and {more} more files"));
    }
    out
}

#[cfg(test)]
mod tests {
    use std::fs::write;

    use super::{MOST_BYTES, keep, resolve};

    #[test]
    fn only_sources_below_the_folder_are_shown() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("program");
        std::fs::create_dir(&inside).unwrap();
        let inside = inside.canonicalize().unwrap();
        for (name, text) in [("program/a.c", "int a;"), ("program/secret", "key"), ("outside.c", "int b;")] {
            write(folder.path().join(name), text).unwrap();
        }
        assert_eq!(resolve(&inside, "a.c"), Some(inside.join("a.c")));
        let absolute = inside.join("a.c").display().to_string();
        assert_eq!(resolve(&inside, &absolute), Some(inside.join("a.c")));
        for name in ["secret", "../outside.c", "../program/../outside.c", "missing.c", "", ".", "/etc/passwd"] {
            assert_eq!(resolve(&inside, name), None, "{name}");
        }
    }

    #[test]
    fn what_is_too_long_is_left_out_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            write(&path, text).unwrap();
            (path, name.to_owned())
        };
        let found = [
            file("a.c", "int a;\n"),
            file("long.c", &"x".repeat(MOST_BYTES)),
            file("lines.c", &"\n".repeat(3000)),
            file("b.c", "b"),
        ];
        let kept = keep(&found);
        let names: Vec<&str> = kept.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a.c", "b.c"]);
        assert!(kept.omitted[0].starts_with("long.c: ") && kept.omitted[1].starts_with("lines.c: "), "{kept:?}");
    }
}
