//! Objects that were compiled before, found again by what they were made of.
//!
//! Which headers a file includes is known only after it was compiled. So there are two steps: a key of the file, its flags and the compiler
//! leads to the list of headers of the last time; that key and what those headers contain now lead to the object. A cache that cannot be
//! read or written is none, and nobody is told.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest, Sha256};

/// Bytes it may take; past that, what was unused for longest goes until this share is left. An object of a large file has a few megabytes.
const MOST_BYTES: u64 = 512 << 20;
const LEFT_AFTER_CLEANING: u64 = MOST_BYTES / 4 * 3;

/// A folder of objects.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
}

/// What an object is made of, apart from what its file includes.
#[derive(Clone, Debug)]
pub(crate) struct Key(Sha256);

impl Key {
    pub fn new() -> Key {
        Key(Sha256::new())
    }

    /// Adds one part. Its length goes with it, so that parts cannot run into each other.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn name(&self) -> String {
        self.0.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// This key with what these files contain now; none where one cannot be read.
    fn with(&self, files: &[PathBuf]) -> Option<Key> {
        let mut key = self.clone();
        for file in files {
            key.add(file.as_os_str().as_encoded_bytes());
            key.add(&fs::read(file).ok()?);
        }
        Some(key)
    }
}

impl Cache {
    pub fn new(directory: &Path) -> Cache {
        Cache { directory: directory.join("objects") }
    }

    /// The object of this key, if everything its file includes is as it was.
    pub fn fetch(&self, key: &Key) -> Option<Vec<u8>> {
        let list = fs::read_to_string(self.place(key, "headers")).ok()?;
        let headers: Vec<PathBuf> = list.lines().map(PathBuf::from).collect();
        let place = self.place(&key.with(&headers)?, "o");
        let object = fs::read(&place).ok()?;
        // What is used stays.
        if let Ok(file) = File::options().append(true).open(&place) {
            let _ = file.set_modified(SystemTime::now());
        }
        Some(object)
    }

    /// Keeps an object, which was made of what `key` says and of these headers.
    pub fn store(&self, key: &Key, headers: &[PathBuf], object: &[u8]) {
        let list: Option<Vec<&str>> = headers.iter().map(|header| header.to_str()).collect();
        let (Some(list), Some(whole)) = (list, key.with(headers)) else { return };
        if list.iter().any(|name| name.contains('\n')) || fs::create_dir_all(&self.directory).is_err() {
            return;
        }
        self.write(&self.place(key, "headers"), list.join("\n").as_bytes());
        self.write(&self.place(&whole, "o"), object);
        self.clean();
    }

    fn place(&self, key: &Key, extension: &str) -> PathBuf {
        self.directory.join(key.name()).with_extension(extension)
    }

    /// Under another name first, so that nobody ever reads half a file.
    fn write(&self, place: &Path, bytes: &[u8]) {
        let written = tempfile::NamedTempFile::new_in(&self.directory).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        if let Ok(file) = written {
            let _ = file.persist(place);
        }
    }

    fn clean(&self) {
        let Ok(entries) = fs::read_dir(&self.directory) else { return };
        let mut files: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .filter_map(|entry| {
                let about = entry.metadata().ok()?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        if bytes <= MOST_BYTES {
            return;
        }
        files.sort();
        for (_, size, path) in files {
            if bytes <= LEFT_AFTER_CLEANING {
                break;
            }
            if fs::remove_file(path).is_ok() {
                bytes -= size;
            }
        }
    }
}

/// The files that a compiler's dependency file (`-MD`) names after the first, which is the source itself.
pub(crate) fn dependencies(text: &str) -> Vec<PathBuf> {
    let rest = text.split_once(": ").map_or("", |(_, rest)| rest);
    let mut names: Vec<String> = Vec::new();
    let mut name = String::new();
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('\\', Some('\n')) | ('\\', Some('\r')) => {}
            ('\\', Some(' ' | '#' | '\\')) | ('$', Some('$')) => name.extend(characters.next()),
            (' ' | '\n' | '\r' | '\t', _) => names.extend((!name.is_empty()).then(|| std::mem::take(&mut name))),
            _ => name.push(c),
        }
    }
    names.extend((!name.is_empty()).then_some(name));
    names.into_iter().skip(1).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Cache, Key, dependencies};

    #[test]
    fn names_in_a_dependency_file_may_have_spaces() {
        let text = "out.o: a.c /usr/include/stdio.h \\\n  my\\ dir/b.h pre$$fix.h\n";
        assert_eq!(dependencies(text), ["/usr/include/stdio.h", "my dir/b.h", "pre$fix.h"].map(PathBuf::from));
    }

    #[test]
    fn an_object_is_found_until_a_header_changes() {
        let directory = tempfile::tempdir().expect("a directory");
        let header = directory.path().join("a.h");
        fs::write(&header, "1").expect("a header");
        let cache = Cache::new(&directory.path().join("cache"));
        let mut key = Key::new();
        key.add(b"flags");
        assert_eq!(cache.fetch(&key), None);
        cache.store(&key, std::slice::from_ref(&header), b"object");
        assert_eq!(cache.fetch(&key).as_deref(), Some(&b"object"[..]));
        fs::write(&header, "2").expect("a header");
        assert_eq!(cache.fetch(&key), None);
    }
}
