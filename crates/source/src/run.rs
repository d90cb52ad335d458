//! Runs one tool with a deadline and keeps what it prints.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::scratch::Scratch;
use crate::{Options, SourceError};

/// The place and the time one compilation has.
pub(crate) struct Workshop<'a> {
    /// The user's file, for messages.
    pub source: &'a Path,
    scratch: Scratch,
    timeout: Duration,
    deadline: Instant,
    /// Set from outside to stop whatever runs.
    interrupt: Option<Arc<AtomicBool>>,
    /// Tools started so far: several may run at a time, each with files of its own for what it prints.
    started: AtomicUsize,
    /// Every command line, as a shell would take it.
    commands: Mutex<Vec<String>>,
}

/// A tool that ran to its end.
pub(crate) struct Finished {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
    /// The exit code or the signal, in words.
    pub status: String,
}

impl<'a> Workshop<'a> {
    pub fn open(source: &'a Path, timeout: Duration) -> Result<Self, SourceError> {
        let scratch = Scratch::new().map_err(SourceError::Scratch)?;
        let now = Instant::now();
        Ok(Workshop {
            source,
            scratch,
            timeout,
            // A timeout too long for the clock is no timeout.
            deadline: now.checked_add(timeout).unwrap_or(now + Duration::from_secs(86_400)),
            interrupt: None,
            started: AtomicUsize::new(0),
            commands: Mutex::default(),
        })
    }

    /// For one compilation, which has so much time unless the options say how much.
    pub fn of(source: &'a Path, options: &Options, usual: Duration) -> Result<Self, SourceError> {
        let workshop = Workshop::open(source, options.timeout.unwrap_or(usual))?;
        Ok(Workshop { interrupt: options.interrupt.clone(), ..workshop })
    }

    pub fn directory(&self) -> &Path {
        self.scratch.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Runs a stage that must succeed; if it does not, its own words are the error.
    pub fn must<I, S>(&self, purpose: &'static str, program: &Path, arguments: I) -> Result<Finished, SourceError>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let finished = self.run(purpose, program, arguments)?;
        if finished.success { Ok(finished) } else { Err(self.failure(purpose, finished)) }
    }

    /// The command lines so far.
    pub fn commands(&self) -> Vec<String> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a stage that may fail.
    pub fn run<I, S>(&self, purpose: &'static str, program: &Path, arguments: I) -> Result<Finished, SourceError>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = Command::new(program);
        command.args(arguments);
        self.execute(purpose, command)
    }

    /// Runs a command that was put together elsewhere, and may fail.
    pub fn execute(&self, purpose: &'static str, mut command: Command) -> Result<Finished, SourceError> {
        let program = PathBuf::from(command.get_program());
        let line = shell_line(&command);
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        // Files, not pipes: nothing to drain while waiting.
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let [out, err] = ["stdout", "stderr"].map(|name| self.file(&format!("{name}-{number}")));
        // A tool starts others. In a group of its own they are all stopped; a signal of the terminal's then goes to us alone.
        #[cfg(unix)]
        if self.interrupt.is_some() {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        let child = command
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?)
            .spawn()
            .map_err(|source| SourceError::Start { program: program.clone(), source })?;
        let status = self.wait(child).map_err(SourceError::Scratch)?;
        let Some(status) = status else {
            if self.is_interrupted() {
                return Err(SourceError::Interrupted { path: self.source.to_path_buf(), purpose });
            }
            return Err(SourceError::Timeout {
                path: self.source.to_path_buf(),
                purpose,
                seconds: self.timeout.as_secs(),
            });
        };
        Ok(Finished { success: status.success(), stdout: text(&out)?, stderr: text(&err)?, status: status.to_string() })
    }

    pub fn failure(&self, purpose: &'static str, finished: Finished) -> SourceError {
        SourceError::Compiler { path: self.source.to_path_buf(), purpose, stderr: finished.stderr }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// `None` when the deadline or an interrupt came first; the tool is then gone.
    fn wait(&self, mut child: Child) -> io::Result<Option<ExitStatus>> {
        let mut nap = Duration::from_micros(500);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= self.deadline || self.is_interrupted() {
                #[cfg(unix)]
                if self.interrupt.is_some() {
                    // Where it ended in this moment there is no such group.
                    let group = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX));
                    let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
                }
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(10));
        }
    }
}

/// A command as it could be typed: variables that were set, the program, its arguments, quoted where that is needed.
fn shell_line(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}={}", name.to_string_lossy(), shell_word(&value?.to_string_lossy())))
    });
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let words = words.map(|word| shell_word(&word.to_string_lossy()));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn create(path: &Path) -> Result<File, SourceError> {
    File::create(path).map_err(SourceError::Scratch)
}

fn text(path: &Path) -> Result<String, SourceError> {
    let bytes = fs::read(path).map_err(SourceError::Scratch)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
