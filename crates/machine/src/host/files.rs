//! What a program can read: standard input, files that lie in memory, arguments and environment.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use slowpath_program::call::{CallError, ElemType, InputSpec};
use slowpath_program::world::{Content, World};
use slowpath_term::{InputId, Terms};

use super::input_record::element;
use super::values::Values;
use crate::mode::Mode;
use crate::state::State;

/// The directory that files are in, as a program sees it.
pub(super) const DIRECTORY: u64 = 3;
const FIRST_FILE: u64 = 4;

/// Bytes that can be read.
#[derive(Clone, Debug)]
pub(super) enum Stream {
    Given(Rc<[u8]>),
    /// So many inputs, from this number on.
    Input {
        first: u32,
        count: u32,
    },
}

impl Stream {
    pub(super) fn length(&self) -> u64 {
        match self {
            Stream::Given(bytes) => bytes.len() as u64,
            Stream::Input { count, .. } => u64::from(*count),
        }
    }
}

/// A file that is open.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub stream: Stream,
    pub position: u64,
}

/// The files of a run, and how far each was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// By name, in order.
    named: Vec<(String, Stream)>,
    /// Whether there is a directory to open them in; there may be none of them.
    has_directory: bool,
    open: BTreeMap<u64, Open>,
    pub arguments: Vec<Stream>,
    pub environment: Vec<Stream>,
    /// What the program wanted to read and is not there, in words.
    pub absent: BTreeSet<String>,
}

impl Files {
    /// What is open, and how far it was read, as numbers: equal exactly where both are.
    pub(super) fn words(&self, out: &mut Vec<u64>) {
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
    pub(super) fn get(&mut self, fd: u64) -> Option<&mut Open> {
        self.open.get_mut(&fd)
    }

    /// Whether there is a directory to open files in.
    pub(super) fn has_directory(&self) -> bool {
        self.has_directory
    }

    /// Opens a file; gives its descriptor.
    pub(super) fn open(&mut self, name: &str) -> Option<u64> {
        let plain = |name: &str| name.trim_start_matches("./").trim_start_matches('/').to_owned();
        let (_, stream) = self.named.iter().find(|(known, _)| plain(known) == plain(name))?;
        let open = Open { stream: stream.clone(), position: 0 };
        let fd = (FIRST_FILE..).find(|fd| !self.open.contains_key(fd))?;
        self.open.insert(fd, open);
        Some(fd)
    }

    pub(super) fn close(&mut self, fd: u64) -> bool {
        fd >= FIRST_FILE && self.open.remove(&fd).is_some()
    }
}

/// Bytes of the world that are unknown, with their values.
pub(crate) type Unknown<V> = (InputSpec, Vec<V>);

impl<M: Mode> State<M> {
    /// Puts the world of size n around the program; gives the inputs that are unknown, with their values.
    pub(crate) fn furnish(
        &mut self,
        terms: &mut Terms,
        world: &World,
        n: i64,
    ) -> Result<Vec<Unknown<M::Value>>, CallError> {
        let mut made = Vec::new();
        let mut streams = Vec::new();
        let mut unknown = world.unknown(n)?.into_iter();
        for (_, content) in world.contents() {
            streams.push(match content {
                Content::Given(bytes) => Stream::Given(bytes.as_slice().into()),
                Content::Unknown(_) => {
                    let Some(bytes) = unknown.next() else { continue };
                    let first = self.host.next;
                    let (name, count, range) = (bytes.name, bytes.count, bytes.range);
                    let allowed = Values { range, ..Values::default() };
                    let values = self.new_input(terms, &name, ElemType::U8, false, count, allowed);
                    let spec = InputSpec {
                        name,
                        ty: ElemType::U8,
                        count,
                        scalar: false,
                        address: None,
                        row: count,
                        row_bytes: count,
                        range,
                        among: None,
                        is_utf8: false,
                        words: None,
                    };
                    made.push((spec, values));
                    Stream::Input { first, count }
                }
            });
        }
        let mut streams = streams.into_iter();
        let files = &mut Rc::make_mut(&mut self.host).files;
        if world.stdin.is_some() {
            files.open.extend(streams.next().map(|stream| (0, Open { stream, position: 0 })));
        }
        files.has_directory = world.has_directory();
        files.named = world.files.iter().map(|(name, _)| name.clone()).zip(&mut streams).collect();
        // The name of a program comes before its arguments; without any, there is no command line at all.
        if world.arguments.is_empty() {
            files.arguments = Vec::new();
        } else {
            files.arguments = [Stream::Given(b"program".as_slice().into())].into_iter().chain(streams).collect();
        }
        let variable = |(name, value): &(String, String)| Stream::Given(format!("{name}={value}").into_bytes().into());
        files.environment = world.environment.iter().map(variable).collect();
        Ok(made)
    }

    /// One byte of a stream.
    pub(super) fn byte(&self, terms: &mut Terms, stream: &Stream, at: u64) -> M::Value {
        match stream {
            Stream::Given(bytes) => M::value(bytes.get(at as usize).copied().map_or(0, u64::from)),
            Stream::Input { first, .. } => {
                let number = first + at as u32;
                match self.host.values.get(number as usize) {
                    Some(bits) => M::value(*bits),
                    None => {
                        let made = self.inputs().iter().find(|record| record.first == InputId(*first));
                        let term = match made {
                            Some(record) => element(terms, record, at as u32),
                            None => terms.var(InputId(number), 8),
                        };
                        M::from_term(terms, term)
                    }
                }
            }
        }
    }

    /// What the program wanted to read and is not there, in words.
    pub fn absent(&self) -> impl Iterator<Item = &str> {
        self.host.files.absent.iter().map(String::as_str)
    }
}
