//! Paths as seen from the folder of an export.

use std::path::{Component, Path};

use crate::trust::settled;

/// The way from a folder, which may not be there yet, to a file.
pub(crate) fn relative_path(folder: &Path, file: &Path) -> String {
    let (from, to) = (settled(folder), settled(file));
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return settled(file).to_string_lossy().into_owned();
    }
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Flags with folders of headers, as seen from the folder of the export.
pub(crate) fn from_folder(flags: &[String], folder: &Path) -> Vec<String> {
    let mut is_folder = false;
    let adapt = |flag: &String| {
        let (mark, path) = match flag.strip_prefix("-I") {
            Some(path) if !is_folder => ("-I", path),
            _ => ("", flag.as_str()),
        };
        let known = mark == "-I" && !path.is_empty() || is_folder;
        is_folder = ["-I", "-isystem", "-iquote", "-include"].contains(&flag.as_str()) && !is_folder;
        if known && Path::new(path).is_relative() {
            format!("{mark}{}", relative_path(folder, Path::new(path)))
        } else {
            flag.clone()
        }
    };
    flags.iter().map(adapt).collect()
}
