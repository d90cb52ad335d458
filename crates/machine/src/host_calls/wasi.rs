//! The part of WASI preview 1 that compiled programs really call, deterministic, with files that lie in memory.

use std::rc::Rc;

use slowpath_program::Trap;
use slowpath_term::Terms;

use crate::access::trapped;
use crate::host::{DIRECTORY, Stream, Wasi};
use crate::memory::Memory;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::Event;
use crate::state::State;

const OK: u64 = 0;
const EBADF: u64 = 8;
const EFAULT: u64 = 21;
const EINVAL: u64 = 28;
const ENOENT: u64 = 44;
const ENOSYS: u64 = 52;
const ESPIPE: u64 = 70;
const MOST_IOVS: u64 = 1024;
const STDIN_ABSENT: &str = "standard input, which is empty here; give it with --stdin n";

impl<M: Mode> State<M> {
    pub(super) fn wasi(&mut self, terms: &mut Terms, wasi: Wasi, at: u32) -> Result<(), Event> {
        if wasi == Wasi::Other {
            self.set_reg(at, M::value(ENOSYS));
            return Ok(());
        }
        let mut args = [0u64; 9];
        for (i, wide) in wasi.signature().unwrap_or_default().iter().enumerate() {
            let value = self.reg(at + i as u32);
            let bits = self.pin(terms, value, "a symbolic argument of a system call")?;
            args[i] = if *wide { bits } else { u64::from(bits as u32) };
        }
        let [a, b, c, d, ..] = args;
        let standard = a <= 2;
        let errno = match wasi {
            Wasi::ProcExit => return trapped(Trap::Exit(a as u32 as i32)),
            Wasi::ArgsSizesGet | Wasi::EnvironSizesGet => {
                let strings = self.strings(wasi);
                let bytes: u64 = strings.iter().map(|string| string.length() + 1).sum();
                let count = (strings.len() as u32).to_le_bytes();
                if !self.memories[self.memory_index()].in_bounds(b, 4) {
                    return self.fail(at, EFAULT);
                }
                self.put(a, &count).or_else(|| self.put(b, &(bytes as u32).to_le_bytes()))
            }
            Wasi::ArgsGet | Wasi::EnvironGet => {
                let strings = self.strings(wasi);
                self.put_strings(terms, &strings, a, b)
            }
            Wasi::SchedYield => None,
            Wasi::FdWrite => self.fd_write(terms, a, b, c, d)?,
            Wasi::FdRead => self.fd_read(terms, a, b, c, d)?,
            Wasi::FdClose => {
                let closed = standard || Rc::make_mut(&mut self.host).files.close(a);
                (!closed).then_some(EBADF)
            }
            Wasi::FdSeek if standard => Some(ESPIPE),
            Wasi::FdSeek => self.fd_seek(a, b as i64, c, d),
            Wasi::PathOpen => self.path_open(terms, args)?,
            Wasi::FdFdstatGet if standard => {
                let mut stat = [0u8; 24];
                stat[0] = 2;
                stat[8] = if a == 0 { 2 } else { 64 };
                self.put(b, &stat)
            }
            Wasi::FdFdstatGet => match self.kind_of(a) {
                Some(kind) => {
                    let mut stat = [0u8; 24];
                    stat[0] = kind;
                    stat[8..16].fill(0xff);
                    stat[16..24].fill(0xff);
                    self.put(b, &stat)
                }
                None => Some(EBADF),
            },
            Wasi::FdPrestatGet if self.is_directory(a) => self.put(b, &[0, 0, 0, 0, 1, 0, 0, 0]),
            Wasi::FdPrestatDirName if self.is_directory(a) && c >= 1 => self.put(b, b"/"),
            Wasi::FdPrestatGet | Wasi::FdPrestatDirName => Some(EBADF),
            Wasi::FdFilestatGet => match self.kind_of(a) {
                Some(kind) => {
                    let size = Rc::make_mut(&mut self.host).files.get(a).map_or(0, |open| open.stream.length());
                    let mut stat = [0u8; 64];
                    stat[16] = kind;
                    stat[32..40].copy_from_slice(&size.to_le_bytes());
                    self.put(b, &stat)
                }
                None => Some(EBADF),
            },
            Wasi::ClockTimeGet => {
                let now = self.host.clock;
                let failed = self.put(c, &now.to_le_bytes());
                if failed.is_none() {
                    Rc::make_mut(&mut self.host).clock += 1_000_000;
                }
                failed
            }
            Wasi::ClockResGet => self.put(b, &1_000_000u64.to_le_bytes()),
            Wasi::RandomGet => self.random_get(a, b),
            Wasi::PollOneoff | Wasi::Other => Some(ENOSYS),
        };
        self.set_reg(at, M::value(errno.unwrap_or(OK)));
        Ok(())
    }

