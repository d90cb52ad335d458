//! What happens just now. On a terminal: the sizes that are done and one live line below them, overwritten and gone at the end.
//! Elsewhere: a line every ten seconds.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use slowpath::{Clock, Event, Progress};
use slowpath_report::{count, visible};

use crate::output::{columns, complain};

/// How often a terminal is written to, and how often anything else.
const OFTEN: Duration = Duration::from_millis(100);
const SELDOM: Duration = Duration::from_secs(10);
/// Sizes above the live line.
const MOST_ROWS: usize = 6;

/// The progress of one command; nothing where it is to be quiet.
pub struct ProgressLine {
    live: Arc<Mutex<Live>>,
    /// Dropped to end the thread that draws.
    ticking: Option<(Sender<()>, JoinHandle<()>)>,
}

/// What is known of the moment.
struct Live {
    terminal: bool,
    target: String,
    doing: String,
    /// Whether `doing` is part of the search, of which there is more to say.
    searching: bool,
    begun: Instant,
    clock: Option<(Clock, Duration)>,
    /// Sizes with their worst cost so far and who found it, as they came.
    rows: Vec<(i64, u64, String)>,
    /// Paths and runs counted by the clock at a moment, for the rate.
    counted: (Instant, u64),
    rate: Option<f64>,
    /// Lines on the terminal that are ours.
    drawn: usize,
}

impl ProgressLine {
    /// Shown unless it is to be quiet.
    pub fn new(quiet: bool) -> ProgressLine {
        let now = Instant::now();
        let live = Arc::new(Mutex::new(Live {
            terminal: io::stderr().is_terminal(),
            target: String::new(),
            doing: String::new(),
            searching: false,
            begun: now,
            clock: None,
            rows: Vec::new(),
            counted: (now, 0),
            rate: None,
            drawn: 0,
        }));
        let ticking = (!quiet).then(|| {
            let (stop, stopped) = channel();
            let shared = live.clone();
            (stop, thread::spawn(move || tick(&shared, &stopped)))
        });
        ProgressLine { live, ticking }
    }

    /// Takes an event in. A disagreement between engines is said at once, wherever standard error goes.
    pub fn show(&self, progress: &Progress<'_>) {
        match progress {
            Progress::Compiling => {
                // The time of whoever was looked at before says nothing now.
                self.live().clock = None;
                self.say("compiling …");
            }
            Progress::Begun { clock, limit } => {
                let mut live = self.live();
                live.clock = Some((clock.clone(), *limit));
                (live.rows, live.counted, live.rate) = (Vec::new(), (Instant::now(), 0), None);
            }
            Progress::Search(event) => self.live().event(event),
            Progress::Replaying { size } => self.say(&format!("size {size}: replaying …")),
            Progress::Averaging { size } => self.say(&format!("size {size}: running random inputs …")),
            Progress::Done(_) => {}
            Progress::Disagreement(text) => {
                self.clear();
                complain(&format!("BUG: {text}"));
            }
        }
    }

    /// Takes in an event of one of several targets.
    pub fn show_for(&self, target: &str, progress: &Progress<'_>) {
        self.live().target = format!("{target}, ");
        self.show(progress);
    }

    /// Shows any other text.
    pub fn say(&self, text: &str) {
        let mut live = self.live();
        if live.doing != text {
            (live.doing, live.searching) = (text.to_owned(), false);
        }
    }

    /// Leaves nothing of it on the terminal. What came since it was last drawn is drawn before: work that ends between two ticks
    /// was on the terminal too, on a fast machine as on a slow one.
    pub fn clear(&self) {
        let mut live = self.live();
        if live.terminal && self.ticking.is_some() && !live.doing.is_empty() {
            live.draw();
        }
        live.doing.clear();
        live.erase();
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
        if let Some((stop, thread)) = self.ticking.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

/// Draws until there is nobody to draw for.
fn tick(live: &Mutex<Live>, stopped: &Receiver<()>) {
    let terminal = live.lock().unwrap_or_else(PoisonError::into_inner).terminal;
    let every = if terminal { OFTEN } else { SELDOM };
    while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        let mut live = live.lock().unwrap_or_else(PoisonError::into_inner);
        if !live.doing.is_empty() {
            live.measure();
            if terminal { live.draw() } else { complain(&visible(&live.line())) }
        }
    }
}

impl Live {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Trying { size, technique, .. } => {
                (self.doing, self.searching) = (format!("size {size}: {technique}"), true);
            }
            Event::Worse { size, technique, cost } => match self.rows.iter_mut().find(|(known, ..)| known == size) {
                Some(row) => (row.1, row.2) = (*cost, technique.to_string()),
                None => self.rows.push((*size, *cost, technique.to_string())),
            },
            Event::Tried { .. } => {}
        }
    }

    /// Paths and runs a second since the last time that some were counted.
    fn measure(&mut self) {
        let Some((clock, _)) = &self.clock else { return };
        let (now, all) = (Instant::now(), clock.runs());
        let seconds = now.duration_since(self.counted.0).as_secs_f64();
        if seconds >= 0.5 {
            self.rate = Some(all.saturating_sub(self.counted.1) as f64 / seconds);
            self.counted = (now, all);
        }
    }

    /// `size 12: policy · 1,204 paths/s · worst 687 · 12 s of 60 s`
    fn line(&self) -> String {
        let mut parts = vec![format!("{}{}", self.target, self.doing)];
        if self.searching {
            parts.extend(self.rate.map(|rate| format!("{} paths/s", count(rate.round() as u64))));
            parts.extend(
                self.rows
                    .iter()
                    .max_by_key(|row| row.0)
                    .map(|(n, cost, _)| format!("worst {} at n = {n}", count(*cost))),
            );
        }
        parts.push(match &self.clock {
            Some((clock, limit)) if clock.is_by_work() => {
                format!("{} of {} steps", count(clock.steps()), count(slowpath::steps_of(*limit)))
            }
            // The looks of a scan are short.
            Some((clock, limit)) if limit.as_secs() < 10 => {
                format!("{:.1} s of {:.1} s", clock.now().as_secs_f64(), limit.as_secs_f64())
            }
            Some((clock, limit)) => format!("{} s of {} s", clock.now().as_secs(), limit.as_secs()),
            None => format!("{} s", self.begun.elapsed().as_secs()),
        });
        parts.join(" · ")
    }

    fn draw(&mut self) {
        let columns = columns(&io::stderr()).unwrap_or(80).saturating_sub(1);
        let cut = |line: String| visible(&line).chars().take(columns).collect::<String>();
        let mut lines: Vec<String> = self
            .rows
            .iter()
            .rev()
            .take(MOST_ROWS)
            .rev()
            .map(|(size, cost, by)| format!("  n = {size}: {} ({by})", count(*cost)))
            .collect();
        lines.push(self.line());
        let lines: Vec<String> = lines.into_iter().map(cut).collect();
        let up = self.to_first_line();
        let mut err = io::stderr().lock();
        let _ = write!(err, "{up}{}", lines.join("\n")).and_then(|()| err.flush());
        self.drawn = lines.len();
    }

    /// What brings the cursor to the first of our lines, and empties them.
    fn to_first_line(&self) -> String {
        let up = if self.drawn > 1 { format!("\x1b[{}A", self.drawn - 1) } else { String::new() };
        format!("\r{up}\x1b[J")
    }

    fn erase(&mut self) {
        if self.drawn > 0 {
            let mut err = io::stderr().lock();
            let _ = write!(err, "{}", self.to_first_line()).and_then(|()| err.flush());
            self.drawn = 0;
        }
    }
}
