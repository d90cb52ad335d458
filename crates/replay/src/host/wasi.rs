//! As much of WASI preview 1 as programs that compute need. Arguments, environment, standard input and files are those of the world, in
//! memory and only to be read; output is counted, time and randomness are deterministic.
//!
//! A pointer outside memory gives `FAULT` and changes nothing. Functions that are not provided give `NOSYS`, so that a
//! program which only links them still runs.

use std::sync::Arc;

use slowpath_program::ValType;
use slowpath_program::trap::Trap;

use super::memory::{OutOfBounds, range, write};
use super::{Host, HostFunction, Seen, ints};
use crate::error::HostTrap;
use crate::signature::Signature;

const MODULE: &str = "wasi_snapshot_preview1";

const OK: i32 = 0;
const BADF: i32 = 8;
const FAULT: i32 = 21;
const INVAL: i32 = 28;
const NOENT: i32 = 44;
const NOSYS: i32 = 52;
const SPIPE: i32 = 70;

/// As on Linux, `IOV_MAX`.
const MOST_VECTORS: u32 = 1024;

/// Time in nanoseconds: 0 when first asked for, a millisecond more at each further call.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    now: u64,
}

const TICK: u64 = 1_000_000;

/// The stream behind `random_get`: xorshift64* from a fixed seed.
///
/// Each draw does x ^= x >> 12; x ^= x << 25; x ^= x >> 27, and gives x * 0x2545F4914F6CDD1D modulo 2^64. A call takes one draw for
/// each 8 bytes it fills, little-endian, and one more for a shorter rest, of which it uses the low bytes.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
}

impl Default for Random {
    fn default() -> Random {
        Random { state: 0x9E37_79B9_7F4A_7C15 }
    }
}

