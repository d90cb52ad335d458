//! Where suites come from: the binary itself, or a folder of the user's.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use tempfile::TempDir;

use crate::error::BenchError;

/// The suites as they were when the binary was built.
static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/benchmarks");

const DESCRIPTION: &str = "suite.toml";

/// The names of the suites in the binary.
pub fn suite_names() -> Vec<String> {
    let folders = BUILT_IN.dirs().filter(|folder| folder.files().any(|file| file.path().ends_with(DESCRIPTION)));
    folders.map(|folder| folder.path().display().to_string()).collect()
}

/// A folder of suites, each a folder with a `suite.toml`.
#[derive(Debug)]
pub struct Suites {
    folder: PathBuf,
    /// Gone with this value.
    _unpacked: Option<TempDir>,
}

impl Suites {
    /// The suites in a folder.
    pub fn in_folder(folder: &Path) -> Result<Suites, BenchError> {
        let suites = Suites { folder: folder.to_owned(), _unpacked: None };
        if suites.names().is_empty() {
            return Err(BenchError::NoSuites { folder: folder.to_owned() });
        }
        Ok(suites)
    }

    /// The suites in the binary, written to a temporary folder since the compiler reads files.
    pub fn built_in() -> Result<Suites, BenchError> {
        let folder = tempfile::tempdir().map_err(|source| BenchError::File { file: std::env::temp_dir(), source })?;
        let failed = |source| BenchError::File { file: folder.path().to_owned(), source };
        BUILT_IN.extract(folder.path()).map_err(failed)?;
        Ok(Suites { folder: folder.path().to_owned(), _unpacked: Some(folder) })
    }

    /// Their names, sorted.
    pub fn names(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return Vec::new() };
        let suites = entries.flatten().filter(|entry| entry.path().join(DESCRIPTION).is_file());
        let mut names: Vec<String> = suites.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The description of one.
    pub fn description(&self, name: &str) -> Result<PathBuf, BenchError> {
        let known = self.names();
        if known.iter().any(|suite| suite == name) {
            return Ok(self.folder.join(name).join(DESCRIPTION));
        }
        Err(BenchError::NoSuite { name: name.to_owned(), known: known.join(", ") })
    }
}

#[cfg(test)]
mod tests {
    use super::{Suites, suite_names};

    #[test]
    fn the_suites_in_the_binary_can_be_unpacked() {
        let suites = Suites::built_in().expect("a temporary folder");
        assert_eq!(suites.names(), suite_names());
        assert!(suites.names().contains(&"wise".to_owned()));
        assert!(suites.description("wise").expect("it is there").is_file());
        assert!(suites.description("../wise").is_err());
    }
}
