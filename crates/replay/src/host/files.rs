//! What a program can read: standard input, files, arguments and environment, as bytes.

use std::collections::BTreeMap;

use slowpath_program::call::{CallError, ElemType};
use slowpath_program::input::{InputValues, NameCounter};
use slowpath_program::world::{Content, World};

/// The directory in which files are opened.
pub(super) const DIRECTORY: i32 = 3;

/// A file that is open, and how far it was read.
#[derive(Clone, Debug)]
pub(super) struct OpenFile {
    pub bytes: Vec<u8>,
    pub position: u64,
}

/// Everything that can be read in one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    stored: Vec<(String, Vec<u8>)>,
    has_directory: bool,
    opened: BTreeMap<i32, OpenFile>,
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<Vec<u8>>,
}

impl Files {
    /// The world at size n, its unknown bytes being those of the inputs with their names.
    pub(super) fn new(
        world: &World,
        n: i64,
        inputs: &InputValues,
        names: &mut NameCounter,
    ) -> Result<Files, CallError> {
        let mut files = Files { has_directory: world.has_directory(), ..Files::default() };
        let mut bytes_of = |name: &str, content: &Content| match content {
            Content::Given(bytes) => Ok(bytes.clone()),
            Content::Unknown(_) => {
                let length = content.length(name, n)?;
                let name = names.fresh(name);
                let input = inputs.0.iter().rev().find(|input| input.name == name);
                let byte = |i: u32| input.map_or(0, |input| input.bits_as(ElemType::U8, i as usize)) as u8;
                Ok::<Vec<u8>, CallError>((0..length).map(byte).collect())
            }
        };
        if let Some(content) = &world.stdin {
            files.opened.insert(0, OpenFile { bytes: bytes_of("stdin", content)?, position: 0 });
        }
        for (name, content) in &world.files {
            let bytes = bytes_of(name, content)?;
            files.stored.push((name.clone(), bytes));
        }
        if !world.arguments.is_empty() {
            files.arguments.push(b"program".to_vec());
        }
        for (number, content) in (1..).zip(&world.arguments) {
            files.arguments.push(bytes_of(&format!("argument{number}"), content)?);
        }
        files.environment = world.environment.iter().map(|(k, v)| format!("{k}={v}").into_bytes()).collect();
        Ok(files)
    }

    pub(super) fn opened(&mut self, fd: i32) -> Option<&mut OpenFile> {
        self.opened.get_mut(&fd)
    }

    pub(super) fn is_directory(&self, fd: i32) -> bool {
        fd == DIRECTORY && self.has_directory
    }

    /// Opens a file by its name, however that is written; gives the lowest descriptor that is free.
    pub(super) fn open(&mut self, name: &str) -> Option<i32> {
        let wanted = relative(name);
        let (_, bytes) = self.stored.iter().find(|(known, _)| relative(known) == wanted)?;
        let opened = OpenFile { bytes: bytes.clone(), position: 0 };
        let mut fd = DIRECTORY + 1;
        while self.opened.contains_key(&fd) {
            fd += 1;
        }
        self.opened.insert(fd, opened);
        Some(fd)
    }

    /// Whether there was such a file to close.
    pub(super) fn close(&mut self, fd: i32) -> bool {
        fd > DIRECTORY && self.opened.remove(&fd).is_some()
    }
}

/// A name as seen from the directory.
fn relative(name: &str) -> &str {
    let mut name = name;
    while let Some(rest) = name.strip_prefix("./") {
        name = rest;
    }
    name.trim_start_matches('/')
}