impl Random {
    fn draw(&mut self) -> u64 {
        let mut x = self.state;
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        self.state = x;
        x.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.draw().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// An access outside memory as an error number.
fn errno(result: Result<i32, OutOfBounds>) -> i32 {
    result.unwrap_or(FAULT)
}

fn is_standard(fd: i32) -> bool {
    (0..=2).contains(&fd)
}

/// Functions we answer with `NOSYS`, by the types of their parameters (`i` for i32, `I` for i64).
const NOT_PROVIDED: [(&str, &str); 28] = [
    ("fd_advise", "iIIi"),
    ("fd_allocate", "iII"),
    ("fd_datasync", "i"),
    ("fd_fdstat_set_flags", "ii"),
    ("fd_fdstat_set_rights", "iII"),
    ("fd_filestat_set_size", "iI"),
    ("fd_filestat_set_times", "iIIi"),
    ("fd_pread", "iiiIi"),
    ("fd_pwrite", "iiiIi"),
    ("fd_readdir", "iiiIi"),
    ("fd_renumber", "ii"),
    ("fd_sync", "i"),
    ("fd_tell", "ii"),
    ("path_create_directory", "iii"),
    ("path_filestat_get", "iiiii"),
    ("path_filestat_set_times", "iiiiIIi"),
    ("path_link", "iiiiiii"),
    ("path_readlink", "iiiiii"),
    ("path_remove_directory", "iii"),
    ("path_rename", "iiiiii"),
    ("path_symlink", "iiiii"),
    ("path_unlink_file", "iii"),
    ("poll_oneoff", "iiii"),
    ("proc_raise", "i"),
    ("sock_accept", "iii"),
    ("sock_recv", "iiiiii"),
    ("sock_send", "iiiii"),
    ("sock_shutdown", "ii"),
];

/// What a function does with its arguments: an error number.
type Body = fn(&mut Seen<'_>, &[u64]) -> i32;

/// Functions we provide, by the types of their parameters.
const PROVIDED: [(&str, &str, Body); 17] = [
    ("args_sizes_get", "ii", |seen, arguments| sizes_of_strings(seen, arguments, |host| &host.files.arguments)),
    ("args_get", "ii", |seen, arguments| write_strings(seen, arguments, |host| &host.files.arguments)),
    ("environ_sizes_get", "ii", |seen, arguments| sizes_of_strings(seen, arguments, |host| &host.files.environment)),
    ("environ_get", "ii", |seen, arguments| write_strings(seen, arguments, |host| &host.files.environment)),
    ("fd_write", "iiii", fd_write),
    ("fd_read", "iiii", fd_read),
    ("fd_close", "i", fd_close),
    ("fd_seek", "iIii", fd_seek),
    ("fd_fdstat_get", "ii", fd_fdstat_get),
    ("fd_prestat_get", "ii", fd_prestat_get),
    ("fd_prestat_dir_name", "iii", fd_prestat_dir_name),
    ("fd_filestat_get", "ii", fd_filestat_get),
    ("path_open", "iiiiiIIii", path_open),
    ("clock_time_get", "iIi", clock_time_get),
    ("clock_res_get", "ii", clock_res_get),
    ("random_get", "ii", random_get),
    ("sched_yield", "", |_, _| OK),
];

/// A function of WASI preview 1, with its type.
pub(super) fn function(module: &str, field: &str) -> Option<(Signature, HostFunction)> {
    if module != MODULE {
        return None;
    }
    if field == "proc_exit" {
        let function: HostFunction = Arc::new(|_, arguments, _| {
            let [code] = ints(arguments);
            Err(HostTrap(Trap::Exit(code)))
        });
        return Some((Signature { params: vec![ValType::I32], results: Vec::new() }, function));
    }
    let provided = PROVIDED.iter().find(|(name, ..)| *name == field).map(|(_, params, body)| (*params, *body));
    let missing = || NOT_PROVIDED.iter().find(|(name, _)| *name == field).map(|(_, params)| (*params, NOT as Body));
    let (params, body) = provided.or_else(missing)?;
    let param = |letter| if letter == 'I' { ValType::I64 } else { ValType::I32 };
    let signature = Signature { params: params.chars().map(param).collect(), results: vec![ValType::I32] };
    let function: HostFunction = Arc::new(move |seen, arguments, results| {
        results.fill(u64::from(body(seen, arguments) as u32));
        Ok(())
    });
    Some((signature, function))
}

const NOT: Body = |_, _| NOSYS;

fn fd_close(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd] = ints(arguments);
    if is_standard(fd) || seen.host.files.close(fd) { OK } else { BADF }
}

/// Which strings a program asks for.
type Strings = fn(&Host) -> &Vec<Vec<u8>>;

/// How many strings there are, and how many bytes with a zero after each.
fn sizes_of_strings(seen: &mut Seen<'_>, arguments: &[u64], strings: Strings) -> i32 {
    let [count, size] = ints(arguments);
    let (memory, host) = seen.both();
    let strings = strings(host);
    let bytes: usize = strings.iter().map(|string| string.len() + 1).sum();
    errno((|| {
        range(memory, size, 4)?;
        write(memory, count, &(strings.len() as u32).to_le_bytes())?;
        write(memory, size, &(bytes as u32).to_le_bytes())?;
        Ok(OK)
    })())
}

/// The strings one after the other, and where each begins.
fn write_strings(seen: &mut Seen<'_>, arguments: &[u64], strings: Strings) -> i32 {
    let [list, buffer] = ints(arguments);
    let (memory, host) = seen.both();
    let strings = strings(host);
    let mut bytes: Vec<u8> = Vec::new();
    let mut places: Vec<u8> = Vec::new();
    for string in strings {
        places.extend((buffer as u32).wrapping_add(bytes.len() as u32).to_le_bytes());
        bytes.extend(string);
        bytes.push(0);
    }
    errno((|| {
        range(memory, buffer, bytes.len() as u64)?;
        write(memory, list, &places)?;
        write(memory, buffer, &bytes)?;
        Ok(OK)
    })())
}

fn fd_write(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, vectors, count, written] = ints(arguments);
    if fd != 1 && fd != 2 {
        return BADF;
    }
    let count = count as u32;
    if count > MOST_VECTORS {
        return INVAL;
    }
    let (memory, host) = seen.both();
    errno((|| {
        let vectors = range(memory, vectors, u64::from(count) * 8)?.to_vec();
        let mut total = 0u64;
        for vector in vectors.as_chunks::<8>().0 {
            let [a, b, c, d, length @ ..] = *vector;
            let length = u64::from(u32::from_le_bytes(length));
            range(memory, i32::from_le_bytes([a, b, c, d]), length)?;
            total += length;
        }
        write(memory, written, &(total as u32).to_le_bytes())?;
        if host.region.is_counting() {
            host.output = host.output.saturating_add(total);
        }
        Ok(OK)
    })())
}

/// Reads on from where the last read ended. Standard input that nobody gave is at its end.
fn fd_read(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, vectors, count, read] = ints(arguments);
    let count = count as u32;
    if count > MOST_VECTORS {
        return INVAL;
    }
    let (memory, host) = seen.both();
    let Some(file) = host.files.opened(fd) else {
        return if fd == 0 { errno(write(memory, read, &[0; 4]).map(|()| OK)) } else { BADF };
    };
    errno((|| {
        range(memory, read, 4)?;
        let vectors = range(memory, vectors, u64::from(count) * 8)?.to_vec();
        let places: Vec<(i32, u32)> = vectors
            .as_chunks::<8>()
            .0
            .iter()
            .map(|[a, b, c, d, length @ ..]| (i32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes(*length)))
            .collect();
        for (address, length) in &places {
            range(memory, *address, u64::from(*length))?;
        }
        let mut total = 0u32;
        for (address, length) in places {
            let rest = file.bytes.get(file.position as usize..).unwrap_or_default();
            let part = &rest[..rest.len().min(length as usize)];
            write(memory, address, part)?;
            file.position += part.len() as u64;
            total += part.len() as u32;
        }
        write(memory, read, &total.to_le_bytes())?;
        Ok(OK)
    })())
}

