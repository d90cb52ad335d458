//! Other processes of slowpath as an engine: each gets a task a line on its standard input and answers with a line on its standard output.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::{Engine, Failure, Report, Work};

/// Processes in a row that end before they answered anything, after which no more are started.
const MOST_STILLBORN: u32 = 5;

/// A line to a worker or from it; `work` is a task or a result, in base 64.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WorkerLine {
    pub ticket: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
    /// Why there is no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// What a worker may say before anything else: that whatever ends it from here on is the fault of a task.
pub const READY: &str = "{\"ticket\":0}";

/// What a worker answers to a line. Whatever the line is, there is an answer.
pub fn answer_line(work: &Work, line: &str) -> String {
    answer_with(line, |task| work.slice(task).map_err(|error| error.to_string()))
}

/// What a worker answers to a line that does this with a task.
pub fn answer_with(line: &str, doing: impl FnOnce(&[u8]) -> Result<Vec<u8>, String>) -> String {
    let asked: Result<WorkerLine, String> = serde_json::from_str(line).map_err(|error| error.to_string());
    let ticket = asked.as_ref().map_or(0, |asked| asked.ticket);
    let task = asked.and_then(|asked| {
        let task = asked.work.ok_or_else(|| "there is no task in the line".to_owned())?;
        STANDARD.decode(task).map_err(|error| error.to_string())
    });
    let answer = match task.and_then(|task| doing(&task)) {
        Ok(result) => WorkerLine { ticket, work: Some(STANDARD.encode(result)), refused: None },
        Err(why) => WorkerLine { ticket, work: None, refused: Some(why) },
    };
    // It has a number and two texts: nothing to fail.
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Some processes.
pub struct Processes {
    command: Vec<OsString>,
    workers: Vec<Option<Worker>>,
    /// Not begun yet.
    waiting: VecDeque<(u64, Vec<u8>)>,
    said: Receiver<Said>,
    speaker: Sender<Said>,
    /// Reports to be given before anything else.
    ready: VecDeque<Report>,
    started: u64,
    stillborn: u32,
}

struct Worker {
    child: Child,
    /// Whoever writes to it waits if it does not read; that is a thread of its own.
    lines: Sender<String>,
    number: u64,
    ticket: Option<u64>,
    answered: bool,
}

/// What a process said: a line, or by None that it is gone.
struct Said {
    number: u64,
    line: Option<String>,
}

impl Processes {
    /// So many processes of a command, started when there is work for them.
    pub fn new(command: Vec<OsString>, count: usize) -> Processes {
        let (speaker, said) = channel();
        Processes {
            command,
            workers: (0..count.max(1)).map(|_| None).collect(),
            waiting: VecDeque::new(),
            said,
            speaker,
            ready: VecDeque::new(),
            started: 0,
            stillborn: 0,
        }
    }

    fn start(&mut self) -> Result<Worker, String> {
        let (program, arguments) = self.command.split_first().ok_or_else(|| "there is no command".to_owned())?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| format!("a worker cannot be started: {error}"))?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a worker cannot be spoken to".to_owned());
        };
        self.started += 1;
        let (number, speaker) = (self.started, self.speaker.clone());
        let (lines, to_write) = channel::<String>();
        thread::spawn(move || {
            for line in to_write {
                if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if speaker.send(Said { number, line: Some(line) }).is_err() {
                    return;
                }
            }
            let _ = speaker.send(Said { number, line: None });
        });
        Ok(Worker { child, lines, number, ticket: None, answered: false })
    }

    /// Gives waiting tasks to whoever has none.
    fn hand_out(&mut self) {
        for place in 0..self.workers.len() {
            if self.waiting.is_empty() {
                return;
            }
            if self.stillborn >= MOST_STILLBORN {
                let why = format!("{MOST_STILLBORN} workers ended before they did anything");
                let refused = |(ticket, _)| Report { ticket, result: Err(Failure::Refused(why.clone())) };
                self.ready.extend(self.waiting.drain(..).map(refused));
                return;
            }
            if self.workers[place].is_none() {
                match self.start() {
                    Ok(worker) => self.workers[place] = Some(worker),
                    Err(_) => {
                        self.stillborn += 1;
                        continue;
                    }
                }
            }
            let Some(worker) = self.workers[place].as_mut().filter(|worker| worker.ticket.is_none()) else { continue };
            let Some((ticket, task)) = self.waiting.pop_front() else { return };
            let line = WorkerLine { ticket, work: Some(STANDARD.encode(task)), refused: None };
            worker.ticket = Some(ticket);
            // One that is gone says so by itself.
            let _ = worker.lines.send(serde_json::to_string(&line).unwrap_or_default());
        }
    }

    fn hear(&mut self, said: Said) -> Option<Report> {
        let place = self.workers.iter().position(|w| w.as_ref().is_some_and(|w| w.number == said.number))?;
        let worker = self.workers[place].as_mut()?;
        let Some(line) = said.line else {
            let ticket = worker.ticket;
            self.stillborn = if worker.answered { 0 } else { self.stillborn + 1 };
            end(self.workers[place].take());
            return Some(Report { ticket: ticket?, result: Err(Failure::Died("its process ended".into())) });
        };
        let answer: WorkerLine = serde_json::from_str(&line).ok()?;
        worker.answered = true;
        self.stillborn = 0;
        let ticket = worker.ticket.filter(|ticket| *ticket == answer.ticket)?;
        worker.ticket = None;
        let result = match (answer.work.map(|work| STANDARD.decode(work)), answer.refused) {
            (Some(Ok(work)), _) => Ok(work),
            (_, Some(why)) => Err(Failure::Refused(why)),
            _ => Err(Failure::Died("it answers nonsense".into())),
        };
        Some(Report { ticket, result })
    }
}

impl Engine for Processes {
    fn slots(&self) -> usize {
        self.workers.len()
    }

    fn submit(&mut self, ticket: u64, task: Vec<u8>) {
        self.waiting.push_back((ticket, task));
        self.hand_out();
    }

    fn next(&mut self, wait: Duration) -> Option<Report> {
        let until = Instant::now() + wait;
        loop {
            self.hand_out();
            if let Some(report) = self.ready.pop_front() {
                return Some(report);
            }
            let said = self.said.recv_timeout(until.saturating_duration_since(Instant::now())).ok()?;
            if let Some(report) = self.hear(said) {
                self.hand_out();
                return Some(report);
            }
        }
    }

    fn halt(&mut self) {
        self.waiting.clear();
        // A task is short, and what was not answered is still in the frontier.
        self.workers.iter_mut().filter(|w| w.as_ref().is_some_and(|w| w.ticket.is_some())).for_each(|w| end(w.take()));
    }
}

fn end(worker: Option<Worker>) {
    if let Some(mut worker) = worker {
        let _ = worker.child.kill();
        let _ = worker.child.wait();
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.workers.iter_mut().for_each(|worker| end(worker.take()));
    }
}
