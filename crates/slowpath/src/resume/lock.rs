//! A folder belongs to one run at a time. The lock is the system's, so that it ends with the process, however that ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::error::Error;

const NAME: &str = ".slowpath.lock";

/// Holds a folder until it is dropped.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the folder, which is made if it is not there.
    pub fn take(folder: &Path) -> Result<Lock, Error> {
        let file = folder.join(NAME);
        let failed = |source| Error::File { file: file.clone(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&file).map_err(failed)?;
        match opened.try_lock() {
            Ok(()) => Ok(Lock { _file: opened }),
            Err(TryLockError::WouldBlock) => Err(Error::FolderInUse { folder: folder.to_owned() }),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}
