//! What a program can read: standard input, files that lie in memory, arguments and environment.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The directory that files are in, as a program sees it.
pub(crate) const DIRECTORY: u64 = 3;
const FIRST_FILE: u64 = 4;

/// Bytes that can be read.
#[derive(Clone, Debug)]
pub(crate) enum Stream {
    Given(Rc<[u8]>),
    /// So many inputs, from this number on.
    Input {
        first: u32,
        count: u32,
    },
}

impl Stream {
    pub(crate) fn length(&self) -> u64 {
        match self {
            Stream::Given(bytes) => bytes.len() as u64,
            Stream::Input { count, .. } => u64::from(*count),
        }
    }
}

/// A file that is open.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub stream: Stream,
    pub position: u64,
}

/// The files of a run, and how far each was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    /// By name, in order.
    pub(crate) named: Vec<(String, Stream)>,
    /// Whether there is a directory to open them in; there may be none of them.
    pub(crate) has_directory: bool,
    pub(crate) open: BTreeMap<u64, Open>,
    pub arguments: Vec<Stream>,
    pub environment: Vec<Stream>,
    /// What the program wanted to read and is not there, in words.
    pub absent: BTreeSet<String>,
}

impl Files {
    /// What is open, and how far it was read, as numbers: equal exactly where both are.
    pub(crate) fn words(&self, out: &mut Vec<u64>) {
        out.push(self.open.len() as u64);
        for (fd, open) in &self.open {
            let (kind, which) = match &open.stream {
                Stream::Input { first, count } => (u64::from(*count) << 1 | 1, u64::from(*first)),
                Stream::Given(bytes) => {
                    let same = |stream: &Stream| matches!(stream, Stream::Given(known) if Rc::ptr_eq(known, bytes));
                    let place = self.named.iter().position(|(_, stream)| same(stream));
                    (0, place.map_or(u64::MAX, |place| place as u64))
                }
            };
            out.extend([*fd, open.position, kind, which]);
        }
    }

    /// An open file, by its descriptor.
    pub(crate) fn get(&mut self, fd: u64) -> Option<&mut Open> {
        self.open.get_mut(&fd)
    }

    /// Whether there is a directory to open files in.
    pub(crate) fn has_directory(&self) -> bool {
        self.has_directory
    }

    /// Opens a file; gives its descriptor.
    pub(crate) fn open(&mut self, name: &str) -> Option<u64> {
        let plain = |name: &str| name.trim_start_matches("./").trim_start_matches('/').to_owned();
        let (_, stream) = self.named.iter().find(|(known, _)| plain(known) == plain(name))?;
        let open = Open { stream: stream.clone(), position: 0 };
        let fd = (FIRST_FILE..).find(|fd| !self.open.contains_key(fd))?;
        self.open.insert(fd, open);
        Some(fd)
    }

    pub(crate) fn close(&mut self, fd: u64) -> bool {
        fd >= FIRST_FILE && self.open.remove(&fd).is_some()
    }
}