    /// Answers a system call with an error number.
    fn fail(&mut self, at: u32, errno: u64) -> Result<(), Event> {
        self.set_reg(at, M::value(errno));
        Ok(())
    }

    /// Writes bytes for a system call; gives the error number if they do not fit.
    fn put(&mut self, addr: u64, bytes: &[u8]) -> Option<u64> {
        let index = self.memory_index();
        let done = self.memories[index].write(addr, bytes);
        if done {
            self.profile.wrote(addr, bytes.len() as u64);
        }
        (!done).then_some(EFAULT)
    }

    /// A word of memory that a system call reads; one that is not known has to be chosen.
    fn word(&mut self, terms: &mut Terms, addr: u64) -> Result<Option<u64>, Event> {
        let index = self.memory_index();
        let Some(value) = self.memories[index].load(terms, addr, 4) else { return Ok(None) };
        self.profile.read(addr, 4);
        Ok(Some(u64::from(self.pin(terms, value, "a symbolic argument of a system call")? as u32)))
    }

    fn fd_write(
        &mut self,
        terms: &mut Terms,
        fd: u64,
        iovs: u64,
        count: u64,
        written: u64,
    ) -> Result<Option<u64>, Event> {
        if fd != 1 && fd != 2 {
            return Ok(Some(EBADF));
        }
        if count > MOST_IOVS {
            return Ok(Some(EINVAL));
        }
        let mut total = 0;
        for i in 0..count {
            let (ptr, len) = (self.word(terms, iovs + i * 8)?, self.word(terms, iovs + i * 8 + 4)?);
            let (Some(ptr), Some(len)) = (ptr, len) else { return Ok(Some(EFAULT)) };
            if !self.memories[self.memory_index()].in_bounds(ptr, len) {
                return Ok(Some(EFAULT));
            }
            total += len;
        }
        if let Some(errno) = self.put(written, &(total as u32).to_le_bytes()) {
            return Ok(Some(errno));
        }
        self.meter.raw.output = self.meter.raw.output.saturating_add(total);
        Ok(None)
    }

    /// The strings of a command line or an environment.
    fn strings(&self, wasi: Wasi) -> Vec<Stream> {
        let files = &self.host.files;
        if matches!(wasi, Wasi::ArgsSizesGet | Wasi::ArgsGet) {
            files.arguments.clone()
        } else {
            files.environment.clone()
        }
    }

    /// Writes strings that end in zeros one after the other, and a list of where each begins.
    fn put_strings(&mut self, terms: &mut Terms, strings: &[Stream], list: u64, buffer: u64) -> Option<u64> {
        let index = self.memory_index();
        let bytes: u64 = strings.iter().map(|string| string.length() + 1).sum();
        let fits = |addr, len| self.memories[index].in_bounds(addr, len);
        if !fits(list, strings.len() as u64 * 4) || !fits(buffer, bytes) {
            return Some(EFAULT);
        }
        let mut at = buffer;
        for (place, string) in (0..).zip(strings) {
            self.put(list + place * 4, &(at as u32).to_le_bytes());
            for i in 0..string.length() {
                let byte = self.byte(terms, string, i);
                self.memories[index].store(terms, at + i, 1, byte);
            }
            self.profile.wrote(at, string.length());
            at += string.length() + 1;
            self.put(at - 1, &[0]);
        }
        None
    }

    fn is_directory(&self, fd: u64) -> bool {
        fd == DIRECTORY && self.host.files.has_directory()
    }

    /// A WASI file type: a character device, a directory or a regular file.
    fn kind_of(&mut self, fd: u64) -> Option<u8> {
        match fd {
            0..=2 => Some(2),
            _ if self.is_directory(fd) => Some(3),
            _ => Rc::make_mut(&mut self.host).files.get(fd).map(|_| 4),
        }
    }

