//! What happens just now, on one line of a terminal that is overwritten.

use std::io::{self, IsTerminal, Write};

use slowpath::{Event, Progress};
use slowpath_report::visible;

use crate::output::complain;

/// The line of progress; nothing where standard error is no terminal.
pub struct ProgressLine {
    visible: bool,
}

impl ProgressLine {
    /// Shown on a terminal, unless it is to be quiet.
    pub fn new(quiet: bool) -> ProgressLine {
        ProgressLine { visible: !quiet && io::stderr().is_terminal() }
    }

    /// Shows an event. A disagreement between engines is said wherever standard error goes.
    pub fn show(&self, progress: &Progress<'_>) {
        match progress {
            Progress::Compiling => self.line("compiling …"),
            Progress::Search(event) => self.event("", event),
            Progress::Replaying { size } => self.line(&format!("size {size}: replaying …")),
            Progress::Averaging { size } => self.line(&format!("size {size}: running random inputs …")),
            Progress::Done(_) => self.clear(),
            Progress::Disagreement(text) => {
                self.clear();
                complain(&format!("BUG: {text}"));
            }
        }
    }

    /// Shows an event of one of several targets.
    pub fn show_for(&self, target: &str, progress: &Progress<'_>) {
        match progress {
            Progress::Compiling => self.line(&format!("{target}: compiling …")),
            Progress::Search(event) => self.event(&format!("{target}, "), event),
            other => self.show(other),
        }
    }

    /// One event of the search; what was found stays on the line until the next technique begins.
    fn event(&self, before: &str, event: &Event) {
        match event {
            Event::Trying { size, technique, seconds_left } => {
                self.line(&format!("{before}size {size}: {technique} … ({seconds_left:.0} s left)"));
            }
            Event::Worse { size, technique, cost } => {
                self.line(&format!("{before}size {size}: {technique} found {cost}"));
            }
            Event::Tried { .. } => {}
        }
    }

    /// Shows any other text.
    pub fn say(&self, text: &str) {
        self.line(text);
    }

    /// Leaves the line empty.
    pub fn clear(&self) {
        self.line("");
    }

    fn line(&self, text: &str) {
        if self.visible {
            let mut err = io::stderr().lock();
            let _ = write!(err, "\r\x1b[K{}", visible(text)).and_then(|()| err.flush());
        }
    }
}
