//! Runs one tool with a deadline and keeps what it prints.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::SourceError;

/// The place and the time one compilation has.
pub(crate) struct Workshop<'a> {
    /// The user's file, for messages.
    pub source: &'a Path,
    scratch: TempDir,
    timeout: Duration,
    deadline: Instant,
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
        let scratch = tempfile::Builder::new().prefix("slowpath-").tempdir().map_err(SourceError::Scratch)?;
        let now = Instant::now();
        Ok(Workshop {
            source,
            scratch,
            timeout,
            // A timeout too long for the clock is no timeout.
            deadline: now.checked_add(timeout).unwrap_or(now + Duration::from_secs(86_400)),
        })
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

    /// Runs a stage that may fail.
    pub fn run<I, S>(&self, purpose: &'static str, program: &Path, arguments: I) -> Result<Finished, SourceError>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let arguments: Vec<OsString> = arguments.into_iter().map(|a| a.as_ref().to_owned()).collect();
        // Files, not pipes: nothing to drain while waiting.
        let (out, err) = (self.file("stdout"), self.file("stderr"));
        let child = Command::new(program)
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(create(&out)?)
            .stderr(create(&err)?)
            .spawn()
            .map_err(|source| SourceError::Start { program: program.to_path_buf(), source })?;
        let status = self.wait(child).map_err(SourceError::Scratch)?;
        let Some(status) = status else {
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

    /// `None` when the deadline came first; the tool is then gone.
    fn wait(&self, mut child: Child) -> io::Result<Option<ExitStatus>> {
        let mut nap = Duration::from_micros(500);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if Instant::now() >= self.deadline {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(10));
        }
    }
}

fn create(path: &Path) -> Result<File, SourceError> {
    File::create(path).map_err(SourceError::Scratch)
}

fn text(path: &Path) -> Result<String, SourceError> {
    let bytes = fs::read(path).map_err(SourceError::Scratch)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
