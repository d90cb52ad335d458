//! The folders that paths of an untrusted document stay below: those the user named, and the current one.

use std::fmt::{Display, Formatter};
use std::path::{Component, Path, PathBuf};

/// Folders, with all links resolved.
pub(crate) struct Fence {
    folders: Vec<PathBuf>,
}

impl Fence {
    /// Around the current folder and these.
    pub fn around<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Fence {
        let all = [Path::new("")].into_iter().chain(folders);
        let mut folders: Vec<PathBuf> =
            all.map(|folder| settled(if folder == Path::new("") { Path::new(".") } else { folder })).collect();
        folders.dedup();
        Fence { folders }
    }

    /// Around this folder alone.
    pub fn only(folder: &Path) -> Fence {
        Fence { folders: vec![settled(if folder == Path::new("") { Path::new(".") } else { folder })] }
    }

    /// Whether a path, with its links followed, is below one of the folders.
    pub fn holds(&self, path: &Path) -> bool {
        let real = settled(path);
        // What cannot be resolved may lead anywhere.
        let plain = real.components().all(|part| part != Component::ParentDir);
        plain && self.folders.iter().any(|folder| real.starts_with(folder))
    }
}

impl Display for Fence {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let names: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        f.write_str(&names.join(" or "))
    }
}

/// The absolute path, with links resolved as far as there is something to resolve.
pub(crate) fn settled(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut missing = Vec::new();
    let mut there = absolute.as_path();
    loop {
        if let Ok(real) = there.canonicalize() {
            return missing.iter().rev().fold(real, |path, part| path.join(part));
        }
        match (there.parent(), there.file_name()) {
            (Some(parent), Some(name)) => {
                missing.push(name.to_owned());
                there = parent;
            }
            _ => return absolute,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Fence;

    #[test]
    fn links_and_steps_up_do_not_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(folder.path().join("secret"), "").unwrap();
        std::fs::write(inside.join("a.c"), "").unwrap();
        let fence = Fence::only(&inside);
        assert!(fence.holds(&inside.join("a.c")) && fence.holds(&inside.join("../inside/a.c")));
        assert!(fence.holds(&inside.join("not/there/yet.c")));
        assert!(!fence.holds(&inside.join("../secret")) && !fence.holds(&folder.path().join("inside2")));
        assert!(!fence.holds(&inside.join("missing/../../secret")) && !fence.holds(Path::new("/etc/passwd")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path(), inside.join("link")).unwrap();
            assert!(!fence.holds(&inside.join("link/secret")));
        }
    }
}
