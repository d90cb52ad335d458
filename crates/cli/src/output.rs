//! Writing to the terminal and to files.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use slowpath_report::{Style, visible, visible_but_colours};
use tempfile::NamedTempFile;

use crate::exit::Failure;

/// Writes to standard output. A reader that has seen enough (`| head`) is no failure.
///
/// Much of it was chosen by programs and documents, so nothing in it acts on the terminal but our own colours.
pub fn print(text: &str) -> Result<(), Failure> {
    let text = if style().colour { visible_but_colours(text) } else { visible(text) };
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::bad_input(format!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error, where there is nobody to tell if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

/// Colour on a terminal, unless the user minds.
pub fn style() -> Style {
    let style = style_for(io::stdout().is_terminal(), std::env::var_os("NO_COLOR").as_deref());
    Style { columns: columns(&io::stdout()), ..style }
}

/// How wide a terminal is; none where there is none.
pub fn columns(stream: &(impl IsTerminal + AsFd)) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
}

/// NO_COLOR means no colour whatever it is, unless it is empty.
fn style_for(is_terminal: bool, no_color: Option<&OsStr>) -> Style {
    Style { colour: is_terminal && no_color.is_none_or(OsStr::is_empty), ..Style::default() }
}

/// Refuses a directory that cannot be one, before any work is done for it.
pub fn check_directory(directory: &Path) -> Result<(), Failure> {
    if directory.exists() && !directory.is_dir() {
        return Err(Failure::bad_input(format!("--out {}: it is a file, not a directory", directory.display())));
    }
    // What is there already, or else what it will be made in, has to be ours to write.
    let above = directory.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let above = if above == Path::new("") { Path::new(".") } else { above };
    if !above.is_dir() {
        let (directory, above) = (directory.display(), above.display());
        return Err(Failure::bad_input(format!("--out {directory}: {above} is a file, not a directory")));
    }
    match tempfile::tempfile_in(above) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::bad_input(format!("--out {}: {error}", directory.display()))),
    }
}

/// Refuses a file that cannot be written, before any work is done for it.
pub fn check_file(option: &str, file: &Path) -> Result<(), Failure> {
    if file.is_dir() || file.file_name().is_none() {
        return Err(Failure::bad_input(format!("{option} {}: it is a directory, not a file", file.display())));
    }
    Ok(())
}

/// A file as seen from where slowpath runs, which on CI is the top of the repository.
pub fn place(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let inside = |here: &Path| {
        let (file, here) = (Path::new(file).canonicalize().ok()?, here.canonicalize().ok()?);
        file.strip_prefix(here).ok().map(|path| path.to_string_lossy().into_owned())
    };
    here.as_deref().and_then(inside).unwrap_or_else(|| file.to_owned())
}

/// Writes to the end of a file, which may have been begun by others.
pub fn append(file: &Path, text: &str) -> Result<(), Failure> {
    let written =
        File::options().append(true).create(true).open(file).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::bad_input(format!("cannot write {}: {error}", file.display())))
}

/// Writes a file, whole or not at all.
pub fn save_file(file: &Path, text: &str) -> Result<(), Failure> {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    save(file.parent().unwrap_or(Path::new("")), &name, text).map(drop)
}

/// Writes a document into a directory, whole or not at all.
pub fn save(directory: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let file = directory.join(name);
    save_bytes(&file, text.as_bytes())?;
    Ok(file)
}

/// Writes a file and the directories it is in, whole or not at all.
pub fn save_bytes(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let directory = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(directory)
        .and_then(|()| draft(directory, bytes))
        .and_then(|draft| Ok(draft.persist(file)?))
        .map(drop)
        .map_err(|error| Failure::bad_input(format!("cannot write {}: {error}", file.display())))
}

/// The bytes under a name nobody can guess, readable as files of the user are. What a kill leaves is removed by the next one here.
fn draft(directory: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    const DRAFT: [&str; 2] = [".slowpath-", ".part"];
    for entry in std::fs::read_dir(directory)?.flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(DRAFT[0]) && name.ends_with(DRAFT[1]));
        let file = (ours && entry.file_type().is_ok_and(|kind| kind.is_file())).then(|| File::open(entry.path()));
        // One that is being written has a lock.
        if let Some(Ok(file)) = file
            && file.try_lock().is_ok()
        {
            let _ = std::fs::remove_file(entry.path());
        }
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(DRAFT[0]).suffix(DRAFT[1]).rand_bytes(12);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut draft = builder.tempfile_in(directory)?;
    draft.as_file().lock()?;
    draft.write_all(bytes)?;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::style_for;

    #[test]
    fn colour_is_for_terminals_whose_user_does_not_mind() {
        let colour = |is_terminal, no_color: Option<&str>| style_for(is_terminal, no_color.map(OsStr::new)).colour;
        assert!(colour(true, None) && colour(true, Some("")));
        assert!(!colour(true, Some("1")) && !colour(true, Some("0")));
        assert!(!colour(false, None) && !colour(false, Some("")));
    }
}