fn fd_seek(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, _, whence, result] = ints(arguments);
    let offset = arguments.get(1).map_or(0, |bits| *bits as i64);
    if is_standard(fd) {
        return SPIPE;
    }
    let (memory, host) = seen.both();
    let Some(file) = host.files.opened(fd) else { return BADF };
    let start = match whence {
        0 => 0,
        1 => file.position,
        2 => file.bytes.len() as u64,
        _ => return INVAL,
    };
    let Some(position) = start.checked_add_signed(offset) else { return INVAL };
    file.position = position;
    errno(write(memory, result, &position.to_le_bytes()).map(|()| OK))
}

/// The type of a file that is open: a character device, a directory or a regular file.
fn file_type(host: &mut Host, fd: i32) -> Option<u8> {
    if is_standard(fd) {
        Some(2)
    } else if host.files.is_directory(fd) {
        Some(3)
    } else {
        host.files.opened(fd).map(|_| 4)
    }
}

/// Of what there is to know about a file only its type and size.
fn fd_filestat_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, stat] = ints(arguments);
    let (memory, host) = seen.both();
    let Some(kind) = file_type(host, fd) else { return BADF };
    let size = host.files.opened(fd).map_or(0, |file| file.bytes.len() as u64);
    let mut bytes = [0; 64];
    bytes[16] = kind;
    bytes[32..40].copy_from_slice(&size.to_le_bytes());
    errno(write(memory, stat, &bytes).map(|()| OK))
}

/// One directory is open from the start, of a whole program: the root.
fn fd_prestat_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, prestat] = ints(arguments);
    let (memory, host) = seen.both();
    if !host.files.is_directory(fd) {
        return BADF;
    }
    errno(write(memory, prestat, &[0, 0, 0, 0, 1, 0, 0, 0]).map(|()| OK))
}

fn fd_prestat_dir_name(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, name, length] = ints(arguments);
    let (memory, host) = seen.both();
    if !host.files.is_directory(fd) || length == 0 {
        return BADF;
    }
    errno(write(memory, name, b"/").map(|()| OK))
}

fn path_open(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [directory, _, path, length, _, _, _, _, result] = ints(arguments);
    let (memory, host) = seen.both();
    if !host.files.is_directory(directory) {
        return BADF;
    }
    errno((|| {
        let name = String::from_utf8_lossy(range(memory, path, u64::from(length as u32))?).into_owned();
        let Some(fd) = host.files.open(&name) else { return Ok(NOENT) };
        write(memory, result, &fd.to_le_bytes())?;
        Ok(OK)
    })())
}

/// Standard streams are a terminal: a character device that can be read (0) or written (1 and 2), and not sought in. Everything may be
/// done with files and their directory.
fn fd_fdstat_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [fd, stat] = ints(arguments);
    const RIGHT_READ: u64 = 1 << 1;
    const RIGHT_WRITE: u64 = 1 << 6;
    let (memory, host) = seen.both();
    let Some(kind) = file_type(host, fd) else { return BADF };
    let mut bytes = [0; 24];
    bytes[0] = kind;
    if is_standard(fd) {
        bytes[8..16].copy_from_slice(&if fd == 0 { RIGHT_READ } else { RIGHT_WRITE }.to_le_bytes());
    } else {
        bytes[8..24].fill(0xff);
    }
    errno(write(memory, stat, &bytes).map(|()| OK))
}

fn clock_time_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [_, _, time] = ints(arguments);
    let (memory, host) = seen.both();
    errno((|| {
        write(memory, time, &host.streams.clock.now.to_le_bytes())?;
        host.streams.clock.now = host.streams.clock.now.wrapping_add(TICK);
        Ok(OK)
    })())
}

fn clock_res_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [_, resolution] = ints(arguments);
    let memory = &mut *seen.memory;
    errno(write(memory, resolution, &TICK.to_le_bytes()).map(|()| OK))
}

fn random_get(seen: &mut Seen<'_>, arguments: &[u64]) -> i32 {
    let [buffer, length] = ints(arguments);
    let (memory, host) = seen.both();
    errno(range(memory, buffer, u64::from(length as u32)).map(|bytes| {
        host.streams.random.fill(bytes);
        OK
    }))
}
