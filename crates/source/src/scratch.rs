//! Temporary directories: private, with a name nobody can guess, and gone afterwards, also after a kill.
//!
//! A process that is killed removes nothing. So each directory has a file that its process keeps locked, and the lock goes with the process,
//! however it ends. The next process removes those whose lock is free.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

const PREFIX: &str = "slowpath-";
/// Its name once it is locked. A directory without one is not ours, or not yet.
const LOCK: &str = ".slowpath-lock";

/// A directory that goes with this value.
pub(crate) struct Scratch {
    directory: TempDir,
    /// Locked while the directory is in use.
    _lock: File,
}

impl Scratch {
    /// A new one, where the system keeps what is temporary. The first of a process looks for what others left behind.
    pub fn new() -> io::Result<Scratch> {
        sweep_abandoned();
        Scratch::new_in(&std::env::temp_dir())
    }

    fn new_in(place: &Path) -> io::Result<Scratch> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).rand_bytes(12);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        let directory = builder.tempdir_in(place)?;
        // Locked before it has its name, so that nobody ever finds it unlocked.
        let draft = directory.path().join("lock");
        let lock = File::create_new(&draft)?;
        lock.lock()?;
        fs::rename(draft, directory.path().join(LOCK))?;
        Ok(Scratch { directory, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes what killed processes left where the system keeps what is temporary; once in the life of a process, the first time it is asked.
pub fn sweep_abandoned() {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| sweep(&std::env::temp_dir()));
}

/// Removes directories of ours that no process uses. What cannot be removed stays.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let named = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        // Of the entry itself: a link is nobody's directory.
        if named && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a directory has a lock that nobody holds. Those of other users cannot be opened.
fn is_abandoned(directory: &Path) -> bool {
    let lock: PathBuf = directory.join(LOCK);
    let plain = fs::symlink_metadata(&lock).is_ok_and(|about| about.is_file());
    let Some(file) = plain.then(|| File::options().write(true).open(&lock).ok()).flatten() else { return false };
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{LOCK, Scratch, sweep};

    #[test]
    fn what_a_killed_process_left_is_swept_and_nothing_else() {
        let place = tempfile::tempdir().expect("a directory");
        let used = Scratch::new_in(place.path()).expect("a directory");
        let left = place.path().join("slowpath-left");
        let other = place.path().join("slowpath-notes");
        for folder in [&left, &other] {
            fs::create_dir(folder).expect("a directory");
            fs::write(folder.join("a.o"), "").expect("a file");
        }
        fs::write(left.join(LOCK), "").expect("a file");
        sweep(place.path());
        assert!(!left.exists() && other.exists() && used.path().exists());
        let path = used.path().to_owned();
        drop(used);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_look_into_one() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = Scratch::new().expect("a directory");
        let mode = fs::metadata(scratch.path()).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
