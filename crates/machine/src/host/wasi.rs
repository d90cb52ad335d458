//! The functions of WASI preview 1 that are known by name, with their types.

/// A WASI function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wasi {
    ArgsSizesGet,
    ArgsGet,
    EnvironSizesGet,
    EnvironGet,
    FdWrite,
    FdRead,
    FdClose,
    FdSeek,
    FdFdstatGet,
    FdPrestatGet,
    FdPrestatDirName,
    FdFilestatGet,
    PathOpen,
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
    pub(crate) fn named(name: &str) -> Wasi {
        match name {
            "args_sizes_get" => Wasi::ArgsSizesGet,
            "args_get" => Wasi::ArgsGet,
            "environ_sizes_get" => Wasi::EnvironSizesGet,
            "environ_get" => Wasi::EnvironGet,
            "fd_write" => Wasi::FdWrite,
            "fd_read" => Wasi::FdRead,
            "fd_close" => Wasi::FdClose,
            "fd_seek" => Wasi::FdSeek,
            "fd_fdstat_get" => Wasi::FdFdstatGet,
            "fd_prestat_get" => Wasi::FdPrestatGet,
            "fd_prestat_dir_name" => Wasi::FdPrestatDirName,
            "fd_filestat_get" => Wasi::FdFilestatGet,
            "path_open" => Wasi::PathOpen,
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
    pub(crate) fn signature(self) -> Option<&'static [bool]> {
        Some(match self {
            Wasi::ArgsSizesGet | Wasi::ArgsGet | Wasi::EnvironSizesGet | Wasi::EnvironGet => &[false, false],
            Wasi::FdFdstatGet | Wasi::FdPrestatGet | Wasi::FdFilestatGet => &[false, false],
            Wasi::PathOpen => &[false, false, false, false, false, true, true, false, false],
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
