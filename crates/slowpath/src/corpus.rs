//! Inputs that the user has: the files of a corpus, as a fuzzer keeps them, become first inputs of the search.

use std::fs;
use std::path::{Path, PathBuf};

use slowpath_program::call::{ElemType, Entry};
use slowpath_program::input::{InputValues, NamedInput};

use crate::error::Error;
use crate::subject::Subject;

/// Files that are read, the first by name; more would take their time from searching.
const MOST_FILES: usize = 256;
/// Larger files are no inputs that a search could make anything of.
const MOST_BYTES: u64 = 1 << 20;

/// The files of a folder as inputs of the subject, which has to take bytes.
pub(crate) fn read(folder: &Path, subject: &Subject) -> Result<Vec<InputValues>, Error> {
    let name = bytes_of(subject).ok_or_else(|| Error::NoBytes { folder: folder.to_owned() })?;
    let unreadable = |file: &Path| {
        let file = file.to_owned();
        |source| Error::Corpus { file, source }
    };
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).map_err(unreadable(folder))?.flatten().map(|e| e.path()).collect();
    files.sort();
    let small = |file: &PathBuf| fs::metadata(file).is_ok_and(|about| about.is_file() && about.len() <= MOST_BYTES);
    let mut inputs = Vec::new();
    for file in files.iter().filter(|file| small(file)).take(MOST_FILES) {
        let bytes = fs::read(file).map_err(unreadable(file))?;
        let bits = bytes.into_iter().map(u64::from).collect();
        inputs.push(InputValues(vec![NamedInput { name: name.clone(), ty: ElemType::U8, scalar: false, bits }]));
    }
    if inputs.is_empty() {
        return Err(Error::EmptyCorpus { folder: folder.to_owned() });
    }
    Ok(inputs)
}

/// The name of the input that is the file: the first array of bytes, or what a whole program reads.
fn bytes_of(subject: &Subject) -> Option<String> {
    match &subject.entry {
        Entry::Call(spec) => {
            let inputs = spec.layout(1, 0).ok()?.inputs;
            inputs
                .into_iter()
                .find(|input| !input.scalar && input.words.is_none() && input.ty.bytes() == 1)
                .map(|input| input.name)
        }
        Entry::Harness { .. } => subject.program.world.unknown(1).ok()?.into_iter().next().map(|bytes| bytes.name),
    }
}
