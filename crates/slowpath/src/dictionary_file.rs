//! The dictionary that `--dictionary` names.

use std::path::Path;

use slowpath_program::call::words_of_afl;

use crate::error::Error;

/// The words of a file.
pub(crate) fn load(file: &Path) -> Result<Vec<Vec<u8>>, Error> {
    let bytes = std::fs::read(file).map_err(|source| Error::File { file: file.to_owned(), source })?;
    words_of_afl(&bytes).map_err(|source| Error::Dictionary { file: file.to_owned(), source })
}