    /// Reads on from where the last read ended. Standard input that nobody gave is at its end, which is noted.
    fn fd_read(&mut self, terms: &mut Terms, fd: u64, iovs: u64, count: u64, read: u64) -> Result<Option<u64>, Event> {
        if count > MOST_IOVS {
            return Ok(Some(EINVAL));
        }
        let Some(open) = Rc::make_mut(&mut self.host).files.get(fd).cloned() else {
            if fd != 0 {
                return Ok(Some(EBADF));
            }
            Rc::make_mut(&mut self.host).files.absent.insert(STDIN_ABSENT.to_owned());
            return Ok(self.put(read, &[0; 4]));
        };
        // All questions come before the first change.
        let mut places = Vec::new();
        for i in 0..count {
            let (ptr, len) = (self.word(terms, iovs + i * 8)?, self.word(terms, iovs + i * 8 + 4)?);
            let (Some(ptr), Some(len)) = (ptr, len) else { return Ok(Some(EFAULT)) };
            places.push((ptr, len));
        }
        let mut position = open.position;
        let index = self.memory_index();
        let fits = |(ptr, len): &(u64, u64)| self.memories[index].in_bounds(*ptr, *len);
        if !places.iter().all(fits) || !fits(&(read, 4)) {
            return Ok(Some(EFAULT));
        }
        for (ptr, len) in places {
            let now = len.min(open.stream.length().saturating_sub(position));
            for k in 0..now {
                let byte = self.byte(terms, &open.stream, position + k);
                self.memories[index].store(terms, ptr + k, 1, byte);
            }
            self.profile.wrote(ptr, now);
            position += now;
        }
        let total = position - open.position;
        self.put(read, &(total as u32).to_le_bytes());
        if let Some(open) = Rc::make_mut(&mut self.host).files.get(fd) {
            open.position = position;
        }
        Ok(None)
    }

    fn fd_seek(&mut self, fd: u64, offset: i64, whence: u64, result: u64) -> Option<u64> {
        let Some(open) = Rc::make_mut(&mut self.host).files.get(fd) else { return Some(EBADF) };
        let from = match whence {
            0 => 0,
            1 => open.position,
            2 => open.stream.length(),
            _ => return Some(EINVAL),
        };
        let Some(position) = from.checked_add_signed(offset) else { return Some(EINVAL) };
        open.position = position;
        self.put(result, &position.to_le_bytes())
    }

    /// Opens a file of the world for reading. What is not there is noted.
    fn path_open(&mut self, terms: &mut Terms, args: [u64; 9]) -> Result<Option<u64>, Event> {
        let [directory, _, path, length, .., result] = args;
        if !self.is_directory(directory) {
            return Ok(Some(EBADF));
        }
        let mut name = Vec::new();
        let index = self.memory_index();
        for i in 0..length {
            let Some(byte) = self.memories[index].load(terms, path + i, 1) else { return Ok(Some(EFAULT)) };
            self.profile.read(path + i, 1);
            name.push(self.pin(terms, byte, "the symbolic name of a file")? as u8);
        }
        let name = String::from_utf8_lossy(&name).into_owned();
        let files = &mut Rc::make_mut(&mut self.host).files;
        let Some(fd) = files.open(&name) else {
            files.absent.insert(format!("the file {name}, which is not there; give it with --file '{name}=n'"));
            return Ok(Some(ENOENT));
        };
        Ok(self.put(result, &(fd as u32).to_le_bytes()))
    }

    /// A xorshift64* stream, so that every run draws the same numbers.
    fn random_get(&mut self, buffer: u64, len: u64) -> Option<u64> {
        if !self.memories[self.memory_index()].in_bounds(buffer, len) {
            return Some(EFAULT);
        }
        let mut bytes = Vec::with_capacity(len as usize);
        let host = Rc::make_mut(&mut self.host);
        while (bytes.len() as u64) < len {
            let mut x = host.random;
            x ^= x >> 12;
            x ^= x << 25;
            x ^= x >> 27;
            host.random = x;
            let draw = x.wrapping_mul(0x2545_F491_4F6C_DD1D).to_le_bytes();
            let room = (len - bytes.len() as u64).min(8) as usize;
            bytes.extend_from_slice(&draw[..room]);
        }
        self.put(buffer, &bytes)
    }
}
