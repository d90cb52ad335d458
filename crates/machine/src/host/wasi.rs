//! The part of WASI preview 1 that compiled programs really call, deterministic and without a file system.

use std::rc::Rc;

use slowpath_program::Trap;
use slowpath_term::Terms;

use crate::access::trapped;
use crate::memory::Memory;
use crate::mode::Mode;
use crate::profile::Profile;
use crate::question::Event;
use crate::state::State;

const OK: u64 = 0;
const EBADF: u64 = 8;
const EFAULT: u64 = 21;
const EINVAL: u64 = 28;
const ENOSYS: u64 = 52;
const ESPIPE: u64 = 70;
const MOST_IOVS: u64 = 1024;

/// A WASI function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wasi {
    SizesGet,
    VectorGet,
    FdWrite,
    FdRead,
    FdClose,
    FdSeek,
    FdFdstatGet,
    FdPrestatGet,
    FdPrestatDirName,
    ClockTimeGet,
    ClockResGet,
    RandomGet,
    ProcExit,
    SchedYield,
    PollOneoff,
    /// Accepted so that modules that only link it still run; fails with ENOSYS.
    Other,
}

impl Wasi {
    pub(super) fn named(name: &str) -> Wasi {
        match name {
            "args_sizes_get" | "environ_sizes_get" => Wasi::SizesGet,
            "args_get" | "environ_get" => Wasi::VectorGet,
            "fd_write" => Wasi::FdWrite,
            "fd_read" => Wasi::FdRead,
            "fd_close" => Wasi::FdClose,
            "fd_seek" => Wasi::FdSeek,
            "fd_fdstat_get" => Wasi::FdFdstatGet,
            "fd_prestat_get" => Wasi::FdPrestatGet,
            "fd_prestat_dir_name" => Wasi::FdPrestatDirName,
            "clock_time_get" => Wasi::ClockTimeGet,
            "clock_res_get" => Wasi::ClockResGet,
            "random_get" => Wasi::RandomGet,
            "proc_exit" => Wasi::ProcExit,
            "sched_yield" => Wasi::SchedYield,
            "poll_oneoff" => Wasi::PollOneoff,
            _ => Wasi::Other,
        }
    }

    /// Parameters, `true` for 64 bits; None where any type will do.
    pub(super) fn signature(self) -> Option<&'static [bool]> {
        Some(match self {
            Wasi::SizesGet | Wasi::VectorGet | Wasi::FdFdstatGet | Wasi::FdPrestatGet => &[false, false],
            Wasi::ClockResGet | Wasi::RandomGet => &[false, false],
            Wasi::FdWrite | Wasi::FdRead | Wasi::PollOneoff => &[false; 4],
            Wasi::FdClose | Wasi::ProcExit => &[false],
            Wasi::FdSeek => &[false, true, false, false],
            Wasi::FdPrestatDirName => &[false; 3],
            Wasi::ClockTimeGet => &[false, true, false],
            Wasi::SchedYield => &[],
            Wasi::Other => return None,
        })
    }
}

impl<M: Mode> State<M> {
    pub(super) fn wasi(&mut self, terms: &mut Terms, wasi: Wasi, at: u32) -> Result<(), Event> {
        if wasi == Wasi::Other {
            self.set_reg(at, M::value(ENOSYS));
            return Ok(());
        }
        let mut args = [0u64; 4];
        for (i, wide) in wasi.signature().unwrap_or_default().iter().enumerate() {
            let value = self.reg(at + i as u32);
            let bits = self.pin(terms, value, "a symbolic argument of a system call")?;
            args[i] = if *wide { bits } else { u64::from(bits as u32) };
        }
        let [a, b, c, d] = args;
        let standard = a <= 2;
        let errno = match wasi {
            Wasi::ProcExit => return trapped(Trap::Exit(a as u32 as i32)),
            Wasi::SizesGet => self.put(a, &[0; 4]).or_else(|| self.put(b, &[0; 4])),
            Wasi::VectorGet | Wasi::SchedYield => None,
            Wasi::FdWrite => self.fd_write(terms, a, b, c, d)?,
            Wasi::FdRead if a == 0 => self.put(d, &[0; 4]),
            Wasi::FdRead => Some(EBADF),
            Wasi::FdClose => (!standard).then_some(EBADF),
            Wasi::FdSeek => Some(if standard { ESPIPE } else { EBADF }),
            Wasi::FdFdstatGet if standard => {
                let mut stat = [0u8; 24];
                stat[0] = 2;
                stat[8] = if a == 0 { 2 } else { 64 };
                self.put(b, &stat)
            }
            Wasi::FdFdstatGet | Wasi::FdPrestatGet | Wasi::FdPrestatDirName => Some(EBADF),
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
