//! Headers of our own on the include path: `slowpath.h`, KLEE's, those of fuzz targets, and what a user defines on the command line.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Workshop;
use crate::{HEADER, SourceError};

/// On every include path.
const OURS: [(&str, &str); 4] = [
    ("slowpath.h", HEADER),
    ("klee/klee.h", include_str!("../include/klee/klee.h")),
    ("fuzzer/FuzzedDataProvider.h", FUZZED_DATA_PROVIDER),
    ("FuzzedDataProvider.h", FUZZED_DATA_PROVIDER),
];
const FUZZED_DATA_PROVIDER: &str = include_str!("../include/fuzzer/FuzzedDataProvider.h");

/// In place of those that the C library does not have for WebAssembly. What they declare says that there is none of what it is asked for.
const INSTEAD: [(&str, &str); 13] = [
    ("setjmp.h", include_str!("../include/instead/setjmp.h")),
    ("pthread.h", include_str!("../include/instead/pthread.h")),
    ("slowpath_absent.h", include_str!("../include/instead/slowpath_absent.h")),
    ("dlfcn.h", include_str!("../include/instead/dlfcn.h")),
    ("grp.h", include_str!("../include/instead/grp.h")),
    ("libintl.h", include_str!("../include/instead/libintl.h")),
    ("net/if.h", include_str!("../include/instead/net/if.h")),
    ("netdb.h", include_str!("../include/instead/netdb.h")),
    ("pwd.h", include_str!("../include/instead/pwd.h")),
    ("sys/statvfs.h", include_str!("../include/instead/sys/statvfs.h")),
    ("sys/wait.h", include_str!("../include/instead/sys/wait.h")),
    ("syslog.h", include_str!("../include/instead/syslog.h")),
    ("termios.h", include_str!("../include/instead/termios.h")),
];

/// The headers of one compilation, written down.
pub(crate) struct Headers {
    ours: PathBuf,
    instead: PathBuf,
    defined: Option<PathBuf>,
    made: Option<PathBuf>,
    texts: Vec<String>,
}

impl Headers {
    /// Writes the headers, `defined` being those the user gave as name and text.
    pub fn install(workshop: &Workshop<'_>, defined: &[(String, String)]) -> Result<Headers, SourceError> {
        let ours = workshop.file("include");
        let instead = workshop.file("instead");
        OURS.iter().try_for_each(|(name, text)| write(&ours, name, text))?;
        INSTEAD.iter().try_for_each(|(name, text)| write(&instead, name, text))?;
        let folder = workshop.file("defined");
        for (name, text) in defined {
            let inside = Path::new(name).components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if !inside || name.is_empty() {
                return Err(SourceError::HeaderName { name: name.clone() });
            }
            write(&folder, name, text)?;
        }
        let own = OURS.iter().chain(&INSTEAD).map(|(_, text)| (*text).to_owned());
        let texts = own.chain(defined.iter().flat_map(|(name, text)| [name.clone(), text.clone()])).collect();
        Ok(Headers { ours, instead, defined: (!defined.is_empty()).then_some(folder), made: None, texts })
    }

    /// The directory with `slowpath.h` in it.
    pub fn ours(&self) -> &Path {
        &self.ours
    }

    /// Adds headers that were made of templates, by path below a folder of their own. Of two with one name the first counts.
    pub fn make(&mut self, workshop: &Workshop<'_>, headers: &[(PathBuf, String)]) -> Result<(), SourceError> {
        let folder = workshop.file("made");
        for (name, text) in headers {
            let normal = name.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if !normal || folder.join(name).exists() {
                continue;
            }
            write(&folder, &name.to_string_lossy(), text)?;
            self.texts.extend([name.to_string_lossy().into_owned(), text.clone()]);
            self.made = Some(folder.clone());
        }
        Ok(())
    }

    /// The directory of headers that were made of templates, to be looked in after all others.
    pub fn made(&self) -> Option<&Path> {
        self.made.as_deref()
    }

    /// Directories for the include path, in order.
    pub fn directories(&self, with_libraries: bool) -> impl Iterator<Item = &Path> {
        let instead = with_libraries.then_some(self.instead.as_path());
        self.defined.as_deref().into_iter().chain([self.ours.as_path()]).chain(instead)
    }

    /// Everything the headers say.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(String::as_str)
    }
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), SourceError> {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(SourceError::Scratch)?;
    }
    fs::write(path, text).map_err(SourceError::Scratch)
}
